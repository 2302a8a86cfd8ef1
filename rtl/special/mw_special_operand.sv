// Unpacks an operand for the function units (docs/functions.md, step 1): sign, exponent, mantissa and class of a float, absolute
// value of an integer. A binary16 becomes a float; a denormal one stays unnormalized. A denormal that must be normalized is shifted
// by one bit per clock: it is rare, and a shifter is not small.
// Timing: one clock, plus one for each leading zero of a denormal.
module mw_special_operand
  import mw_special_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_i,
  /* verilator lint_off UNUSEDSIGNAL */  // each unit needs a part
  input  ctl_t        ctl_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic        valid_i,
  output logic        ready_o,
  input  logic        pass_i,
  input  logic [31:0] x_i,
  output logic        valid_o,
  input  logic        ready_i,
  output logic        last_o,     // the thread has no other operand (DIV, MOD)
  output operand_t    operand_o
);
  logic        held_q, shift_q, negative, exp_zero, exp_ones, rest_zero;
  operand_t    in, u_q;
  logic [15:0] h;
  logic [7:0]  e;
  logic [22:0] fraction;
  logic [31:0] word;
  always_comb begin
    h        = ctl_i.half_high ? x_i[31:16] : x_i[15:0];
    fraction = ctl_i.half_in ? {h[9:0], 13'd0} : x_i[22:0];
    // binary16: + 112
    e        = ctl_i.half_in ? {h[14], {3{!h[14]}}, h[13:10]} : x_i[30:23];
    exp_zero = ctl_i.half_in ? h[14:10] == '0 : x_i[30:23] == '0;
    exp_ones = ctl_i.half_in ? h[14:10] == '1 : x_i[30:23] == '1;
    rest_zero = fraction == '0;
    negative = ctl_i.is_signed && x_i[31];
    word     = {x_i[31:24] & {8{!ctl_i.is_float}}, ctl_i.is_float ? !exp_zero : x_i[23], fraction};
    in.sign  = ctl_i.half_in ? h[15] : ctl_i.is_float ? x_i[31] : negative;
    in.zero  = exp_zero && rest_zero && (ctl_i.is_float || !x_i[31]);
    in.inf   = exp_ones && rest_zero;
    in.nan   = exp_ones && !rest_zero;
    in.exp   = {2'b00, e[7:1], e[0] || exp_zero};
    in.x     = (word ^ {32{negative}}) + 32'(negative);
  end

  assign ready_o = !held_q || (!shift_q && ready_i);
  always_ff @(posedge clk_i) begin
    if (ready_o) begin
      held_q <= valid_i;
      last_o <= pass_i || ctl_i.rcp;
      u_q    <= in;
      shift_q <= valid_i && ctl_i.normalize && exp_zero && !rest_zero;
    end else if (shift_q) begin
      shift_q     <= !u_q.x[22];
      u_q.x[23:0] <= {u_q.x[22:0], 1'b0};
      u_q.exp     <= u_q.exp - 1'b1;
    end
    if (rst_i) {held_q, shift_q} <= '0;
  end
  assign valid_o   = held_q && !shift_q;
  assign operand_o = u_q;
endmodule
