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
  logic [31:0] addend, sum, first_d;
  logic [31:0] first_q;  // what the operation gives unless stage 2 finds otherwise
  logic [31:0] m_q, x_q;
  logic        lt_q, eq_q, zero_q;
  atom_e       op_q;
  logic        flip;

  // MIN and MAX of S32: flipping the sign bits makes the unsigned comparison a signed one.
  assign flip = sgn_i && (op_i == ATOM_MIN || op_i == ATOM_MAX);
  // One adder: m + x, m + 1, m - 1.
  assign addend = op_i == ATOM_ADD ? x_i : {32{op_i == ATOM_DWRAP}};
  assign sum = m_i + addend + 32'(op_i == ATOM_IWRAP);

  always_comb begin
    case (op_i)
      ATOM_ADD, ATOM_IWRAP, ATOM_DWRAP: first_d = sum;
      ATOM_AND: first_d = m_i & x_i;
      ATOM_OR:  first_d = m_i | x_i;
      ATOM_XOR: first_d = m_i ^ x_i;
      default:  first_d = x_i;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      op_q    <= op_i;
      m_q     <= m_i;
      x_q     <= x_i;
      first_q <= first_d;
      lt_q    <= {m_i[31] ^ flip, m_i[30:0]} < {x_i[31] ^ flip, x_i[30:0]};
      eq_q    <= m_i == x_i;
      zero_q  <= m_i == '0;
    end
  end

  always_comb begin
    new_o = first_q;
    case (op_q)
      ATOM_MIN:   if (lt_q) new_o = m_q;
      ATOM_MAX:   if (!lt_q) new_o = m_q;
      ATOM_IWRAP: if (!lt_q) new_o = '0;
      ATOM_DWRAP: if (zero_q || !(lt_q || eq_q)) new_o = x_q;
      ATOM_CSWAP: new_o = eq_q ? y_i : m_q;
      default: ;
    endcase
  end
  assign store_o = op_q != ATOM_CSWAP || eq_q;
endmodule
