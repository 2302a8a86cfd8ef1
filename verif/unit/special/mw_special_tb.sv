// mw_special with ports of equal width in every configuration, so that one driver serves all of them.
module mw_special_tb
  import mw_isa_pkg::*;
#(
  parameter  int unsigned CFG = 1,
  parameter  int unsigned STAGES = 0,  // 0: as the configuration says
  localparam cfg_t NAMED = cfg_of(CFG),
  localparam cfg_t C = '{NAMED.number, NAMED.lanes, NAMED.banks, NAMED.group_threads, NAMED.waves_full, NAMED.waves_partial, NAMED.group_slots,
                         NAMED.reg_words, NAMED.shared_bytes, NAMED.axi_bits, NAMED.icache_words,
                         STAGES == 0 ? NAMED.divider_stages : STAGES},
  localparam int unsigned WW = $clog2(C.waves_partial),
  localparam int unsigned L  = C.lanes
) (
  input  logic              clk_i,
  input  logic              rst_i,
  output logic [31:0]       lanes_o,
  output logic [31:0]       words_o,
  output logic [31:0]       stages_o,
  input  logic              valid_i,
  input  logic [7:0]        wave_i,
  input  logic [31:0]       seq_i,
  input  logic [7:0]        op_i,
  input  logic [7:0]        type_i,
  input  logic              first_i,
  input  logic              last_i,
  input  logic [7:0]        beat_i,
  input  logic [31:0]       mask_i,
  input  logic [31:0]       wmask_i,
  input  logic [15:0]       dst_i,
  input  logic [31:0][31:0] a_i,
  input  logic [31:0][31:0] b_i,
  input  logic [31:0][31:0] c_i,
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
  output logic              idle_o
);
  logic [WW-1:0]      ret_wave, done_wave;
  logic [4:0]         ret_beat;
  logic [L-1:0]       ret_mask;
  logic [9:0]         ret_dst;
  logic [L-1:0][31:0] ret_data;
  mw_special #(.C(C)) dut (
    .clk_i, .rst_i,
    .beat_valid_i(valid_i), .beat_wave_i(wave_i[WW-1:0]), .beat_seq_i(seq_i), .beat_op_i(op_e'(op_i)), .beat_type_i(type_e'(type_i[3:0])),
    .beat_first_i(first_i), .beat_last_i(last_i), .beat_beat_i(beat_i[4:0]), .beat_mask_i(mask_i[L-1:0]), .beat_wmask_i(wmask_i[L-1:0]),
    .beat_dst_i(dst_i[9:0]), .beat_a_i(a_i[L-1:0]), .beat_b_i(b_i[L-1:0]), .beat_c_i(c_i[L-1:0]),
    .ret_valid_o, .ret_ready_i, .ret_wave_o(ret_wave), .ret_seq_o, .ret_comp_o, .ret_beat_o(ret_beat), .ret_mask_o(ret_mask),
    .ret_dst_o(ret_dst), .ret_data_o(ret_data), .done_valid_o, .done_wave_o(done_wave), .done_acq_o, .idle_o
  );
  assign lanes_o     = L;
  assign words_o     = mw_core_pkg::special_capacity(C.lanes);
  assign stages_o    = C.divider_stages;
  assign ret_wave_o  = 8'(ret_wave);
  assign done_wave_o = 8'(done_wave);
  assign ret_beat_o  = 8'(ret_beat);
  assign ret_mask_o  = 32'(ret_mask);
  assign ret_dst_o   = 16'(ret_dst);
  assign ret_data_o  = 1024'(ret_data);

  logic unused;
  assign unused = &{1'b0, wave_i, type_i, beat_i, mask_i, wmask_i, dst_i, a_i, b_i, c_i};
endmodule
