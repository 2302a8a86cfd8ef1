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

  // One pass of shared memory: the lanes that the banks serve at once. Lane values travel beside it.
  typedef struct packed {
    meta_t meta;
    logic  first_pass;  // of its beat
    logic  last_pass;   // of its beat
    logic  second;      // CSWAP: this slot brings the new values of the pass before it
  } pass_t;
endpackage
