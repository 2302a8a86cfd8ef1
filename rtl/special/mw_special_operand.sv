// Unpacks an operand for the function units (docs/functions.md, step 1): sign, exponent, mantissa and class of a float, absolute
// value of an integer. A denormal that must be normalized is shifted by one bit per clock: it is rare, and a shifter is not small.
// Timing: one clock, plus one for each leading zero of a denormal.
module mw_special_operand
  import mw_isa_pkg::*;
  import mw_special_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_i,
  input  op_e         op_i,
  input  type_e       type_i,
  input  logic        valid_i,
  output logic        ready_o,
  input  logic        pass_i,
  input  logic [31:0] x_i,
  output logic        valid_o,
  input  logic        ready_i,
  output logic        pass_o,
  output operand_t    operand_o
);
  logic     is_float, normalize, settled, held_q, negative, exp_zero, exp_ones, rest_zero;
  operand_t in, u_q;
  assign is_float  = type_i == T_F32;
  assign normalize = is_float && (op_i == OP_RSQ || op_i == OP_LG2 || op_i == OP_RCP || op_i == OP_DIV);
  assign negative  = type_i == T_S32 && x_i[31];
  assign exp_zero  = x_i[30:23] == '0;
  assign exp_ones  = x_i[30:23] == '1;
  assign rest_zero = x_i[22:0] == '0;

  logic [31:0] word;
  assign word = {x_i[31:24] & {8{!is_float}}, is_float ? !exp_zero : x_i[23], x_i[22:0]};
  always_comb begin
    in.sign = is_float ? x_i[31] : negative;
    in.zero = exp_zero && rest_zero && (is_float || !x_i[31]);
    in.inf  = exp_ones && rest_zero;
    in.nan  = exp_ones && !rest_zero;
    in.exp  = {2'b00, x_i[30:24], x_i[23] || exp_zero};
    in.x    = (word ^ {32{negative}}) + 32'(negative);
  end

  assign settled = !normalize || u_q.x[23] || u_q.zero;
  assign ready_o = !held_q || (settled && ready_i);
  always_ff @(posedge clk_i) begin
    if (ready_o) begin
      held_q <= valid_i;
      pass_o <= pass_i;
      u_q    <= in;
    end else if (!settled) begin
      u_q.x[23:0] <= {u_q.x[22:0], 1'b0};
      u_q.exp     <= u_q.exp - 1'b1;
    end
    if (rst_i) held_q <= 1'b0;
  end
  assign valid_o   = held_q && settled;
  assign operand_o = u_q;
endmodule
