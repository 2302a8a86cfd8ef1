// Performance counters, 64 bits each (isa.md, "Counters"). Every counter has a few bits that count its events freely; a hand goes round and brings the
// 64-bit values, which stand in one block RAM (row 2 i: low half, row 2 i + 1: high half), up to date: the low bits of a value are
// what the event counter was at the hand's last visit, so the difference is what to add. One 32-bit adder serves all.
// Promises: SWEEP clocks after the last event the memory is up to date (mw_dispatch waits for it); after reset it is zero within 64, events are kept meanwhile.
// Read: addr_i (row) held until valid_o; data_o is then at most 8 clocks old.
// Timing: 4 clocks for each counter; clock 0: low half addressed, previous low half written; 1: high half; 2, 3: the reader's row.
module mw_counters
  import mw_isa_pkg::*;
  import mw_core_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_i,
  input  logic        running_i,     // between start and done
  input  logic        issue_i,       // a word issues
  input  logic        retire_i,      // a word retires
  input  events_t     events_i,
  input  logic [5:0]  addr_i,
  output logic [31:0] data_o,
  output logic        valid_o
);
  localparam int unsigned N = NUM_COUNTERS;
  // Bits of an event counter: events of 4 N + 64 + 8 clocks fit.
  localparam int unsigned NARROW = 8;    // at most one event in a clock
  localparam int unsigned WIDE = 16;
  function automatic logic is_narrow(input int unsigned i);
    return i inside {CNT_CYCLES, CNT_WORDS_ALU, CNT_WORDS_FLOW, CNT_WORDS_SHARED, CNT_WORDS_SPECIAL, CNT_WORDS_MEMORY, CNT_BEATS, CNT_BARRIER_ARRIVALS,
                     CNT_AXI_READS, CNT_AXI_WRITES, CNT_FETCH_MISSES, CNT_GROUPS};
  endfunction

  events_t events_q;
  logic    running_q, issue_q, retire_q;
  always_ff @(posedge clk_i) begin
    events_q  <= events_i;
    running_q <= running_i && !rst_i;
    issue_q   <= issue_i && !rst_i;
    retire_q  <= retire_i && !rst_i;
  end

  // ------------------------------------------------------------------------------------------------------------ events
  logic [7:0] inc [N];
  always_comb begin
    for (int i = 0; i < int'(N); i++) inc[i] = '0;
    inc[CNT_CYCLES]           = {7'd0, running_q};
    inc[CNT_WORDS]            = 8'(events_q.word_alu) + 8'(events_q.word_flow) + 8'(events_q.word_shared) + 8'(events_q.word_memory);
    inc[CNT_WORDS_ALU]        = 8'(events_q.word_alu);
    inc[CNT_WORDS_FLOW]       = 8'(events_q.word_flow);
    inc[CNT_WORDS_SHARED]     = 8'(events_q.word_shared);
    inc[CNT_WORDS_SPECIAL]    = 8'(events_q.word_special);
    inc[CNT_WORDS_MEMORY]     = 8'(events_q.word_memory);
    inc[CNT_BEATS]            = 8'(events_q.beat);
    inc[CNT_LANE_OPS]         = 8'(events_q.lane_ops_alu) + 8'(events_q.lane_ops_memory);
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

  logic [WIDE-1:0] count [N];
  for (genvar i = 0; i < int'(N); i++) begin : g_count
    localparam int unsigned W = is_narrow(i) ? NARROW : WIDE;
    logic [W-1:0] count_q;
    always_ff @(posedge clk_i) begin
      if (rst_i) count_q <= '0;
      else count_q <= count_q + W'(inc[i]);
    end
    assign count[i] = WIDE'(count_q);
  end

  // Busy cycles: how long ago the first issue was when the last word retired.
  logic        started_q;
  logic [31:0] since_q, stamp_q;
  always_ff @(posedge clk_i) begin
    since_q <= since_q + 32'd1;
    if (issue_q && !started_q) begin
      started_q <= 1'b1;
      since_q   <= 32'd2;             // of the next clock, the first one included
    end
    if (retire_q && started_q) stamp_q <= since_q;
    if (rst_i) begin
      started_q <= 1'b0;
      stamp_q   <= '0;
    end
  end

  // ------------------------------------------------------------------------------------------------------------ the hand
  logic [1:0]  slot_q;
  logic [4:0]  hand_q, at_q, last_q;
  logic [N-1:0] hot_q;                // the same as hand_q, one bit a counter
  logic [31:0] chosen;
  logic        zeroing_q, have_q, high_q;
  logic [5:0]  zero_q;                // row that is zeroed
  logic [31:0] sel_q, low_q, delta_q, mask, high_in_q, high_sum_q;
  logic [32:0] sum_q;

  logic        we;
  logic [5:0]  waddr, raddr, asked_q, tag_q;
  logic        tag_ok_q;
  logic [31:0] wdata, rdata;
  always_comb begin
    raddr = addr_i;
    if (slot_q == 2'd0) raddr = {hand_q, 1'b0};
    if (slot_q == 2'd1) raddr = {at_q, 1'b1};
    we    = zeroing_q || (slot_q == 2'd0 && have_q) || high_q;
    waddr = zeroing_q ? zero_q : high_q ? {last_q, 1'b1} : {at_q, 1'b0};
    wdata = zeroing_q ? '0 : high_q ? high_sum_q : sum_q[31:0];
    mask  = at_q == 5'(CNT_BUSY_CYCLES) ? '1 : is_narrow(32'(at_q)) ? 32'((1 << NARROW) - 1) : 32'((1 << WIDE) - 1);
  end
  mw_mem_ram #(.WIDTH(32), .DEPTH(64), .BLOCK(1'b1)) u_values (
    .clk_i, .we_i(we), .waddr_i(waddr), .wdata_i(wdata), .re_i(1'b1), .raddr_i(raddr), .rdata_o(rdata)
  );

  always_comb begin
    chosen = hot_q[CNT_BUSY_CYCLES] ? stamp_q : '0;
    for (int i = 0; i < int'(N); i++)
      if (i != int'(CNT_BUSY_CYCLES) && hot_q[i]) chosen |= 32'(count[i]);
  end
  always_ff @(posedge clk_i) begin
    slot_q <= slot_q + 2'd1;
    high_q <= 1'b0;
    case (slot_q)
      2'd0: begin
        at_q       <= hand_q;
        last_q     <= at_q;
        sel_q      <= chosen;
        hand_q     <= hot_q[N-1] ? '0 : hand_q + 5'd1;
        hot_q      <= {hot_q[N-2:0], hot_q[N-1]};
        high_sum_q <= high_in_q + {31'd0, sum_q[32]};
        high_q     <= have_q;
      end
      2'd1: low_q <= rdata;
      2'd2: begin
        high_in_q <= rdata;
        delta_q   <= (sel_q - low_q) & mask;
        asked_q   <= addr_i;
      end
      default: begin
        sum_q    <= {1'b0, low_q} + {1'b0, delta_q};
        have_q   <= 1'b1;
        data_o   <= rdata;
        tag_q    <= asked_q;
        tag_ok_q <= 1'b1;
      end
    endcase
    if (zeroing_q) begin
      zero_q    <= zero_q + 6'd1;
      zeroing_q <= zero_q != 6'd63;
      slot_q    <= '0;
      hand_q    <= '0;
      hot_q     <= N'(1);
    end
    if (rst_i) begin
      zeroing_q <= 1'b1;
      zero_q    <= '0;
    end
    if (rst_i || zeroing_q) begin
      have_q   <= 1'b0;
      high_q   <= 1'b0;
      tag_ok_q <= 1'b0;
    end
  end
  assign valid_o = tag_ok_q && tag_q == addr_i;
endmodule
