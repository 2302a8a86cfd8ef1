// Role: stages 7 to 9 of the lane: sign, clamp and special values, rounding, packing, flags.
// The hidden bit is added to the exponent field - 1, so a denormal that rounds up becomes the smallest normal number and a
// mantissa of all ones the next power of two, without a case of their own. An inverted sum is |x| - 1: the missing 1 is part
// of the increment. Integers pass as a mantissa of 24 bits whose "exponent" is their high byte, without increment.
// Timing: *6_i come with the registers of stage 6, *8_i with those of stage 8; outputs after stage 9.
module mw_lane_rounder
  import mw_isa_pkg::*;
  import mw_lane_pkg::*;
(
    input  logic                 clk_i,
    input  lane_ctl_t            ctl7_i,
    input  lane_ctl_t            ctl8_i,
    input  lane_ctl_t            ctl9_i,
    input  logic                 sign6_i,
    input  logic                 negative6_i,
    input  logic                 unlike6_i,
    input  logic                 zero6_i,
    input  logic                 word_zero6_i,
    input  logic                 high_zero6_i,
    input  logic                 high6_i,
    input  logic                 flip6_i,
    input  logic                 alu_bit6_i,
    input  lane_special_t        special6_i,
    input  logic                 carry6_i,
    input  logic                 overflow6_i,
    input  logic                 old_zero6_i,  // chained zero flag
    input  logic          [24:0] mant8_i,
    input  logic          [ 1:0] shift8_i,
    input  logic                 rest8_i,
    input  logic                 invert8_i,
    input  logic          [ 9:0] exp8_i,
    input  logic                 bit31_8_i,
    output logic          [31:0] result_o,
    output lane_flags_t          flags_o,
    output logic                 alu_bit_o
);
  // Stage 7: sign; a difference that is zero is +0.
  logic sign7_q, word_zero7_q, flip7_q, alu_bit7_q, carry7_q, overflow7_q, old_zero7_q;
  lane_special_t special7_q;
  always_ff @(posedge clk_i) begin
    sign7_q <= (sign6_i ^ negative6_i) & ~(unlike6_i & zero6_i);
    word_zero7_q <= (high6_i ? high_zero6_i : word_zero6_i) & ~flip6_i;
    flip7_q <= flip6_i;
    alu_bit7_q <= alu_bit6_i;
    special7_q <= special6_i;
    carry7_q <= carry6_i & ctl7_i.sum_flags;
    overflow7_q <= overflow6_i & ctl7_i.sum_flags;
    old_zero7_q <= old_zero6_i | ~ctl7_i.chain_zero;
  end

  // Stage 8: what replaces the result, and how a float is rounded.
  logic clamp, zero8, sign8_q, word_zero8_q, flip8_q, alu_bit8_q, carry8_q, overflow8_q, old_zero8_q;
  logic zero8_q, one8_q, inf8_q, qnan8_q, nan8_q, clamp8_q, large8_q, nearest8_q, away8_q, float8_q;
  always_comb begin
    clamp = ctl8_i.sat | ctl8_i.ssat;
    zero8 = (clamp & special7_q.nan) | (ctl8_i.sat & sign7_q);
  end
  always_ff @(posedge clk_i) begin
    zero8_q <= zero8;
    one8_q <= special7_q.one | (clamp & special7_q.inf & ~zero8);
    inf8_q <= special7_q.inf & ~clamp;
    qnan8_q <= special7_q.qnan & ~clamp;
    nan8_q <= special7_q.nan & ~clamp;
    clamp8_q <= clamp & ~zero8;
    // NaNs that arithmetic makes are positive.
    sign8_q <= sign7_q & ~zero8 & ~special7_q.qnan;
    float8_q <= ~ctl8_i.raw;
    large8_q <= ~ctl8_i.raw & ~clamp;
    nearest8_q <= ctl8_i.mode == RND_ROUND;
    away8_q <= sign7_q ? ctl8_i.mode == RND_FLR : ctl8_i.mode == RND_CEIL;
    word_zero8_q <= word_zero7_q;
    flip8_q <= flip7_q;
    alu_bit8_q <= alu_bit7_q;
    carry8_q <= carry7_q;
    overflow8_q <= overflow7_q;
    old_zero8_q <= old_zero7_q;
  end

  // Stage 9.
  // Whether a mantissa with this last bit is incremented.
  function automatic logic increment(input logic last);
    logic half;
    half = mant8_i[0];
    if (nearest8_q) return invert8_i & ~rest8_i ? half | last : half & (rest8_i | last);
    if (away8_q) return invert8_i | half | rest8_i;
    return invert8_i & ~rest8_i & half;
  endfunction
  logic inc;
  assign inc = increment(mant8_i[1]) & float8_q;

  // Field - 1, minus the last shift, plus the hidden bit; then the mantissa.
  logic [2:0] step;
  logic [31:0] packed_sum;
  assign step = {2'b0, mant8_i[24]} - {1'b0, shift8_i};
  assign packed_sum = {exp8_i[7:0], 23'b0, 1'b1} + {{6{step[2]}}, step[1:0], mant8_i[23:1], inc};

  logic top7, one6, some7, too_big, ge_one, force_one, force_zero, force_inf, forced, sign_out, none, zero_out;
  // Zero flag: known ahead, or the mantissa is 0 and gets no increment (inc_none). Kept apart, else found one after the other.
  (* keep *) logic zero_ahead, zero_if_none, inc_none;
  always_comb begin
    // The exponent field is exp8 minus the last shift, plus 1 with the hidden bit: at least 255, at least 127.
    top7 = exp8_i[7:1] == '1;
    one6 = exp8_i[6:1] == '1;
    some7 = exp8_i[6:0] != '0;
    too_big = large8_q & (exp8_i[9] | (exp8_i[8] & (exp8_i[7] | some7 | (shift8_i != 2'd3))) |
              (top7 & ~shift8_i[1] & (exp8_i[0] | ~shift8_i[0])));
    ge_one = exp8_i[9] | exp8_i[8] | (exp8_i[7] & (some7 | (shift8_i != 2'd3))) |
             (one6 & ~shift8_i[1] & (exp8_i[0] | (~shift8_i[0] & mant8_i[24])));
    force_zero = zero8_q;
    force_one = one8_q | (clamp8_q & ge_one);
    force_inf = inf8_q | qnan8_q | too_big;
    forced = force_zero | force_one | force_inf;
    sign_out = ctl9_i.dst_f ? sign8_q : bit31_8_i ^ flip8_q;
    zero_ahead = ctl9_i.dst_f ? nan8_q | force_zero | (~float8_q & word_zero8_q & ~one8_q & ~inf8_q) : word_zero8_q;
    zero_if_none = ctl9_i.dst_f & float8_q & ~one8_q & ~inf8_q;
    inc_none = increment(1'b0);
    none = mant8_i[24:1] == '0;
    zero_out = zero_ahead | (zero_if_none & none & ~inc_none);
  end
  always_ff @(posedge clk_i) begin
    if (forced) result_o[21:0] <= '0;
    else result_o[21:0] <= packed_sum[22:1];
    result_o[22] <= (packed_sum[23] & ~forced) | qnan8_q;
    result_o[29:23] <= (packed_sum[30:24] & {7{~forced}}) | {7{force_inf | force_one}};
    result_o[30] <= (packed_sum[31] & ~forced) | force_inf;
    result_o[31] <= sign_out;
    flags_o.cf <= carry8_q;
    flags_o.of <= overflow8_q;
    flags_o.sf <= nan8_q | (sign_out & ~(ctl9_i.dst_f & zero_out));
    flags_o.zf <= zero_out & old_zero8_q;
    alu_bit_o <= alu_bit8_q;
  end

  logic unused;
  assign unused = &{1'b0, ctl7_i, ctl8_i, ctl9_i, packed_sum[0]};
endmodule
