// Write-back: the write ports of registers, condition codes, ALU bits and A0. ALU results never wait; late results (loads, special unit) take the register bank that the ALU
// beat does not use, by turns of the units; the launch fill takes what is left. Something that waits
// too long gets a hole (skip_beat_o): a beat slot that the issue stage leaves empty.
// Timing: everything is written at the end of the clock in which it is accepted.
module mw_writeback
  import mw_isa_pkg::*;
  import mw_core_pkg::*;
#(
  parameter cfg_t C = CFG_BASE,
  localparam int unsigned L = C.lanes,
  localparam int unsigned BEATS = WAVE_THREADS / L,
  localparam int unsigned WW = $clog2(C.waves_partial)
) (
  input  logic            clk_i,
  input  logic            rst_i,

  input  logic            valid_i,       // ALU beat
  /* verilator lint_off UNUSEDSIGNAL */  // travels whole, a part is needed here
  input  wb_ctl_t         wb_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic [L-1:0]    exec_i,
  input  logic [L-1:0]    dst_win_i,
  input  logic [L*12-1:0] dst_row_i,
  input  logic [L*32-1:0] result_i,
  input  logic [L*4-1:0]  flags_i,

  input  logic [RETURNS-1:0] ret_valid_i,  // late results: 0 AXI, 1 shared memory, 2 special unit
  output logic [RETURNS-1:0] ret_ready_o,
  input  logic [WW-1:0]   ret_wave_i [RETURNS],
  input  logic [4:0]      ret_beat_i [RETURNS],
  input  logic [L-1:0]    ret_mask_i [RETURNS],
  input  logic [11:0]     ret_row_i  [RETURNS],
  input  logic [L*32-1:0] ret_data_i [RETURNS],
  output logic [1:0]      ret_which_o,   // whose result is looked at
  output logic            load_o,        // a load result is written

  input  logic            fill_reg_i,    // launch fill
  input  logic            fill_cc_i,
  input  logic            fill_a0_i,
  output logic            fill_reg_ready_o,
  output logic            fill_cc_ready_o,
  output logic            fill_a0_ready_o,
  input  logic [WW-1:0]   fill_wave_i,
  input  logic [4:0]      fill_beat_i,
  input  logic [11:0]     fill_row_i,
  input  logic [L*32-1:0] fill_data_i,

  output logic [1:0]      rf_we_o,
  output logic [4:0]      rf_beat0_o,
  output logic [L*12-1:0] rf_row0_o,
  output logic [L-1:0]    rf_mask0_o,
  output logic [L*32-1:0] rf_data0_o,
  output logic [4:0]      rf_beat1_o,
  output logic [L*12-1:0] rf_row1_o,
  output logic [L-1:0]    rf_mask1_o,
  output logic [L*32-1:0] rf_data1_o,

  output logic            cc_we_o,
  output logic [5:0]      cc_wave_o,
  output logic [4:0]      cc_beat_o,
  output logic [3:0]      cc_index_o,
  output logic [L-1:0]    cc_mask_o,
  output logic [L*4-1:0]  cc_data_o,
  output logic            alu_we_o,

  output logic            a0_we_o,
  output logic [WW-1:0]   a0_wave_o,
  output logic [4:0]      a0_beat_o,
  output logic [L-1:0]    a0_mask_o,
  output logic [L*12-1:0] a0_data_o,

  output logic            skip_beat_o
);
  // ---- registers: one writer per bank
  logic          alu_reg, alu_bank, ret_any, ret_bank, ret_go, fill_bank, fill_go;
  logic [4:0]    ret_beat;
  logic [L-1:0]  ret_mask;
  logic [11:0]   ret_row;
  logic [L*32-1:0] ret_data;
  assign alu_reg     = valid_i && wb_i.dst_en;
  assign alu_bank    = BEATS > 1 ? wb_i.beat[0] : wb_i.wave[0];
  assign ret_any     = ret_valid_i != '0;
  // whose turn it is, and per unit whether the ALU beat leaves its bank free; the rest only chooses
  logic [1:0]         turn_q;            // who comes first
  logic [RETURNS-1:0] ret_banks, ret_free, ret_bit;
  always_comb begin
    for (int u = 0; u < int'(RETURNS); u++) begin
      ret_banks[u] = BEATS > 1 ? ret_beat_i[u][0] : ret_wave_i[u][0];
      ret_free[u]  = !(alu_reg && alu_bank == ret_banks[u]);
    end
    ret_bit = '0;
    case (turn_q)
      2'd0:    ret_bit = ret_valid_i[0] ? 3'b001 : ret_valid_i[1] ? 3'b010 : {ret_valid_i[2], 2'b00};
      2'd1:    ret_bit = ret_valid_i[1] ? 3'b010 : ret_valid_i[2] ? 3'b100 : {2'b00, ret_valid_i[0]};
      default: ret_bit = ret_valid_i[2] ? 3'b100 : ret_valid_i[0] ? 3'b001 : {1'b0, ret_valid_i[1], 1'b0};
    endcase
  end
  assign ret_which_o = {ret_bit[2], ret_bit[1]};
  assign ret_ready_o = ret_bit & ret_free;
  assign ret_go      = ret_ready_o != '0;
  assign ret_beat    = ret_beat_i[ret_which_o];
  assign ret_mask    = ret_mask_i[ret_which_o];
  assign ret_data    = ret_data_i[ret_which_o];
  assign ret_row     = ret_row_i[ret_which_o];
  assign ret_bank    = ret_banks[ret_which_o];
  assign load_o      = ret_go;
  assign fill_bank   = BEATS > 1 ? fill_beat_i[0] : fill_wave_i[0];
  assign fill_go     = fill_reg_i && !(alu_reg && alu_bank == fill_bank)
                    && (ret_valid_i & (ret_banks ~^ {RETURNS{fill_bank}})) == '0;
  assign fill_reg_ready_o = fill_go;

  always_comb begin
    for (int b = 0; b < 2; b++) begin
      logic            bank;
      logic [4:0]      beat;
      logic [L*12-1:0] row;
      logic [L-1:0]    mask;
      logic [L*32-1:0] data;
      bank = b[0];
      beat = fill_beat_i;
      row  = {L{fill_row_i}};
      mask = '1;
      data = fill_data_i;
      rf_we_o[b] = fill_go && fill_bank == bank;
      if (ret_any && ret_bank == bank) begin
        beat = ret_beat;
        row  = {L{ret_row}};
        mask = ret_mask;
        data = ret_data;
        rf_we_o[b] = ret_go;
      end
      if (alu_reg && alu_bank == bank) begin
        beat = wb_i.beat;
        row  = dst_row_i;
        mask = exec_i & dst_win_i;
        data = result_i;
        rf_we_o[b] = 1'b1;
      end
      if (b == 0) begin
        rf_beat0_o = beat;
        rf_row0_o  = row;
        rf_mask0_o = mask;
        rf_data0_o = data;
      end else begin
        rf_beat1_o = beat;
        rf_row1_o  = row;
        rf_mask1_o = mask;
        rf_data1_o = data;
      end
    end
  end

  // ---- condition codes, ALU bits
  logic alu_cc;
  assign alu_cc          = valid_i && wb_i.cc_en;
  assign fill_cc_ready_o = !alu_cc;
  assign cc_we_o         = alu_cc || fill_cc_i;
  assign cc_wave_o       = alu_cc ? wb_i.wave : 6'(fill_wave_i);
  assign cc_beat_o       = alu_cc ? wb_i.beat : fill_beat_i;
  assign cc_index_o      = alu_cc ? wb_i.cc_index : fill_row_i[3:0];
  assign cc_mask_o       = alu_cc ? exec_i : '1;
  assign alu_we_o        = valid_i && wb_i.alu_we;
  always_comb begin
    cc_data_o = flags_i;
    if (!alu_cc) for (int l = 0; l < int'(L); l++) cc_data_o[l*4 +: 4] = fill_data_i[l*32 +: 4];
  end

  // ---- A0, saturated to 12 bits
  logic alu_a0;
  assign alu_a0          = valid_i && wb_i.mova;
  assign fill_a0_ready_o = !alu_a0;
  assign a0_we_o         = alu_a0 || fill_a0_i;
  assign a0_wave_o       = alu_a0 ? wb_i.wave[WW-1:0] : fill_wave_i;
  assign a0_beat_o       = alu_a0 ? wb_i.beat : fill_beat_i;
  assign a0_mask_o       = alu_a0 ? exec_i : '1;
  always_comb begin
    for (int l = 0; l < int'(L); l++) begin
      logic [31:0] r;
      logic        negative, fits;
      r        = result_i[l*32 +: 32];
      negative = r[31] && !wb_i.mova_unsigned;
      fits     = negative ? (&r[31:11]) : r[31:11] == '0;
      a0_data_o[l*12 +: 12] = !alu_a0 ? fill_data_i[l*32 +: 12] : fits ? r[11:0] : negative ? 12'h800 : 12'h7ff;
    end
  end

  // ---- waiting too long
  localparam int unsigned PATIENCE = 15;
  logic [3:0] wait_q;
  logic       waiting;
  assign waiting = (ret_any && !ret_go) || (fill_reg_i && !fill_go) || (fill_cc_i && !fill_cc_ready_o) || (fill_a0_i && !fill_a0_ready_o);
  always_ff @(posedge clk_i) begin
    wait_q      <= waiting ? wait_q + 4'd1 : '0;
    skip_beat_o <= waiting && wait_q == 4'(PATIENCE);
    if (ret_go) turn_q <= ret_which_o == 2'd2 ? 2'd0 : ret_which_o + 2'd1;
    if (rst_i) begin
      wait_q      <= '0;
      skip_beat_o <= 1'b0;
      turn_q      <= '0;
    end
  end

endmodule
