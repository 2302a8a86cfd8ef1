// Write-back: the write ports of registers, condition codes, ALU bits and A0. ALU results never wait. Results that come late (loads, special unit)
// share one register and go to the register bank that no ALU beat takes: shared memory first, but every few clocks another that waits; the launch
// fill when nobody waits. Whose turn it is is found a clock ahead and stays until somebody else asks. Something that waits too long gets a hole
// (skip_beat_o): a beat slot that the issue stage leaves empty.
// Timing: registers and A0 are written at the end of the clock after the one in which an ALU beat or a late result (late_o) is here, all else in
// that clock.
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
  input  logic [1:0]      reg_i,         // register bank that it writes, one bit each
  input  logic [1:0]      reg_late_i,    // a copy of reg_i
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
  input  logic [RETURNS-1:0] ret_second_i, // in which of the unit's two places (mw_load_port)
  input  logic [1:0][WW-1:0]   ret_wave_i [RETURNS],
  input  logic [1:0][31:0]     ret_seq_i  [RETURNS],
  input  logic [1:0][1:0]      ret_comp_i [RETURNS],
  input  logic [1:0][4:0]      ret_beat_i [RETURNS],
  input  logic [1:0][L-1:0]    ret_mask_i [RETURNS],
  input  logic [1:0][9:0]      ret_dst_i  [RETURNS],
  input  logic [1:0][L*32-1:0] ret_data_i [RETURNS],
  output logic [RETURNS-1:0] ret_written_o,

  output logic            late_o,        // a late result is written; late_* are its record
  output logic [WW-1:0]   late_wave_o,
  output logic [31:0]     late_seq_o,
  output logic [1:0]      late_comp_o,
  output logic [4:0]      late_beat_o,
  output logic [L-1:0]    late_mask_o,
  output logic [9:0]      late_dst_o,
  output logic [L*32-1:0] late_data_o,
  input  logic [11:0]     late_regbase_i, // of late_wave_o

  input  logic            fill_reg_i,    // launch fill
  input  logic            fill_cc_i,
  input  logic            fill_a0_i,
  output logic            fill_reg_ready_o,
  output logic            fill_cc_ready_o,
  output logic            fill_a0_ready_o,
  output logic            fill_busy_o,   // a register value of the fill is on its way
  input  logic [WW-1:0]   fill_wave_i,
  input  logic [4:0]      fill_beat_i,
  input  logic [9:0]      fill_index_i,  // register, or 4 * condition code + component
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
  // ---- one register for late results: who comes next
  localparam int unsigned FILL = RETURNS;
  logic               late_valid_q, late_go, late_free, late_bank, load;
  logic [RETURNS:0]   turn_q, late_who_q;
  logic               yield_q;           // the shared memory, which comes first, lets another go ahead
  logic [1:0]         yield_count_q;
  // The register's enable is large: each half of the lanes has a LUT of its own for it, and its own copies of what that needs.
  (* keep *) logic valid0_q, valid1_q, bank0_q, bank1_q;
  logic [1:0]         data_free;
  logic               next_bank;
  assign data_free = {!(valid1_q && reg_late_i[bank1_q]), !(valid0_q && reg_late_i[bank0_q])};
  assign late_bank = bank0_q;
  assign late_go   = late_valid_q && !reg_late_i[late_bank];
  assign late_free = data_free[0];
  assign ret_ready_o      = late_free ? turn_q[RETURNS-1:0] & ret_valid_i : '0;
  assign fill_reg_ready_o = turn_q[FILL] && fill_reg_i && !late_valid_q;
  assign load             = late_free && (turn_q & {fill_reg_i && !late_valid_q, ret_valid_i}) != '0;
  assign ret_written_o    = late_go ? late_who_q[RETURNS-1:0] : '0;
  assign fill_busy_o      = late_valid_q && late_who_q[FILL];
  assign late_o           = late_go && !late_who_q[FILL];

  always_comb begin
    next_bank = BEATS > 1 ? fill_beat_i[0] : fill_wave_i[0];
    for (int u = 0; u < int'(RETURNS); u++)
      if (turn_q[u]) next_bank = BEATS > 1 ? ret_beat_i[u][ret_second_i[u]][0] : ret_wave_i[u][ret_second_i[u]][0];
  end
  always_ff @(posedge clk_i)
    for (int l = 0; l < int'(L); l++)
      if (data_free[2*l >= int'(L) ? 1 : 0]) begin
        late_data_o[l*32 +: 32] <= 'x;
        if (load) begin
          late_data_o[l*32 +: 32] <= fill_data_i[l*32 +: 32];
          for (int u = 0; u < int'(RETURNS); u++)
            if (turn_q[u]) late_data_o[l*32 +: 32] <= ret_data_i[u][ret_second_i[u]][l*32 +: 32];
        end
      end

  always_ff @(posedge clk_i) begin
    if (ret_valid_i[1] && !yield_q) turn_q <= (RETURNS + 1)'(1) << 1;
    else if (ret_valid_i[0]) turn_q <= (RETURNS + 1)'(1) << 0;
    else if (ret_valid_i[2]) turn_q <= (RETURNS + 1)'(1) << 2;
    else if (ret_valid_i[1]) turn_q <= (RETURNS + 1)'(1) << 1;
    else if (fill_reg_i) turn_q <= (RETURNS + 1)'(1) << FILL;
    {late_valid_q, valid0_q, valid1_q} <= {3{load || (late_valid_q && !late_go)}};
    if (late_free) {bank0_q, bank1_q} <= {2{next_bank}};
    if (late_free) begin   // the large enable does not wait for who comes, if anyone does
      {late_who_q, late_wave_o, late_beat_o, late_mask_o, late_dst_o, late_seq_o, late_comp_o} <= 'x;
      if (load) begin
        late_who_q <= turn_q;
        {late_wave_o, late_beat_o, late_mask_o, late_dst_o} <= {fill_wave_i, fill_beat_i, {L{1'b1}}, fill_index_i};
        for (int u = 0; u < int'(RETURNS); u++)
          if (turn_q[u]) begin
            {late_wave_o, late_beat_o, late_mask_o, late_dst_o} <=
              {ret_wave_i[u][ret_second_i[u]], ret_beat_i[u][ret_second_i[u]], ret_mask_i[u][ret_second_i[u]], ret_dst_i[u][ret_second_i[u]]};
            {late_seq_o, late_comp_o} <= {ret_seq_i[u][ret_second_i[u]], ret_comp_i[u][ret_second_i[u]]};
          end
      end
    end
    yield_count_q <= yield_count_q + 2'd1;
    if (!yield_q) yield_q <= yield_count_q == '0 && (ret_valid_i[0] || ret_valid_i[2]);
    else if (ret_ready_o[0] || ret_ready_o[2] || !(ret_valid_i[0] || ret_valid_i[2])) yield_q <= 1'b0;
    if (rst_i) begin
      turn_q        <= '0;
      {late_valid_q, valid0_q, valid1_q} <= '0;
      yield_q       <= 1'b0;
      yield_count_q <= '0;
    end
  end

  // ---- registers: one writer per bank, registered
  logic [11:0] late_row;
  assign late_row = late_regbase_i + {2'd0, late_dst_o};
  always_ff @(posedge clk_i) begin
    rf_we_o    <= '0;
    rf_beat0_o <= reg_i[0] ? wb_i.beat : late_beat_o;
    rf_row0_o  <= reg_i[0] ? dst_row_i : {L{late_row}};
    rf_mask0_o <= reg_i[0] ? exec_i & dst_win_i : late_mask_o;
    rf_data0_o <= reg_i[0] ? result_i : late_data_o;
    rf_beat1_o <= reg_i[1] ? wb_i.beat : late_beat_o;
    rf_row1_o  <= reg_i[1] ? dst_row_i : {L{late_row}};
    rf_mask1_o <= reg_i[1] ? exec_i & dst_win_i : late_mask_o;
    rf_data1_o <= reg_i[1] ? result_i : late_data_o;
    if (!rst_i) rf_we_o <= reg_i | (!late_go ? 2'b00 : late_bank ? 2'b10 : 2'b01);
  end

  // ---- condition codes, ALU bits
  logic alu_cc;
  assign alu_cc          = valid_i && wb_i.cc_en;
  assign fill_cc_ready_o = !alu_cc;
  assign cc_we_o         = alu_cc || fill_cc_i;
  assign cc_wave_o       = alu_cc ? wb_i.wave : 6'(fill_wave_i);
  assign cc_beat_o       = alu_cc ? wb_i.beat : fill_beat_i;
  assign cc_index_o      = alu_cc ? wb_i.cc_index : fill_index_i[3:0];
  assign cc_mask_o       = alu_cc ? exec_i : '1;
  assign alu_we_o        = valid_i && wb_i.alu_we;
  always_comb begin
    cc_data_o = flags_i;
    if (!alu_cc) for (int l = 0; l < int'(L); l++) cc_data_o[l*4 +: 4] = fill_data_i[l*32 +: 4];
  end

  // ---- A0, saturated to 12 bits: whether the result fits, then the choice
  logic                  alu_a0, a0_q, alu_a0_q;
  logic [WW-1:0]         a0_wave_q;
  logic [4:0]            a0_beat_q;
  logic [L-1:0]          a0_mask_q, fits_q, negative_q;
  logic [L-1:0][11:0]    low_q, fill_low_q;
  assign alu_a0          = valid_i && wb_i.mova;
  assign fill_a0_ready_o = !alu_a0;
  always_ff @(posedge clk_i) begin
    a0_q      <= (alu_a0 || fill_a0_i) && !rst_i;
    alu_a0_q  <= alu_a0;
    a0_wave_q <= alu_a0 ? wb_i.wave[WW-1:0] : fill_wave_i;
    a0_beat_q <= alu_a0 ? wb_i.beat : fill_beat_i;
    a0_mask_q <= alu_a0 ? exec_i : '1;
    a0_we_o   <= a0_q && !rst_i;
    a0_wave_o <= a0_wave_q;
    a0_beat_o <= a0_beat_q;
    a0_mask_o <= a0_mask_q;
    for (int l = 0; l < int'(L); l++) begin
      logic [31:0] r;
      logic        negative;
      r             = result_i[l*32 +: 32];
      negative      = r[31] && !wb_i.mova_unsigned;
      negative_q[l] <= negative;
      fits_q[l]     <= negative ? (&r[31:11]) : r[31:11] == '0;
      low_q[l]      <= r[11:0];
      fill_low_q[l] <= fill_data_i[l*32 +: 12];
      a0_data_o[l*12 +: 12] <= !alu_a0_q ? fill_low_q[l] : fits_q[l] ? low_q[l] : negative_q[l] ? 12'h800 : 12'h7ff;
    end
  end

  // ---- waiting too long
  localparam int unsigned PATIENCE = 15;
  logic [3:0] wait_q;
  logic       waiting;
  assign waiting = (late_valid_q && !late_go) || (fill_cc_i && !fill_cc_ready_o) || (fill_a0_i && !fill_a0_ready_o);
  always_ff @(posedge clk_i) begin
    wait_q      <= waiting ? wait_q + 4'd1 : '0;
    skip_beat_o <= waiting && wait_q == 4'(PATIENCE);
    if (rst_i) begin
      wait_q      <= '0;
      skip_beat_o <= 1'b0;
    end
  end
endmodule
