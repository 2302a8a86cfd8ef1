// mw_shared with ports of equal width in every configuration, so that one driver serves all of them.
module mw_shared_tb
  import mw_isa_pkg::*;
#(
  parameter  int unsigned CFG = 1,
  localparam cfg_t C = cfg_of(CFG),
  localparam int unsigned L  = C.lanes,
  localparam int unsigned NB = C.banks,
  localparam int unsigned WW = $clog2(C.waves_partial),
  localparam int unsigned PB = L == 1 ? 1 : NB,
  localparam int unsigned RW = $clog2(C.shared_bytes / 4) - $clog2(PB)
) (
`include "mem_tb_ports.svh"
  output logic [31:0]       banks_o,
  output logic [31:0]       fill_words_o,
  output logic [31:0]       bytes_o,
  input  logic              fill_valid_i,
  output logic              fill_ready_o,
  input  logic [15:0]       fill_row_i,
  input  logic [31:0][31:0] fill_data_i,
  output logic              cnt_pass_o,
  output logic              cnt_conflict_o,
  output logic [7:0]        cnt_words_o
);
  logic [WW-1:0]      ret_wave, done_wave, rec_wave;
  logic [L-1:0]       ret_mask, rec_mask;
  logic [L-1:0][31:0] ret_data, rec_addr, rec_data, rec_old;
  logic [4:0]         ret_beat, rec_beat;
  logic [9:0]         ret_dst;
  logic [5:0]         words;
  logic               at_valid, at_signed, at_float, at_ready;
  logic [1:0]         at_soon, at_answer, at_store;
  logic [1:0][31:0]   at_new;
  atom_e              at_op;
  logic [31:0]        at_old, at_x, at_y;

  // what the scheduler counts: passes free in the queue; a word may start when it fits
  localparam int unsigned PASSES = L <= 8 ? 8 : L;
  logic       wide, gone, gone_wide;
  logic [6:0] free_q, free_now;
  assign wide     = size_i != 2'd0 || kind_e'(kind_i[2:0]) == KIND_ATOMIC;
  assign free_now = free_q + (!gone ? 7'd0 : gone_wide ? 7'd4 : 7'd1);
  assign ready_o  = free_now >= (wide ? 7'd4 : 7'd1);   // kind_i and size_i are those of the next word
  always_ff @(posedge clk_i) begin
    free_q <= free_now - (!(valid_i && first_i) ? 7'd0 : wide ? 7'd4 : 7'd1);
    if (rst_i) free_q <= 7'(PASSES);
  end

  mw_shared #(.C(C), .PASSES(PASSES)) dut (
    .clk_i, .rst_i,
    .beat_valid_i(valid_i), .beat_wide_i(wide), .gone_o(gone), .gone_wide_o(gone_wide), .beat_wave_i(wave_i[WW-1:0]), .beat_seq_i(seq_i), .beat_kind_i(kind_e'(kind_i[2:0])),
    .beat_atom_op_i(atom_e'(op_i[3:0])), .beat_signed_i(signed_i), .beat_float_i(float_i), .beat_comp_i(comp_i), .beat_acq_i(acq_i), .beat_first_i(first_i),
    .beat_last_i(last_i), .beat_beat_i(beat_i[4:0]), .beat_mask_i(mask_i[L-1:0]), .beat_wmask_i(wmask_i[L-1:0]), .beat_dst_i(dst_i[9:0]),
    .beat_addr_i(addr_i[L-1:0]), .beat_data_i(data_i[L-1:0]), .beat_data2_i(data2_i[L-1:0]), .beat_base_i(base_i),
    .beat_bound_i(bound_i[31:0]), .beat_bad_i(bad_i),
    .fill_valid_i, .fill_ready_o, .fill_row_i(fill_row_i[RW-1:0]), .fill_data_i(fill_data_i[PB-1:0]),
    .at_valid_o(at_valid), .at_op_o(at_op), .at_signed_o(at_signed), .at_float_o(at_float), .at_old_o(at_old),
    .at_x_o(at_x), .at_y_o(at_y), .at_soon_i(at_soon[0]), .at_store_i(at_store[0]), .at_new_i(at_new[0]),
    .ret_valid_o, .ret_ready_i, .ret_wave_o(ret_wave), .ret_seq_o, .ret_comp_o, .ret_beat_o(ret_beat), .ret_mask_o(ret_mask),
    .ret_dst_o(ret_dst), .ret_data_o(ret_data), .done_valid_o, .done_wave_o(done_wave), .done_acq_o,
    .idle_o, .rec_valid_o, .rec_wave_o(rec_wave), .rec_seq_o, .rec_first_o, .rec_comp_o,
    .rec_beat_o(rec_beat), .rec_mask_o(rec_mask), .rec_addr_o(rec_addr), .rec_data_o(rec_data), .rec_old_o(rec_old),
    .cnt_pass_o, .cnt_conflict_o, .cnt_words_o(words)
  );

  mw_atomic_unit atomics (
    .clk_i, .rst_i, .req_valid_i({1'b0, at_valid}), .req_ready_o(at_ready), .req_op_i('{at_op, ATOM_ADD}), .req_signed_i({1'b0, at_signed}),
    .req_float_i({1'b0, at_float}), .req_old_i({32'd0, at_old}), .req_x_i({32'd0, at_x}), .req_y_i({32'd0, at_y}),
    .rsp_soon_o(at_soon), .rsp_valid_o(at_answer), .rsp_store_o(at_store), .rsp_new_o(at_new)
  );

  assign lanes_o = L;
  assign fill_words_o = PB;
  assign banks_o = NB;
  assign bytes_o = C.shared_bytes;
  assign ret_wave_o = 8'(ret_wave);
  assign done_wave_o = 8'(done_wave);
  assign rec_wave_o = 8'(rec_wave);
  assign ret_mask_o = 32'(ret_mask);
  assign rec_mask_o = 32'(rec_mask);
  assign ret_data_o = 1024'(ret_data);
  assign rec_addr_o = 1024'(rec_addr);
  assign rec_data_o = 1024'(rec_data);
  assign rec_old_o  = 1024'(rec_old);
  assign ret_beat_o = 8'(ret_beat);
  assign rec_beat_o = 8'(rec_beat);
  assign ret_dst_o  = 16'(ret_dst);
  assign cnt_words_o = 8'(words);

  logic unused;
  assign unused = &{1'b0, wave_i, pc_i, kind_i, op_i, beat_i, mask_i, wmask_i, dst_i, addr_i, data_i, data2_i, fill_row_i, fill_data_i, bound_i[32], at_ready, at_soon[1], at_answer, at_store[1], at_new[1]};
endmodule
