// Role: stages 6 to 8 of the lane: magnitude of the sum, normalized to bit 82 but by no more than `limit` places.
// Zero flags of 16-bit groups give the coarse shifts; one "free" bit says that the limit can no longer be reached:
// shift[i] = zero[i] & (free | limit[i]). A negative sum is only inverted: the missing + 1 is left to the rounder, which
// needs to know whether the bits below the rounding position were all zero in the sum ("rest" is their OR). Zeros that are
// shifted in before the inversion become ones, so that the + 1 still carries through them.
// Integer results ("raw") use limit as the shift itself and always pass as if the flags were set: the word's low 24 bits
// end at 82..59, its high byte replaces the exponent.
// Timing: flags of stage 6 in *6_o, everything else after stage 8.
module mw_lane_normalizer
  import mw_lane_pkg::*;
(
    input  logic             clk_i,
    input  lane_ctl_t        ctl6_i,
    input  lane_ctl_t        ctl7_i,
    input  lane_ctl_t        ctl8_i,
    input  logic      [83:0] sum_i,
    input  logic      [ 9:0] limit_i,     // one cycle before sum_i
    input  logic             sum_sign_i,  // the sum's sign is the result's
    input  logic             invert_i,
    output logic             negative6_o, // the sum is a negative float
    output logic             zero6_o,     // the float sum is zero
    output logic             word_zero6_o,// the integer result is zero, low and high word
    output logic             high_zero6_o,
    output logic      [24:0] mant_o,      // hidden bit, 23 bits, half
    output logic             rest_o,      // OR of what lies below
    output logic             invert_o,
    output logic      [ 9:0] exp_o,       // exponent field - 1, before the last shift; bits 30..24 of an integer in bits 7..1
    output logic      [ 1:0] shift_o,     // the last shift, 0 .. 3
    output logic             bit31_o
);
  // Stage 6: flags of groups of 16 bits, each of two bytes. A negative float is all ones above bit 50.
  logic [9:0] limit5_q;
  logic free5_q;
  logic negative, inv, all, free1, free2, sh64, sh32, sh16;
  logic [4:0] zero, zero_hi, nib_hi, nib_lo;
  always_comb begin
    negative = sum_sign_i & sum_i[83];
    inv = negative | invert_i;
    zero_hi[0] = negative | (sum_i[82:75] == '0);
    zero_hi[1] = negative | (sum_i[66:59] == '0);
    zero_hi[2] = sum_i[50:43] == {8{negative}};
    zero_hi[3] = sum_i[34:27] == {8{inv}};
    zero_hi[4] = sum_i[18:11] == {8{inv}};
    zero[0] = zero_hi[0] & (negative | (sum_i[74:67] == '0));
    zero[1] = zero_hi[1] & (negative | (sum_i[58:51] == '0));
    zero[2] = zero_hi[2] & (sum_i[42:35] == {8{negative}});
    zero[3] = zero_hi[3] & (sum_i[26:19] == {8{inv}});
    zero[4] = zero_hi[4] & (sum_i[10:3] == {8{inv}});
    // the first four bits of each byte
    nib_hi[0] = negative | (sum_i[82:79] == '0);
    nib_hi[1] = negative | (sum_i[66:63] == '0);
    nib_hi[2] = sum_i[50:47] == {4{negative}};
    nib_hi[3] = sum_i[34:31] == {4{inv}};
    nib_hi[4] = sum_i[18:15] == {4{inv}};
    nib_lo[0] = negative | (sum_i[74:71] == '0);
    nib_lo[1] = negative | (sum_i[58:55] == '0);
    nib_lo[2] = sum_i[42:39] == {4{negative}};
    nib_lo[3] = sum_i[26:23] == {4{inv}};
    nib_lo[4] = sum_i[10:7] == {4{inv}};
    all = (zero == '1) & ~negative;  // the negative sum of the least magnitude, -8, has all flags too
    sh64 = (zero[3:0] == '1) & (free5_q | limit5_q[6]);
    free1 = free5_q | (limit5_q[6] & ~sh64);
    sh32 = ~sh64 & (ctl6_i.raw | (zero[1:0] == '1)) & (free1 | limit5_q[5]);
    free2 = free1 | (limit5_q[5] & ~sh32);
    sh16 = (ctl6_i.raw | (sh64 ? zero[4] : sh32 ? zero[2] : zero[0])) & (free2 | limit5_q[4]);
  end

  logic [82:0] sum_q;
  logic [9:0] limit_q;
  logic [4:0] zero_hi_q, nib_hi_q, nib_lo_q;
  logic sh64_q, sh32_q, sh16_q, free_q, all_q, inv_q, rest11_q, rest27_q, rest43_q;
  always_ff @(posedge clk_i) begin
    limit5_q <= limit_i;
    free5_q <= limit_i[9:7] != '0;
    sum_q <= sum_i[82:0];
    limit_q <= limit5_q;
    free_q <= free5_q;
    zero_hi_q <= zero_hi;
    nib_hi_q <= nib_hi;
    nib_lo_q <= nib_lo;
    sh64_q <= sh64;
    sh32_q <= sh32;
    sh16_q <= sh16;
    all_q <= all & ~ctl6_i.raw;
    inv_q <= inv;
    rest11_q <= sum_i[10:0] != '0;
    rest27_q <= sum_i[26:11] != '0;
    rest43_q <= sum_i[42:27] != '0;
    negative6_o <= negative;
    zero6_o <= all;
    word_zero6_o <= zero[4:3] == '1;
    high_zero6_o <= zero[2:1] == '1;
  end

  // Stage 7: shift by 64 or 32, then 16, invert, then 8; decide about 4. No bit below 43 can reach the mantissa.
  logic [82:27] half;
  logic [39:0] by16;
  logic [31:0] by8;
  logic free, top8, top4_hi, top4_lo, sh8, sh4, rest7;
  always_comb begin
    half[82:64] = sh64_q ? sum_q[18:0] : sh32_q ? sum_q[50:32] : sum_q[82:64];
    half[63:32] = sh64_q ? '0 : sh32_q ? sum_q[31:0] : sum_q[63:32];
    half[31:27] = (sh64_q | sh32_q) ? '0 : sum_q[31:27];
    by16 = (sh16_q ? half[66:27] : half[82:43]) ^ {40{inv_q}};
    free = free_q | (limit_q[6] & ~sh64_q) | (limit_q[5] & ~sh32_q) | (limit_q[4] & ~sh16_q);
    // The flags of the group that comes to the top; by 80: only ones follow.
    unique case ({sh64_q, sh32_q, sh16_q})
      3'b000: {top8, top4_hi, top4_lo} = {zero_hi_q[0], nib_hi_q[0], nib_lo_q[0]};
      3'b001: {top8, top4_hi, top4_lo} = {zero_hi_q[1], nib_hi_q[1], nib_lo_q[1]};
      3'b010: {top8, top4_hi, top4_lo} = {zero_hi_q[2], nib_hi_q[2], nib_lo_q[2]};
      3'b011: {top8, top4_hi, top4_lo} = {zero_hi_q[3], nib_hi_q[3], nib_lo_q[3]};
      3'b100: {top8, top4_hi, top4_lo} = {zero_hi_q[4], nib_hi_q[4], nib_lo_q[4]};
      default: {top8, top4_hi, top4_lo} = '0;
    endcase
    sh8 = (ctl7_i.raw | top8) & (free | limit_q[3]);
    by8 = sh8 ? by16[31:0] : by16[39:8];
    sh4 = sh8 ? top4_lo & (free | limit_q[2]) : top4_hi & (free | limit_q[3] | limit_q[2]);
    rest7 = (~sh64_q & ((rest11_q & ~(sh32_q & sh16_q)) | (rest27_q & ~sh32_q) | (rest43_q & ~sh32_q & ~sh16_q))) |
            (~sh8 & (by16[7:0] != {8{inv_q}}));
  end

  logic [31:0] by8_q;
  logic [7:0] high_q;
  logic [9:0] limit7_q;
  logic [4:0] shift7_q;
  logic sh4_q, free7_q, rest7_q, inv7_q;
  always_ff @(posedge clk_i) begin
    by8_q <= by8;
    high_q <= by16[39:32];
    inv7_q <= inv_q;
    rest7_q <= rest7;
    sh4_q <= sh4;
    if (all_q) begin  // zero is not normalized
      limit7_q <= '0;
      shift7_q <= '0;
      free7_q <= 1'b0;
    end else begin
      limit7_q <= limit_q;
      shift7_q <= {sh64_q, sh32_q, sh16_q, sh8, sh4};
      free7_q <= free | (limit_q[3] & ~sh8) | (limit_q[2] & ~sh4);
    end
  end

  // Stage 8: shift by 4; of a float, the first four bits then decide about the shifts by 2 and 1, for both outcomes of the one before at once.
  logic sh2, sh1, sh1_after, sh1_alone;
  logic [27:0] by4;
  logic [25:0] by2;
  logic rest;
  logic [7:0] exp;
  always_comb begin
    by4 = sh4_q ? by8_q[27:0] : by8_q[31:4];
    sh2 = (sh4_q ? by8_q[27:26] == '0 : by8_q[31:30] == '0) & (free7_q | limit7_q[1]);
    sh1_after = ~(sh4_q ? by8_q[25] : by8_q[29]) & (free7_q | limit7_q[0]);
    sh1_alone = ~(sh4_q ? by8_q[27] : by8_q[31]) & (free7_q | limit7_q[1] | limit7_q[0]);
    sh1 = sh2 ? sh1_after : sh1_alone;
    by2 = sh2 ? by4[25:0] : by4[27:2];
    rest = ((by4[2] ^ inv7_q) & ~sh2 & ~sh1) | ((by4[1] ^ inv7_q) & ~sh2) | ((by4[0] ^ inv7_q) & ~(sh2 & sh1));
    exp = limit7_q[9:2] - {3'b0, shift7_q};
  end
  always_ff @(posedge clk_i) begin
    mant_o <= sh1 ? by2[24:0] : by2[25:1];
    shift_o <= {sh2, sh1};
    rest_o <= rest | rest7_q | (~sh4_q & (by8_q[3:0] != {4{inv7_q}}));
    invert_o <= inv7_q;
    exp_o <= ctl8_i.raw ? {2'b0, high_q[6:0], 1'b0} : {exp, limit7_q[1:0]};
    bit31_o <= high_q[7];
  end

  logic unused;
  assign unused = &{1'b0, ctl6_i, ctl7_i, ctl8_i};
endmodule
