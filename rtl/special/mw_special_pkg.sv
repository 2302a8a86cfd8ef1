// Types and sizes that the modules of the special unit share.
package mw_special_pkg;
  import mw_isa_pkg::*;

  // Results under way from the sequencer to the last register; the queue before mw_special_finish holds as many.
  function automatic int unsigned special_results(input int unsigned lanes);
    return lanes == 1 ? 16 : 32;
  endfunction

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

  // The operation, decoded; it stays while results are under way.
  typedef struct packed {
    logic is_float;
    logic is_signed;
    logic normalize;  // denormal operands
    logic divide;     // RCP, DIV, MOD
    logic rcp;
    logic mod;
    logic half_in;    // UPHL, UPHH
    logic half_high;
    logic half_out;   // PKH
    logic poly;       // goes through mw_special_polynomial: functions, binary16
    logic rsq;
    logic lg2;
    logic ex2;
    logic trig;       // SIN, COS
    logic cos;
    logic bits;       // goes through mw_special_bits
    logic reverse;    // BFR, BTFL
    logic flip;       // BTFM S32
    logic search;     // BTFL, BTFM
    logic lowest;
    logic count;      // BTC
  } ctl_t;
  function automatic ctl_t decode(input op_e op, input type_e kind);
    decode.is_float  = kind == T_F32;
    decode.is_signed = kind == T_S32;
    decode.rcp       = op == OP_RCP;
    decode.mod       = op == OP_MOD;
    decode.divide    = op == OP_RCP || op == OP_DIV || op == OP_MOD;
    decode.rsq       = op == OP_RSQ;
    decode.lg2       = op == OP_LG2;
    decode.ex2       = op == OP_EX2;
    decode.cos       = op == OP_COS;
    decode.trig      = op == OP_SIN || op == OP_COS;
    decode.half_out  = op == OP_PKH;
    decode.half_high = op == OP_UPHH;
    decode.half_in   = op == OP_UPHL || op == OP_UPHH;
    decode.normalize = decode.rsq || decode.lg2 || (decode.divide && decode.is_float);
    decode.poly      = decode.rsq || decode.lg2 || decode.ex2 || decode.trig || decode.half_out || decode.half_in;
    decode.count     = op == OP_BTC;
    decode.lowest    = op == OP_BTFL;
    decode.search    = op == OP_BTFL || op == OP_BTFM;
    decode.flip      = op == OP_BTFM && decode.is_signed;
    decode.reverse   = op == OP_BFR || op == OP_BTFL;
    decode.bits      = decode.count || decode.search || decode.reverse || is_shuffle(op);
  endfunction

  function automatic logic [31:0] truth(input type_e kind, input logic value);
    if (!value) return '0;
    return kind == T_F32 ? 32'h3f80_0000 : '1;
  endfunction
endpackage
