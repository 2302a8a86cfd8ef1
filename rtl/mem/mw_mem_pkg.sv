// Types shared by the memory units (docs/architecture.md, "Memory beats").
package mw_mem_pkg;
  import mw_isa_pkg::*;

  // What travels with a beat besides lane values. Widths are those of the largest configuration; synthesis drops the rest.
  typedef struct packed {
    logic [5:0]  wave;
    logic [31:0] seq;
    kind_e       kind;
    atom_e       op;
    logic        sgn;    // S32: MIN and MAX compare signed
    logic        flt;    // F32: ADD is a float addition
    logic [1:0]  comp;
    logic [4:0]  beat;
    logic [9:0]  dst;
    logic        acq;
    logic        first;  // first beat of the word
    logic        last;   // last beat of the word
  } meta_t;

  // Kind and operation in one code: an atomic is its operation.
  typedef enum logic [3:0] {
    ACC_ADD, ACC_MIN, ACC_MAX, ACC_AND, ACC_OR, ACC_XOR, ACC_IWRAP, ACC_DWRAP, ACC_EXCH, ACC_CSWAP,
    ACC_LOAD = 4'd12, ACC_STORE = 4'd13, ACC_NONE = 4'd14
  } access_e;
  function automatic access_e access_of(input kind_e kind, input atom_e op);
    case (kind)
      KIND_LOAD:   return ACC_LOAD;
      KIND_STORE:  return ACC_STORE;
      KIND_ATOMIC: return access_e'(op);
      default:     return ACC_NONE;
    endcase
  endfunction
  function automatic logic is_atomic(input access_e access);
    return !(access inside {ACC_LOAD, ACC_STORE, ACC_NONE});
  endfunction

  // meta_t inside the shared-memory unit.
  typedef struct packed {
    logic [5:0] wave;
    access_e    access;
    logic       sgn;
    logic       flt;
    logic [1:0] comp;
    logic [4:0] beat;
    logic [9:0] dst;
    logic       acq;
    logic       first;
    logic       last;
  } beat_meta_t;

  // One pass of shared memory: the lanes that the banks serve at once. Lane values travel beside it.
  typedef struct packed {
    beat_meta_t meta;
    logic       first_pass;  // of its beat
    logic       last_pass;   // of its beat
    logic       atomic;      // an atomic's, with a lane
  } pass_t;
endpackage
