// Placeholder with the ports of the special unit, so that the core builds: it answers every word, three functions of integers only. Replaced by the unit.
module mw_special
  import mw_isa_pkg::*;
#(
  parameter cfg_t C = CFG_BASE,
  localparam int unsigned L = C.lanes,
  localparam int unsigned WW = $clog2(C.waves_partial)
) (
  input  logic clk_i, rst_i, clear_i,
  input  logic beat_valid_i,
  input  logic [WW-1:0] beat_wave_i,
  input  logic [31:0] beat_seq_i,
  input  op_e beat_op_i,
  input  type_e beat_type_i,
  input  logic beat_first_i, beat_last_i,
  input  logic [4:0] beat_beat_i,
  input  logic [L-1:0] beat_mask_i, beat_wmask_i,
  input  logic [9:0] beat_dst_i,
  input  logic [L*32-1:0] beat_a_i, beat_b_i, beat_c_i,
  output logic ret_valid_o,
  input  logic ret_ready_i,
  output logic [WW-1:0] ret_wave_o,
  output logic [31:0] ret_seq_o,
  output logic [4:0] ret_beat_o,
  output logic [L-1:0] ret_mask_o,
  output logic [9:0] ret_dst_o,
  output logic [L*32-1:0] ret_data_o,
  output logic done_valid_o,
  output logic [WW-1:0] done_wave_o,
  output logic idle_o
);
  // stub: fifo of beats
  typedef struct packed { logic [WW-1:0] wave; logic [31:0] seq; logic [4:0] beat; logic [L-1:0] m; logic [9:0] dst; logic [L*32-1:0] d; logic last; } e_t;
  e_t q [64]; logic [5:0] w, r; e_t h; logic [3:0] t;
  assign h = q[r];
  assign idle_o = w == r;
  logic go; assign go = w != r && t == 0;
  assign ret_valid_o = go && h.m != 0;
  assign ret_wave_o = h.wave; assign ret_seq_o = h.seq; assign ret_beat_o = h.beat; assign ret_mask_o = h.m; assign ret_dst_o = h.dst; assign ret_data_o = h.d;
  assign done_valid_o = go && h.last && (h.m == 0 || ret_ready_i);
  assign done_wave_o = h.wave;
  logic [L*32-1:0] res;
  always_comb for (int l = 0; l < int'(L); l++) begin
    res[l*32 +: 32] = '0;
    if (beat_op_i == OP_BFR) for (int i = 0; i < 32; i++) res[l*32 + i] = beat_a_i[l*32 + 31 - i];
    if (beat_op_i == OP_BTC) res[l*32 +: 32] = 32'($countones(beat_a_i[l*32 +: 32]));
    if (beat_op_i == OP_DIV) res[l*32 +: 32] = beat_b_i[l*32 +: 32] == 0 ? '1 : beat_a_i[l*32 +: 32] / beat_b_i[l*32 +: 32];
  end
  always_ff @(posedge clk_i) begin
    if (beat_valid_i) begin q[w] <= '{beat_wave_i, beat_seq_i, beat_beat_i, beat_wmask_i, beat_dst_i, res, beat_last_i}; w <= w + 1; end
    t <= t != 0 ? t - 1 : 0;
    if (go && (h.m == 0 || ret_ready_i)) begin r <= r + 1; t <= h.last ? 4'd9 : 4'd2; end
    if (rst_i || clear_i) begin w <= 0; r <= 0; t <= 0; end
  end
  logic unused; assign unused = &{1'b0, beat_mask_i, beat_c_i, beat_first_i, beat_type_i};
endmodule
