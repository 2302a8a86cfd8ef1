// The one adder of F32 atomics, shared by the memory units (0 shared memory, 1 AXI memory; 0 goes first).
//
// IEEE-754 binary32, round to nearest even, denormals kept, every NaN result 0x7fc00000 (docs/semantics.md, "Memory words"). One addition per
// clock; rsp_sum_o comes STAGES clocks after the request was taken, in order, with rsp_valid_o of its client.
// How: the operand of larger magnitude less the aligned smaller one never is negative, so there is no second sign. The sum has 28 bits: carry, 24
// bits of significand and three below them, the last of which is sticky. One left shift normalizes carry, cancellation and
// denormal results alike: each of its levels is taken if the upper bits are zero and the exponent allows it.
module mw_atomic_fadd (
  input  logic             clk_i,
  input  logic             rst_i,
  input  logic [1:0]       req_valid_i,
  output logic [1:0]       req_ready_o,
  input  logic [1:0][31:0] req_a_i,
  input  logic [1:0][31:0] req_b_i,
  output logic [1:0]       rsp_valid_o,
  output logic [31:0]      rsp_sum_o
);
  localparam int unsigned STAGES = 11;
  localparam logic [31:0] NAN = 32'h7fc00000;

  logic [STAGES:1][1:0] valid_q;
  assign req_ready_o = {!req_valid_i[0], 1'b1};
  always_ff @(posedge clk_i) begin
    valid_q <= {valid_q[STAGES-1:1], req_valid_i & req_ready_o};
    if (rst_i) valid_q <= '0;
  end
  assign rsp_valid_o = valid_q[STAGES];

  // ---- 1: operands. Denormals have the exponent of the smallest normal number.
  logic [31:0] a1_q, b1_q;
  always_ff @(posedge clk_i) begin
    a1_q <= req_valid_i[0] ? req_a_i[0] : req_a_i[1];
    b1_q <= req_valid_i[0] ? req_b_i[0] : req_b_i[1];
  end

  // ---- 2: which is larger, by how many places
  logic [7:0]  ea, eb;
  logic [31:0] a2_q, b2_q;
  logic        less2_q;
  logic [7:0]  up2_q, down2_q;
  assign ea = {a1_q[30:24], a1_q[23] | (a1_q[30:23] == '0)};
  assign eb = {b1_q[30:24], b1_q[23] | (b1_q[30:23] == '0)};
  always_ff @(posedge clk_i) begin
    a2_q    <= a1_q;
    b2_q    <= b1_q;
    less2_q <= a1_q[30:0] < b1_q[30:0];
    down2_q <= ea - eb;
    up2_q   <= eb - ea;
  end

  // ---- 3: larger (g) and smaller operand, special cases
  // fixed: the result is known without adding (NaN, infinity); it travels as sign, quiet bit and flag.
  logic [31:0] g, s;
  logic [7:0]  places;
  logic        g3_sign_q, sub3_q, fixed3_q, nan3_q;
  logic [7:0]  exp3_q;
  logic [22:0] gman3_q, sman3_q;
  logic        ghide3_q, shide3_q;
  logic [4:0]  places3_q;
  assign g      = less2_q ? b2_q : a2_q;
  assign s      = less2_q ? a2_q : b2_q;
  assign places = less2_q ? up2_q : down2_q;
  always_ff @(posedge clk_i) begin
    g3_sign_q <= g[31];
    sub3_q    <= g[31] ^ s[31];
    exp3_q    <= g[30:23];
    ghide3_q  <= g[30:23] != '0;
    shide3_q  <= s[30:23] != '0;
    gman3_q   <= g[22:0];
    sman3_q   <= s[22:0];
    fixed3_q  <= g[30:23] == '1;
    // the larger one is NaN, or both are infinite and of different signs
    nan3_q    <= g[22:0] != '0 || (s[30:23] == '1 && (g[31] ^ s[31]));
    places3_q <= places[4:0] | {5{places[7:5] != '0}};
  end

  // What goes beside the significands from here on.
  typedef struct packed {
    logic       sign;
    logic       sub;
    logic       fixed;
    logic       nan;
    logic [7:0] exp;    // of the larger operand, at least 1
  } side_t;
  side_t side4_q, side5_q, side6_q, side7_q, side8_q, side9_q, side10_q;

  // ---- 4, 5: align the smaller one; 27 bits, what falls out is remembered in the lowest
  function automatic logic [26:0] shifted(input logic [26:0] v, input logic en, input logic [4:0] by);
    logic [26:0] out, lost;
    out  = v >> by;
    lost = v & ~(27'h7ffffff << by);
    return en ? {out[26:1], out[0] | (lost != '0)} : v;
  endfunction
  logic [26:0] small4_q, small5_q;
  logic [23:0] gman4_q, gman5_q;
  logic [2:0]  places4_q;
  always_ff @(posedge clk_i) begin
    small4_q  <= shifted(shifted({shide3_q, sman3_q, 3'b0}, places3_q[4], 5'd16), places3_q[3], 5'd8);
    places4_q <= places3_q[2:0];
    gman4_q   <= {ghide3_q, gman3_q};
    side4_q   <= '{sign: g3_sign_q, sub: sub3_q, fixed: fixed3_q, nan: fixed3_q && nan3_q, exp: {exp3_q[7:1], exp3_q[0] | !ghide3_q}};
    small5_q  <= shifted(shifted(shifted(small4_q, places4_q[2], 5'd4), places4_q[1], 5'd2), places4_q[0], 5'd1);
    gman5_q   <= gman4_q;
    side5_q   <= side4_q;
  end

  // ---- 6: sum or difference, not negative
  logic [27:0] sum6_q;
  always_ff @(posedge clk_i) begin
    sum6_q  <= {1'b0, gman5_q, 3'b0} + ({1'b0, small5_q} ^ {28{side5_q.sub}}) + 28'(side5_q.sub);
    side6_q <= side5_q;
  end

  // ---- 7, 8, 9: normalize. Bit 27 is the place of a significand with exponent exp + 1, so at most exp places may be shifted:
  // free says that the exponent allows any shift that is still to come, limit are its bits.
  logic [27:0] n7_q, n8_q, n9_q;
  logic        by7_q;                    // places shifted so far, in units of the finest level
  logic [1:0]  by8_q;
  logic [3:0]  by9_q;
  logic [3:0]  limit7_q;
  logic [2:0]  limit8_q;
  logic        free7_q, free8_q, last9_q;
  logic        t16, t8, t4, t2, t1, f4, f2;
  logic [27:0] v4, v2, v1;
  logic        free6;
  assign free6 = side6_q.exp[7:5] != '0;
  assign t16 = sum6_q[27:12] == '0 && (free6 || side6_q.exp[4]);
  assign t8  = n7_q[27:20] == '0 && (free7_q || limit7_q[3]);
  assign t4  = n8_q[27:24] == '0 && (free8_q || limit8_q[2]);
  assign f4  = free8_q || (limit8_q[2] && !t4);
  assign v4  = t4 ? n8_q << 4 : n8_q;
  assign t2  = v4[27:26] == '0 && (f4 || limit8_q[1]);
  assign f2  = f4 || (limit8_q[1] && !t2);
  assign v2  = t2 ? v4 << 2 : v4;
  assign t1  = !n9_q[27] && last9_q;
  assign v1  = t1 ? n9_q << 1 : n9_q;
  always_ff @(posedge clk_i) begin
    n7_q     <= t16 ? sum6_q << 16 : sum6_q;
    by7_q    <= t16;
    limit7_q <= side6_q.exp[3:0];
    free7_q  <= free6 || (side6_q.exp[4] && !t16);
    side7_q  <= side6_q;
    n8_q     <= t8 ? n7_q << 8 : n7_q;
    by8_q    <= {by7_q, t8};
    limit8_q <= limit7_q[2:0];
    free8_q  <= free7_q || (limit7_q[3] && !t8);
    side8_q  <= side7_q;
    n9_q     <= v2;
    by9_q    <= {by8_q, t4, t2};
    last9_q  <= f2 || limit8_q[0];
    side9_q  <= side8_q;
  end

  // ---- 10: exponent, rounding decision
  logic [8:0]  exp10;
  logic [7:0]  exp10_q;
  logic [22:0] man10_q;
  logic        up10_q, zero10_q;
  assign exp10 = {1'b0, side9_q.exp} + 9'd1 - {4'd0, by9_q, t1};
  always_ff @(posedge clk_i) begin
    exp10_q  <= exp10[7:0] & {8{v1[27]}};
    man10_q  <= v1[26:4];
    up10_q   <= v1[3] && (v1[4] || v1[2:0] != '0);
    zero10_q <= n9_q == '0;
    side10_q <= side9_q;
  end

  // ---- 11: rounding carries into the exponent. Exponent 255 here is an overflow: infinity.
  logic over;
  assign over = exp10_q == '1;
  always_ff @(posedge clk_i) begin
    rsp_sum_o[30:0] <= {exp10_q, man10_q} + 31'(up10_q);
    rsp_sum_o[31]   <= side10_q.sign && !(zero10_q && side10_q.sub);
    if (over || side10_q.fixed) rsp_sum_o[30:0] <= {8'hff, 23'd0};
    if (side10_q.nan) rsp_sum_o <= NAN;
  end

  logic unused;
  assign unused = &{1'b0, exp10[8], side10_q.exp};
endmodule
