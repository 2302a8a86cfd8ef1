// Words on the bits of an operand: BFR, BTC, BTFL, BTFM, UPHL, UPHH from the operand as it is; PKH from the unpacked one (twice,
// once for each half); shuffles pass. The operation stays while results are under way.
// Timing: result two clocks after the operand (PKH one); all zero without one.
module mw_special_bits
  import mw_isa_pkg::*;
  import mw_special_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_i,
  input  op_e         op_i,
  input  type_e       type_i,
  input  logic        valid_i,
  input  logic [31:0] x_i,
  input  logic        unpacked_valid_i,
  /* verilator lint_off UNUSEDSIGNAL */  // the exponent fits nine bits here
  input  operand_t    unpacked_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output logic        valid_o,
  output result_t     result_o
);
  logic        s1_valid_q, search, count, half;
  logic [31:0] x, reverse, s1_q, answer;
  logic [4:0]  high;
  logic [5:0]  ones;
  logic [15:0] h;
  assign search = op_i == OP_BTFL || op_i == OP_BTFM;
  assign count  = op_i == OP_BTC;
  assign half   = op_i == OP_UPHL || op_i == OP_UPHH;
  always_comb begin
    for (int i = 0; i < 32; i++) reverse[i] = x_i[31 - i];
    unique case (op_i)
      OP_BFR, OP_BTFL: x = reverse;
      OP_BTFM:         x = x_i ^ {32{x_i[31] && type_i == T_S32}};
      OP_UPHH:         x = {16'd0, x_i[31:16]};
      default:         x = x_i;
    endcase
    high = '0;
    for (int i = 0; i < 32; i++) if (s1_q[i]) high = 5'(i);
    ones = '0;
    for (int i = 0; i < 32; i++) ones += 6'(s1_q[i]);
    answer = s1_q;
    if (count) answer = {26'd0, ones};
    if (search) answer = s1_q == '0 ? '1 : {27'd0, high ^ {5{op_i == OP_BTFL}}};
  end
  assign h = s1_q[15:0];

  logic    h_ones, h_zero;
  result_t unpack, pack;
  always_comb begin
    h_ones      = h[14:10] == '1;
    h_zero      = h[14:10] == '0;
    unpack.raw  = h_ones;
    unpack.sign = h[15] && !(h_ones && h[9:0] != '0);
    unpack.f    = h_ones ? 10'h0ff : {5'd0, h[14:11], h[10] || h_zero} + 10'd111;
    unpack.v    = {!h_zero, h[9:0], 22'd0};
    if (h_ones) unpack.v = {1'b0, h[9:0] != '0, 31'd0};
    pack.raw    = unpacked_i.inf || unpacked_i.nan;
    pack.sign   = unpacked_i.sign && !unpacked_i.nan;
    pack.f      = pack.raw ? 10'h0ff : unpacked_i.exp - 10'd113;
    pack.v      = {unpacked_i.x[23:0], 9'd0};
    if (pack.raw) pack.v = {1'b0, unpacked_i.nan, 31'd0};
  end

  always_ff @(posedge clk_i) begin
    s1_valid_q <= valid_i && (op_i inside {OP_BFR, OP_BTC, OP_BTFL, OP_BTFM, OP_UPHL, OP_UPHH} || is_shuffle(op_i)) && !rst_i;
    s1_q       <= x;
    valid_o    <= (s1_valid_q || (unpacked_valid_i && op_i == OP_PKH)) && !rst_i;
    if (unpacked_valid_i && op_i == OP_PKH) result_o <= pack;
    else if (!s1_valid_q) result_o <= '0;
    else result_o <= half ? unpack : raw_result(answer, 1'b0);
  end
endmodule
