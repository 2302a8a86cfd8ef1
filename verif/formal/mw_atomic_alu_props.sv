// mw_atomic_alu: new value and store bit of every operation for all operands, two clocks later.
// Source: docs/semantics.md, "Memory words"; isa.toml, enum atom; header of rtl/mem/mw_atomic_alu.sv.
module mw_atomic_alu_props
  import mw_isa_pkg::*;
(
  input logic        clk_i,
  input atom_e       op_i,
  input logic        sgn_i,
  input logic [31:0] m_i,
  input logic [31:0] x_i,
  input logic [31:0] y_i
);
  logic [31:0] value;
  logic        store;
  mw_atomic_alu u_alu (.clk_i, .op_i, .sgn_i, .m_i, .x_i, .y_i, .new_o(value), .store_o(store));

  typedef struct packed {
    logic        begun;
    atom_e       op;
    logic        sgn;
    logic [31:0] m, x, y;
  } operands_t;
  operands_t one_q = '0, two_q = '0;
  always_ff @(posedge clk_i) begin
    one_q <= '{1'b1, op_i, sgn_i, m_i, x_i, y_i};
    two_q <= one_q;
  end

  logic        less, known;     // m < x
  logic [31:0] wanted;
  always_comb begin
    less   = two_q.sgn ? signed'(two_q.m) < signed'(two_q.x) : two_q.m < two_q.x;
    known  = 1'b1;
    wanted = '0;
    case (two_q.op)
      ATOM_ADD:   wanted = two_q.m + two_q.x;
      ATOM_MIN:   wanted = less ? two_q.m : two_q.x;
      ATOM_MAX:   wanted = less ? two_q.x : two_q.m;
      ATOM_AND:   wanted = two_q.m & two_q.x;
      ATOM_OR:    wanted = two_q.m | two_q.x;
      ATOM_XOR:   wanted = two_q.m ^ two_q.x;
      ATOM_IWRAP: wanted = two_q.m >= two_q.x ? 32'd0 : two_q.m + 32'd1;
      ATOM_DWRAP: wanted = two_q.m == 32'd0 || two_q.m > two_q.x ? two_q.x : two_q.m - 32'd1;
      ATOM_EXCH:  wanted = two_q.x;
      ATOM_CSWAP: wanted = two_q.m == two_q.x ? two_q.y : 32'd0;
      default:    known = 1'b0;
    endcase
    if (two_q.begun && known) begin
      a_value: assert (value == wanted);
      a_store: assert (store == (two_q.op != ATOM_CSWAP || two_q.m == two_q.x));
    end
  end
endmodule
