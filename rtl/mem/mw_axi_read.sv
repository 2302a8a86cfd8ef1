// Read side of the AXI memory unit: bursts, line buffer, distribution.
//
// Up to NR lines are outstanding; their data come in order. The head line's beats go into a line buffer that each lane has a copy of,
// so that afterwards one entry (component, beat) of the word is served per cycle. For an atomic the buffer is then held:
// the front reads and writes it through at_* until at_release_i.
// Timing: a line is asked for one cycle after req_valid_i; distribution starts the cycle after its last bus beat.
module mw_axi_read
  import mw_isa_pkg::*;
  import mw_axi_mem_pkg::*;
#(
  parameter  cfg_t C = CFG_BASE,
  localparam int unsigned L  = C.lanes,
  localparam int unsigned BEATS = WAVE_THREADS / L,
  localparam int unsigned BA = $clog2(NS * BEATS),
  localparam int unsigned EA = $clog2(NS * 4 * BEATS)
) (
  input  logic                clk_i,
  input  logic                rst_i,

  // A line to read, for the threads of `threads`
  input  logic                req_valid_i,
  output logic                req_ready_o,
  input  burst_t              req_i,
  input  logic [WAVE_THREADS-1:0] req_threads_i,
  input  logic [3:0]          req_comps_i,
  input  logic                req_atomic_i,

  output logic                busy_o,        // any line outstanding
  output logic [NR-1:0]       line_valid_o,
  output line_t [NR-1:0]      line_o,
  output logic                end_valid_o,   // the oldest line is done with
  output logic [SA-1:0]       end_slot_o,
  output logic                error_o,       // with end_valid_o

  // Distribution
  output logic                di_re_o,
  output logic [BA-1:0]       di_beat_o,
  input  logic [L-1:0][4:0]   di_word_i,
  output logic [EA-1:0]       di_entry_o,
  input  logic [L-1:0]        di_inb_i,
  output logic [L-1:0]        res_we_o,
  input  logic                res_ready_i,
  output logic [EA-1:0]       res_entry_o,
  output logic [L-1:0][31:0]  res_data_o,

  // The held line of an atomic
  output logic                at_held_o,
  input  logic [4:0]          at_word_i,
  output logic [31:0]         at_data_o,     // in the same cycle
  input  logic                at_we_i,
  input  logic [31:0]         at_wdata_i,
  input  logic                at_release_i,

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

  // ------------------------------------------------------------------------------------------------ outstanding lines
  burst_t                  burst_q   [NR];
  logic [3:0]              comps_q   [NR];
  logic [NR-1:0]           valid_q, atomic_q;
  logic [PA-1:0]           put_q, ask_q, head_q;
  logic [NR-1:0]           asked_q;

  logic [WAVE_THREADS-1:0] threads;   // of the head line
  burst_t                  head;

  mw_mem_lutram #(.WIDTH(WAVE_THREADS), .DEPTH(NR)) u_threads (
    .clk_i, .we_i(req_valid_i && req_ready_o), .waddr_i(put_q), .wdata_i(req_threads_i), .raddr_i(head_q), .rdata_o(threads)
  );
  assign head        = burst_q[head_q];
  assign req_ready_o = !valid_q[put_q];
  assign busy_o      = |valid_q;
  assign line_valid_o = valid_q;
  for (genvar i = 0; i < int'(NR); i++) begin : g_line
    assign line_o[i] = burst_q[i].line;
  end

  assign ar_valid_o = valid_q[ask_q] && !asked_q[ask_q];
  assign ar_addr_o  = {burst_q[ask_q].line, 7'b0} | 32'(burst_q[ask_q].first) << $clog2(C.axi_bits / 8);
  assign ar_len_o   = 8'(5'(burst_q[ask_q].last - burst_q[ask_q].first));

  logic finish;
  always_ff @(posedge clk_i) begin
    if (req_valid_i && req_ready_o) begin
      valid_q[put_q]   <= 1'b1;
      asked_q[put_q]   <= 1'b0;
      burst_q[put_q]   <= req_i;
      comps_q[put_q]   <= req_comps_i;
      atomic_q[put_q]  <= req_atomic_i;
      put_q            <= put_q + 1'b1;
    end
    if (ar_valid_o && ar_ready_i) begin
      asked_q[ask_q] <= 1'b1;
      ask_q          <= ask_q + 1'b1;
    end
    if (finish) begin
      valid_q[head_q] <= 1'b0;
      head_q          <= head_q + 1'b1;
    end
    if (rst_i) begin
      valid_q <= '0;
      asked_q <= '0;
      put_q   <= '0;
      ask_q   <= '0;
      head_q  <= '0;
    end
  end

  // ------------------------------------------------------------------------------------------------ state of the head line
  typedef enum logic [1:0] { FILL, DISTRIBUTE, HOLD } state_e;
  state_e            state_q;
  logic [RA-1:0]     row_q;           // next bus beat, when started
  logic              started_q, error_q;
  logic [RA-1:0]     row;
  logic              fill, last_issued_q;

  assign row       = started_q ? row_q : head.first[RA-1:0];
  assign r_ready_o = state_q == FILL;
  assign fill      = r_valid_i && r_ready_o;

  // Distribution: issue an entry, a cycle later look its words up and write them.
  logic [1:0]          comp;
  logic [4:0]          beat;
  logic                issue, last, v1_q, step1;
  logic [EA-1:0]       entry1_q;
  logic [1:0]          comp1_q;
  logic [L-1:0]        lanes1_q;

  mw_axi_entries #(.C(C)) u_entries (
    .clk_i, .start_i(state_q != DISTRIBUTE), .comps_i(comps_q[head_q]), .step_i(issue), .comp_o(comp), .beat_o(beat), .last_o(last)
  );
  assign step1      = !v1_q || res_ready_i;
  assign issue      = state_q == DISTRIBUTE && !last_issued_q && step1;
  assign di_re_o    = issue;
  assign di_beat_o  = BA'(32'(head.slot) * BEATS + 32'(beat));
  assign di_entry_o = EA'((32'(head.slot) * 4 + 32'(comp)) * BEATS + 32'(beat));
  assign finish     = (state_q == DISTRIBUTE && last_issued_q && step1) || (state_q == HOLD && at_release_i);
  assign end_valid_o = finish;
  assign end_slot_o  = head.slot;
  assign error_o     = error_q;
  assign at_held_o   = state_q == HOLD;

  always_ff @(posedge clk_i) begin
    if (step1) v1_q <= issue;
    if (issue) begin
      entry1_q <= di_entry_o;
      comp1_q  <= comp;
      lanes1_q <= threads[32'(beat) * L +: L];
      if (last) last_issued_q <= 1'b1;
    end
    case (state_q)
      FILL: if (fill) begin
        row_q     <= row + 1'b1;
        started_q <= !r_last_i;
        error_q   <= (started_q && error_q) || r_resp_i[1];
        if (r_last_i) begin
          state_q       <= atomic_q[head_q] ? HOLD : DISTRIBUTE;
          last_issued_q <= 1'b0;
        end
      end
      default: if (finish) state_q <= FILL;
    endcase
    if (rst_i) begin
      state_q   <= FILL;
      started_q <= 1'b0;
      v1_q      <= 1'b0;
    end
  end

  // ------------------------------------------------------------------------------------------------ line buffer
  // Lane i's copy is read at its own word, for an atomic all at the atomic's, so that res_data_o is the old value then.
  logic [COLS-1:0]     we;
  logic [RA-1:0]       waddr;
  logic [COLS-1:0][31:0] wdata;
  logic [4:0]          at_row;
  assign at_row = at_word_i >> $clog2(COLS);
  for (genvar c = 0; c < int'(COLS); c++) begin : g_write
    assign we[c]    = fill || (at_we_i && 32'(at_word_i) % COLS == c);
    assign wdata[c] = state_q == HOLD ? at_wdata_i : r_data_i[c*32 +: 32];
  end
  assign waddr = state_q == HOLD ? at_row[RA-1:0] : row;

  for (genvar i = 0; i < int'(L); i++) begin : g_copy
    logic [4:0]            word;
    logic [4:0]            word_row;
    logic [COLS-1:0][31:0] words;
    assign word = state_q == HOLD ? at_word_i : di_word_i[i] | 5'(comp1_q);
    assign word_row = word >> $clog2(COLS);
    for (genvar c = 0; c < int'(COLS); c++) begin : g_col
      mw_mem_lutram #(.WIDTH(32), .DEPTH(ROWS)) u_line (
        .clk_i, .we_i(we[c]), .waddr_i(waddr), .wdata_i(wdata[c]), .raddr_i(word_row[RA-1:0]), .rdata_o(words[c])
      );
    end
    assign res_data_o[i] = words[CA'(32'(word) % COLS)];
    assign res_we_o[i]   = v1_q && lanes1_q[i] && di_inb_i[i];
    logic unused_row;
    assign unused_row = &{1'b0, word_row};
  end
  assign res_entry_o = entry1_q;
  assign at_data_o   = res_data_o[0];

  logic unused;
  assign unused = &{1'b0, r_resp_i[0], at_row, head};

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (!rst_i) begin
    a_asked: assert (!r_valid_i || asked_q[head_q]) else $error("read data that nobody asked for");
    a_last: assert (!fill || r_last_i == (5'(row) == head.last)) else $error("RLAST is not on the burst's last beat");
    a_line: assert (!req_valid_i || req_i.first <= req_i.last) else $error("empty burst");
  end
`endif
endmodule
