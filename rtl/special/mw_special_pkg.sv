// Types and sizes that the modules of the special unit share.
package mw_special_pkg;
  import mw_isa_pkg::*;

  // Words that the unit holds, of which one computes. The scheduler counts them.
  function automatic int unsigned special_words(input int unsigned lanes);
    return lanes == 0 ? 1 : 2;
  endfunction

  localparam int unsigned RESULTS = 16;  // results under way and in the result queue, together

  // What is equal for all threads of a word.
  typedef struct packed {
    op_e         op;
    type_e       kind;
    logic [5:0]  wave;
    logic [31:0] seq;
    logic [9:0]  dst;
  } header_t;

  /* verilator lint_off UNUSEDSIGNAL */  // these look at some bits of the code
  // TG words: one result for all threads.
  function automatic logic is_vote(input op_e op);
    return op[4:2] == 3'b100;
  endfunction
  // SHF and RNG words.
  function automatic logic is_shuffle(input op_e op);
    return op[4] && op[3:2] != 2'b00;
  endfunction
  // Among those, the ones that give a truth value.
  function automatic logic is_range(input op_e op);
    return op[4:2] == 3'b110;
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */
  // How a shuffle finds its source: equal low bits of SHF and RNG.
  typedef enum logic [1:0] { SHUFFLE_IDX, SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_XOR } shuffle_e;

  // A result before the last steps (docs/functions.md, steps 4 and 5): v[32] is worth 2^(f - 126), f is signed. raw: the bits
  // {sign, f[7:0], v[31:9]} as they are, plus 1 if f[8]. All zero from a unit without a result, so that units can be ORed.
  typedef struct packed {
    logic        raw;
    logic        sign;
    logic [9:0]  f;
    logic [32:0] v;
  } result_t;
  function automatic result_t raw_result(input logic [31:0] bits, input logic increment);
    return '{raw: 1'b1, sign: bits[31], f: {1'b0, increment, bits[30:23]}, v: {1'b0, bits[22:0], 9'd0}};
  endfunction

  // One operand, unpacked. Floats: mantissa in x[23:0], exponent + 127; integers: absolute value.
  typedef struct packed {
    logic        sign;
    logic        zero;
    logic        inf;
    logic        nan;
    logic [9:0]  exp;
    logic [31:0] x;
  } operand_t;

  function automatic logic [31:0] truth(input type_e kind, input logic value);
    if (!value) return '0;
    return kind == T_F32 ? 32'h3f80_0000 : '1;
  endfunction
endpackage
