// The ten atomic operations on one 32-bit word, without F32 ADD (isa.toml, enum atom), in two stages behind the operands' registers.
//
// new_o and store_o come two clocks after the operands. store_o = 0 only for a CSWAP whose comparison failed; new_o is 0 then.
// Stage 1 computes what any operation may need; stage 2 keeps one of it and clears the rest, so that the result is a plain OR.
module mw_atomic_alu
  import mw_isa_pkg::*;
(
  input  logic        clk_i,
  input  atom_e       op_i,
  input  logic        sgn_i,
  input  logic [31:0] m_i,     // old value
  input  logic [31:0] x_i,
  input  logic [31:0] y_i,     // CSWAP's new value
  output logic [31:0] new_o,
  output logic        store_o
);
  // Stage 1: the sum m + x, m + 1 or m - 1; one of m & x, m | x, m ^ x, x; comparisons.
  logic [1:0]  logic_op;
  logic        flip;
  logic [31:0] sum1_q, plain1_q, m1_q, y1_q;
  logic        lt1_q, eq1_q, zero1_q;
  atom_e       op1_q;
  always_comb begin
    case (op_i)
      ATOM_AND: logic_op = 2'd0;
      ATOM_OR:  logic_op = 2'd1;
      ATOM_XOR: logic_op = 2'd2;
      default:  logic_op = 2'd3;
    endcase
  end
  // MIN and MAX of S32: flipping the sign bits makes the unsigned comparison a signed one.
  assign flip = sgn_i && (op_i == ATOM_MIN || op_i == ATOM_MAX);
  always_ff @(posedge clk_i) begin
    op1_q  <= op_i;
    m1_q   <= m_i;
    y1_q   <= y_i;
    sum1_q <= m_i + ((x_i & {32{op_i == ATOM_ADD}}) | {32{op_i == ATOM_DWRAP}}) + 32'(op_i == ATOM_IWRAP);
    case (logic_op)
      2'd0:    plain1_q <= m_i & x_i;
      2'd1:    plain1_q <= m_i | x_i;
      2'd2:    plain1_q <= m_i ^ x_i;
      default: plain1_q <= x_i;
    endcase
    lt1_q   <= {m_i[31] ^ flip, m_i[30:0]} < {x_i[31] ^ flip, x_i[30:0]};
    eq1_q   <= m_i == x_i;
    zero1_q <= m_i == '0;
  end

  // Stage 2
  typedef enum logic [2:0] { PLAIN, SUM, OLD, NEW, NOTHING } pick_e;
  pick_e       pick;
  logic [31:0] sum2_q, plain2_q, m2_q, y2_q;
  always_comb begin
    case (op1_q)
      ATOM_ADD:   pick = SUM;
      ATOM_MIN:   pick = lt1_q ? OLD : PLAIN;
      ATOM_MAX:   pick = lt1_q ? PLAIN : OLD;
      ATOM_IWRAP: pick = lt1_q ? SUM : NOTHING;
      ATOM_DWRAP: pick = zero1_q || !(lt1_q || eq1_q) ? PLAIN : SUM;
      ATOM_CSWAP: pick = eq1_q ? NEW : NOTHING;
      default:    pick = PLAIN;
    endcase
  end
  always_ff @(posedge clk_i) begin
    plain2_q <= plain1_q;
    sum2_q   <= sum1_q;
    m2_q     <= m1_q;
    y2_q     <= y1_q;
    if (pick != PLAIN) plain2_q <= '0;
    if (pick != SUM) sum2_q <= '0;
    if (pick != OLD) m2_q <= '0;
    if (pick != NEW) y2_q <= '0;
    store_o <= op1_q != ATOM_CSWAP || eq1_q;
  end
  assign new_o = plain2_q | sum2_q | m2_q | y2_q;
endmodule
