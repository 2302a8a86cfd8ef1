// The ten atomic operations on one 32-bit word (isa.toml, enum atom), in two stages.
//
// Stage 1 takes the old value m and the operand x in the cycle of en_i; stage 2 gives new_o in the next cycle, combinationally
// from registers and from y_i (CSWAP's new value), which therefore comes one cycle after x. store_o = 0 only for a CSWAP whose
// comparison failed: new_o is then the old value. Values stay until the next en_i.
module mw_atomic_alu
  import mw_isa_pkg::*;
(
  input  logic        clk_i,
  input  logic        en_i,
  input  atom_e       op_i,
  input  logic        sgn_i,
  input  logic [31:0] m_i,
  input  logic [31:0] x_i,
  input  logic [31:0] y_i,
  output logic [31:0] new_o,
  output logic        store_o
);
  // Stage 1 leaves three candidates: the sum, the old value, and what needs neither adder nor comparison (0 for IWRAP's wrap, x for
  // DWRAP's). Stage 2 picks one of them or y.
  logic [31:0] addend, plain;
  logic [31:0] sum_q, m_q, plain_q;
  logic        lt_q, eq_q, zero_q;
  atom_e       op_q;
  logic        flip;

  // MIN and MAX of S32: flipping the sign bits makes the unsigned comparison a signed one.
  assign flip = sgn_i && (op_i == ATOM_MIN || op_i == ATOM_MAX);
  // m + x, m + 1, m - 1
  assign addend = (x_i & {32{op_i == ATOM_ADD}}) | {32{op_i == ATOM_DWRAP}};
  always_comb begin
    case (op_i)
      ATOM_AND: plain = m_i & x_i;
      ATOM_OR:  plain = m_i | x_i;
      ATOM_XOR: plain = m_i ^ x_i;
      default:  plain = x_i;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      op_q    <= op_i;
      m_q     <= m_i;
      sum_q   <= m_i + addend + 32'(op_i == ATOM_IWRAP);
      plain_q <= plain;
      if (op_i == ATOM_IWRAP) plain_q <= '0;
      lt_q    <= {m_i[31] ^ flip, m_i[30:0]} < {x_i[31] ^ flip, x_i[30:0]};
      eq_q    <= m_i == x_i;
      zero_q  <= m_i == '0;
    end
  end

  typedef enum logic [1:0] { PLAIN, SUM, OLD, NEW } pick_e;
  pick_e pick;
  always_comb begin
    case (op_q)
      ATOM_ADD:   pick = SUM;
      ATOM_MIN:   pick = lt_q ? OLD : PLAIN;
      ATOM_MAX:   pick = lt_q ? PLAIN : OLD;
      ATOM_IWRAP: pick = lt_q ? SUM : PLAIN;
      ATOM_DWRAP: pick = zero_q || !(lt_q || eq_q) ? PLAIN : SUM;
      ATOM_CSWAP: pick = eq_q ? NEW : OLD;
      default:    pick = PLAIN;
    endcase
    case (pick)
      SUM:     new_o = sum_q;
      OLD:     new_o = m_q;
      NEW:     new_o = y_i;
      default: new_o = plain_q;
    endcase
  end
  assign store_o = op_q != ATOM_CSWAP || eq_q;
endmodule
