// Role: stages 2 and 3 of the lane: comparison, choice of the factors A2, B2 and of the addend C2, logic operations.
// MIN, MAX and CMP clear the operand that is not wanted, so that the sum is the other one. A shift is a product with a power
// of two: SHL n = low word of a * 2^n, SHR n = high word of a * 2^(32-n). Set-on-compare words leave P + C = 0; their truth
// comes one stage later and becomes an inversion (integers: all ones) or the constant 1.0.
// Timing: *_o are registers of stage 2, *3_o of stage 3.
module mw_lane_select
  import mw_lane_pkg::*;
(
    input  logic                 clk_i,
    input  lane_ctl_t            ctl2_i,
    input  lane_ctl_t            ctl3_i,
    input  logic          [31:0] a_i,
    input  logic          [31:0] b_i,
    input  logic          [31:0] c_i,
    input  logic                 a_sign_i,
    input  logic                 b_sign_i,
    input  logic                 sign_i,
    input  logic                 unlike_i,
    input  logic                 a_nan_i,
    input  logic                 b_nan_i,
    input  logic                 c_nan_i,
    input  logic                 a_zero_i,
    input  logic                 b_zero_i,
    input  logic                 nan_i,
    input  logic                 inf_i,
    input  logic                 big_i,
    input  logic          [ 1:0] a_drop_i,
    input  logic          [ 1:0] b_drop_i,
    output logic          [32:0] a2_o,        // factors, signed
    output logic          [32:0] b2_o,
    output logic          [31:0] c2_o,
    output logic                 sign3_o,     // of the result, as far as it does not depend on the sum's sign
    output logic                 sum_sign3_o, // a negative sum changes it
    output logic                 unlike3_o,   // a zero sum makes it +
    output logic                 high3_o,     // the result is the high word of the product
    output logic                 invert3_o,   // the integer result is inverted
    output logic                 flip3_o,     // bit 31 of the integer result is inverted
    output logic                 alu_bit3_o,
    output lane_special_t        special3_o
);
  // Stage 2: order of a and b. Floats compare by magnitude here, their signs are apart.
  logic [32:0] dif;
  (* keep *) logic [1:0] a_clear;  // stays as it is, so that one LUT behind the comparison is all
  logic less, sel_b, over, kill, a_base, a_kill, c_base, c_kill, a_ext, b_ext, hi_zero;
  assign dif = {1'b0, a_i[31] ^ ctl2_i.less_s, a_i[30:0]} - {1'b0, b_i[31] ^ ctl2_i.less_s, b_i[30:0]};
  always_comb begin
    less = (a_sign_i ^ b_sign_i) ? a_sign_i : dif[32] ^ a_sign_i;
    sel_b = ctl2_i.cmp_f ? a_sign_i & ~a_nan_i & ~a_zero_i : ctl2_i.cmp_s & a_i[31];
    over = b_i[31:5] != '0;
    // Clamped conversions leave 0 and get their bits from inversions.
    kill = big_i | (ctl2_i.f2i_sat & ~ctl2_i.dst_s & a_sign_i) | (ctl2_i.i2i_sat & a_i[31]);
    a_base = ctl2_i.a2_zero | kill | (ctl2_i.cmp & ~sel_b) | (ctl2_i.shift & over);
    c_base = kill | (ctl2_i.cmp & sel_b);
    a_kill = a_base | a_drop_i[dif[32]];
    a_clear = {2{a_base | ctl2_i.a2_one}} | a_drop_i;  // for both outcomes of the comparison, which comes last
    c_kill = c_base | b_drop_i[dif[32]];
    a_ext = ctl2_i.a_signed & a_i[31];
    b_ext = ctl2_i.b_signed & b_i[31];
  end

  // Power of two: the count or 32 - count, decoded in two parts.
  logic n_zero;
  logic [7:0] one_lo;
  logic [3:0] one_hi;
  logic [1:0] n_hi;
  logic [31:0] b_val;
  always_comb begin
    n_zero = b_i[2:0] == 3'd0;
    n_hi = ctl2_i.shr ? ~b_i[4:3] + {1'b0, n_zero} : b_i[4:3];
    hi_zero = b_i[4:3] == 2'd0;
    one_lo = 8'd1 << (ctl2_i.shr ? 3'd0 - b_i[2:0] : b_i[2:0]);
    one_hi = 4'd1 << n_hi;
    b_val = ctl2_i.shift ? {{8{one_hi[3]}}, {8{one_hi[2]}}, {8{one_hi[1]}}, {8{one_hi[0]}}} & {4{one_lo}} : b_i;
  end

  logic [31:0] c_val;
  always_comb begin
    unique case (ctl2_i.logic_op)
      2'd0: c_val = c_i;
      2'd1: c_val = a_i & c_i;
      2'd2: c_val = a_i | c_i;
      default: c_val = a_i ^ c_i;
    endcase
  end

  logic [32:0] dif_q;
  logic sign_q, sum_sign_q, unlike_q, high_q, invert_q, flip_q, less_q, unordered_q, zeros_q, equal_sign_q;
  logic nan_q, qnan_q, inf_q;
  always_ff @(posedge clk_i) begin
    // Not as a reset of the registers: a LUT each takes in the comparison where it is wanted.
    a2_o[32:1] <= {a_ext, a_i[31:1]} & {32{~a_clear[dif[32]]}};
    a2_o[0] <= ~a_kill & (ctl2_i.a2_one | a_i[0]);
    if (ctl2_i.b2_one) b2_o[32:1] <= '0;
    else b2_o[32:1] <= {b_ext, b_val[31:1]};
    b2_o[0] <= ctl2_i.b2_one | b_val[0];
    if (c_kill) c2_o <= '0;
    else c2_o <= c_val;

    dif_q <= dif;
    less_q <= less;
    unordered_q <= ctl2_i.src_f & (a_nan_i | b_nan_i);
    zeros_q <= ctl2_i.src_f & a_zero_i & b_zero_i;
    equal_sign_q <= a_sign_i == b_sign_i;
    sign_q <= b_drop_i[dif[32]] ? a_sign_i : (ctl2_i.cmp & sel_b) ? b_sign_i : sign_i & ~ctl2_i.set_cc;
    sum_sign_q <= ~ctl2_i.raw & ~inf_i;
    unlike_q <= unlike_i & ~inf_i;
    high_q <= ctl2_i.high | (ctl2_i.shr & ~over & ~(n_zero & hi_zero));
    invert_q <= ctl2_i.invert | (ctl2_i.shift & over & ctl2_i.shr & a_ext) | (ctl2_i.f2i & (a_sign_i ^ kill)) |
                (ctl2_i.i2i_sat & ctl2_i.dst_s & kill);
    flip_q <= kill & ctl2_i.dst_s;
    nan_q <= nan_i | (ctl2_i.dst_f & ctl2_i.src_f &
             ((ctl2_i.min_max & a_nan_i & b_nan_i) | (ctl2_i.cmp & (sel_b ? b_nan_i : c_nan_i)) | (ctl2_i.mov & a_nan_i)));
    qnan_q <= nan_i | (ctl2_i.src_f & ctl2_i.min_max & a_nan_i & b_nan_i);
    inf_q <= inf_i;
  end

  // Stage 3: truth of set-on-compare words.
  logic equal, truth;
  always_comb begin
    equal = zeros_q | (equal_sign_q & (dif_q == '0));
    truth = unordered_q ? ctl3_i.set_not & ~ctl3_i.set_lt
                        : ((ctl3_i.set_lt & less_q & ~equal) | (ctl3_i.set_eq & equal)) ^ ctl3_i.set_not;
  end
  always_ff @(posedge clk_i) begin
    sign3_o <= sign_q;
    sum_sign3_o <= sum_sign_q;
    unlike3_o <= unlike_q;
    high3_o <= high_q;
    invert3_o <= invert_q | (ctl3_i.set_cc & truth & ~ctl3_i.dst_f);
    flip3_o <= flip_q;
    alu_bit3_o <= ctl3_i.set_cc & truth;
    special3_o <= '{nan: nan_q, qnan: qnan_q, inf: inf_q & ~qnan_q, one: ctl3_i.set_cc & truth & ctl3_i.dst_f};
  end

  logic unused;
  assign unused = &{1'b0, ctl2_i, ctl3_i};
endmodule
