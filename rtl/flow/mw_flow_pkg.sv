// Types of the flow-control unit.
package mw_flow_pkg;
  import mw_isa_pkg::*;

  // What the operation code means here.
  typedef struct packed {
    logic jump;
    logic open;      // LOOP, REP
    logic close;     // ENDLOOP, ENDREP
    logic brk;       // BREAKLOOP, BREAKREP
    logic cont;
    logic ret;       // RETL
    logic finish;    // END
    logic is_loop;   // of the LOOP kind
  } kind_t;

  function automatic kind_t kind_of(input logic [7:0] op);
    kind_t k;
    k = '0;
    k.jump    = op == OP_JUMP;
    k.open    = op == OP_LOOP || op == OP_REP;
    k.close   = op == OP_ENDLOOP || op == OP_ENDREP;
    k.brk     = op == OP_BREAKLOOP || op == OP_BREAKREP;
    k.cont    = op == OP_CONT;
    k.ret     = op == OP_RETL;
    k.finish  = op == OP_END;
    k.is_loop = op == OP_LOOP || op == OP_ENDLOOP || op == OP_BREAKLOOP;
    return k;
  endfunction

  // Frames.
  typedef struct packed {
    logic        is_loop;   // LOOP, not REP
    logic        endless;
    logic [9:0]  al;
    logic [7:0]  step;
    logic [10:0] db;
    logic [31:0] n;
  } loop_t;

  typedef struct packed {
    logic        inc;
    logic [8:0]  lsp;
    logic [10:0] db;
    logic [23:0] ra;
  } call_t;

  // The innermost levels of a wave.
  typedef struct packed {
    logic [9:0]  al;
    logic [5:0]  dc;
    logic [8:0]  dl;
    logic [10:0] db;
  } depth_t;

  // Moves of threads that the pass under way makes.
  typedef struct packed {
    logic wake_cont;    // (C, level = ref) -> A
    logic wake_else;    // (B, level = ref) -> A
    logic wake_branch;  // (B, level > threshold) -> A
    logic wake_break;   // (K, level = ref) -> A
    logic wake_ret;     // (R, level = ref) -> A
    logic park_want;    // A that wants -> (park_state, park_level)
    logic park_no;      // A that does not want -> the same
  } moves_t;
endpackage
