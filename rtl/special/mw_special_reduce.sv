// Step 2 of RSQ, EX2, LG2, SIN and COS (docs/functions.md): the row of the table and the argument t of the polynomial.
// EX2, SIN and COS: r1 decoded   r2 products with 2/pi (EX2: with a power of two, which moves the mantissa to where they share the
// shifter)   r3, r4 sum   r5 shift by bytes   r6 power of two   r7 shift by it   r8 row, t.  RSQ and LG2 travel beside, and so do
// operands whose mantissa is the result's: PKH, UPHL, UPHH, and SIN of tiny ones.
// With them goes what the result needs: f (exponent of the result + 126; LG2: exponent of the operand), sign, special operands.
// Timing: eight clocks, a thread in each.
module mw_special_reduce
  import mw_functions_pkg::*;
  import mw_special_pkg::*;
(
  input  logic        clk_i,
  /* verilator lint_off UNUSEDSIGNAL */  // each unit needs a part
  input  ctl_t        ctl_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  operand_t    operand_i,
  output logic [3:0]  row_o,
  output logic [24:0] t_o,
  output logic        raw_o,      // special: the bits {sign, f[7:0], nan, 0}
  output logic        same_o,     // the operand's mantissa is the result's: in {row[2:0], t[24:4]}
  output logic        nan_o,
  output logic        sign_o,
  output logic [9:0]  f_o
);
  localparam int unsigned STEPS = 7;  // beside r1 to r7
  typedef struct packed {
    logic        raw;
    logic        same;
    logic        nan;
    logic        sign;
    logic        odd;     // of the exponent
    logic        none;    // EX2: the reduced argument is 0
    logic [9:0]  f;
    logic [23:0] m;
  } side_t;
  side_t      in;
  side_t      side_q [STEPS];
  logic [9:0] exp;
  assign exp = operand_i.exp;

  // Exponents of EX2, SIN and COS are not normalized: 8 bits, by their names without the bias of 127.
  logic below_m12, above_19, above_7, below_m20, below_m24, low2;
  assign low2      = exp[1] && exp[0];
  assign below_m12 = !exp[7] && !(exp[6:4] == 3'b111 && (exp[3:2] != '0 || low2));                       // exp < 115
  assign above_19  = exp[7] && (exp[6:5] != '0 || (exp[4] && (exp[3:2] != '0 || low2)));                 // exp >= 147
  assign above_7   = exp[7] && (exp[6:3] != '0 || exp[2:0] == '1);                                       // exp >= 135
  assign below_m20 = !exp[7] && !(exp[6:5] == 2'b11 && (exp[4] || (exp[3] && (exp[2] || low2))));        // exp < 107
  assign below_m24 = !exp[7] && !(exp[6:5] == 2'b11 && (exp[4:3] != '0 || exp[2:0] == '1));              // exp < 103

  // Special operands, and the exponent: 126 - (e >> 1) for RSQ, e for LG2, exp - 1 or exp - 113 for those that stay.
  logic       special, minus, to_ones, to_one, to_zero, to_ones_q, to_one_q;
  logic [9:0] half_exp, base, f;
  assign special  = operand_i.nan || operand_i.inf || operand_i.zero;
  assign minus    = operand_i.sign && !operand_i.zero;
  assign half_exp = {exp[9], exp[9:1]};
  assign base     = ctl_i.rsq ? 10'd190 : ctl_i.lg2 ? -10'sd127 : ctl_i.half_out ? -10'sd113 : -10'sd1;
  assign f        = base + (ctl_i.rsq ? ~half_exp : exp) + 10'(ctl_i.rsq && !exp[0]);
  always_comb begin
    in.m    = operand_i.x[23:0];
    in.odd  = !exp[0];
    in.none = ctl_i.ex2 && below_m24;
    in.same = !(operand_i.nan || operand_i.inf)
              && (ctl_i.half_in || ctl_i.half_out || (ctl_i.trig && !ctl_i.cos && below_m12));
    in.nan  = operand_i.nan || (operand_i.inf && ctl_i.trig) || (minus && (ctl_i.rsq || ctl_i.lg2));
    in.raw  = !in.same && (special || (minus && (ctl_i.rsq || ctl_i.lg2)) || (ctl_i.ex2 && above_7) || (ctl_i.trig && (below_m12 || above_19)));
    in.sign = ctl_i.lg2 ? operand_i.zero : operand_i.sign && !ctl_i.cos;
    // which constant a special result has; RSQ of infinity, EX2 of large negative and SIN of large ones: 0
    to_one  = ctl_i.cos || (ctl_i.ex2 && operand_i.zero);
    to_zero = (ctl_i.rsq && operand_i.inf) || (ctl_i.ex2 && operand_i.sign) || (ctl_i.trig && !ctl_i.cos);
    to_ones = in.nan || (!to_one && !to_zero);
    in.f    = f;
    if (in.nan) in.sign = 1'b0;
  end

  // r1, r2: products
  logic [17:0] ch_q, cl_q;
  logic [35:0] hh, hl;
  logic [23:0] lh;
  logic [4:0]  s1_q, s2_q, s3_q, s4_q;
  logic [2:0]  s5_q;
  always_ff @(posedge clk_i) begin
    // EX2 of a small operand: four places less
    ch_q <= ctl_i.ex2 ? (below_m20 ? 18'h40 : 18'h400) : FN_TWO_OVER_PI_HI;
    cl_q <= ctl_i.ex2 ? '0 : FN_TWO_OVER_PI_LO;
    // 19 - e (SIN, COS), 11 - e or 7 - e (EX2), modulo 32
    s1_q <= (ctl_i.ex2 ? (below_m20 ? 5'd6 : 5'd10) : 5'd18) - exp[4:0];
  end
  mw_special_multiplier #(.SIGNED(1'b0)) u_hh (.clk_i, .en_i(1'b1), .a_i(side_q[0].m[23:6]), .b_i(ch_q), .p_o(hh));
  mw_special_multiplier #(.SIGNED(1'b0)) u_hl (.clk_i, .en_i(1'b1), .a_i(side_q[0].m[23:6]), .b_i(cl_q), .p_o(hl));
  mw_special_multiplier #(.A(6), .SIGNED(1'b0)) u_lh (.clk_i, .en_i(1'b1), .a_i(side_q[0].m[5:0]), .b_i(ch_q), .p_o(lh));

  // r3, r4: sum
  logic [33:0] part_q, q;
  logic [16:0] rest_q;
  logic [31:0] q_q;
  assign q = part_q + 34'(rest_q);

  // r5: shift by bytes. Of the 46-bit word 41 bits are needed, 34 in the end.
  logic [45:0] w;
  logic [40:0] w5, w5_q, w6_q;
  logic [7:0]  power_q;
  assign w = {q_q, 14'd0};
  always_comb begin
    unique case (s4_q[4:3])
      2'd0:    w5 = w[40:0];
      2'd1:    w5 = {3'd0, w[45:8]};
      2'd2:    w5 = {11'd0, w[45:16]};
      default: w5 = {19'd0, w[45:24]};
    endcase
  end
  // r7: right by n is left by 7 - n, of 7 bits more
  logic [25:0] low, middle;
  logic [12:0] high;
  logic [33:0] r7;
  mw_special_multiplier #(.B(8), .SIGNED(1'b0)) u_low (.clk_i, .en_i(1'b1), .a_i(w6_q[17:0]), .b_i(power_q), .p_o(low));
  mw_special_multiplier #(.B(8), .SIGNED(1'b0)) u_mid (.clk_i, .en_i(1'b1), .a_i(w6_q[35:18]), .b_i(power_q), .p_o(middle));
  mw_special_multiplier #(.A(5), .B(8), .SIGNED(1'b0)) u_high (.clk_i, .en_i(1'b1), .a_i(w6_q[40:36]), .b_i(power_q), .p_o(high));
  assign r7 = {high[4:0] | middle[22:18], middle[17:8], middle[7:0] | low[25:18], low[17:7]};

  always_ff @(posedge clk_i) begin
    part_q <= hh[35:2];
    rest_q <= 17'(hl[35:20]) + 17'(lh[23:8]);
    q_q    <= q[33:2];
    s2_q   <= s1_q;
    s3_q   <= s2_q;
    s4_q   <= s3_q;
    s5_q   <= s4_q[2:0];
    w5_q   <= w5;
    w6_q   <= w5_q;
    if (side_q[4].none) w6_q <= '0;
    for (int i = 0; i < 8; i++) power_q[i] <= s5_q == 3'(7 - i);
    side_q[0] <= in;
    for (int i = 1; i < STEPS; i++) side_q[i] <= side_q[i-1];
    to_ones_q <= to_ones;
    to_one_q  <= to_one;
    if (side_q[0].raw) side_q[1].f <= to_ones_q ? 10'h0ff : to_one_q ? 10'h07f : '0;
  end

  // r8: row and t
  side_t       last;
  logic [1:0]  quadrant;
  logic        invert, keep;
  logic [25:0] u;
  logic [9:0]  n;
  assign last     = side_q[STEPS-1];
  assign quadrant = r7[27:26] + {1'b0, ctl_i.cos};
  assign invert   = ctl_i.ex2 ? last.sign : quadrant[0];
  assign keep     = ctl_i.rsq || ctl_i.lg2 || last.same;  // t is the mantissa
  assign u        = r7[25:0] ^ {26{invert}};
  assign n        = {{2{last.sign}}, r7[33:26] ^ {8{last.sign}}};
  always_ff @(posedge clk_i) begin
    row_o <= keep ? {ctl_i.lg2, ctl_i.rsq ? last.odd : last.m[23] && last.same, last.m[22:21]} : {2'b11, ctl_i.trig, u[25]};
    t_o   <= keep ? {~last.m[20], last.m[19:0], 4'b0000} : {~u[24], u[23:0]};
    raw_o  <= last.raw;
    same_o <= last.same;
    nan_o  <= last.nan;
    sign_o <= last.sign;
    f_o    <= last.f;
    if (ctl_i.ex2) begin
      sign_o <= 1'b0;
      if (!last.raw) f_o <= n + 10'd127;
    end
    if (ctl_i.trig && !last.raw && !last.same) begin
      sign_o <= quadrant[1] ^ last.sign;
      f_o    <= 10'd128;
    end
  end

  logic unused;
  assign unused = &{1'b0, last, hh, hl, lh, q[1:0], low, middle, high};
endmodule
