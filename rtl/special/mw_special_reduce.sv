// Step 2 of RSQ, EX2, LG2, SIN and COS (docs/functions.md): the row of the table and the argument t of the polynomial.
// EX2, SIN and COS: r1 products with 2/pi (EX2: with a power of two, which moves the mantissa to where they share the shifter)
// r2, r3 sum   r4, r5 shift   r6 row, t.  RSQ and LG2 travel beside.
// With them goes what the result needs: f (exponent of the result + 126; LG2: of the operand), sign, and special operands.
// Timing: six clocks, a thread in each.
module mw_special_reduce
  import mw_isa_pkg::*;
  import mw_functions_pkg::*;
  import mw_special_pkg::*;
(
  input  logic            clk_i,
  input  op_e             op_i,
  input  operand_t        operand_i,
  output logic [3:0]      row_o,
  output logic [24:0]     t_o,
  output logic            raw_o,      // special: the bits {sign, f[7:0], fraction}
  output logic            same_o,     // of those, the operand's fraction
  output logic            nan_o,      // of those, a NaN
  output logic            sign_o,
  output logic [9:0]      f_o
);
  localparam int unsigned STEPS = 5;  // beside r1 to r5
  typedef struct packed {
    logic        raw;
    logic        same;
    logic        nan;
    logic        sign;
    logic        odd;     // of the exponent
    logic        tiny;    // EX2: the reduced argument is 0
    logic [9:0]  f;
    logic [22:0] m;
  } side_t;

  logic        ex2, sin, cos, trig, special;
  side_t       in;
  side_t       side_q [STEPS];
  logic [9:0]  e;
  assign ex2  = op_i == OP_EX2;
  assign sin  = op_i == OP_SIN;
  assign cos  = op_i == OP_COS;
  assign trig = sin || cos;
  assign e    = operand_i.exp - 10'd127;

  // Special operands, and the exponent.
  logic sin_tiny, huge;
  assign sin_tiny = $signed(e) < 10'(FN_EXP_TINY);
  assign huge     = $signed(e) > (ex2 ? 10'sd7 : 10'(FN_EXP_HUGE));
  assign special  = operand_i.nan || operand_i.inf || operand_i.zero;
  always_comb begin
    in.m    = operand_i.x[22:0];
    in.odd  = e[0];
    in.tiny = ex2 && $signed(e) < -10'sd24;
    in.sign = operand_i.sign && !ex2 && !cos;
    in.same = 1'b0;
    in.nan  = operand_i.nan;
    in.raw  = special;
    in.f    = e;
    unique case (op_i)
      OP_RSQ: begin
        in.f   = 10'd126 - {e[9], e[9:1]};
        in.nan = operand_i.nan || (operand_i.sign && !operand_i.zero);
        in.raw = special || operand_i.sign;
        if (operand_i.zero) in.f = 10'h0ff;
        if (operand_i.inf) in.f = '0;
      end
      OP_LG2: begin
        in.nan  = operand_i.nan || (operand_i.sign && !operand_i.zero);
        in.raw  = special || operand_i.sign;
        in.sign = operand_i.zero;
        if (operand_i.zero || operand_i.inf) in.f = 10'h0ff;
      end
      OP_EX2: begin
        in.raw  = special || huge;
        in.f    = operand_i.zero ? 10'd127 : operand_i.sign ? '0 : 10'h0ff;
        in.sign = operand_i.sign;  // until r6
      end
      OP_SIN: begin
        in.nan  = operand_i.nan || operand_i.inf;
        in.raw  = special || sin_tiny || huge;
        in.same = sin_tiny;
        in.f    = huge ? '0 : {2'b00, operand_i.exp[7:1], operand_i.exp[0] && operand_i.x[23]};
      end
      default: begin
        in.nan = operand_i.nan || operand_i.inf;
        in.raw = special || sin_tiny || huge;
        in.f   = 10'd127;
      end
    endcase
    if (in.nan) begin
      in.f    = 10'h0ff;
      in.same = 1'b0;
      in.sign = 1'b0;
    end
  end

  // r1: products
  logic [17:0] ch, cl;
  logic [35:0] hh, hl;
  logic [23:0] lh;
  logic        low;      // EX2 of a small operand: four places less
  logic [4:0]  shift, s1_q, s2_q, s3_q;
  logic [2:0]  s4_q;
  assign low = $signed(e) < -10'sd20;
  always_comb begin
    ch = ex2 ? (low ? 18'h40 : 18'h400) : FN_TWO_OVER_PI_HI;
    cl = ex2 ? '0 : FN_TWO_OVER_PI_LO;
    // 19 - e (SIN, COS), 11 - e or 7 - e (EX2), modulo 32
    shift = (ex2 ? (low ? 5'd6 : 5'd10) : 5'd18) - operand_i.exp[4:0];
  end
  mw_special_multiplier #(.SIGNED(1'b0)) u_hh (.clk_i, .a_i(operand_i.x[23:6]), .b_i(ch), .p_o(hh));
  mw_special_multiplier #(.SIGNED(1'b0)) u_hl (.clk_i, .a_i(operand_i.x[23:6]), .b_i(cl), .p_o(hl));
  mw_special_multiplier #(.A(6), .SIGNED(1'b0)) u_lh (.clk_i, .a_i(operand_i.x[5:0]), .b_i(ch), .p_o(lh));

  // r2, r3: sum
  logic [33:0] part_q;
  logic [16:0] rest_q;
  logic [31:0] q_q;
  logic [33:0] q;
  assign q = part_q + 34'(rest_q);
  always_ff @(posedge clk_i) begin
    part_q <= hh[35:2];
    rest_q <= 17'(hl[35:20]) + 17'(lh[23:8]);
    q_q    <= q[33:2];
  end

  // r4, r5: shift. Of the 46-bit word 34 low bits are needed in the end.
  logic [45:0] w16;
  logic [40:0] w8, w8_q;
  logic [36:0] w4;
  logic [34:0] w2;
  logic [33:0] w1, w_q;
  always_comb begin
    w16 = s3_q[4] ? {16'd0, q_q[31:2]} : {q_q, 14'd0};
    w8  = s3_q[3] ? {3'd0, w16[45:8]} : w16[40:0];
    w4  = s4_q[2] ? w8_q[40:4] : w8_q[36:0];
    w2  = s4_q[1] ? w4[36:2] : w4[34:0];
    w1  = s4_q[0] ? w2[34:1] : w2[33:0];
  end
  always_ff @(posedge clk_i) begin
    s1_q <= shift;
    s2_q <= s1_q;
    s3_q <= s2_q;
    w8_q <= w8;
    s4_q <= s3_q[2:0];
    w_q  <= side_q[3].tiny ? '0 : w1;
    side_q[0] <= in;
    for (int i = 1; i < STEPS; i++) side_q[i] <= side_q[i-1];
  end

  // r6: row and t
  side_t       last;
  logic [1:0]  quadrant;
  logic        invert;
  logic [25:0] u;
  logic [9:0]  n;
  assign last     = side_q[STEPS-1];
  assign quadrant = w_q[27:26] + {1'b0, cos};
  assign invert   = ex2 ? last.sign : quadrant[0];
  assign u        = w_q[25:0] ^ {26{invert}};
  assign n        = {{2{last.sign}}, w_q[33:26] ^ {8{last.sign}}};
  always_ff @(posedge clk_i) begin
    unique case (op_i)
      OP_RSQ:  row_o <= {1'b0, last.odd, last.m[22:21]};
      OP_LG2:  row_o <= {2'b10, last.m[22:21]};
      default: row_o <= {2'b11, trig, u[25]};
    endcase
    t_o <= {~u[24], u[23:0]};
    if (op_i == OP_RSQ || op_i == OP_LG2) t_o <= {~last.m[20], last.m[19:0], 4'b0000};
    if (last.same) begin  // the operand's fraction, in the place of row and t
      row_o <= {2'b00, last.m[22:21]};
      t_o   <= {last.m[20:0], 4'b0000};
    end
    raw_o  <= last.raw;
    same_o <= last.same;
    nan_o  <= last.nan;
    sign_o <= last.sign;
    f_o    <= last.f;
    if (ex2) begin
      sign_o <= 1'b0;
      if (!last.raw) f_o <= n + 10'd127;
    end
    if (trig && !last.raw) begin
      sign_o <= quadrant[1] ^ last.sign;
      f_o    <= 10'd128;
    end
  end

  logic unused;
  assign unused = &{1'b0, last, hh, hl, lh, q[1:0]};
endmodule
