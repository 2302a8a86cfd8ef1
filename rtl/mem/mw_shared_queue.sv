// Entry of the shared-memory unit: bounds check, group base, conflicts between lanes (mw_shared_conflict), and the queue of beats.
//
// A word is visible at the output only when its last beat has come without bad_i. After a bad beat everything is dropped that
// has not started (started: its first beat was at the output), until reset. PASSES component passes fit. Beats are taken without asking: the
// caller counts one pass for each word, 4 for wide ones, until gone_o says that nothing of the word is needed here any more.
// Timing: a beat is in the queue one cycle after it came, what mw_shared_conflict finds three cycles later. The output is the queue's read
// register (if the queue is a block RAM, a register behind it); it goes on when step_i says so, which comes from a register.
// Operands lie in memories of their own, written in the clock in which they come and read only for the pass that takes them, so that no registers carry
// them along. A beat that was taken therefore keeps its place until the next step_i.
module mw_shared_queue
  import mw_isa_pkg::*;
  import mw_mem_pkg::*;
#(
  parameter  cfg_t C = CFG_BASE,
  parameter  bit   RECORD = 1'b1,
  parameter  int unsigned PASSES = 8,
  localparam int unsigned L  = C.lanes,
  localparam int unsigned IW = $clog2(C.shared_bytes / 4),               // index of a word in the memory
  localparam int unsigned RW = IW - $clog2(C.banks)                      // row of a bank
) (
  input  logic                  clk_i,
  input  logic                  rst_i,

  input  logic                  valid_i,
  input  logic                  wide_i,      // of the whole word
  output logic                  gone_o,
  output logic                  gone_wide_o,
  input  meta_t                 meta_i,
  input  logic                  bad_i,
  input  logic [L-1:0]          mask_i,
  input  logic [L-1:0]          wmask_i,
  input  logic [L-1:0][31:0]    addr_i,
  input  logic [L-1:0][31:0]    data_i,
  input  logic [L-1:0][31:0]    data2_i,
  input  logic [31:0]           base_i,
  input  logic [31:0]           bound_i,

  input  logic                  step_i,    // the output is taken, or empty
  output logic                  load_o,    // there is something at the output,
  output logic                  valid_o,   // and it is not dropped
  output beat_meta_t            meta_o,
  output logic [31:0]           seq_o,
  output logic [RW-1:0]         base_row_o,
  output logic [L-1:0]          mask_o,    // threads that access, in bounds
  output logic [L-1:0]          wmask_o,
  output logic [L-1:0][IW-1:0]  index_o,   // word of the memory, group base added
  output logic [L-1:0]          lead_o,    // from mw_shared_conflict
  output logic [L-1:0]          left_o,
  output logic                  some_o,        // lead_o is not 0
  output logic                  many_o,        // left_o is not 0
  output logic [L-1:0]          drop_o,
  output logic [L-1:0][L-1:0]   wait_o,
  output logic [L-1:0][L-1:0]   word_o,
  input  logic                  data_read_i,
  output logic [L-1:0][31:0]    data_o,    // of the beat that was taken last, a cycle after data_read_i
  output logic [L-1:0][31:0]    data2_o,   // of the oldest CSWAP beat that data2_pop_i has not left behind, a cycle after data2_read_i
  input  logic                  data2_read_i,
  input  logic                  data2_pop_i,
  output logic                  empty_o    // nothing inside that will come out
);
  localparam int unsigned BEATS = WAVE_THREADS / L;
  localparam int unsigned DEPTH = PASSES * BEATS;
  localparam int unsigned AW    = $clog2(DEPTH);
  localparam int unsigned DEPTH2 = DEPTH / 2;                            // CSWAP beats: such words are wide, but of one component; some beats are in front
  localparam int unsigned AW2   = $clog2(DEPTH2);
  localparam int unsigned BW    = $clog2(C.banks);
  localparam int unsigned BB    = BEATS > 1 ? $clog2(BEATS) : 1;
  localparam int unsigned WW    = $clog2(C.waves_partial);

  // As narrow as it can be: in `tiny` two block RAMs.
  typedef struct packed {
    logic [WW-1:0]        wave;
    access_e              access;
    logic                 sgn;
    logic                 flt;
    logic [1:0]           comp;
    logic [BB-1:0]        beat;
    logic [9:0]           dst;
    logic                 acq;
    logic                 first;
    logic                 last;
    logic [L-1:0]         mask;
    logic [L-1:0]         wmask;
    logic [L-1:0][IW-1:0] index;
  } entry_t;

  // Stage 1: bounds and base. Addresses are multiples of 4 here (else bad_i), so whole words are compared.
  entry_t               in_q;
  logic                 in_valid, came_q, bad_q;   // bad_i comes late: it counts a clock later
  (* keep *) logic      came2_q, bad2_q;           // the same, copies for the operands' memory
  logic                 kill_q, in_wide_q;
  logic                 cswap_in;

  assign in_valid = came_q && !bad_q;
  assign cswap_in = meta_i.kind == KIND_ATOMIC && meta_i.op == ATOM_CSWAP;

  always_ff @(posedge clk_i) begin
    {came2_q, came_q} <= {2{valid_i && !kill_q && !rst_i}};
    {bad2_q, bad_q}   <= {2{bad_i}};
    if (valid_i) begin
      in_wide_q   <= wide_i;
      in_q.wave   <= meta_i.wave[WW-1:0];
      in_q.access <= access_of(meta_i.kind, meta_i.op);
      in_q.sgn    <= meta_i.sgn;
      in_q.flt    <= meta_i.flt;
      in_q.comp   <= meta_i.comp;
      in_q.beat   <= meta_i.beat[BB-1:0];
      in_q.dst    <= meta_i.dst;
      in_q.acq    <= meta_i.acq;
      in_q.first  <= meta_i.first;
      in_q.last   <= meta_i.last;
      in_q.wmask  <= wmask_i;
      for (int i = 0; i < int'(L); i++) begin
        in_q.mask[i]  <= mask_i[i] && meta_i.kind != KIND_FENCE && addr_i[i][31:2] < bound_i[31:2];
        in_q.index[i] <= {addr_i[i][2+BW +: RW] + base_i[2+BW +: RW], addr_i[i][2 +: BW]};
      end
      if (bad_i) kill_q <= 1'b1;
    end
    if (rst_i) kill_q <= 1'b0;
  end

  // Operands. Also those of a beat that is not kept are written, where the next one that is will be: its place is free, and the enable is a register.
  logic [AW:0]   write_q, write_next_q, write;   // queue entry of the beat in stage 1; one more; of the beat that comes
  logic          taken_q, taken_last_q;   // a beat was taken; it is the last of its word
  logic [AW-1:0] taken_row_q;
  mw_mem_ram #(.WIDTH(L * 32), .DEPTH(DEPTH), .BLOCK(L <= 16)) u_data (
    .clk_i, .we_i(valid_i), .waddr_i(write[AW-1:0]), .wdata_i(data_i), .re_i(data_read_i), .raddr_i(taken_row_q), .rdata_o(data_o)
  );
  assign write = came2_q && !bad2_q ? write_next_q : write_q;

  // Stage 2: the queue. commit_q is behind the last whole word.
  logic [AW:0]  commit_q, read_q, next_q;                    // next_q: read_q + 1
  logic         found, found_next, finding_busy;             // conflicts of the beat at read_q (next_q) are known; those of some beat are not
  logic         some_q, pop;
  entry_t       head;
  logic         head_valid_q;

  assign pop = some_q && step_i;

  mw_mem_ram #(.WIDTH($bits(entry_t)), .DEPTH(DEPTH), .BLOCK(L <= 16)) u_queue (
    .clk_i, .we_i(in_valid), .waddr_i(write_q[AW-1:0]), .wdata_i(in_q),
    .re_i(pop), .raddr_i(read_q[AW-1:0]), .rdata_o(head)
  );

  always_ff @(posedge clk_i) begin
    write_q      <= write;
    write_next_q <= write + 1'b1;
    if (in_valid && in_q.last) commit_q <= write_next_q;
    if (pop) begin
      read_q <= next_q;
      next_q <= next_q + 1'b1;
    end
    some_q <= pop ? next_q != commit_q && found_next : read_q != commit_q && found;
    if (step_i) head_valid_q <= some_q;
    if (rst_i) begin
      write_q  <= '0;
      write_next_q <= (AW + 1)'(1);
      commit_q <= '0;
      read_q   <= '0;
      next_q   <= (AW + 1)'(1);
      some_q   <= 1'b0;
      head_valid_q <= 1'b0;
    end
  end

  // Words that have left, and whether they are wide.
  localparam int unsigned WORDS = PASSES < 2 ? 2 : PASSES;
  localparam int unsigned AWW   = $clog2(WORDS);
  logic [AWW-1:0] word_in_q, word_out_q;
  logic           gone_wide, leave;
  mw_mem_lutram #(.WIDTH(1), .DEPTH(WORDS)) u_wide (
    .clk_i, .we_i(in_valid && in_q.last), .waddr_i(word_in_q), .wdata_i(in_wide_q), .raddr_i(word_out_q), .rdata_o(gone_wide)
  );
  assign leave = step_i && taken_q && taken_last_q;
  always_ff @(posedge clk_i) begin
    if (in_valid && in_q.last) word_in_q <= word_in_q + 1'b1;
    if (leave) word_out_q <= word_out_q + 1'b1;
    gone_o      <= leave;
    gone_wide_o <= gone_wide;
    if (rst_i) begin
      word_in_q  <= '0;
      word_out_q <= '0;
      gone_o     <= 1'b0;
    end
  end

  // Second operands of CSWAP wait in a memory of their own: the queue has no room for a value that only one operation has.
  // Every beat writes where the next such operand will be, which is free: a CSWAP word keeps four passes of the queue, so half of the places and those of
  // the beats in front are the most that are taken. So the enable is a register. A beat that turns out bad takes a place too; none is kept behind it.
  logic [AW2-1:0]     write2_q, read2_q;
  logic               we2;
  assign we2 = valid_i && cswap_in && !kill_q;
  mw_mem_ram #(.WIDTH(L * 32), .DEPTH(DEPTH2), .BLOCK(L <= 16)) u_data2 (
    .clk_i, .we_i(valid_i), .waddr_i(write2_q), .wdata_i(data2_i), .re_i(data2_read_i), .raddr_i(read2_q), .rdata_o(data2_o)
  );
  always_ff @(posedge clk_i) begin
    if (we2) write2_q <= write2_q + 1'b1;
    if (data2_pop_i) read2_q <= read2_q + 1'b1;
    if (rst_i) begin
      write2_q <= '0;
      read2_q  <= '0;
    end
  end

  // Conflicts between lanes: what mw_shared_conflict finds waits in a second queue. One lane has none.
  typedef struct packed {
    logic [L-1:0]        lead;
    logic [L-1:0]        left;
    logic                some;
    logic                many;
    logic [L-1:0]        drop;
    logic [L-1:0][L-1:0] waits;
    logic [L-1:0][L-1:0] words;
  } finding_t;
  finding_t head_finding;
  if (L > 1) begin : g_conflict
    finding_t    finding;
    logic        valid;
    logic [AW:0] write3_q;
    mw_shared_conflict #(.L(L), .IW(IW), .BW(BW)) u_conflict (
      .clk_i, .rst_i, .valid_i(in_valid), .access_i(in_q.access), .mask_i(in_q.mask), .index_i(in_q.index),
      .valid_o(valid), .lead_o(finding.lead), .left_o(finding.left), .some_o(finding.some), .many_o(finding.many),
      .drop_o(finding.drop), .wait_o(finding.waits), .word_o(finding.words), .busy_o(finding_busy)
    );
    mw_mem_ram #(.WIDTH($bits(finding_t)), .DEPTH(DEPTH)) u_findings (
      .clk_i, .we_i(valid), .waddr_i(write3_q[AW-1:0]), .wdata_i(finding), .re_i(pop), .raddr_i(read_q[AW-1:0]), .rdata_o(head_finding)
    );
    always_ff @(posedge clk_i) begin
      if (valid) write3_q <= write3_q + 1'b1;
      if (rst_i) write3_q <= '0;
    end
    assign found      = read_q != write3_q;
    assign found_next = next_q != write3_q;
  end else begin : g_single
    assign head_finding = '{lead: head.mask, some: |head.mask, default: '0};
    assign finding_busy = 1'b0;
    assign found        = 1'b1;
    assign found_next   = 1'b1;
  end

  // Stage 3: the output. After a fault the words that have not started end here.
  logic [AW-1:0] head_row_q, out_row;
  always_ff @(posedge clk_i) if (pop) head_row_q <= read_q[AW-1:0];
  entry_t   out;
  finding_t out_finding;
  logic     out_valid, drop_q, drop;
  if (DEPTH > 32) begin : g_behind
    entry_t        out_q;
    finding_t      finding_q;
    logic [AW-1:0] row_q;
    logic          valid_q;
    always_ff @(posedge clk_i) begin
      if (step_i) valid_q <= head_valid_q;
      if (step_i && head_valid_q) begin
        out_q     <= head;
        finding_q <= head_finding;
        row_q     <= head_row_q;
      end
      if (rst_i) valid_q <= 1'b0;
    end
    assign out         = out_q;
    assign out_finding = finding_q;
    assign out_row     = row_q;
    assign out_valid   = valid_q;
  end else begin : g_direct
    assign out         = head;
    assign out_finding = head_finding;
    assign out_row     = head_row_q;
    assign out_valid   = head_valid_q;
  end
  always_ff @(posedge clk_i) begin
    if (step_i) taken_q <= out_valid;
    if (step_i && out_valid) begin
      taken_last_q <= out.last;
      taken_row_q  <= out_row;
    end
    if (rst_i) taken_q <= 1'b0;
  end
  assign drop = drop_q || (kill_q && out.first);
  always_ff @(posedge clk_i) begin
    if (step_i && out_valid && drop) drop_q <= 1'b1;
    if (rst_i) drop_q <= 1'b0;
  end

  // What only records need.
  if (RECORD) begin : g_record
    logic [31:0]   in_seq_q, head_seq;
    logic [RW-1:0] in_row_q, head_row;
    mw_mem_ram #(.WIDTH(32 + RW), .DEPTH(DEPTH)) u_record (
      .clk_i, .we_i(in_valid), .waddr_i(write_q[AW-1:0]), .wdata_i({in_seq_q, in_row_q}),
      .re_i(pop), .raddr_i(read_q[AW-1:0]), .rdata_o({head_seq, head_row})
    );
    always_ff @(posedge clk_i) begin
      if (valid_i) begin
        in_seq_q <= meta_i.seq;
        in_row_q <= base_i[2+BW +: RW];
      end
    end
    if (DEPTH > 32) begin : g_behind
      logic [31:0]   seq_q;
      logic [RW-1:0] row_q;
      always_ff @(posedge clk_i) if (step_i) begin
        seq_q <= head_seq;
        row_q <= head_row;
      end
      assign seq_o      = seq_q;
      assign base_row_o = row_q;
    end else begin : g_direct
      assign seq_o      = head_seq;
      assign base_row_o = head_row;
    end
  end else begin : g_no_record
    logic unused;
    assign seq_o      = '0;
    assign base_row_o = '0;
    assign unused     = &{1'b0, meta_i.seq};
  end

  assign load_o  = out_valid;
  assign valid_o = out_valid && !drop;
  assign meta_o  = '{wave: 6'(out.wave), access: out.access, sgn: out.sgn, flt: out.flt, comp: out.comp, beat: 5'(out.beat),
                     dst: out.dst, acq: out.acq, first: out.first, last: out.last};
  assign mask_o  = out.mask;
  assign wmask_o = out.wmask;
  assign index_o = out.index;
  assign lead_o  = out_finding.lead;
  assign left_o  = out_finding.left;
  assign some_o  = out_finding.some;
  assign many_o  = out_finding.many;
  assign drop_o  = out_finding.drop;
  assign wait_o  = out_finding.waits;
  assign word_o  = out_finding.words;
  // A word of which only some beats have come counts as inside unless a fault has doomed it.
  assign empty_o = !in_valid && !finding_busy && !head_valid_q && !out_valid && (read_q == commit_q || drop_q) && (kill_q || write_q == read_q);

  // Bits that the memory does not need.
  logic unused_bits;
  assign unused_bits = &{1'b0, base_i, bound_i[1:0], meta_i};

`ifndef SYNTHESIS
  logic         open_q, keep;      // inside a word; this beat is kept
  assign keep = valid_i && !kill_q && !bad_i;
  logic [AW:0]  used_q;
  logic [AW2:0] used2_q;
  always_ff @(posedge clk_i) begin
    used_q  <= rst_i ? '0 : used_q + (AW + 1)'(keep) - (AW + 1)'(step_i && taken_q);
    used2_q <= rst_i ? '0 : used2_q + (AW2 + 1)'(we2) - (AW2 + 1)'(data2_pop_i);
    if (rst_i) open_q <= 1'b0;
    else if (valid_i) open_q <= !meta_i.last;
    if (!rst_i && valid_i) begin
      a_first: assert (meta_i.first == !open_q) else $error("a word's beats must be contiguous");
      a_aligned: assert (bad_i || kill_q || base_i[1+BW:0] == '0) else $error("the group's base must be a row of banks");
    end
    if (!rst_i && valid_i) a_place: assert (used2_q < (AW2 + 1)'(DEPTH2)) else $error("no free place for a second operand");
    if (!rst_i) a_room: assert (used_q <= (AW + 1)'(DEPTH) && used2_q <= (AW2 + 1)'(DEPTH2)) else $error("queue overflow");
  end
`endif
endmodule
