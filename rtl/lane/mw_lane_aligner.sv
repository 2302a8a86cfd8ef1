// Role: stages 2 to 4 of the lane: places the addend C in the window of the sum.
// Bit 3 of the window is the last bit of the product, bit 82 the top. A mantissa that dominates the product has its hidden
// bit at 82; otherwise it is shifted right by the difference of the exponents, and bits lost below bit 0 set bit 0.
// Integers have exponents that give a shift of 56, so bit 0 of the integer is bit 3 of the window.
// Timing: c_o four cycles after the operands of stage 0 are registered, that is after stage 4; limit_o after stage 4 too.
module mw_lane_aligner
  import mw_isa_pkg::*;
  import mw_lane_pkg::*;
(
    input  logic             clk_i,
    input  lane_ctl_t        ctl4_i,
    input  logic             high_i,   // stage 4: the result is the high word
    input  logic             sign_i,   // stage 4: of the number that is rounded to an integer
    input  logic             carry_i,  // stage 4
    input  logic      [ 8:0] exp_p_i,  // stage 2
    input  logic      [ 8:0] exp_c_i,
    input  logic      [31:0] c_i,      // stage 3
    output logic      [82:0] c_o,
    output logic             carry_o,  // carry into bit 3 of the sum: carry_i or the increment of rounding to an integer
    output logic      [ 9:0] limit_o   // most places by which the sum may be normalized; the exponent field is what is left
);
  // Stage 2: shift count, within 0 .. 127.
  logic [9:0] dif;
  assign dif = {1'b0, exp_p_i} - {1'b0, exp_c_i};
  logic [6:0] shift_q;
  logic [8:0] exp_p_q, exp_c_q;
  logic c_top_q;
  always_ff @(posedge clk_i) begin
    shift_q <= (dif[6:0] | {7{dif[8:7] != 2'd0}}) & {7{~dif[9]}};
    c_top_q <= dif[9];
    exp_p_q <= exp_p_i;
    exp_c_q <= exp_c_i;
  end

  // Stage 3: shift by 0 .. 15, fine steps first. Bits 39..32 are the top byte of an integer, which is shifted by 8 only.
  logic [24:0] by1;
  logic [26:0] by2;
  logic [30:0] by4;
  logic [38:0] by8, fine_q;
  always_comb begin
    by1 = shift_q[0] ? {1'b0, c_i[23:0]} : {c_i[23:0], 1'b0};
    by2 = shift_q[1] ? {2'b0, by1} : {by1, 2'b0};
    by4 = shift_q[2] ? {4'b0, by2} : {by2, 4'b0};
    by8 = shift_q[3] ? {c_i[31:24], by4} : {by4, 8'b0};
  end
  logic [2:0] coarse_q;
  logic [8:0] exp_q;
  always_ff @(posedge clk_i) begin
    fine_q <= by8;
    coarse_q <= shift_q[6:4];
    exp_q <= c_top_q ? exp_c_q : exp_p_q;
  end

  // Stage 4: shift by 0, 16, .. 112, and what is lost.
  logic [15:0] top, mid, low;
  logic [18:0] low_bits;
  logic lost4, lost20, lost36, lost39, half, rest, inc;
  always_comb begin
    {top, mid, low} = {fine_q, 9'b0};
    lost4 = fine_q[3:0] != '0;
    lost20 = lost4 | (fine_q[19:4] != '0);
    lost36 = lost20 | (fine_q[35:20] != '0);
    lost39 = lost36 | (fine_q[38:36] != '0);
    unique case (coarse_q)
      3'd0, 3'd1: low_bits = '0;
      3'd2: low_bits = {low, 3'b0};
      3'd3: low_bits = {mid, fine_q[6:5], fine_q[4] | lost4};
      3'd4: low_bits = {top, fine_q[22:21], fine_q[20] | lost20};
      3'd5: low_bits = {16'b0, fine_q[38:37], fine_q[36] | lost36};
      default: low_bits = {18'b0, lost39};
    endcase
    // Rounding at bit 3: bit 2 is the half, bits 1 and 0 the rest.
    half = low_bits[2];
    rest = low_bits[1] | low_bits[0];
    unique case (ctl4_i.mode)
      RND_ROUND: inc = half & (rest | low_bits[3]);
      RND_CEIL: inc = ~sign_i & (half | rest);
      RND_FLR: inc = sign_i & (half | rest);
      default: inc = 1'b0;
    endcase
  end
  always_ff @(posedge clk_i) begin
    c_o[18:0] <= low_bits;
    carry_o <= carry_i | (ctl4_i.round_int & inc);
    if (coarse_q != 3'd0) c_o[82:67] <= '0;
    else c_o[82:67] <= top;
    unique case (coarse_q)
      3'd0: c_o[66:51] <= mid;
      3'd1: c_o[66:51] <= top;
      default: c_o[66:51] <= '0;
    endcase
    unique case (coarse_q)
      3'd0: c_o[50:35] <= low;
      3'd1: c_o[50:35] <= mid;
      3'd2: c_o[50:35] <= top;
      default: c_o[50:35] <= '0;
    endcase
    unique case (coarse_q)
      3'd1: c_o[34:19] <= low;
      3'd2: c_o[34:19] <= mid;
      3'd3: c_o[34:19] <= top;
      default: c_o[34:19] <= '0;
    endcase
    // An integer result is moved by 56 places, the high word by 24.
    if (ctl4_i.raw) limit_o <= {4'b0, ~high_i, 5'b11000};
    else limit_o <= {1'b0, exp_q} - 10'd95;
  end

  logic unused;
  assign unused = &{1'b0, ctl4_i};
endmodule
