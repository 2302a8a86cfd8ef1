// The open line of the AXI memory unit: gathers the items of one line into a burst, sends it when the next line or the end of the word comes, and
// keeps memory order.
//
// A line goes out only when no outstanding line with the same number includes a write (a write also waits for reads_q); numbers are
// compared by their low bits. Loads: an item goes to the item queue at once and its line is asked for when it is complete. Stores: items go to the write side, which
// fills a line buffer. Atomics: a dry pass finds the bus beats and reads the line, the next pass goes through the atomic engine of the write side and then
// writes the line. Every word ends with an entry in the item queue, behind which its completion is reported.
module mw_axi_lines
  import mw_isa_pkg::*;
  import mw_axi_mem_pkg::*;
#(
  parameter  cfg_t C = CFG_BASE,
  localparam int unsigned L = C.lanes
) (
  input  logic                clk_i,
  input  logic                rst_i,

  input  logic                valid_i,
  output logic                ready_o,
  input  item_t               item_i,
  input  logic [L-1:0]        ok_i,
  input  logic [4:0]          first_i,
  input  logic [4:0]          last_i,

  output logic                queue_o,       // into the item queue: this item, or (mark_o) the end of a word
  output logic                mark_o,
  input  logic                queue_ready_i,
  output logic                write_o,       // to the write side
  input  logic                write_ready_i,
  input  logic                write_idle_i,  // nothing of it is left there, apart from full line buffers
  input  logic                wrote_i,       // the atomic engine has written into its line buffer

  output burst_t              burst_o,
  output logic                read_o,        // ask for it
  input  logic                read_ready_i,
  output logic                send_o,        // write it
  input  logic                send_ready_i,
  input  logic [NR-1:0]       rd_busy_i,     // reads without data, by low bits of their line
  input  logic [NR-1:0][HASH-1:0] rd_hash_i,
  input  logic [NW-1:0]       wr_busy_i,     // writes without response
  input  logic [NW-1:0][HASH-1:0] wr_hash_i,

  output logic                accept_o,      // the item is taken
  output logic                end_o,         // the word is over
  output logic                pass_done_o,
  input  logic                more_i,
  output logic [SA-1:0]       slot_o,        // of the word that is here
  output logic                idle_o
);
  typedef enum logic [1:0] { RUN, CLOSE, MARK } state_e;
  state_e     state_q;
  logic       some_q;      // the open line is accessed
  logic       age_q;       // clash_*_q are the open line's
  logic       clash_read_q, clash_write_q;
  burst_t     open_q;
  way_e       way_q;
  logic       dry_q;
  logic       reads_q, way_free, target, close_first, over, close_last, close_read, close_write, close_now, accept;

  // The open line's next access: an atomic reads after its dry pass, writes after the other.
  assign way_free = age_q && !clash_write_q && (reads_q ? read_ready_i : !clash_read_q && send_ready_i);

  always_comb begin
    case (item_i.way)
      W_LOAD:  target = queue_ready_i;
      W_NONE:  target = 1'b1;
      default: target = !item_i.write || write_ready_i;
    endcase
  end
  assign close_first = state_q == RUN && valid_i && item_i.newline && some_q;
  assign accept      = state_q == RUN && valid_i && target && !(close_first && !(way_free && reads_q));
  // A load's next item may come in the clock in which its line goes out, a store's one clock later.
  assign over        = state_q == CLOSE && (way_q != W_ATOMIC || dry_q || write_idle_i);
  assign close_last  = over && some_q;
  assign close_read  = reads_q && way_free && ((close_first && target) || close_last);
  assign close_write = !reads_q && way_free && (close_first || close_last);
  assign close_now   = close_read || close_write;
  assign ready_o     = accept;
  assign queue_o     = (accept && item_i.way == W_LOAD) || (mark_o && queue_ready_i);
  assign mark_o      = state_q == MARK;
  assign write_o     = accept && item_i.write;
  assign burst_o     = open_q;
  assign read_o      = close_read;
  assign send_o      = close_write && (way_q != W_ATOMIC || wrote_i);
  assign accept_o    = accept;
  assign slot_o      = state_q == RUN ? item_i.slot : open_q.slot;

  logic closed, end_pass;
  assign closed      = over && (!some_q || way_free);
  assign end_pass    = closed && way_q == W_ATOMIC;
  assign pass_done_o = (end_pass && (dry_q || more_i)) || (mark_o && queue_ready_i && way_q == W_ATOMIC);
  assign end_o       = (closed && way_q == W_LOAD) || (mark_o && queue_ready_i);

  always_ff @(posedge clk_i) begin
    if (close_now) some_q <= 1'b0;
    age_q <= !(accept && item_i.newline) && !close_now;
    if (accept) begin
      way_q       <= item_i.way;
      dry_q       <= item_i.dry;
      reads_q     <= item_i.way == W_LOAD || item_i.dry;
      open_q.slot <= item_i.slot;
      if (item_i.newline) begin
        open_q.line  <= item_i.line;
        open_q.first <= first_i;
        open_q.last  <= last_i;
        some_q       <= ok_i != '0;
      end else begin
        if (first_i < open_q.first) open_q.first <= first_i;
        if (last_i > open_q.last) open_q.last <= last_i;
        if (ok_i != '0) some_q <= 1'b1;
      end
    end
    clash_read_q  <= 1'b0;
    clash_write_q <= 1'b0;
    for (int i = 0; i < int'(NR); i++) if (rd_busy_i[i] && rd_hash_i[i] == open_q.line[HASH-1:0]) clash_read_q <= 1'b1;
    for (int i = 0; i < int'(NW); i++) if (wr_busy_i[i] && wr_hash_i[i] == open_q.line[HASH-1:0]) clash_write_q <= 1'b1;
    case (state_q)
      RUN:     if (accept && item_i.last) state_q <= CLOSE;
      CLOSE:   if (closed) state_q <= way_q == W_LOAD || (way_q == W_ATOMIC && (dry_q || more_i)) ? RUN : MARK;
      default: if (queue_ready_i) state_q <= RUN;
    endcase
    if (rst_i) begin
      state_q <= RUN;
      some_q  <= 1'b0;
    end
  end
  assign idle_o = state_q == RUN && !valid_i;

  logic unused;
  assign unused = &{1'b0, item_i};
endmodule
