// Types inside the AXI memory unit.
package mw_axi_mem_pkg;
  import mw_isa_pkg::*;

  localparam int unsigned NS = 4;          // words inside the unit
  localparam int unsigned SA = $clog2(NS);
  localparam int unsigned NR = 4;          // lines read: asked for, or in the line memory
  localparam int unsigned NW = 4;          // lines written and not answered
  localparam int unsigned HASH = 8;        // lines are told apart by so many low bits where a false alarm only costs time

  localparam int unsigned COUNT = 10;      // bits of a count of bursts; less than half its range are sent by the words inside

  typedef logic [24:0] line_t;             // number of a 128-byte line

  typedef enum logic [1:0] { W_NONE, W_LOAD, W_STORE, W_ATOMIC } way_e;

  // What the front must know of a word.
  typedef struct packed {
    way_e       way;
    logic [3:0] comps;
    logic [4:0] ends;    // number of its beats, less one
  } plan_t;

  // One component of the lanes of a beat that access one line. Lane values travel beside it.
  typedef struct packed {
    logic [SA-1:0] slot;
    way_e          way;
    logic [4:0]    ord;      // number of the beat inside its word
    logic [4:0]    beat;
    logic [1:0]    comp;
    logic          newline;  // the first of its line
    logic          last;     // of its word; of an atomic: of this pass
    logic          dry;      // atomic: only tells which bus beats the line needs
    logic          write;    // for the write side: a store, or an atomic that is not dry
    line_t         line;
  } item_t;

  // One line to read or to write: bus beats count from the start of the line.
  typedef struct packed {
    line_t         line;
    logic [4:0]    first;
    logic [4:0]    last;
    logic [SA-1:0] slot;
  } burst_t;
endpackage
