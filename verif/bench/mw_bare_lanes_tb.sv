// Sixteen lanes with nothing around them, a fused multiply-add of new random operands in each clock: the ceiling for the simulation speed of
// a unit with sixteen lanes. The sum keeps every result alive.
module mw_bare_lanes_tb
  import mw_isa_pkg::*;
  import mw_lane_pkg::*;
(
    input  logic         clk_i,
    input  logic [127:0] word_i,
    input  logic         seed_i,
    output logic [ 31:0] sum_o
);
  lane_ctl_t ctl;
  logic [31:0] results [16];
  assign ctl = mw_lane_decode(word_alu_t'(word_i));
  for (genvar l = 0; l < 16; l++) begin : g_lane
    logic [31:0] a_q, b_q, c_q;
    /* verilator lint_off UNUSEDSIGNAL */
    logic [3:0] flags;
    logic alu_bit;
    /* verilator lint_on UNUSEDSIGNAL */
    function automatic logic [31:0] step(input logic [31:0] v);
      logic [31:0] x;
      x = v ^ (v << 13);
      x ^= x >> 17;
      return x ^ (x << 5);
    endfunction
    always_ff @(posedge clk_i) begin
      a_q <= seed_i ? 32'(l) * 32'h9e37_79b9 + 32'd1 : step(a_q);
      b_q <= seed_i ? 32'(l) * 32'h85eb_ca6b + 32'd2 : step(b_q);
      c_q <= seed_i ? 32'(l) * 32'hc2b2_ae35 + 32'd3 : step(c_q);
    end
    mw_lane u_lane (.clk_i, .ctl_i(ctl), .a_i(a_q), .b_i(b_q), .c_i(c_q), .cf_i(1'b0), .zf_i(1'b0), .result_o(results[l]), .flags_o(flags), .alu_bit_o(alu_bit));
  end
  always_comb begin
    sum_o = '0;
    for (int l = 0; l < 16; l++) sum_o ^= results[l];
  end
endmodule
