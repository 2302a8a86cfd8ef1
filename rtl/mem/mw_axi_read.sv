// Read side of the AXI memory unit: bursts, line memory, item queue, results.
//
// A line that is asked for has a place in the line memory. Items wait in the queue until their line is there, and leave in order: lines come in the order in
// which items name them. Entries that end a word wait until the writes sent before them have responses; then the word is done.
// With one lane the stages from the line memory on go together, an item per clock. With more a stage takes the next item when it is empty, so that no
// answer travels over stages: an item per two clocks (a line needs more), in which two lanes share a copy of the line memory: the lanes of the lower
// half read when an item enters stage 2, those of the upper half when it leaves it.
// Timing: results leave four clocks (more lanes than one: five) after the last bus beat of their line.
module mw_axi_read
  import mw_isa_pkg::*;
  import mw_axi_mem_pkg::*;
#(
  parameter  cfg_t C = CFG_BASE,
  localparam int unsigned L  = C.lanes,
  localparam int unsigned WW = $clog2(C.waves_partial),
  localparam int unsigned BEATS = WAVE_THREADS / L,
  localparam int unsigned BB = BEATS > 1 ? $clog2(BEATS) : 1
) (
  input  logic                clk_i,
  input  logic                rst_i,

  // A line to read
  input  logic                read_i,
  output logic                read_ready_o,
  input  burst_t              burst_i,
  output logic [NR-1:0]       busy_o,        // lines without data
  output logic [NR-1:0][HASH-1:0] hash_o,
  output logic                error_o,       // a line has come with an error
  output logic [SA-1:0]       error_slot_o,

  // Items
  input  logic                put_i,
  output logic                put_ready_o,
  input  logic [SA-1:0]       put_slot_i,
  input  logic [4:0]          put_beat_i,
  input  logic [1:0]          put_comp_i,
  input  logic                put_newline_i,
  input  logic                put_last_i,
  input  logic                put_atomic_i,  // its word goes to old_o
  input  logic [L-1:0]        put_ok_i,
  input  logic [L-1:0]        put_ret_i,     // lanes that return a value
  input  logic [L-1:0][4:0]   put_word_i,
  input  logic [COUNT-1:0]    put_writes_i,  // writes sent so far
  input  logic [COUNT-1:0]    responses_i,   // of these, answered

  // The atomic engine
  output logic                old_valid_o,
  output logic [31:0]         old_o,
  input  logic                performed_i,   // the lane whose word went to old_o: now it may return
  input  logic                new_we_i,      // into the line whose items are being served
  input  logic [4:0]          new_word_i,
  input  logic [31:0]         new_i,

  // Results
  output logic [SA-1:0]       slot_o,
  input  logic [WW-1:0]       wave_i,        // of slot_o
  input  logic [31:0]         seq_i,
  input  logic [9:0]          dst_i,
  input  logic                acq_i,
  output logic                ret_valid_o,
  input  logic                ret_ready_i,
  output logic [WW-1:0]       ret_wave_o,    // also of done_o
  output logic [31:0]         ret_seq_o,
  output logic [1:0]          ret_comp_o,
  output logic [4:0]          ret_beat_o,
  output logic [L-1:0]        ret_mask_o,
  output logic [9:0]          ret_dst_o,
  output logic [L-1:0][31:0]  ret_data_o,
  output logic                done_o,        // the word is complete
  output logic                done_acq_o,
  output logic                idle_o,

  // AXI read channels
  output logic                ar_valid_o,
  input  logic                ar_ready_i,
  output logic [31:0]         ar_addr_o,
  output logic [7:0]          ar_len_o,
  input  logic                r_valid_i,
  output logic                r_ready_o,
  input  logic [C.axi_bits-1:0] r_data_i,
  input  logic [1:0]          r_resp_i,
  input  logic                r_last_i
);
  localparam int unsigned COLS = C.axi_bits / 32;       // words of a bus beat
  localparam int unsigned ROWS = 32 / COLS;             // bus beats of a line
  localparam int unsigned RA   = $clog2(ROWS);
  localparam int unsigned CA   = COLS > 1 ? $clog2(COLS) : 1;
  localparam int unsigned PA   = $clog2(NR);

  // ------------------------------------------------------------------------------------------------ lines
  logic [PA:0]   sent_q, come_q, used_q, freed_q;   // asked for; arrived; served; read. Modulo 2 NR
  logic [NR-1:0] busy_q;
  logic [NR-1:0][HASH-1:0] hash_q;
  logic          line_end;
  logic [4:0]    first;
  logic [RA-1:0] row_q, row;
  logic          started_q, bad_q;

  always_ff @(posedge clk_i) begin
    read_ready_o <= !ar_valid_o && !read_i && (PA + 1)'(sent_q - freed_q) < (PA + 1)'(NR);
    if (ar_ready_i) ar_valid_o <= 1'b0;
    if (read_i) begin
      ar_valid_o              <= 1'b1;
      ar_addr_o               <= {burst_i.line, 7'b0} | 32'(burst_i.first) << $clog2(C.axi_bits / 8);
      ar_len_o                <= 8'(5'(burst_i.last - burst_i.first));
      sent_q                  <= sent_q + 1'b1;
      busy_q[sent_q[PA-1:0]]  <= 1'b1;
      hash_q[sent_q[PA-1:0]]  <= burst_i.line[HASH-1:0];
    end
    if (line_end) begin
      busy_q[come_q[PA-1:0]] <= 1'b0;
      come_q                 <= come_q + 1'b1;
    end
    if (rst_i) begin
      ar_valid_o   <= 1'b0;
      read_ready_o <= 1'b0;
      sent_q       <= '0;
      come_q       <= '0;
      busy_q       <= '0;
    end
  end
  assign busy_o = busy_q;
  assign hash_o = hash_q;
  mw_mem_lutram #(.WIDTH(5 + SA), .DEPTH(NR)) u_first (
    .clk_i, .we_i(read_i), .waddr_i(sent_q[PA-1:0]), .wdata_i({burst_i.first, burst_i.slot}), .raddr_i(come_q[PA-1:0]), .rdata_o({first, error_slot_o})
  );
  assign r_ready_o = 1'b1;
  assign row       = started_q ? row_q : first[RA-1:0];
  assign line_end  = r_valid_i && r_last_i;
  assign error_o   = line_end && (r_resp_i[1] || (started_q && bad_q));
  always_ff @(posedge clk_i) begin
    if (r_valid_i) begin
      row_q     <= row + 1'b1;
      started_q <= !r_last_i;
      bad_q     <= r_resp_i[1] || (started_q && bad_q);
    end
    if (rst_i) started_q <= 1'b0;
  end

  // ------------------------------------------------------------------------------------------------ item queue
  localparam int unsigned DEPTH = 8 * BEATS < 32 ? 32 : 8 * BEATS;     // two of the largest words
  localparam int unsigned QA = $clog2(DEPTH);
  typedef struct packed {
    logic [SA-1:0]     slot;
    logic [BB-1:0]     beat;
    logic [1:0]        comp;
    logic              newline;
    logic              last;
    logic              atomic;
    logic              need;     // a lane reads
    logic              silent;   // no lane returns
    logic [COUNT-1:0]  writes;
    logic [L-1:0]      ok;
    logic [L-1:0]      ret;
    logic [L-1:0][4:0] word;
  } entry_t;
  logic [QA:0] write_q, read_q, fill_q;
  entry_t      head, q1_q, q2_q, q3_q, q4_q;
  logic        pop, head_valid_q, q1_valid_q, q2_valid_q, q3_valid_q, q4_valid_q;
  logic        step2, step3, step4, go1, take1;
  mw_mem_ram #(.WIDTH($bits(entry_t)), .DEPTH(DEPTH), .BLOCK(L <= 16)) u_items (
    .clk_i, .we_i(put_i), .waddr_i(write_q[QA-1:0]),
    .wdata_i({put_slot_i, put_beat_i[BB-1:0], put_comp_i, put_newline_i, put_last_i, put_atomic_i, put_ok_i != '0, put_ret_i == '0, put_writes_i, put_ok_i, put_ret_i, put_word_i}),
    .re_i(pop), .raddr_i(read_q[QA-1:0]), .rdata_o(head)
  );
  assign take1 = !q1_valid_q || (L == 1 && go1);
  assign pop   = write_q != read_q && (!head_valid_q || (L == 1 && take1));   // with more lanes a line takes long enough
  always_ff @(posedge clk_i) begin
    if (put_i) write_q <= write_q + 1'b1;
    if (pop) read_q <= read_q + 1'b1;
    fill_q      <= fill_q + (QA + 1)'(put_i) - (QA + 1)'(pop);
    put_ready_o <= fill_q < (QA + 1)'(DEPTH - 2);
    if (!head_valid_q || take1) head_valid_q <= pop;
    if (take1) q1_valid_q <= head_valid_q;
    else if (go1) q1_valid_q <= 1'b0;
    if (take1 && head_valid_q) q1_q <= head;
    if (rst_i) begin
      write_q      <= '0;
      read_q       <= '0;
      fill_q       <= '0;
      head_valid_q <= 1'b0;
      q1_valid_q   <= 1'b0;
      put_ready_o  <= 1'b0;
    end
  end

  // ------------------------------------------------------------------------------------------------ stage 1: the line is there
  // in_q: an item of the line before (at used_q) has needed it.
  logic        in_q, need;
  logic [PA:0] used, used_next;
  assign need      = q1_q.need;
  assign used      = used_q + (PA + 1)'(q1_q.newline && in_q);
  assign go1       = q1_valid_q && step2 && (!need || come_q != used);
  assign used_next = used + (PA + 1)'(q1_q.last && (need || (in_q && !q1_q.newline)));
  always_ff @(posedge clk_i) begin
    if (go1) begin
      used_q <= used_next;
      in_q   <= !q1_q.last && (need || (in_q && !q1_q.newline));
    end
    if (rst_i) begin
      used_q <= '0;
      in_q   <= 1'b0;
    end
  end

  // ------------------------------------------------------------------------------------------------ stages 2 to 4: memory, the word of its output, the result
  logic [COLS-1:0]       we;
  logic [PA+RA-1:0]      waddr;
  logic [COLS-1:0][31:0] wdata;
  logic [4:0]            new_row;
  assign new_row = new_word_i >> $clog2(COLS);
  assign waddr   = new_we_i ? {used_q[PA-1:0], new_row[RA-1:0]} : {come_q[PA-1:0], row};
  for (genvar c = 0; c < int'(COLS); c++) begin : g_write
    assign we[c]    = new_we_i ? 32'(new_word_i) % COLS == c : r_valid_i;
    assign wdata[c] = new_we_i ? new_i : r_data_i[c*32 +: 32];
  end
  localparam int unsigned COPIES = L == 1 ? 1 : L / 2;
  logic                              go2;         // the item leaves stage 2
  logic                              upper3_q;    // the upper half's words leave the memory
  logic [PA-1:0]                     line2_q;
  logic [COPIES-1:0][COLS-1:0][31:0] words;
  logic [L-1:0][31:0]                word3_q;    // 0 for lanes that do not read
  logic                              ready3, go3;
  // With more lanes stage 1 goes on only when stage 2 is empty, so whether it does need not be known: a word that nobody asked for does no harm there.
  logic                              lower, re;
  assign lower  = L == 1 || !q2_valid_q;
  assign re     = L == 1 ? go1 : !q2_valid_q || step3;
  assign go2    = step3 && q2_valid_q;
  assign ready3 = q3_valid_q && !upper3_q;
  assign go3    = step4 && ready3;
  for (genvar i = 0; i < int'(COPIES); i++) begin : g_copy
    logic [4:0]       word;
    logic [PA+RA-1:0] raddr;
    assign word  = (lower ? q1_q.word[i] : q2_q.word[L - COPIES + i]) >> $clog2(COLS);
    assign raddr = {lower ? used[PA-1:0] : line2_q, word[RA-1:0]};
    for (genvar c = 0; c < int'(COLS); c++) begin : g_col
      mw_mem_ram #(.WIDTH(32), .DEPTH(NR * ROWS), .BLOCK(L <= 16)) u_line (
        .clk_i, .we_i(we[c]), .waddr_i(waddr), .wdata_i(wdata[c]), .re_i(re), .raddr_i(raddr), .rdata_o(words[i][c])
      );
    end
    logic unused_word;
    assign unused_word = &{1'b0, word};
  end

  logic done_ok_q, performed_q, held, leave;
  logic [COUNT-1:0] behind;
  assign slot_o = q3_q.slot;
  assign behind = q4_q.writes - responses_i;
  always_ff @(posedge clk_i) begin
    if (step2) q2_valid_q <= go1;
    else if (go2) q2_valid_q <= 1'b0;
    if (step3) q3_valid_q <= q2_valid_q;
    else if (go3) q3_valid_q <= 1'b0;
    if (step4) q4_valid_q <= ready3;
    else if (leave) q4_valid_q <= 1'b0;
    if (go1) begin
      q2_q    <= q1_q;
      line2_q <= used[PA-1:0];
    end
    upper3_q <= go2 && L > 1;
    if (go2) begin
      q3_q <= q2_q;
      for (int i = 0; i < int'(COPIES); i++)
        word3_q[i] <= words[i][CA'(32'(q2_q.word[i]) % COLS)] & {32{q2_q.ok[i]}};
    end
    if (upper3_q)
      for (int i = int'(L - COPIES); i < int'(L); i++)
        word3_q[i] <= words[i - int'(L - COPIES)][CA'(32'(q3_q.word[i]) % COLS)] & {32{q3_q.ok[i]}};
    if (!q2_valid_q || step3) freed_q <= used_q;
    if (go3) begin
      q4_q       <= q3_q;
      ret_wave_o <= wave_i;
      ret_seq_o  <= seq_i;
      done_acq_o <= acq_i;
      ret_dst_o  <= dst_i + 10'(q3_q.comp);
      ret_data_o <= word3_q;
    end
    done_ok_q   <= q4_valid_q && !leave && (behind == '0 || behind[COUNT-1]);
    performed_q <= performed_i || (performed_q && !leave);
    old_valid_o <= go3 && q3_q.atomic;
    if (rst_i) begin
      q2_valid_q  <= 1'b0;
      q3_valid_q  <= 1'b0;
      q4_valid_q  <= 1'b0;
      upper3_q    <= 1'b0;
      freed_q     <= '0;
      old_valid_o <= 1'b0;
      performed_q <= 1'b0;
    end
  end
  assign held        = (q4_q.last && !done_ok_q) || (q4_q.atomic && !performed_q);
  assign leave       = q4_valid_q && (q4_q.silent || ret_ready_i) && !held;
  assign step4       = !q4_valid_q || (L == 1 && leave);
  assign step3       = L == 1 ? step4 : !q3_valid_q || go3;
  assign step2       = L == 1 ? step4 : !q2_valid_q;
  assign old_o       = ret_data_o[0];
  assign ret_valid_o = q4_valid_q && !q4_q.silent && !held;
  assign ret_comp_o  = q4_q.comp;
  assign ret_beat_o  = 5'(q4_q.beat);
  assign ret_mask_o  = q4_q.ret;
  assign done_o      = q4_q.last && leave;
  assign idle_o      = fill_q == '0 && !head_valid_q && !q1_valid_q && !q2_valid_q && !q3_valid_q && !q4_valid_q && sent_q == used_q && !ar_valid_o;

  logic unused;
  assign unused = &{1'b0, r_resp_i[0], put_beat_i, q4_q, new_row, first};

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (!rst_i) begin
    a_room: assert (!put_i || fill_q < (QA + 1)'(DEPTH)) else $error("item queue overflow");
    a_line: assert (!read_i || burst_i.first <= burst_i.last) else $error("empty burst");
    a_asked: assert (!r_valid_i || sent_q != come_q) else $error("read data that nobody asked for");
    a_write: assert (!(r_valid_i && new_we_i)) else $error("an atomic while a line comes");
  end
`endif
endmodule
