// Types inside the AXI memory unit.
package mw_axi_mem_pkg;
  import mw_mem_pkg::*;

  localparam int unsigned NS = 4;          // words inside the unit
  localparam int unsigned SA = $clog2(NS);
  localparam int unsigned NR = 4;          // read lines outstanding
  localparam int unsigned NW = 4;          // write lines outstanding, those in the write buffers included

  typedef logic [24:0] line_t;             // number of a 128-byte line

  // What is known of a word.
  typedef struct packed {
    meta_t       meta;   // of its first beat
    logic [23:0] pc;
    logic [9:0]  dst;    // register of component 0
    logic [3:0]  comps;
  } slot_t;

  // One line to read or to write: the burst and whose it is. Bus beats count from the start of the line.
  typedef struct packed {
    line_t         line;
    logic [4:0]    first;
    logic [4:0]    last;
    logic [SA-1:0] slot;
  } burst_t;
endpackage
