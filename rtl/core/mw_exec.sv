// The lanes, and beside them the delay lines that carry each beat's control to write-back.
// Timing: everything leaves LANE_LATENCY clocks after it came in.
module mw_exec
  import mw_isa_pkg::*;
  import mw_core_pkg::*;
  import mw_lane_pkg::*;
#(
  parameter cfg_t C = CFG_BASE,
  parameter bit RECORD = 1'b1,
  localparam int unsigned L = C.lanes,
  localparam int unsigned COPIES = lane_ctl_copies(L)
) (
  input  logic            clk_i,
  input  logic            rst_i,
  /* verilator lint_off UNUSEDSIGNAL */  // travels whole, a part is needed here
  input  beat_t           beat_i,        // operand stage s6
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic [L-1:0]    lanes_i,
  input  logic [L-1:0]    exec_i,
  input  logic [L*32-1:0] a_i,
  input  logic [L*32-1:0] b_i,
  input  logic [L*32-1:0] c_i,
  input  logic [L-1:0]    chain_cf_i,
  input  logic [L-1:0]    chain_zf_i,
  input  lane_ctl_t       ctl_i [COPIES],
  input  logic [L*12-1:0] dst_row_i,
  input  logic [L-1:0]    dst_win_i,

  output logic            valid_o,
  output logic [1:0]      reg_o,         // the beat writes a register in this bank, one bit each
  output logic [1:0]      reg_late_o,    // a copy, for the choice among late results
  output wb_ctl_t         wb_o,
  output logic [L-1:0]    exec_o,
  output logic [L-1:0]    dst_win_o,
  output logic [L*12-1:0] dst_row_o,
  output logic [L*32-1:0] result_o,
  output logic [L*4-1:0]  flags_o,
  output logic [L-1:0]    alu_bit_o,
  output logic            busy_o,

  output logic [31:0]     rec_seq_o,     // 0 without RECORD
  output logic [23:0]     rec_pc_o,
  output logic            rec_first_o,
  output logic [L-1:0]    rec_active_o
);
  /* verilator lint_off UNUSEDSIGNAL */  // travels whole, a part is needed here
  word_alu_t word;
  /* verilator lint_on UNUSEDSIGNAL */
  wb_ctl_t   wb;
  logic      take;
  assign word = word_alu_t'(beat_i.word);
  assign take = beat_i.valid && beat_i.alu && !beat_i.special;
  assign wb = '{wave: beat_i.wave, beat: beat_i.beat, dst_en: word.dst_en, cc_en: word.cc_dst != 2'd3, cc_index: {word.cc_dst, word.cc_comp},
                alu_we: word.alu_we, mova: word.op == OP_MOVA, mova_unsigned: word.typ == T_U32, last: beat_i.last};

  mw_delay #(.WIDTH($bits(wb_ctl_t) + 2 * L + 12 * L), .DEPTH(LANE_LATENCY)) u_control (
    .clk_i, .rst_i(rst_i), .valid_i(take), .data_i({wb, exec_i, dst_win_i, dst_row_i}),
    .valid_o, .data_o({wb_o, exec_o, dst_win_o, dst_row_o}), .busy_o
  );

  // the bank goes along in flip-flops: it chooses at write-back without a decoder in front
  localparam int unsigned BEATS = WAVE_THREADS / L;
  logic [1:0] reg_q [LANE_LATENCY];
  (* keep *) logic reg_late0_q, reg_late1_q;
  logic       bank;
  assign bank  = BEATS > 1 ? beat_i.beat[0] : beat_i.wave[0];
  assign reg_o = reg_q[LANE_LATENCY-1];
  assign reg_late_o = {reg_late1_q, reg_late0_q};
  always_ff @(posedge clk_i) begin
    reg_q[0] <= !(take && word.dst_en) ? 2'b00 : bank ? 2'b10 : 2'b01;
    for (int i = 1; i < int'(LANE_LATENCY); i++) reg_q[i] <= reg_q[i-1];
    {reg_late1_q, reg_late0_q} <= rst_i ? '0 : reg_q[LANE_LATENCY-2];
    if (rst_i) for (int i = 0; i < int'(LANE_LATENCY); i++) reg_q[i] <= '0;
  end

  if (RECORD) begin : g_record
    logic unused_valid, unused_busy;
    mw_delay #(.WIDTH(32 + 24 + 1 + L), .DEPTH(LANE_LATENCY)) u_record (
      .clk_i, .rst_i(rst_i), .valid_i(take), .data_i({beat_i.seq, beat_i.pc, beat_i.first, lanes_i}),
      .valid_o(unused_valid), .data_o({rec_seq_o, rec_pc_o, rec_first_o, rec_active_o}), .busy_o(unused_busy)
    );
  end else begin : g_record
    assign rec_seq_o    = '0;
    assign rec_pc_o     = '0;
    assign rec_first_o  = 1'b0;
    assign rec_active_o = '0;
  end

  for (genvar l = 0; l < int'(L); l++) begin : g_lane
    mw_lane u_lane (
      .clk_i, .ctl_i(ctl_i[l/2]), .a_i(a_i[l*32 +: 32]), .b_i(b_i[l*32 +: 32]), .c_i(c_i[l*32 +: 32]),
      .cf_i(chain_cf_i[l]), .zf_i(chain_zf_i[l]),
      .result_o(result_o[l*32 +: 32]), .flags_o(flags_o[l*4 +: 4]), .alu_bit_o(alu_bit_o[l])
    );
  end
endmodule
