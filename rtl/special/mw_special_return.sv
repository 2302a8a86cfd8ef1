// Results on their way out: a queue of one result per clock, and a register that collects the results of one beat.
// Walks over the list of beats like the sequencer, so a result needs no number: the n-th one belongs to the n-th thread that is
// written. A vote has one result for the whole word. Beats without a written thread give nothing, the last one of a word `done`.
// Promises: results leave in order, done with the word's last one. free_o: a result may be sent for, it will find room.
module mw_special_return
  import mw_isa_pkg::*;
  import mw_special_pkg::*;
#(
  parameter cfg_t C = CFG_BASE,
  localparam int unsigned L  = C.lanes,
  localparam int unsigned W  = mw_core_pkg::special_capacity(C.lanes),
  localparam int unsigned WW = $clog2(C.waves_partial),
  localparam int unsigned ROWS = W * (32 / L),
  localparam int unsigned AW = $clog2(ROWS)
) (
  input  logic               clk_i,
  input  logic               rst_i,

  input  logic               issue_i,      // a result has been sent for
  input  logic               word_i,       // the last one of a word has been sent for
  output logic               free_o,
  output logic               flight_o,     // some result has been sent for and has not left the last unit
  input  logic               valid_i,
  input  result_t            result_i,
  input  logic               half_i,       // PKH: two results for one thread

  input  header_t [W-1:0]    header_i,
  input  logic [AW:0]        tail_i,
  output logic [AW-1:0]      at_o,
  input  logic [4:0]         beat_i,
  input  logic               last_i,
  input  logic [L-1:0]       wmask_i,

  output logic               ret_valid_o,
  input  logic               ret_ready_i,
  output logic [WW-1:0]      ret_wave_o,
  output logic [31:0]        ret_seq_o,
  output logic [4:0]         ret_beat_o,
  output logic [L-1:0]       ret_mask_o,
  output logic [9:0]         ret_dst_o,
  output logic [L-1:0][31:0] ret_data_o,
  output logic               done_valid_o,
  output logic               idle_o
);
  localparam int unsigned RESULTS = special_results(C.lanes);
  localparam int unsigned RA = $clog2(RESULTS);
  logic [RA:0] flight_q, write_q, read_q;
  logic        issue_q, pop, read, take_next, some, leave_finish;
  result_t     head;
  logic [31:0] data;
  always_ff @(posedge clk_i) begin
    issue_q  <= issue_i && !rst_i;
    if (issue_q != leave_finish) flight_q <= flight_q + {{RA{leave_finish}}, 1'b1};
    if (valid_i) write_q <= write_q + 1'b1;
    if (read) read_q <= read_q + 1'b1;
    if (rst_i) begin
      flight_q <= '0;
      write_q <= '0;
      read_q  <= '0;
    end
  end
  mw_mem_lutram #(.WIDTH($bits(result_t)), .DEPTH(RESULTS)) u_results (
    .clk_i, .we_i(valid_i), .waddr_i(write_q[RA-1:0]), .wdata_i(result_i), .raddr_i(read_q[RA-1:0]), .rdata_o(head)
  );
  assign read = write_q != read_q && take_next;
  mw_special_finish u_finish (
    .clk_i, .rst_i, .half_i, .valid_i(write_q != read_q), .ready_o(take_next), .result_i(head), .valid_o(some), .ready_i(pop),
    .leave_o(leave_finish), .data_o(data)
  );
  assign flight_o  = flight_q != '0 || issue_q;
  // Two clocks late, and two early for that.
  always_ff @(posedge clk_i) free_o <= flight_q < (RA + 1)'(RESULTS - 2) && !rst_i;

  // ---- beats: the next one of the list waits in a register
  logic          word_q;
  logic [AW:0]   at_q;
  logic          row_valid_q, row_word_q, row_last_q, row_vote_q, row_none_q, row_some_q, row_pop_q, load, row_done, step, take, leave, word_done_q;
  logic [4:0]    row_beat_q;
  logic [L-1:0]  row_mask_q;
  logic          full_q, out_last_q, out_some_q, out_word_q;
  logic [L-1:0]  hot, out_mask_q;
  logic [4:0]    out_beat_q;
  header_t       header, out;
  logic [1:0]    ahead_q;  // words that the sequencer is done with and the return port is not: a word must not end before
  assign at_o   = at_q[AW-1:0];
  assign header = header_i[W == 1 ? 0 : 32'(word_q)];
  assign load   = at_q != tail_i && (!row_valid_q || step);
  // A beat that leaves makes room for the next clock: the taker's answer goes no further than that.
  assign leave  = full_q && (ret_ready_i || !out_some_q);
  assign take   = row_some_q && !full_q && some;
  assign step   = (take && (row_done || row_vote_q)) ||
                  (row_none_q && !full_q && (row_vote_q && row_last_q ? some : !row_last_q || ahead_q != '0));
  assign pop    = row_pop_q && !full_q;
  mw_special_walk #(.L(L)) u_walk (
    .clk_i, .load_i(load), .mask_i(wmask_i), .step_i(take), .last_o(row_done), .hot_o(hot)
  );

  always_ff @(posedge clk_i) begin
    word_done_q <= word_i && !rst_i;
    if (word_done_q != (step && row_last_q)) ahead_q <= ahead_q + {!word_done_q, 1'b1};
    if (step) {row_valid_q, row_none_q, row_some_q, row_pop_q} <= '0;
    if (load) begin
      at_q        <= at_q + 1'b1;
      row_valid_q <= 1'b1;
      row_word_q  <= word_q;
      row_vote_q  <= is_vote(header.op);
      row_beat_q  <= beat_i;
      row_last_q  <= last_i;
      row_mask_q  <= wmask_i;
      row_none_q  <= wmask_i == '0;
      row_some_q  <= wmask_i != '0;
      row_pop_q   <= is_vote(header.op) ? last_i : wmask_i != '0;
    end
    if (leave) full_q <= 1'b0;
    if (step) begin
      full_q     <= !row_none_q || row_last_q;
      out_some_q <= !row_none_q;
      out_last_q <= row_last_q;
      out_beat_q <= row_beat_q;
      out_mask_q <= row_mask_q;
      out_word_q <= row_word_q;
    end
    if (rst_i) begin
      at_q    <= '0;
      full_q  <= 1'b0;
      ahead_q <= '0;
      {row_valid_q, row_none_q, row_some_q, row_pop_q} <= '0;
    end
  end
  if (W == 1) begin : g_one_word
    assign word_q = 1'b0;
  end else begin : g_words
    always_ff @(posedge clk_i) begin
      if (rst_i) word_q <= 1'b0;
      else if (load && last_i) word_q <= !word_q;
    end
  end
  for (genvar i = 0; i < int'(L); i++) begin : g_lane
    always_ff @(posedge clk_i) if (take && (row_vote_q || hot[i])) ret_data_o[i] <= data;
  end

  assign out          = header_i[W == 1 ? 0 : 32'(out_word_q)];
  assign ret_valid_o  = full_q && out_some_q;
  assign ret_wave_o   = out.wave[WW-1:0];
  assign ret_seq_o    = out.seq;
  assign ret_beat_o   = out_beat_q;
  assign ret_mask_o   = out_mask_q;
  assign ret_dst_o    = out.dst;
  assign done_valid_o = leave && out_last_q;
  assign idle_o       = at_q == tail_i && !row_valid_q && !full_q;

  logic unused;
  assign unused = &{1'b0, out, out_word_q, header};

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (!rst_i) begin
    a_room: assert (flight_q <= (RA + 1)'(RESULTS)) else $error("more results than the queue holds");
    a_sent: assert (!valid_i || write_q - read_q < flight_q) else $error("a result that nobody sent for");
    a_list: assert (tail_i - at_q <= (AW + 1)'(ROWS)) else $error("more words than the unit holds");
  end
`endif
endmodule
