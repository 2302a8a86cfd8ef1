// Role: stages 0 and 1 of the lane: source modifiers, unpacking, exponents, classes of the operands.
// Stage 0 loads each operand into a positive or a negative register; stage 1 subtracts the two, which negates integers and
// makes the product's mantissa negative when product and addend of a float sum have unlike signs. So the sum is always P + C.
// A leg is 32 bits: an integer, the bits of a float without its sign, or a mantissa with its hidden bit (bits 23..0).
// Timing: outputs two cycles after the inputs.
module mw_lane_operands
  import mw_lane_pkg::*;
(
    input  logic             clk_i,
    input  lane_ctl_t        ctl0_i,    // with the operands
    input  lane_ctl_t        ctl1_i,    // one cycle later
    input  logic      [31:0] a_i,
    input  logic      [31:0] b_i,
    input  logic      [31:0] c_i,
    output logic      [31:0] a_o,
    output logic      [31:0] b_o,
    output logic      [31:0] c_o,
    output logic      [ 8:0] exp_p_o,   // biased exponents of the factors, added; 0 if the product is 0
    output logic      [ 8:0] exp_c_o,   // exponent of C + 94: what exp_p_o is when P and C end at the same top bit
    output logic             a_sign_o,
    output logic             b_sign_o,
    output logic             sign_o,    // of C, or of the infinity
    output logic             unlike_o,  // product and addend have unlike signs
    output logic             a_nan_o,
    output logic             b_nan_o,
    output logic             c_nan_o,
    output logic             a_zero_o,
    output logic             b_zero_o,
    output logic             nan_o,     // the result is NaN, infinite
    output logic             inf_o,
    output logic             big_o,     // float to integer: clamped because of the magnitude
    output logic      [ 1:0] a_drop_o,  // MIN, MAX: operand a, b is not the result; [1] if a < b in bits, [0] if not
    output logic      [ 1:0] b_drop_o
);
  localparam logic [7:0] EXP_INT = 8'd150;  // exponent of a float whose last mantissa bit has weight 1
  localparam logic [8:0] TOP_BIAS = 9'd94;  // places P's last bit at bit 3 and C's hidden bit at bit 82 of the sum

  // Stage 0.
  logic [31:0] cm;
  logic a_sign, b_sign, c_sign, p_sign, unlike, a_minus, b_minus, c_minus;
  logic a_e0, b_e0, c_e0, a_ef, b_ef, c_ef;
  logic [31:0] a_val, b_val, c_val;
  always_comb begin
    cm = ctl0_i.c_from_b ? b_i : c_i;
    a_sign = ctl0_i.src_f & ((a_i[31] & ~ctl0_i.a_abs) ^ ctl0_i.a_neg);
    b_sign = ctl0_i.src_f & ((b_i[31] & ~ctl0_i.b_abs) ^ ctl0_i.b_neg);
    c_sign = ctl0_i.src_f & ((cm[31] & ~ctl0_i.c_abs) ^ ctl0_i.c_neg);
    p_sign = a_sign ^ (ctl0_i.p_two & b_sign);
    unlike = ctl0_i.src_m & ~ctl0_i.c_off & (p_sign ^ c_sign);
    a_minus = ctl0_i.src_f ? unlike : (a_i[31] & ctl0_i.a_abs) ^ ctl0_i.a_neg;
    b_minus = ~ctl0_i.src_f & ((b_i[31] & ctl0_i.b_abs) ^ ctl0_i.b_neg);
    c_minus = ~ctl0_i.src_f & ((cm[31] & ctl0_i.c_abs) ^ ctl0_i.c_neg);
    a_e0 = a_i[30:23] == 8'h00;
    b_e0 = b_i[30:23] == 8'h00;
    c_e0 = cm[30:23] == 8'h00;
    a_ef = a_i[30:23] == 8'hff;
    b_ef = b_i[30:23] == 8'hff;
    c_ef = cm[30:23] == 8'hff;
    a_val = {a_i[31:24], ctl0_i.src_m ? ~a_e0 : a_i[23], a_i[22:0]};
    b_val = {b_i[31:24], ctl0_i.src_m ? ~b_e0 : b_i[23], b_i[22:0]};
    c_val = {cm[31:24], ctl0_i.src_m ? ~c_e0 : cm[23], cm[22:0]};
  end

  logic [31:0] a_pos_q, a_neg_q, b_pos_q, b_neg_q, c_pos_q, c_neg_q;
  logic a_cpl_q, b_cpl_q, c_cpl_q;
  logic [7:0] ea_q, eb_q, ec_q;
  logic a_sign_q, b_sign_q, c_sign_q, unlike_q;
  logic a_e0_q, b_e0_q, a_ef_q, b_ef_q, c_ef_q, a_m0_q, b_m0_q, c_m0_q;
  always_ff @(posedge clk_i) begin
    // The top byte of a mantissa and the sign bit of a float are cleared; written so that registers' resets do it.
    if (a_minus) a_pos_q[23:0] <= '0;
    else a_pos_q[23:0] <= a_val[23:0];
    if (a_minus | ctl0_i.src_m) a_pos_q[30:24] <= '0;
    else a_pos_q[30:24] <= a_val[30:24];
    a_pos_q[31] <= a_val[31] & ~a_minus & ~ctl0_i.src_f;
    if (~a_minus) a_neg_q[23:0] <= '0;
    else a_neg_q[23:0] <= a_val[23:0];
    if (~a_minus | ctl0_i.src_m) a_neg_q[31:24] <= '0;
    else a_neg_q[31:24] <= a_val[31:24];
    a_cpl_q <= ctl0_i.a_cpl;

    if (b_minus | ctl0_i.b_off) b_pos_q[23:0] <= '0;
    else b_pos_q[23:0] <= b_val[23:0];
    if (b_minus | ctl0_i.b_off | ctl0_i.src_m) b_pos_q[30:24] <= '0;
    else b_pos_q[30:24] <= b_val[30:24];
    b_pos_q[31] <= b_val[31] & ~b_minus & ~ctl0_i.src_f;
    if (~b_minus) b_neg_q <= '0;
    else b_neg_q <= b_val;
    b_cpl_q <= ctl0_i.b_off & a_sign;

    if (c_minus | ctl0_i.c_off) c_pos_q[23:0] <= '0;
    else c_pos_q[23:0] <= c_val[23:0];
    if (c_minus | ctl0_i.c_off | ctl0_i.src_m) c_pos_q[30:24] <= '0;
    else c_pos_q[30:24] <= c_val[30:24];
    c_pos_q[31] <= c_val[31] & ~c_minus & ~ctl0_i.c_off & ~ctl0_i.src_f;
    if (~c_minus | ctl0_i.c_off) c_neg_q <= '0;
    else c_neg_q <= c_val;
    c_cpl_q <= ctl0_i.c_cpl;

    // Denormals have the exponent of the smallest normal number.
    ea_q <= {a_i[30:24], a_i[23] | a_e0};
    if (ctl0_i.eb_one) eb_q <= EXP_INT;
    else eb_q <= {b_i[30:24], b_i[23] | b_e0};
    if (ctl0_i.ec_int) ec_q <= EXP_INT;
    else if (ctl0_i.c_off) ec_q <= 8'd1;
    else ec_q <= {cm[30:24], cm[23] | c_e0};

    a_sign_q <= a_sign;
    b_sign_q <= b_sign;
    c_sign_q <= ctl0_i.c_off ? p_sign : c_sign;
    unlike_q <= unlike;
    a_e0_q <= a_e0;
    b_e0_q <= b_e0 & ctl0_i.b_cls;
    a_ef_q <= a_ef;
    b_ef_q <= b_ef & ctl0_i.b_cls;
    c_ef_q <= c_ef & ~ctl0_i.c_off;
    a_m0_q <= a_i[22:0] == '0;
    b_m0_q <= b_i[22:0] == '0;
    c_m0_q <= cm[22:0] == '0;
  end

  // Stage 1. The extra low bit of a subtraction borrows one more: x - 1 - y.
  logic a_zero, b_zero, a_inf, b_inf, c_inf, a_nan, b_nan, c_nan, p_inf, p_zero;
  logic [32:0] a_dif, b_dif, c_dif;
  logic [1:0] less, pick_a;
  always_comb begin
    a_dif = {a_pos_q, 1'b0} - {a_neg_q, a_cpl_q};
    b_dif = {b_pos_q, 1'b0} - {b_neg_q, b_cpl_q};
    c_dif = {c_pos_q, 1'b0} - {c_neg_q, c_cpl_q};
    a_zero = a_e0_q & a_m0_q;
    b_zero = b_e0_q & b_m0_q;
    a_inf = a_ef_q & a_m0_q;
    b_inf = b_ef_q & b_m0_q;
    c_inf = c_ef_q & c_m0_q;
    a_nan = a_ef_q & ~a_m0_q;
    b_nan = b_ef_q & ~b_m0_q;
    c_nan = c_ef_q & ~c_m0_q;
    p_inf = a_inf | b_inf;
    p_zero = a_zero | b_zero;
    // MIN, MAX: everything but the comparison, for both of its outcomes; floats compare by magnitude.
    less = (ctl1_i.src_f & (a_sign_q ^ b_sign_q)) ? {2{a_sign_q}} : 2'b10 ^ {2{a_sign_q}};
    pick_a = {2{~(ctl1_i.src_f & a_nan)}} & ({2{ctl1_i.src_f & b_nan}} | (less ^ {2{ctl1_i.max}}));
  end

  always_ff @(posedge clk_i) begin
    a_o <= a_dif[32:1];
    b_o <= b_dif[32:1];
    c_o <= c_dif[32:1];
    if (ctl1_i.ep_int) exp_p_o <= {1'b0, EXP_INT} + {1'b0, EXP_INT};
    else if (p_zero) exp_p_o <= '0;  // so that C is not shifted
    else exp_p_o <= {1'b0, ea_q} + {1'b0, eb_q};
    exp_c_o <= {1'b0, ctl1_i.c_is_a ? ea_q : ec_q} + TOP_BIAS;
    a_sign_o <= a_sign_q;
    b_sign_o <= b_sign_q;
    sign_o <= c_sign_q ^ (ctl1_i.spec_en & p_inf & unlike_q);
    unlike_o <= unlike_q;
    a_nan_o <= a_nan;
    b_nan_o <= b_nan;
    c_nan_o <= c_nan;
    a_zero_o <= a_zero;
    b_zero_o <= b_zero;
    nan_o <= ctl1_i.spec_en & (a_nan | b_nan | c_nan | (p_inf & p_zero) | (p_inf & c_inf & unlike_q));
    inf_o <= ctl1_i.spec_en & (p_inf | c_inf);
    a_drop_o <= {2{ctl1_i.min_max}} & ~pick_a;
    b_drop_o <= {2{ctl1_i.min_max}} & pick_a;
    // 2^31 and more, unsigned 2^32 and more.
    big_o <= ctl1_i.f2i_sat & ~a_nan & ea_q[7] & ((ea_q[6:5] != 2'd0) | ((ea_q[4:1] == 4'hf) & (ctl1_i.dst_s | ea_q[0])));
  end

  // Only some of the control bits belong to these stages.
  logic unused;
  assign unused = &{1'b0, ctl0_i, ctl1_i, a_dif[0], b_dif[0], c_dif[0]};
endmodule
