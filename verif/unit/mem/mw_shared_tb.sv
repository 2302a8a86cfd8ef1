// mw_shared with ports of equal width in every configuration, so that one driver serves all of them.
module mw_shared_tb
  import mw_isa_pkg::*;
#(
  parameter  int unsigned CFG = 1,
  localparam cfg_t C = cfg_of(CFG),
  localparam int unsigned L  = C.lanes,
  localparam int unsigned NB = C.banks,
  localparam int unsigned WW = $clog2(C.waves_partial),
  localparam int unsigned RW = $clog2(C.shared_bytes / 4) - $clog2(NB)
) (
  input  logic              clk_i,
  input  logic              rst_i,
  input  logic              clear_i,
  output logic [31:0]       lanes_o,
  output logic [31:0]       banks_o,
  output logic [31:0]       bytes_o,
  input  logic              valid_i,
  output logic              ready_o,
  input  logic [7:0]        wave_i,
  input  logic [31:0]       seq_i,
  input  logic [23:0]       pc_i,
  input  logic [7:0]        kind_i,
  input  logic [7:0]        op_i,
  input  logic              signed_i,
  input  logic              float_i,
  input  logic [1:0]        size_i,
  input  logic [1:0]        comp_i,
  input  logic              acq_i,
  input  logic              first_i,
  input  logic              last_i,
  input  logic [7:0]        beat_i,
  input  logic [31:0]       mask_i,
  input  logic [31:0]       wmask_i,
  input  logic [15:0]       dst_i,
  input  logic [31:0][31:0] addr_i,
  input  logic [31:0][31:0] data_i,
  input  logic [31:0][31:0] data2_i,
  input  logic [31:0]       base_i,
  input  logic [32:0]       bound_i,
  input  logic              bad_i,
  input  logic              fill_valid_i,
  output logic              fill_ready_o,
  input  logic [15:0]       fill_row_i,
  input  logic [31:0][31:0] fill_data_i,
  output logic              ret_valid_o,
  input  logic              ret_ready_i,
  output logic [7:0]        ret_wave_o,
  output logic [31:0]       ret_seq_o,
  output logic [1:0]        ret_comp_o,
  output logic [7:0]        ret_beat_o,
  output logic [31:0]       ret_mask_o,
  output logic [15:0]       ret_dst_o,
  output logic [31:0][31:0] ret_data_o,
  output logic              done_valid_o,
  output logic [7:0]        done_wave_o,
  output logic              done_acq_o,
  output logic              performed_valid_o,
  output logic [7:0]        performed_wave_o,
  output logic              idle_o,
  output logic              rec_valid_o,
  output logic [7:0]        rec_wave_o,
  output logic [31:0]       rec_seq_o,
  output logic              rec_first_o,
  output logic [1:0]        rec_comp_o,
  output logic [7:0]        rec_beat_o,
  output logic [31:0]       rec_mask_o,
  output logic [31:0][31:0] rec_addr_o,
  output logic [31:0][31:0] rec_data_o,
  output logic [31:0][31:0] rec_old_o,
  output logic              cnt_pass_o,
  output logic              cnt_conflict_o,
  output logic [7:0]        cnt_words_o
);
  logic [WW-1:0]      ret_wave, done_wave, performed_wave, rec_wave;
  logic [L-1:0]       ret_mask, rec_mask;
  logic [L-1:0][31:0] ret_data, rec_addr, rec_data, rec_old;
  logic [4:0]         ret_beat, rec_beat;
  logic [9:0]         ret_dst;
  logic [5:0]         words;

  mw_shared #(.C(C)) dut (
    .clk_i, .rst_i, .clear_i,
    .beat_valid_i(valid_i), .beat_ready_o(ready_o), .beat_wave_i(wave_i[WW-1:0]), .beat_seq_i(seq_i), .beat_kind_i(kind_e'(kind_i[2:0])),
    .beat_atom_op_i(atom_e'(op_i[3:0])), .beat_signed_i(signed_i), .beat_float_i(float_i), .beat_comp_i(comp_i), .beat_acq_i(acq_i), .beat_first_i(first_i),
    .beat_last_i(last_i), .beat_beat_i(beat_i[4:0]), .beat_mask_i(mask_i[L-1:0]), .beat_wmask_i(wmask_i[L-1:0]), .beat_dst_i(dst_i[9:0]),
    .beat_addr_i(addr_i[L-1:0]), .beat_data_i(data_i[L-1:0]), .beat_data2_i(data2_i[L-1:0]), .beat_base_i(base_i),
    .beat_bound_i(bound_i[31:0]), .beat_bad_i(bad_i),
    .fill_valid_i, .fill_ready_o, .fill_row_i(fill_row_i[RW-1:0]), .fill_data_i(fill_data_i[NB-1:0]),
    .ret_valid_o, .ret_ready_i, .ret_wave_o(ret_wave), .ret_seq_o, .ret_comp_o, .ret_beat_o(ret_beat), .ret_mask_o(ret_mask),
    .ret_dst_o(ret_dst), .ret_data_o(ret_data), .done_valid_o, .done_wave_o(done_wave), .done_acq_o, .performed_valid_o,
    .performed_wave_o(performed_wave), .idle_o, .rec_valid_o, .rec_wave_o(rec_wave), .rec_seq_o, .rec_first_o, .rec_comp_o,
    .rec_beat_o(rec_beat), .rec_mask_o(rec_mask), .rec_addr_o(rec_addr), .rec_data_o(rec_data), .rec_old_o(rec_old),
    .cnt_pass_o, .cnt_conflict_o, .cnt_words_o(words)
  );

  assign lanes_o = L;
  assign banks_o = NB;
  assign bytes_o = C.shared_bytes;
  assign ret_wave_o = 8'(ret_wave);
  assign done_wave_o = 8'(done_wave);
  assign performed_wave_o = 8'(performed_wave);
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
  assign unused = &{1'b0, wave_i, pc_i, kind_i, op_i, size_i, beat_i, mask_i, wmask_i, dst_i, addr_i, data_i, data2_i, fill_row_i, fill_data_i, bound_i[32]};
endmodule
