// mw_special_bits: BFR, BTC, BTFL and BTFM of every operand, four clocks later, and zero when there is no result.
// Assumed: the operation stays while results are under way (one kind at a time, docs/architecture.md, mw_special), no reset.
// Source: docs/semantics.md, "Words of the special unit"; header of rtl/special/mw_special_bits.sv.
module mw_special_bits_props
  import mw_isa_pkg::*;
  import mw_special_pkg::*;
(
  input logic        clk_i,
  input op_e         op_i,
  input type_e       kind_i,
  input logic        valid_i,
  input logic [31:0] x_i
);
  logic        valid;
  logic [31:0] result;
  ctl_t        ctl;
  assign ctl = decode(op_i, kind_i);
  mw_special_bits u_bits (.clk_i, .rst_i(1'b0), .ctl_i(ctl), .valid_i, .x_i, .truth_valid_i(1'b0), .truth_i('0), .valid_o(valid), .result_o(result));

  localparam int unsigned CLOCKS = 4;
  logic [CLOCKS-1:0]       begun_q = '0, valid_q;
  logic [CLOCKS-1:0][31:0] x_q;
  logic [7:0]              op_q;
  type_e                   kind_q;
  always_ff @(posedge clk_i) begin
    begun_q <= {begun_q[CLOCKS-2:0], 1'b1};
    valid_q <= {valid_q[CLOCKS-2:0], valid_i};
    x_q     <= {x_q[CLOCKS-2:0], x_i};
    op_q    <= op_i;
    kind_q  <= kind_i;
  end

  logic [31:0] x, reverse, wanted;
  logic [5:0]  ones;
  logic [31:0] lowest, highest, clear;    // positions, all ones if there is none
  always_comb begin
    x       = x_q[CLOCKS-1];
    ones    = '0;
    lowest  = '1;
    highest = '1;
    clear   = '1;
    for (int i = 0; i < 32; i++) begin
      reverse[i] = x[31-i];
      ones      += 6'(x[i]);
      if (x[i]) highest = i;
      if (!x[i]) clear = i;
      if (x[31-i]) lowest = 31 - i;
    end
    case (op_i)
      OP_BFR:  wanted = reverse;
      OP_BTC:  wanted = 32'(ones);
      OP_BTFL: wanted = lowest;
      default: wanted = kind_i == T_S32 && x[31] ? clear : highest;
    endcase
    assume (op_i inside {OP_BFR, OP_BTC, OP_BTFL, OP_BTFM});
    assume (kind_i == T_S32 || kind_i == T_U32);
    if (begun_q[0]) assume (op_i == op_q && kind_i == kind_q);
    if (begun_q[CLOCKS-1]) begin
      a_valid:  assert (valid == valid_q[CLOCKS-1]);
      a_result: assert (result == (valid_q[CLOCKS-1] ? wanted : 32'd0));
    end
  end
endmodule
