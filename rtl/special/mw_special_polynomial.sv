// RSQ, EX2, LG2, SIN, COS: the polynomial of docs/functions.md (step 3) and the result value (step 4), behind mw_special_reduce.
// Operands whose mantissa is the result's (PKH, UPHL, UPHH, SIN of tiny ones) travel in the place of row and t.
// The row travels, not the coefficients: each is looked up when it is needed. Sums of split products are kept two bits longer
// and cut once: c + (sum >> 2) = (4 c + sum) >> 2.
//   p1 c5          p2 c5 th       p3 T4           p4 T4 th       p5 T3      p6 T3 th (two parts)   p7 their sum   p8 T2
//   p9 T2 t        p10 first sum  p11 T1          p12 T1 t       p13 first sum     p14 T0           p15 V
// Timing: 8 + 15 clocks; a thread may enter in every clock.
module mw_special_polynomial
  import mw_functions_pkg::*;
  import mw_special_pkg::*;
(
  input  logic     clk_i,
  input  logic     rst_i,
  /* verilator lint_off UNUSEDSIGNAL */  // each unit needs a part
  input  ctl_t     ctl_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic     valid_i,
  input  operand_t operand_i,
  output logic     valid_o,
  output result_t  result_o
);
  localparam int unsigned STEPS = 14;  // p1 to p14
  typedef struct packed {
    logic        raw;
    logic        same;
    logic        nan;
    logic        sign;
    logic [9:0]  f;
    logic [3:0]  row;
    logic [24:0] t;
  } side_t;
  side_t       at_q [STEPS];      // at_q[i] is beside the registers of p(i+1)
  logic [21:0] valid_q;           // of r1 to r8 and p1 to p14
  side_t       in;
  mw_special_reduce u_reduce (
    .clk_i, .ctl_i, .operand_i, .row_o(in.row), .t_o(in.t), .raw_o(in.raw), .same_o(in.same), .nan_o(in.nan), .sign_o(in.sign), .f_o(in.f)
  );
  always_ff @(posedge clk_i) begin
    at_q[0] <= in;
    for (int i = 1; i < STEPS; i++) at_q[i] <= at_q[i-1];
    valid_q <= {valid_q[20:0], valid_i && ctl_i.poly};
    if (rst_i) valid_q <= '0;
  end

  // Rows are read one clock ahead, so that no adder waits for its coefficient.
  fn_row_t row5, row4, row3, row2, row1, row0;
  assign row5 = fn_row(in.row);
  assign row4 = fn_row(at_q[0].row);
  assign row3 = fn_row(at_q[2].row);
  assign row2 = fn_row(at_q[5].row);
  assign row1 = fn_row(at_q[7].row);
  assign row0 = fn_row(at_q[10].row);
  logic signed [12:0] c5_q;
  logic signed [16:0] c4_q, t4_q;
  logic signed [20:0] c3_q, t3_q;
  logic signed [23:0] c2_q, t2_q;
  logic signed [26:0] c1_q, t1_q;
  logic        [27:0] c0_q;
  logic        [28:0] t0_q;
  always_ff @(posedge clk_i) begin
    c5_q <= row5.c5;
    c4_q <= row4.c4;
    c3_q <= row3.c3;
    c2_q <= row2.c2;
    c1_q <= row1.c1;
    c0_q <= row0.c0;
  end

  // Upper and lower part of t beside p(i).
  logic signed [17:0] th1, th3, th5, th8, th11;
  logic        [6:0]  tl8, tl11;
  assign th1  = at_q[0].t[24:7];
  assign th3  = at_q[2].t[24:7];
  assign th5  = at_q[4].t[24:7];
  assign th8  = at_q[7].t[24:7];
  assign th11 = at_q[10].t[24:7];
  assign tl8  = at_q[7].t[6:0];
  assign tl11 = at_q[10].t[6:0];

  logic signed [30:0] p5;
  logic signed [34:0] p4;
  logic signed [35:0] p3h, p2h, p1h;
  logic signed [21:0] p3l;
  logic signed [24:0] p2l;
  logic signed [25:0] p2t, p1t;
  logic signed [27:0] p1l;
  mw_special_multiplier #(.A(13), .B(18)) u_5 (.clk_i, .en_i(1'b1), .a_i(c5_q), .b_i(th1), .p_o(p5));
  mw_special_multiplier #(.A(17), .B(18)) u_4 (.clk_i, .en_i(1'b1), .a_i(t4_q), .b_i(th3), .p_o(p4));
  mw_special_multiplier #(.A(18), .B(18)) u_3h (.clk_i, .en_i(1'b1), .a_i(t3_q[20:3]), .b_i(th5), .p_o(p3h));
  mw_special_multiplier #(.A(4), .B(18)) u_3l (.clk_i, .en_i(1'b1), .a_i({1'b0, t3_q[2:0]}), .b_i(th5), .p_o(p3l));
  mw_special_multiplier #(.A(18), .B(18)) u_2h (.clk_i, .en_i(1'b1), .a_i(t2_q[23:6]), .b_i(th8), .p_o(p2h));
  mw_special_multiplier #(.A(7), .B(18)) u_2l (.clk_i, .en_i(1'b1), .a_i({1'b0, t2_q[5:0]}), .b_i(th8), .p_o(p2l));
  mw_special_multiplier #(.A(18), .B(8)) u_2t (.clk_i, .en_i(1'b1), .a_i(t2_q[23:6]), .b_i({1'b0, tl8}), .p_o(p2t));
  mw_special_multiplier #(.A(18), .B(18)) u_1h (.clk_i, .en_i(1'b1), .a_i(t1_q[26:9]), .b_i(th11), .p_o(p1h));
  mw_special_multiplier #(.A(10), .B(18)) u_1l (.clk_i, .en_i(1'b1), .a_i({1'b0, t1_q[8:0]}), .b_i(th11), .p_o(p1l));
  mw_special_multiplier #(.A(18), .B(8)) u_1t (.clk_i, .en_i(1'b1), .a_i(t1_q[26:9]), .b_i({1'b0, tl11}), .p_o(p1t));

  logic signed [35:0] p3_q;
  logic signed [28:0] sum1_q, sum1;
  logic signed [10:0] low1_q;
  logic signed [31:0] sum0_q, sum0;
  logic signed [14:0] low0_q;
  assign sum1 = sum1_q + 29'(low1_q);
  assign sum0 = sum0_q + 32'(low0_q);
  always_ff @(posedge clk_i) begin
    t4_q   <= c4_q + 17'(p5 >>> FN_SHIFT_4);
    t3_q   <= c3_q + 21'(p4 >>> FN_SHIFT_3);
    p3_q   <= p3h + 36'(signed'(p3l[21:3]));
    t2_q   <= c2_q + 24'(p3_q >>> (FN_SHIFT_2 - 3));
    sum1_q <= {c1_q, 2'b00} + 29'(p2h >>> 9);
    low1_q <= 11'(p2l >>> 15) + 11'(p2t >>> 16);
    t1_q   <= sum1[28:2];
    sum0_q <= {2'b00, c0_q, 2'b00} + 32'(p1h >>> 6);
    low0_q <= 15'(p1l >>> 15) + 15'(p1t >>> 13);
    t0_q   <= sum0[30:2];
  end

  // p15
  side_t last;
  logic  g, whole;
  assign last  = at_q[STEPS-1];
  assign g     = last.f[9];
  assign whole = ctl_i.trig && t0_q[26];
  always_ff @(posedge clk_i) begin
    valid_o       <= valid_q[21] && !rst_i;
    result_o.raw  <= last.raw;
    result_o.sign <= last.sign;
    result_o.f    <= last.f;
    result_o.v    <= {t0_q, 4'b0000};
    if (ctl_i.lg2) result_o.v <= {last.f[7:0] ^ {8{g}}, t0_q[26:3] ^ {24{g}}, (t0_q[2:0] ^ {3{g}}) != '0};
    if (whole) result_o.v[29:0] <= '0;
    if (ctl_i.lg2 && !last.raw) begin
      result_o.sign <= g;
      result_o.f    <= 10'd133;
    end
    if (last.same) result_o.v <= {last.row[2:0], ~last.t[24], last.t[23:4], 9'd0};
    if (last.raw) result_o.v <= {1'b0, last.nan, 31'd0};
    if (!valid_q[21]) result_o <= '0;
  end

  logic unused;
  assign unused = &{1'b0, p3l[2:0], row5, row4, row3, row2, row1, row0, p5, p4, p2l, p2t, p2h, p1h, p1l, p1t, sum1, sum0};
endmodule
