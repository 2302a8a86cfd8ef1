// Special unit (docs/architecture.md, "mw_special"; docs/semantics.md, "Words of the special unit"): functions of one thread and
// operations between the threads of a wave.
//
// Promises: holds special_capacity() words; results leave in order of arrival, done with the word's last result. Nobody waits for a
// beat that does not come: its threads are not in E. rst_i, which comes with the start of a dispatch too, forgets everything.
// Threads go one by one through the function units, which keep their order; only threads that are written go.
module mw_special
  import mw_isa_pkg::*;
  import mw_special_pkg::*;
#(
  parameter  cfg_t C = CFG_BASE,
  localparam int unsigned L  = C.lanes,
  localparam int unsigned WW = $clog2(C.waves_partial)
) (
  input  logic               clk_i,
  input  logic               rst_i,

  // One beat of a word per clock
  input  logic               beat_valid_i,
  input  logic [WW-1:0]      beat_wave_i,
  input  logic [31:0]        beat_seq_i,
  input  op_e                beat_op_i,
  input  type_e              beat_type_i,
  input  logic               beat_first_i,
  input  logic               beat_last_i,
  input  logic [4:0]         beat_beat_i,
  input  logic [L-1:0]       beat_mask_i,
  input  logic [L-1:0]       beat_wmask_i,
  input  logic [9:0]         beat_dst_i,
  input  logic [L-1:0][31:0] beat_a_i,
  input  logic [L-1:0][31:0] beat_b_i,
  input  logic [L-1:0][31:0] beat_c_i,

  // Results
  output logic               ret_valid_o,
  input  logic               ret_ready_i,
  output logic [WW-1:0]      ret_wave_o,
  output logic [31:0]        ret_seq_o,
  output logic [1:0]         ret_comp_o,
  output logic [4:0]         ret_beat_o,
  output logic [L-1:0]       ret_mask_o,
  output logic [9:0]         ret_dst_o,
  output logic [L-1:0][31:0] ret_data_o,

  output logic               done_valid_o,
  output logic [WW-1:0]      done_wave_o,
  output logic               done_acq_o,
  output logic               idle_o
);
  localparam int unsigned W  = mw_core_pkg::special_capacity(C.lanes);
  localparam int unsigned AW = $clog2(W * (32 / L));
  localparam int unsigned LW = L > 1 ? $clog2(L) : 1;

  header_t [W-1:0] header;
  logic [W-1:0]  some, some_zero;
  logic          pending, return_idle;
  logic [AW:0]   tail;
  logic [AW-1:0] seq_at, ret_at, a_row, bc_row;
  logic [LW-1:0] a_lane, bc_lane;
  logic [4:0]    seq_beat, ret_beat;
  logic          seq_last, ret_last;
  logic [L-1:0]  seq_wmask, seq_vote, ret_wmask;
  logic [31:0]   a, b;
  logic [9:0]    c;
  mw_special_front #(.C(C)) u_front (
    .clk_i, .rst_i, .valid_i(beat_valid_i), .wave_i(beat_wave_i), .seq_i(beat_seq_i), .op_i(beat_op_i), .type_i(beat_type_i),
    .first_i(beat_first_i), .last_i(beat_last_i), .beat_i(beat_beat_i), .mask_i(beat_mask_i), .wmask_i(beat_wmask_i), .dst_i(beat_dst_i),
    .a_i(beat_a_i), .b_i(beat_b_i), .c_i(beat_c_i), .header_o(header), .some_o(some), .some_zero_o(some_zero),
    .pending_o(pending), .tail_o(tail),
    .seq_at_i(seq_at), .seq_beat_o(seq_beat), .seq_last_o(seq_last), .seq_wmask_o(seq_wmask), .seq_vote_o(seq_vote),
    .ret_at_i(ret_at), .ret_beat_o(ret_beat), .ret_last_o(ret_last), .ret_wmask_o(ret_wmask),
    .a_row_i(a_row), .a_lane_i(a_lane), .a_o(a), .bc_row_i(bc_row), .bc_lane_i(bc_lane), .b_o(b), .c_o(c)
  );

  ctl_t        ctl;
  logic        room, flight, go, issue, word, valid, pass, truth_valid;
  logic [31:0] operand, truth_word;
  mw_special_sequence #(.C(C)) u_sequence (
    .clk_i, .rst_i, .header_i(header), .some_i(some), .some_zero_i(some_zero), .tail_i(tail), .at_o(seq_at), .beat_i(seq_beat),
    .last_i(seq_last), .wmask_i(seq_wmask), .vote_i(seq_vote), .a_row_o(a_row), .a_lane_o(a_lane), .a_i(a), .bc_row_o(bc_row),
    .bc_lane_o(bc_lane), .b_i(b), .c_i(c), .free_i(room), .go_i(go), .flight_i(flight), .issue_o(issue), .word_o(word),
    .ctl_o(ctl), .valid_o(valid), .pass_o(pass), .operand_o(operand), .truth_valid_o(truth_valid), .truth_o(truth_word)
  );

  logic        u_valid, u_ready, u_last, divider_ready, bits_valid, poly_valid, divider_valid, negative;
  operand_t    u;
  result_t     poly, quotient;
  logic [31:0] bits, whole;
  mw_special_operand u_operand (
    .clk_i, .rst_i, .ctl_i(ctl), .valid_i(valid), .go_o(go), .pass_i(pass), .x_i(operand), .valid_o(u_valid), .ready_i(u_ready),
    .last_o(u_last), .operand_o(u)
  );
  assign u_ready = divider_ready;  // nobody is in the divider while another unit works
  mw_special_bits u_bits (
    .clk_i, .rst_i, .ctl_i(ctl), .valid_i(valid), .x_i(operand), .truth_valid_i(truth_valid), .truth_i(truth_word),
    .valid_o(bits_valid), .result_o(bits)
  );
  mw_special_polynomial u_polynomial (
    .clk_i, .rst_i, .ctl_i(ctl), .valid_i(u_valid), .operand_i(u), .valid_o(poly_valid), .result_o(poly)
  );
  mw_special_divider #(.STAGES(C.divider_stages)) u_divider (
    .clk_i, .rst_i, .ctl_i(ctl), .valid_i(u_valid && ctl.divide), .ready_o(divider_ready), .last_i(u_last), .operand_i(u),
    .valid_o(divider_valid), .result_o(quotient), .word_o(whole), .negative_o(negative)
  );

  // Only one unit has results under way.
  result_t raw, result;
  assign raw    = raw_result(bits | whole, negative);
  assign result = {raw.raw && !(ctl.poly || (ctl.divide && ctl.is_float)), raw[43:0]} | poly | quotient;
  mw_special_return #(.C(C)) u_return (
    .clk_i, .rst_i, .issue_i(issue), .word_i(word), .free_o(room), .flight_o(flight), .half_i(ctl.half_out),
    .valid_i(bits_valid || poly_valid || divider_valid), .result_i(result),
    .header_i(header), .tail_i(tail), .at_o(ret_at), .beat_i(ret_beat), .last_i(ret_last),
    .wmask_i(ret_wmask), .ret_valid_o, .ret_ready_i, .ret_wave_o, .ret_seq_o, .ret_beat_o, .ret_mask_o, .ret_dst_o, .ret_data_o,
    .done_valid_o, .idle_o(return_idle)
  );
  assign idle_o      = return_idle && !pending;
  assign done_wave_o = ret_wave_o;
  assign ret_comp_o  = '0;
  assign done_acq_o  = 1'b0;
endmodule
