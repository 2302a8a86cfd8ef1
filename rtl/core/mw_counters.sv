// Performance counters, 64 bits each (isa.md, "Counters"). Events add to a small accumulator per counter; a hand goes round the accumulators and
// adds one after the other to the 64-bit values in a memory. So there is one wide adder and no wide register per counter.
// Promises: after the last event the memory is up to date within 26 clocks, after clear_i it is zero after 32 (events are kept meanwhile).
// data_o is combinational.
module mw_counters
  import mw_isa_pkg::*;
  import mw_core_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_i,
  input  logic        clear_i,
  input  logic        running_i,     // between start and done
  input  logic        issue_i,       // a word issues
  input  logic        retire_i,      // a word retires
  input  events_t     events_i,
  input  logic [4:0]  addr_i,
  output logic [63:0] data_o
);
  localparam int unsigned N = NUM_COUNTERS;
  localparam int unsigned AW = 12;   // N clocks of the largest increment fit
  events_t events_q;
  logic    running_q, issue_q, retire_q;
  always_ff @(posedge clk_i) begin
    events_q  <= events_i;
    running_q <= running_i && !rst_i;
    issue_q   <= issue_i && !rst_i;
    retire_q  <= retire_i && !rst_i;
  end

  logic [AW-1:0] sum_q [N];
  logic [63:0]   value_q [32];
  logic [4:0]    hand_q;
  logic [4:0]    zero_q;             // counters that are still to be zeroed
  logic          zeroing_q;
  logic [7:0]    inc [N];

  // busy cycles: the clocks since the last retirement count when the next word retires
  logic        started_q;
  logic [31:0] gap_q;
  logic [31:0] busy_pending_q;

  logic [31:0] add_q;
  logic [63:0] old_q;
  logic [4:0]  add_at_q;
  logic        add_go_q;

  always_comb begin
    for (int i = 0; i < int'(N); i++) inc[i] = '0;
    inc[CNT_CYCLES]           = {7'd0, running_q};
    inc[CNT_WORDS]            = 8'(events_q.word_alu) + 8'(events_q.word_flow) + 8'(events_q.word_shared) + 8'(events_q.word_memory);
    inc[CNT_WORDS_ALU]        = 8'(events_q.word_alu);
    inc[CNT_WORDS_FLOW]       = 8'(events_q.word_flow);
    inc[CNT_WORDS_SHARED]     = 8'(events_q.word_shared);
    inc[CNT_WORDS_MEMORY]     = 8'(events_q.word_memory);
    inc[CNT_WORDS_SPECIAL]    = 8'(events_q.word_special);
    inc[CNT_BEATS]            = 8'(events_q.beat);
    inc[CNT_LANE_OPS]         = 8'(events_q.lane_ops);
    inc[CNT_SHARED_PASSES]    = 8'(events_q.shared_passes);
    inc[CNT_BANK_CONFLICTS]   = 8'(events_q.bank_conflicts);
    inc[CNT_SHARED_WORDS]     = 8'(events_q.shared_words);
    inc[CNT_BARRIER_ARRIVALS] = 8'(events_q.barrier_arrival);
    inc[CNT_BARRIER_WAIT]     = 8'(events_q.barrier_wait);
    inc[CNT_STALL_SEMAPHORE]  = 8'(events_q.stall_semaphore);
    inc[CNT_STALL_FETCH]      = 8'(events_q.stall_fetch);
    inc[CNT_STALL_SPECIAL]    = 8'(events_q.stall_special);
    inc[CNT_STALL_MEMORY]     = 8'(events_q.stall_memory);
    inc[CNT_AXI_READS]        = 8'(events_q.axi_read);
    inc[CNT_AXI_WRITES]       = 8'(events_q.axi_write);
    inc[CNT_AXI_READ_BYTES]   = events_q.axi_read_bytes;
    inc[CNT_AXI_WRITE_BYTES]  = events_q.axi_write_bytes;
    inc[CNT_FETCH_MISSES]     = 8'(events_q.fetch_miss);
    inc[CNT_GROUPS]           = 8'(events_q.group);
  end

  always_ff @(posedge clk_i) begin
    if (!zeroing_q) hand_q <= hand_q == 5'(N - 1) ? '0 : hand_q + 5'd1;
    for (int i = 0; i < int'(N); i++)
      sum_q[i] <= (hand_q == 5'(i) && !zeroing_q ? '0 : sum_q[i]) + AW'(inc[i]);
    // busy cycles have their own accumulator: the gap may be long
    if (issue_q) started_q <= 1'b1;
    if (started_q || issue_q) gap_q <= retire_q ? '0 : gap_q + 32'd1;
    busy_pending_q <= (hand_q == 5'(CNT_BUSY_CYCLES) && !zeroing_q ? '0 : busy_pending_q) + (retire_q && started_q ? gap_q + 32'd1 : '0);
    // the counter that the hand is at: read now, written in the next clock
    add_q      <= hand_q == 5'(CNT_BUSY_CYCLES) ? busy_pending_q : {20'd0, sum_q[hand_q]};
    old_q      <= value_q[hand_q];
    add_at_q   <= hand_q;
    add_go_q   <= !zeroing_q;
    if (zeroing_q) begin
      value_q[zero_q] <= '0;
      zero_q          <= zero_q + 5'd1;
      if (zero_q == 5'd31) zeroing_q <= 1'b0;
    end else if (add_go_q) begin
      value_q[add_at_q] <= old_q + {32'd0, add_q};
    end
    if (rst_i || clear_i) begin
      zeroing_q      <= 1'b1;
      zero_q         <= '0;
      started_q      <= 1'b0;
      gap_q          <= '0;
      busy_pending_q <= '0;
      hand_q         <= '0;
      add_go_q       <= 1'b0;
      for (int i = 0; i < int'(N); i++) sum_q[i] <= '0;
    end
  end
  assign data_o = value_q[addr_i];
endmodule
