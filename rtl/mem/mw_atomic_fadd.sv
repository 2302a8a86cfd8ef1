// The adder of F32 atomics.
//
// IEEE-754 binary32, round to nearest even, denormals kept, every NaN result 0x7fc00000 (docs/semantics.md, "Memory words"). One addition per
// clock; sum_o comes 10 clocks after its operands.
// How: the operand of larger magnitude less the aligned smaller one never is negative, so there is no second sign. The sum has 28 bits: carry, 24
// bits of significand and three below them, the last of which is sticky. One left shift normalizes carry, cancellation and
// denormal results alike: each of its levels is taken if the upper bits are zero and the exponent allows it.
module mw_atomic_fadd (
  input  logic        clk_i,
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  output logic [31:0] sum_o
);
  localparam logic [31:0] NAN = 32'h7fc00000;

  // ---- 1: which is larger, by how many places. Denormals have the exponent of the smallest normal number.
  logic [7:0]  ea, eb;
  logic [31:0] a1_q, b1_q;
  logic        less1_q;
  logic [7:0]  up1_q, down1_q;
  assign ea = {a_i[30:24], a_i[23] | (a_i[30:23] == '0)};
  assign eb = {b_i[30:24], b_i[23] | (b_i[30:23] == '0)};
  always_ff @(posedge clk_i) begin
    a1_q    <= a_i;
    b1_q    <= b_i;
    less1_q <= a_i[30:0] < b_i[30:0];
    down1_q <= ea - eb;
    up1_q   <= eb - ea;
  end

  // ---- 2: larger (g) and smaller operand, special cases
  // fixed: the result is known without adding (NaN, infinity); it travels as sign, quiet bit and flag.
  logic [31:0] g, s;
  logic [7:0]  places;
  logic        g2_sign_q, sub2_q, fixed2_q, nan2_q;
  logic [7:0]  exp2_q;
  logic [22:0] gman2_q, sman2_q;
  logic        ghide2_q, shide2_q;
  logic [4:0]  places2_q;
  assign g      = less1_q ? b1_q : a1_q;
  assign s      = less1_q ? a1_q : b1_q;
  assign places = less1_q ? up1_q : down1_q;
  always_ff @(posedge clk_i) begin
    g2_sign_q <= g[31];
    sub2_q    <= g[31] ^ s[31];
    exp2_q    <= g[30:23];
    ghide2_q  <= g[30:23] != '0;
    shide2_q  <= s[30:23] != '0;
    gman2_q   <= g[22:0];
    sman2_q   <= s[22:0];
    fixed2_q  <= g[30:23] == '1;
    // the larger one is NaN, or both are infinite and of different signs
    nan2_q    <= g[22:0] != '0 || (s[30:23] == '1 && (g[31] ^ s[31]));
    places2_q <= places[4:0] | {5{places[7:5] != '0}};
  end

  // What goes beside the significands from here on.
  typedef struct packed {
    logic       sign;
    logic       sub;
    logic       fixed;
    logic       nan;
    logic [7:0] exp;    // of the larger operand, at least 1
  } side_t;
  side_t side3_q, side4_q, side5_q, side6_q, side7_q, side8_q, side9_q;

  // ---- 3, 4: align the smaller one; 27 bits, what falls out is remembered in the lowest
  function automatic logic [26:0] shifted(input logic [26:0] v, input logic en, input logic [4:0] by);
    logic [26:0] out, lost;
    out  = v >> by;
    lost = v & ~(27'h7ffffff << by);
    return en ? {out[26:1], out[0] | (lost != '0)} : v;
  endfunction
  logic [26:0] small3_q, small4_q;
  logic [23:0] gman3_q, gman4_q;
  logic [2:0]  places3_q;
  always_ff @(posedge clk_i) begin
    small3_q  <= shifted(shifted({shide2_q, sman2_q, 3'b0}, places2_q[4], 5'd16), places2_q[3], 5'd8);
    places3_q <= places2_q[2:0];
    gman3_q   <= {ghide2_q, gman2_q};
    side3_q   <= '{sign: g2_sign_q, sub: sub2_q, fixed: fixed2_q, nan: fixed2_q && nan2_q, exp: {exp2_q[7:1], exp2_q[0] | !ghide2_q}};
    small4_q  <= shifted(shifted(shifted(small3_q, places3_q[2], 5'd4), places3_q[1], 5'd2), places3_q[0], 5'd1);
    gman4_q   <= gman3_q;
    side4_q   <= side3_q;
  end

  // ---- 5: sum or difference, not negative
  logic [27:0] sum5_q;
  always_ff @(posedge clk_i) begin
    sum5_q  <= {1'b0, gman4_q, 3'b0} + ({1'b0, small4_q} ^ {28{side4_q.sub}}) + 28'(side4_q.sub);
    side5_q <= side4_q;
  end

  // ---- 6, 7, 8: normalize. Bit 27 is the place of a significand with exponent exp + 1, so at most exp places may be shifted:
  // free says that the exponent allows any shift that is still to come, limit are its bits.
  logic [27:0] n6_q, n7_q, n8_q;
  logic        by6_q;                    // places shifted so far, in units of the finest level
  logic [1:0]  by7_q;
  logic [3:0]  by8_q;
  logic [3:0]  limit6_q;
  logic [2:0]  limit7_q;
  logic        free6_q, free7_q, last8_q;
  logic        t16, t8, t4, t2, t1, f4, f2;
  logic [27:0] v4, v2, v1;
  logic        free5;
  assign free5 = side5_q.exp[7:5] != '0;
  assign t16 = sum5_q[27:12] == '0 && (free5 || side5_q.exp[4]);
  assign t8  = n6_q[27:20] == '0 && (free6_q || limit6_q[3]);
  assign t4  = n7_q[27:24] == '0 && (free7_q || limit7_q[2]);
  assign f4  = free7_q || (limit7_q[2] && !t4);
  assign v4  = t4 ? n7_q << 4 : n7_q;
  assign t2  = v4[27:26] == '0 && (f4 || limit7_q[1]);
  assign f2  = f4 || (limit7_q[1] && !t2);
  assign v2  = t2 ? v4 << 2 : v4;
  assign t1  = !n8_q[27] && last8_q;
  assign v1  = t1 ? n8_q << 1 : n8_q;
  always_ff @(posedge clk_i) begin
    n6_q     <= t16 ? sum5_q << 16 : sum5_q;
    by6_q    <= t16;
    limit6_q <= side5_q.exp[3:0];
    free6_q  <= free5 || (side5_q.exp[4] && !t16);
    side6_q  <= side5_q;
    n7_q     <= t8 ? n6_q << 8 : n6_q;
    by7_q    <= {by6_q, t8};
    limit7_q <= limit6_q[2:0];
    free7_q  <= free6_q || (limit6_q[3] && !t8);
    side7_q  <= side6_q;
    n8_q     <= v2;
    by8_q    <= {by7_q, t4, t2};
    last8_q  <= f2 || limit7_q[0];
    side8_q  <= side7_q;
  end

  // ---- 9: exponent, rounding decision
  logic [8:0]  exp9;
  logic [7:0]  exp9_q;
  logic [22:0] man9_q;
  logic        up9_q, zero9_q;
  assign exp9 = {1'b0, side8_q.exp} + 9'd1 - {4'd0, by8_q, t1};
  always_ff @(posedge clk_i) begin
    exp9_q  <= exp9[7:0] & {8{v1[27]}};
    man9_q  <= v1[26:4];
    up9_q   <= v1[3] && (v1[4] || v1[2:0] != '0);
    zero9_q <= n8_q == '0;
    side9_q <= side8_q;
  end

  // ---- 10: rounding carries into the exponent. Exponent 255 here is an overflow: infinity.
  logic over;
  assign over = exp9_q == '1;
  always_ff @(posedge clk_i) begin
    sum_o[30:0] <= {exp9_q, man9_q} + 31'(up9_q);
    sum_o[31]   <= side9_q.sign && !(zero9_q && side9_q.sub);
    if (over || side9_q.fixed) sum_o[30:0] <= {8'hff, 23'd0};
    if (side9_q.nan) sum_o <= NAN;
  end

  logic unused;
  assign unused = &{1'b0, exp9[8], side9_q.exp};
endmodule
