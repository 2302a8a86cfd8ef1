// Role: stage 5 of the lane: the sum P + C of 83 bits and a sign.
// Timing: sum_o one cycle after the inputs, carry_o and overflow_o in the same cycle as sum_o (combinational from it).
module mw_lane_adder
  import mw_lane_pkg::*;
(
    input  logic             clk_i,
    input  lane_ctl_t        ctl_i,
    input  logic             carry_i,
    input  logic      [63:0] p_i,
    input  logic      [82:0] c_i,
    output logic      [83:0] sum_o,      // bit 83 is the sign
    output logic             carry_o,    // of the low word
    output logic             overflow_o
);
  logic [81:0] sum;
  assign sum = {1'b0, c_i[82:3], 1'b1} + {{17{p_i[63]}}, p_i, carry_i};

  logic p31_q, p32_q, c31_q;
  always_ff @(posedge clk_i) begin
    sum_o[83:3] <= sum[81:1];
    if (ctl_i.round_int) sum_o[2:0] <= '0;  // the fraction, which rounding has used
    else sum_o[2:0] <= c_i[2:0];
    p31_q <= p_i[31];
    p32_q <= p_i[32];
    c31_q <= c_i[34];
  end
  assign carry_o = sum_o[35] ^ p32_q;
  assign overflow_o = (p31_q == c31_q) & (sum_o[34] != p31_q);

  logic unused;
  assign unused = &{1'b0, ctl_i, sum[0]};
endmodule
