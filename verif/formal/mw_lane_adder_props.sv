// mw_lane_adder for every operand: sum_o is P + C + carry as a number, its fraction as it came or cleared; carry_o and overflow_o are those of adding the
// low words (docs/semantics.md, Flags). P is a signed integer; C has three bits of fraction and is not negative.
// Assumed: an integer C is one word, so that C has no bit 32; with others nobody looks at the carry.
module mw_lane_adder_props
  import mw_lane_pkg::*;
(
  input logic        clk_i,
  input lane_ctl_t   ctl_i,
  input logic        carry_i,
  input logic [63:0] p_i,
  input logic [82:0] c_i
);
  logic [83:0] sum;
  logic        carry, overflow;
  mw_lane_adder u_adder (.clk_i, .ctl_i, .carry_i, .p_i, .c_i, .sum_o(sum), .carry_o(carry), .overflow_o(overflow));

  logic        begun_q = 1'b0;
  logic        round_q, carry_q;
  logic [63:0] p_q;
  logic [82:0] c_q;
  always_ff @(posedge clk_i) begin
    begun_q <= 1'b1;
    round_q <= ctl_i.round_int;
    carry_q <= carry_i;
    p_q     <= p_i;
    c_q     <= c_i;
  end

  // In eighths: exact, and one bit wider than it must be.
  logic signed [84:0] exact;
  logic [32:0]        words;     // unsigned sum of the low words
  logic signed [33:0] signed_words;
  always_comb begin
    exact        = 85'(signed'({p_q, 3'b000})) + signed'({2'b00, c_q}) + (carry_q ? 85'sd8 : 85'sd0);
    words        = 33'(p_q[31:0]) + 33'(c_q[34:3]) + 33'(carry_q);
    signed_words = 34'(signed'(p_q[31:0])) + 34'(signed'(c_q[34:3])) + (carry_q ? 34'sd1 : 34'sd0);
    if (begun_q) begin
      a_sum:      assert (sum[83:3] == exact[83:3]);
      a_fraction: assert (sum[2:0] == (round_q ? 3'd0 : exact[2:0]));
      a_carry:    assert (c_q[35] || carry == words[32]);
      a_overflow: assert (overflow == (signed_words > 34'sh0_7fff_ffff || signed_words < -34'sh0_8000_0000));
    end
  end
endmodule
