// Test top of the lane: the ALU word is decoded here, as the core does, so the decoder is tested with the lane.
module mw_lane_tb
  import mw_isa_pkg::*;
  import mw_lane_pkg::*;
(
    input  logic         clk_i,
    input  logic [127:0] word_i,
    input  logic [ 31:0] a_i,
    input  logic [ 31:0] b_i,
    input  logic [ 31:0] c_i,
    input  logic         cf_i,
    input  logic         zf_i,
    output logic [ 31:0] result_o,
    output logic [  3:0] flags_o,
    output logic         alu_bit_o,
    output logic [ 31:0] latency_o
);
  lane_ctl_t ctl;
  assign ctl = mw_lane_decode(word_alu_t'(word_i));
  assign latency_o = LANE_LATENCY;
  mw_lane u_lane (
      .clk_i,
      .ctl_i(ctl),
      .a_i,
      .b_i,
      .c_i,
      .cf_i,
      .zf_i,
      .result_o,
      .flags_o,
      .alu_bit_o
  );
endmodule
