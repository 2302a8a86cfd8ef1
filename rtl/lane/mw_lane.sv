// Role: one arithmetic lane: F32 (IEEE-754 binary32, denormals, fused multiply-add), S32 and U32 operations of one thread per
// cycle, with condition flags. docs/semantics.md gives the meaning, mw_lane_pkg the control word.
// Promises: an operation may enter every cycle; its result leaves LANE_LATENCY cycles later, whatever it is; no stall, no
// state between operations, no reset.
//   stage 0  operand forms    3  products, fine alignment   6  zero flags of the sum   9  round, pack, flags
//         1  negation         4  P, coarse alignment        7  coarse normalization
//         2  compare, select  5  sum                        8  fine normalization
module mw_lane
  import mw_lane_pkg::*;
(
    input  logic               clk_i,
    input  lane_ctl_t          ctl_i,
    input  logic        [31:0] a_i,
    input  logic        [31:0] b_i,
    input  logic        [31:0] c_i,
    input  logic               cf_i,  // old flags for chained words
    input  logic               zf_i,
    output logic        [31:0] result_o,
    output lane_flags_t        flags_o,
    output logic               alu_bit_o  // compare words: the comparison holds
);
  // ctl[n] is the control word of the operation in stage n + 1. The first is the lane's own copy: one shared by all lanes would cross the device.
  (* keep *) lane_ctl_t own_q;
  lane_ctl_t ctl[0:8], later_q[1:8];
  logic carry_q[0:3], old_zero_q[0:6];
  always_ff @(posedge clk_i) begin
    own_q <= ctl_i;
    for (int i = 1; i < 9; i++) later_q[i] <= ctl[i-1];
    carry_q[0] <= ctl_i.chain_carry ? cf_i : ctl_i.carry_in;
    for (int i = 1; i < 4; i++) carry_q[i] <= carry_q[i-1];
    old_zero_q[0] <= zf_i;
    for (int i = 1; i < 7; i++) old_zero_q[i] <= old_zero_q[i-1];
  end
  always_comb begin
    ctl[0] = own_q;
    for (int i = 1; i < 9; i++) ctl[i] = later_q[i];
  end

  logic [31:0] a1, b1, c1, c2;
  logic [8:0] exp_p1, exp_c1;
  logic a_sign1, b_sign1, sign1, unlike1, a_nan1, b_nan1, c_nan1, a_zero1, b_zero1, nan1, inf1, big1;
  logic [1:0] a_drop1, b_drop1;
  mw_lane_operands u_operands (
      .clk_i,
      .ctl0_i(ctl_i),
      .ctl1_i(ctl[0]),
      .a_i,
      .b_i,
      .c_i,
      .a_o(a1),
      .b_o(b1),
      .c_o(c1),
      .exp_p_o(exp_p1),
      .exp_c_o(exp_c1),
      .a_sign_o(a_sign1),
      .b_sign_o(b_sign1),
      .sign_o(sign1),
      .unlike_o(unlike1),
      .a_nan_o(a_nan1),
      .b_nan_o(b_nan1),
      .c_nan_o(c_nan1),
      .a_zero_o(a_zero1),
      .b_zero_o(b_zero1),
      .nan_o(nan1),
      .inf_o(inf1),
      .big_o(big1),
      .a_drop_o(a_drop1),
      .b_drop_o(b_drop1)
  );

  logic [32:0] a2, b2;
  logic sign3, sum_sign3, unlike3, high3, invert3, flip3, alu_bit3;
  lane_special_t special3;
  mw_lane_select u_select (
      .clk_i,
      .ctl2_i(ctl[1]),
      .ctl3_i(ctl[2]),
      .a_i(a1),
      .b_i(b1),
      .c_i(c1),
      .a_sign_i(a_sign1),
      .b_sign_i(b_sign1),
      .sign_i(sign1),
      .unlike_i(unlike1),
      .a_nan_i(a_nan1),
      .b_nan_i(b_nan1),
      .c_nan_i(c_nan1),
      .a_zero_i(a_zero1),
      .b_zero_i(b_zero1),
      .nan_i(nan1),
      .inf_i(inf1),
      .big_i(big1),
      .a_drop_i(a_drop1),
      .b_drop_i(b_drop1),
      .a2_o(a2),
      .b2_o(b2),
      .c2_o(c2),
      .sign3_o(sign3),
      .sum_sign3_o(sum_sign3),
      .unlike3_o(unlike3),
      .high3_o(high3),
      .invert3_o(invert3),
      .flip3_o(flip3),
      .alu_bit3_o(alu_bit3),
      .special3_o(special3)
  );

  logic [63:0] p4;
  logic [82:0] c4;
  logic [9:0] limit4;
  logic carry4;
  mw_lane_multiplier u_multiplier (
      .clk_i,
      .a_i(a2),
      .b_i(b2),
      .p_o(p4)
  );
  mw_lane_aligner u_aligner (
      .clk_i,
      .ctl4_i(ctl[3]),
      .high_i(high3),
      .sign_i(sign3),
      .carry_i(carry_q[3]),
      .exp_p_i(exp_p1),
      .exp_c_i(exp_c1),
      .c_i(c2),
      .c_o(c4),
      .carry_o(carry4),
      .limit_o(limit4)
  );

  // What stage 3 knows about the result waits for the sum.
  logic sign_q[4:6], sum_sign_q[4:5], unlike_q[4:6], high_q[4:6], invert_q[4:5], flip_q[4:6], alu_bit_q[4:6];
  lane_special_t special_q[4:6];
  always_ff @(posedge clk_i) begin
    {sign_q[4], sum_sign_q[4], unlike_q[4], high_q[4]} <= {sign3, sum_sign3, unlike3, high3};
    {invert_q[4], flip_q[4], alu_bit_q[4], special_q[4]} <= {invert3, flip3, alu_bit3, special3};
    for (int i = 5; i < 7; i++) begin
      {sign_q[i], unlike_q[i], high_q[i]} <= {sign_q[i-1], unlike_q[i-1], high_q[i-1]};
      {flip_q[i], alu_bit_q[i], special_q[i]} <= {flip_q[i-1], alu_bit_q[i-1], special_q[i-1]};
    end
    {sum_sign_q[5], invert_q[5]} <= {sum_sign_q[4], invert_q[4]};
  end

  logic [83:0] sum5;
  logic carry5, overflow5, carry6_q, overflow6_q;
  mw_lane_adder u_adder (
      .clk_i,
      .ctl_i(ctl[4]),
      .carry_i(carry4),
      .p_i(p4),
      .c_i(c4),
      .sum_o(sum5),
      .carry_o(carry5),
      .overflow_o(overflow5)
  );
  always_ff @(posedge clk_i) begin
    carry6_q <= carry5;
    overflow6_q <= overflow5;
  end

  logic negative6, zero6, word_zero6, high_zero6, rest8, invert8, bit31_8;
  logic [24:0] mant8;
  logic [1:0] shift8;
  logic [9:0] exp8;
  mw_lane_normalizer u_normalizer (
      .clk_i,
      .ctl6_i(ctl[5]),
      .ctl7_i(ctl[6]),
      .ctl8_i(ctl[7]),
      .sum_i(sum5),
      .limit_i(limit4),
      .sum_sign_i(sum_sign_q[5]),
      .invert_i(invert_q[5]),
      .negative6_o(negative6),
      .zero6_o(zero6),
      .word_zero6_o(word_zero6),
      .high_zero6_o(high_zero6),
      .mant_o(mant8),
      .shift_o(shift8),
      .rest_o(rest8),
      .invert_o(invert8),
      .exp_o(exp8),
      .bit31_o(bit31_8)
  );

  mw_lane_rounder u_rounder (
      .clk_i,
      .ctl7_i(ctl[6]),
      .ctl8_i(ctl[7]),
      .ctl9_i(ctl[8]),
      .sign6_i(sign_q[6]),
      .negative6_i(negative6),
      .unlike6_i(unlike_q[6]),
      .zero6_i(zero6),
      .word_zero6_i(word_zero6),
      .high_zero6_i(high_zero6),
      .high6_i(high_q[6]),
      .flip6_i(flip_q[6]),
      .alu_bit6_i(alu_bit_q[6]),
      .special6_i(special_q[6]),
      .carry6_i(carry6_q),
      .overflow6_i(overflow6_q),
      .old_zero6_i(old_zero_q[6]),
      .mant8_i(mant8),
      .shift8_i(shift8),
      .rest8_i(rest8),
      .invert8_i(invert8),
      .exp8_i(exp8),
      .bit31_8_i(bit31_8),
      .result_o,
      .flags_o,
      .alu_bit_o
  );
endmodule
