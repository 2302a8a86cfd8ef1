// Words on the bits of one operand: BFR, BTC, BTFL, BTFM; shuffles pass. The operation stays while results are under way.
// Timing: result three clocks after the operand; 0 without one, so that units' results can be ORed.
module mw_special_bits
  import mw_isa_pkg::*;
  import mw_special_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_i,
  input  op_e         op_i,
  input  type_e       type_i,
  input  logic        valid_i,
  input  logic [31:0] operand_i,
  output logic        valid_o,
  output logic [31:0] result_o
);
  logic        s1_valid_q, s2_valid_q, none_q, count_words;
  logic [31:0] x, reverse, s1_q, s2_q;
  logic [4:0]  high;
  logic [5:0]  ones;
  always_comb begin
    for (int i = 0; i < 32; i++) reverse[i] = operand_i[31 - i];
    unique case (op_i)
      OP_BFR, OP_BTFL: x = reverse;
      OP_BTFM:         x = operand_i ^ {32{operand_i[31] && type_i == T_S32}};
      default:         x = operand_i;
    endcase
    high = '0;
    for (int i = 0; i < 32; i++) if (s1_q[i]) high = 5'(i);
    ones = '0;
    for (int i = 0; i < 32; i++) ones += 6'(s1_q[i]);
  end
  assign count_words = op_i == OP_BTC || op_i == OP_BTFL || op_i == OP_BTFM;
  always_ff @(posedge clk_i) begin
    s1_valid_q <= valid_i && (op_i inside {OP_BFR, OP_BTC, OP_BTFL, OP_BTFM} || is_shuffle(op_i)) && !rst_i;
    s1_q       <= x;
    s2_valid_q <= s1_valid_q && !rst_i;
    none_q     <= s1_q == '0 && op_i != OP_BTC;
    s2_q       <= s1_q;
    if (count_words) s2_q <= {26'd0, op_i == OP_BTC ? ones : {1'b0, high ^ {5{op_i == OP_BTFL}}}};
    valid_o    <= s2_valid_q && !rst_i;
    result_o   <= count_words && none_q ? '1 : s2_q;
    if (!s2_valid_q) result_o <= '0;
  end
endmodule
