// Role: types of the arithmetic lane and the decoder from an ALU word to the lane's control bits.
// The control word is horizontal: each bit is used as it is by one stage, so that a lane needs no decoder of its own; the
// core decodes once per word (and may register the result) for all lanes. Meaning of the operations: docs/semantics.md.
package mw_lane_pkg;
  import mw_isa_pkg::*;

  // Cycles from operands at the inputs to the result at the outputs, equal for every operation.
  localparam int LANE_LATENCY = 10;

  // The lane computes P + C with P = A2 * B2. Every operation is a choice of these three.
  typedef struct packed {
    // Stage 0: operand forms.
    logic       src_f;        // operands are floats: bit 31 is a sign that travels by itself
    logic       src_m;        // operands are unpacked to mantissas (float arithmetic)
    logic       a_neg;
    logic       a_abs;        // never set for U32
    logic       a_cpl;        // integer sum with negated A: ~a instead of -a, the + 1 is the adder's carry
    logic       b_neg;
    logic       b_abs;
    logic       b_off;        // leg B is 0, or -1 when the sign of A is set
    logic       b_cls;        // operand b decides about NaN, infinity and zero
    logic       c_neg;        // modifiers of leg C, whichever operand it carries
    logic       c_abs;
    logic       c_cpl;
    logic       c_from_b;     // leg C carries operand b
    logic       c_off;        // leg C is 0
    logic       p_two;        // product of two operands: its sign is the sign of a xor the sign of b
    logic       eb_one;       // float product a * 1
    logic       ec_int;       // exponent of leg C is that of an integer
    logic       carry_in;     // carry into the sum ...
    logic       chain_carry;  // ... or the old carry flag
    // Stage 1: exponents, clamping of conversions.
    logic       ep_int;       // exponent of P is that of an integer
    logic       c_is_a;       // C becomes operand a (float to integer, round to integral)
    logic       spec_en;      // NaN and infinity of the operands decide the result
    logic       f2i;
    logic       f2i_sat;
    logic       i2i_sat;      // integer to integer of the other sign, clamped
    logic       dst_s;        // destination is S32
    // Stage 2: selection.
    logic       a_signed;
    logic       b_signed;
    logic       a2_one;
    logic       a2_zero;
    logic       b2_one;
    logic       shift;
    logic       shr;
    logic       min_max;
    logic       max;
    logic       cmp;
    logic       less_s;       // order of min, max, compares is that of signed integers
    logic [1:0] logic_op;     // C2 = 0: C, 1: A & C, 2: A | C, 3: A ^ C
    logic       c2_zero;
    logic       invert;       // the integer result is inverted
    logic       mov;          // the result is operand a: its NaN is the result's
    logic       cmp_f;        // CMP decides by float rules
    logic       cmp_s;        // CMP decides by bit 31
    // Stage 3: set-on-compare words.
    logic       set_cc;
    logic       set_lt;
    logic       set_eq;
    logic       set_not;
    // Stage 5 and later.
    logic       round_int;    // round at the integer position
    logic [1:0] mode;         // round_e
    logic       raw;          // the result is 32 bits of P + C, not a normalized float
    logic       high;         // ... the high half of the product
    logic       dst_f;        // the result is a float
    logic       sat;
    logic       ssat;
    logic       sum_flags;    // OF and CF of the sum
    logic       chain_zero;
  } lane_ctl_t;

  // Values that replace the normal result of a float operation.
  typedef struct packed {
    logic nan;   // the flags are those of a NaN
    logic qnan;  // 0x7fc00000
    logic inf;
    logic one;
  } lane_special_t;

  typedef struct packed {
    logic cf;
    logic of;
    logic sf;
    logic zf;
  } lane_flags_t;

  // ALU word to control bits. Words that docs/isa.md calls bad give some harmless operation.
  /* verilator lint_off UNUSEDSIGNAL */  // the other fields of the word are the core's
  function automatic lane_ctl_t mw_lane_decode(word_alu_t w);
  /* verilator lint_on UNUSEDSIGNAL */
    lane_ctl_t c = '0;
    logic is_cvt = w.op == OP_CVT;
    logic is_rndi = w.op == OP_RNDI;
    logic [3:0] src = is_cvt ? w.c_idx[3:0] : w.typ;  // cvt_src overlays c_idx
    logic dst_f = w.typ == T_F32;
    logic src_f = src == T_F32;
    logic src_s = src == T_S32;
    logic one_operand = 1'b0;
    logic sum = 1'b0;  // integer sum with flags

    c.src_f = src_f;
    c.dst_f = dst_f;
    c.dst_s = w.typ == T_S32;
    c.a_neg = w.a_neg;
    c.a_abs = w.a_abs & (src_f | src_s);
    c.b_neg = w.b_neg;
    c.b_abs = w.b_abs & (src_f | src_s);
    c.c_neg = w.c_neg;
    c.c_abs = w.c_abs & (src_f | src_s);
    c.less_s = src_s;
    c.sat = dst_f & (w.clamp == CLAMP_SAT);
    c.ssat = dst_f & (w.clamp == CLAMP_SSAT);
    c.chain_zero = w.chain_zero;
    c.raw = 1'b1;
    c.ep_int = 1'b1;
    c.ec_int = 1'b1;

    unique case (w.op)
      OP_ADD: begin
        c.c_from_b = 1'b1;
        c.b2_one = 1'b1;
        sum = 1'b1;
      end
      OP_MUL, OP_MULHI: begin
        c.c_off = 1'b1;
        c.high = w.op == OP_MULHI;
        c.a_signed = src_s;
        c.b_signed = src_s;
        c.p_two = src_f;
      end
      OP_MAD: begin
        c.p_two = src_f;
        sum = 1'b1;
      end
      OP_MIN, OP_MAX: begin
        c.c_from_b = 1'b1;
        c.b2_one = 1'b1;
        c.b_cls = 1'b1;
        c.min_max = 1'b1;
        c.max = w.op == OP_MAX;
      end
      OP_SEQ, OP_SNE, OP_SLT, OP_SLE, OP_SGT, OP_SGE: begin
        c.c_off = 1'b1;
        c.a2_zero = 1'b1;
        c.b_cls = 1'b1;
        c.set_cc = 1'b1;
        c.set_lt = !(w.op inside {OP_SEQ, OP_SNE});
        c.set_eq = !(w.op inside {OP_SLT, OP_SGE});
        c.set_not = w.op inside {OP_SNE, OP_SGT, OP_SGE};
      end
      OP_CMP: begin
        c.b_cls = 1'b1;
        c.a2_one = 1'b1;
        c.cmp = 1'b1;
        c.cmp_f = src_f;
        c.cmp_s = src_s;
      end
      OP_AND, OP_OR, OP_XOR: begin
        c.c_from_b = 1'b1;
        c.a2_zero = 1'b1;
        c.logic_op = (w.op == OP_AND) ? 2'd1 : (w.op == OP_OR) ? 2'd2 : 2'd3;
      end
      OP_NOT: begin
        one_operand = 1'b1;
        c.invert = 1'b1;
      end
      OP_SHL, OP_SHR: begin
        c.c_off = 1'b1;
        c.shift = 1'b1;
        c.shr = w.op == OP_SHR;
        c.a_signed = src_s;
      end
      OP_CVT: begin
        one_operand = 1'b1;
        c.a_signed = src_s;
        c.mode = w.c_idx[5:4];
        c.f2i = src_f & ~dst_f;
        c.f2i_sat = c.f2i & (w.clamp != CLAMP_NONE);
        c.i2i_sat = ~src_f & ~dst_f & (w.clamp != CLAMP_NONE) & (src_s != c.dst_s);
        c.raw = ~dst_f;
        if (src_f) begin
          c.src_m = 1'b1;
          c.spec_en = dst_f;
          c.ep_int = ~dst_f;
          c.mode = dst_f ? RND_ROUND : w.c_idx[5:4];
        end
      end
      OP_RNDI: begin
        one_operand = 1'b1;
        c.src_m = 1'b1;
        c.spec_en = 1'b1;
        c.raw = 1'b0;
        c.mode = w.c_idx[5:4];
      end
      default: begin  // MOV, MOVA
        one_operand = 1'b1;
        c.mov = 1'b1;
      end
    endcase

    if (one_operand) begin
      c.c_off = 1'b1;
      c.b2_one = 1'b1;
      if (c.f2i | is_rndi) begin  // a goes through the aligner; -1 from leg B turns inversion into negation
        c.round_int = 1'b1;
        c.c_is_a = 1'b1;
        c.logic_op = 2'd2;
        c.b2_one = 1'b0;
        c.b_off = 1'b1;
        c.a2_one = c.f2i;
        c.a2_zero = is_rndi;
      end else if (src_f & dst_f & is_cvt) begin
        c.eb_one = 1'b1;
        c.ec_int = 1'b0;
        c.a_signed = 1'b1;
      end
    end else if (src_f && w.op inside {OP_ADD, OP_MUL, OP_MAD}) begin
      c.src_m = 1'b1;
      c.spec_en = 1'b1;
      c.raw = 1'b0;
      c.ep_int = 1'b0;
      c.ec_int = 1'b0;
      c.eb_one = ~c.p_two;
      c.b_cls = c.p_two;
      c.a_signed = 1'b1;
    end
    if (c.c_from_b) begin
      c.c_neg = c.b_neg;
      c.c_abs = c.b_abs;
    end
    if (sum & ~src_f) begin
      c.sum_flags = 1'b1;
      c.a_cpl = c.a_neg & (w.op == OP_ADD);
      c.c_cpl = c.c_neg;
      c.carry_in = c.a_cpl | c.c_cpl;
      c.chain_carry = w.chain_carry;
    end
    return c;
  endfunction
endpackage
