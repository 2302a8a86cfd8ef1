// Front of the AXI memory unit: coalesces one word after the other into line transactions, in memory order.
//
// For a word: scan its entries (component by component, beat by beat); the first thread that has not been served gives the line, and all
// threads of that line are taken with it. Then read the line, or write it from the words that the scan put into the write buffer,
// lane by lane in increasing order. An atomic reads the line, scans a second time to update it word by word in the read side's line
// buffer, and writes what it stored. Scan again while a thread is left.
// A line goes out only when no outstanding line with the same number includes a write (a store also waits for reads).
// Records are given when an entry is scanned (atomics: thread by thread when performed).
// Timing: a load line takes 5 cycles plus one per entry; a store line one more per word; an atomic line a second scan and seven per thread (F32 ADD: fifteen).
module mw_axi_front
  import mw_isa_pkg::*;
  import mw_mem_pkg::*;
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

  // The next word, with its summary
  input  logic                word_valid_i,
  input  logic [SA-1:0]       slot_i,
  input  slot_t               word_i,
  input  logic [BEATS-1:0]    came_i,        // its beats that came
  output logic                end_valid_o,   // everything of the word has been started
  output logic                idle_o,

  // Memories of the collector
  output logic                fe_re_o,
  output logic [BA-1:0]       fe_addr_beat_o,
  input  logic [L-1:0][29:0]  fe_addr_i,
  output logic [EA-1:0]       fe_entry_o,
  input  logic [L-1:0]        fe_inb_i,
  input  logic [L-1:0][31:0]  fe_data2_i,
  output logic                data_re_o,     // with fe_re_o, same entry
  output logic                data_held_o,   // its output is still needed: nobody else may read
  input  logic                data_held_i,   // the return stage still needs it
  input  logic [L-1:0][31:0]  fe_data_i,

  // Read side
  output logic                rd_valid_o,
  input  logic                rd_ready_i,
  input  logic                rd_busy_i,
  input  line_t [NR-1:0]      rd_line_i,
  input  logic [NR-1:0]       rd_line_valid_i,
  output burst_t              burst_o,       // for both sides
  output logic [WAVE_THREADS-1:0] threads_o,
  output logic                atomic_o,
  input  logic                at_held_i,
  output logic [4:0]          at_word_o,
  input  logic [31:0]         at_data_i,
  output logic                at_we_o,
  output logic                at_release_o,

  // Write side
  input  logic                wr_free_i,
  output logic                wr_we_o,
  output logic [4:0]          wr_word_o,
  output logic [31:0]         wr_data_o,
  input  logic                wr_some_i,
  output logic                wr_valid_o,
  input  logic                wr_ready_i,
  input  line_t [NW-1:0]      wr_line_i,
  input  logic [NW-1:0]       wr_line_valid_i,

// The atomic unit (mw_atomic_unit)
  output logic                 unit_valid_o,
  input  logic                 unit_ready_i,
  output atom_e                unit_op_o,
  output logic                 unit_signed_o,
  output logic                 unit_float_o,
  output logic [31:0]          unit_old_o,
  output logic [31:0]          unit_x_o,
  output logic [31:0]          unit_y_o,
  input  logic                 unit_valid_i,
  input  logic                 unit_store_i,
  input  logic [31:0]          unit_new_i,

  // Old values of atomics, which the read side gives, into the data memory
  output logic [L-1:0]        old_we_o,
  input  logic                old_ready_i,
  output logic [EA-1:0]       old_entry_o,

  // Records
  output logic                rec_valid_o,
  output logic                rec_first_o,
  output meta_t               rec_meta_o,    // component and beat are the record's
  output logic [L-1:0]        rec_mask_o,
  output logic [L-1:0][31:0]  rec_addr_o,
  output logic [L-1:0][31:0]  rec_data_o,
  output logic [L-1:0][31:0]  rec_old_o
);
  localparam int unsigned COLS = C.axi_bits / 32;
  localparam int unsigned ROWS = 32 / COLS;
  localparam int unsigned CA   = BEATS > 1 ? $clog2(BEATS) : 1;

  typedef enum logic [2:0] { IDLE, SCAN, SEND, HELD, UPDATE, ENDED } state_e;
  state_e                  state_q;
  logic [SA-1:0]           slot_q;
  slot_t                   word_q;
  logic                    store_q, atomic_q;
  logic [WAVE_THREADS-1:0] served_q;   // threads of earlier lines
  line_t                   line_q;
  logic                    found_q;    // line_q is this scan's
  logic                    more_q;     // a thread of another line is left
  logic [WAVE_THREADS-1:0] match_q;    // threads of this line
  logic [ROWS-1:0]         rows_q;     // bus beats of this line that are needed
  logic                    first_q;    // no record of this word yet

  // ------------------------------------------------------------------------------------------------ entries: A issue, B compare, C use
  logic [1:0]       comp, comp_b_q, comp_c_q;
  logic [4:0]       beat, beat_b_q, beat_c_q;
  logic             sent, start, step, last, all_issued_q, scanning, reads_data;
  logic             issue, b_valid_q, b_go, c_valid_q, c_go, c_first_q;
  logic [L-1:0]     served_b_q, active_b, lowest_b, match_b, match_c_q;
  line_t            refer;
  logic [L-1:0][4:0]  word_c_q;
  logic [L-1:0][31:0] data_c_q, data2_c_q;
  logic [ROWS-1:0]  rows_b;

  mw_axi_entries #(.C(C)) u_entries (
    .clk_i, .start_i(start), .comps_i(state_q == IDLE ? word_i.comps : word_q.comps), .step_i(step),
    .comp_o(comp), .beat_o(beat), .last_o(last)
  );
  assign scanning   = state_q == SCAN || state_q == UPDATE;
  assign start      = !scanning || sent;
  assign reads_data = store_q || state_q == UPDATE;
  assign step  = scanning && !all_issued_q && (!b_valid_q || b_go) && (!reads_data || (wr_free_i && !data_held_i));
  assign issue = step && came_i[CA'(beat)];

  assign fe_re_o        = issue;
  assign data_re_o      = issue && reads_data;
  assign data_held_o    = b_valid_q && !b_go && reads_data;
  assign fe_addr_beat_o = BA'(32'(slot_q) * BEATS + 32'(beat));
  assign fe_entry_o     = EA'((32'(slot_q) * 4 + 32'(comp)) * BEATS + 32'(beat));

  // The scan's first active thread gives the line, in a cycle of its own.
  assign active_b = fe_inb_i & ~served_b_q;
  assign lowest_b = active_b & (~active_b + 1'b1);
  assign b_go     = (found_q || active_b == '0) && (!c_valid_q || c_go);
  always_comb begin
    refer  = '0;
    rows_b = '0;
    for (int i = 0; i < int'(L); i++) begin
      refer |= fe_addr_i[i][29:5] & {25{lowest_b[i]}};
      match_b[i] = active_b[i] && found_q && fe_addr_i[i][29:5] == line_q;
      if (match_b[i]) rows_b[$clog2(ROWS)'((fe_addr_i[i][4:0] | 5'(comp_b_q)) >> $clog2(COLS))] = 1'b1;
    end
  end

  // Lane in work at C: stores one lane a cycle, atomics one lane in three cycles.
  logic [L-1:0]  lane_c;      // one-hot
  logic [4:0]    lane_word;
  logic [31:0]   lane_data, lane_data2;
  logic          serial, lane_done, lane_last;  // lane_last is a register
  // none or one lane left: known ahead, because the whole pipeline waits for it
  logic          none_c_q;
  logic [L-1:0]  rest_c;
  assign lane_c    = match_c_q & (~match_c_q + 1'b1);
  assign rest_c    = match_c_q & ~lane_c;
  always_comb begin
    lane_word  = '0;
    lane_data  = '0;
    lane_data2 = '0;
    for (int i = 0; i < int'(L); i++) begin
      lane_word  |= word_c_q[i] & {5{lane_c[i]}};
      lane_data  |= data_c_q[i] & {32{lane_c[i]}};
      lane_data2 |= data2_c_q[i] & {32{lane_c[i]}};
    end
  end
  assign serial = reads_data && !none_c_q;
  assign c_go   = c_valid_q && (!serial || (lane_done && lane_last));

  // Atomic of one thread: 0 read the word, 1 ask the atomic unit, 2 wait for it, 3 write.
  logic [1:0]   step_q;
  logic [31:0]  m_q, x_q, y_q, new_word;
  logic         store_it, at_write;
  assign lane_done = state_q == UPDATE ? at_write : c_valid_q;
  assign at_write  = step_q == 2'd3 && old_ready_i;
  assign unit_valid_o  = step_q == 2'd1;
  assign unit_op_o     = word_q.meta.op;
  assign unit_signed_o = word_q.meta.sgn;
  assign unit_float_o  = word_q.meta.flt;
  assign unit_old_o    = m_q;
  assign unit_x_o      = x_q;
  assign unit_y_o      = y_q;
  always_ff @(posedge clk_i) begin
    if (state_q == UPDATE && c_valid_q && !none_c_q) begin
      case (step_q)
        2'd0: begin
          step_q <= 2'd1;
          m_q    <= at_data_i;
          x_q    <= lane_data;
          y_q    <= lane_data2;
        end
        2'd1: if (unit_ready_i) step_q <= 2'd2;
        2'd2: if (unit_valid_i) begin
          step_q   <= 2'd3;
          new_word <= unit_store_i ? unit_new_i : m_q;
          store_it <= unit_store_i;
        end
        default: if (at_write) step_q <= 2'd0;
      endcase
    end
    if (rst_i) step_q <= 2'd0;
  end

  assign at_word_o   = lane_word;
  assign at_we_o     = at_write && store_it;
  assign old_we_o    = step_q == 2'd3 ? lane_c : '0;
  assign old_entry_o = EA'(32'(slot_q) * 4 * BEATS + 32'(beat_c_q));  // atomics have component 0 only
  assign wr_we_o     = state_q == UPDATE ? at_we_o : store_q && c_valid_q && serial;
  assign wr_word_o   = lane_word;
  assign wr_data_o   = state_q == UPDATE ? new_word : lane_data;

  // ------------------------------------------------------------------------------------------------ burst and line hazard
  logic [4:0] first_row, last_row;
  logic       clash_write, clash_read, go_read, go_write, drained;
  always_comb begin
    first_row = '0;
    last_row  = '0;
    for (int r = int'(ROWS) - 1; r >= 0; r--) if (rows_q[r]) first_row = 5'(r);
    for (int r = 0; r < int'(ROWS); r++) if (rows_q[r]) last_row = 5'(r);
    clash_write = 1'b0;
    for (int i = 0; i < int'(NW); i++) clash_write |= wr_line_valid_i[i] && wr_line_i[i] == line_q;
    clash_read = 1'b0;
    for (int i = 0; i < int'(NR); i++) clash_read |= rd_line_valid_i[i] && rd_line_i[i] == line_q;
  end
  assign burst_o   = '{line: line_q, first: first_row, last: last_row, slot: slot_q};
  assign threads_o = match_q;
  assign atomic_o  = atomic_q;
  assign drained   = all_issued_q && !b_valid_q && !c_valid_q;

  // The line buffer must be the atomic's alone: it waits for all earlier reads.
  assign go_read  = state_q == SEND && !store_q && !clash_write && !(atomic_q && rd_busy_i);
  assign go_write = state_q == SEND && store_q && !clash_write && !clash_read;
  assign rd_valid_o = go_read;
  // The atomic's read is over when its write goes out: it is the only line of the read side.
  assign wr_valid_o   = go_write || (state_q == UPDATE && drained && wr_some_i);
  assign at_release_o = state_q == UPDATE && drained && (wr_ready_i || !wr_some_i);
  assign sent = (go_read && rd_ready_i && !atomic_q) || (go_write && wr_ready_i) || at_release_o;

  assign end_valid_o = state_q == ENDED;
  assign idle_o      = state_q == IDLE;

  always_ff @(posedge clk_i) begin
    case (state_q)
      IDLE: if (word_valid_i) begin
        slot_q   <= slot_i;
        word_q   <= word_i;
        store_q  <= word_i.meta.kind == KIND_STORE;
        atomic_q <= word_i.meta.kind == KIND_ATOMIC;
        first_q  <= 1'b1;
        served_q <= '0;
        state_q  <= SCAN;
      end
      SCAN: if (drained) state_q <= found_q ? SEND : ENDED;
      SEND: if (go_read && rd_ready_i && atomic_q) state_q <= HELD;
      HELD: if (at_held_i) state_q <= UPDATE;
      UPDATE: ;
      default: state_q <= IDLE;
    endcase
    if (sent) begin
      served_q <= served_q | match_q;
      state_q  <= more_q ? SCAN : ENDED;
    end
    if (sent || state_q == IDLE) begin
      found_q <= 1'b0;
      more_q  <= 1'b0;
      match_q <= '0;
      rows_q  <= '0;
    end
    if (b_valid_q && !found_q && active_b != '0) begin
      found_q <= 1'b1;
      line_q  <= refer;
    end

    if (start) all_issued_q <= 1'b0;
    else if (step && last) all_issued_q <= 1'b1;
    if (!b_valid_q || b_go) b_valid_q <= issue;
    if (issue) begin
      comp_b_q <= comp;
      beat_b_q <= beat;
      served_b_q <= served_q[32'(beat) * L +: L];
    end
    if (b_go) c_valid_q <= b_valid_q;
    if (b_go && b_valid_q) begin
      comp_c_q  <= comp_b_q;
      beat_c_q  <= beat_b_q;
      c_first_q <= 1'b1;
      match_c_q <= match_b;
      none_c_q  <= match_b == '0;
      lane_last <= (match_b & (match_b - 1'b1)) == '0;
      for (int i = 0; i < int'(L); i++) word_c_q[i] <= fe_addr_i[i][4:0] | 5'(comp_b_q);
      if (reads_data) data_c_q <= fe_data_i;
      if (state_q == UPDATE) data2_c_q <= fe_data2_i;
      if (state_q == SCAN) begin
        match_q[32'(beat_b_q) * L +: L] <= match_q[32'(beat_b_q) * L +: L] | match_b;
        rows_q <= rows_q | rows_b;
        if ((active_b & ~match_b) != '0) more_q <= 1'b1;
      end
    end else if (c_valid_q) begin
      c_first_q <= 1'b0;
      if (serial && lane_done) begin
        match_c_q <= rest_c;
        none_c_q  <= rest_c == '0;
        lane_last <= (rest_c & (rest_c - 1'b1)) == '0;
      end
    end
    if (rec_valid_o) first_q <= 1'b0;
    if (rst_i) begin
      state_q   <= IDLE;
      b_valid_q <= 1'b0;
      c_valid_q <= 1'b0;
    end
  end

  // ------------------------------------------------------------------------------------------------ records
  logic [L-1:0] rec_lanes;
  assign rec_lanes   = state_q == UPDATE ? lane_c : match_c_q;
  assign rec_first_o = first_q;
  assign rec_valid_o = (state_q == ENDED && first_q) ||
                       (state_q == SCAN && !atomic_q && c_valid_q && c_first_q && match_c_q != '0) ||
                       (state_q == UPDATE && at_write);
  assign rec_mask_o  = state_q == ENDED ? '0 : rec_lanes;
  always_comb begin
    rec_meta_o      = word_q.meta;
    rec_meta_o.comp = comp_c_q;
    rec_meta_o.beat = beat_c_q;
    for (int i = 0; i < int'(L); i++) begin
      rec_addr_o[i] = {line_q, word_c_q[i], 2'b00};
      rec_data_o[i] = state_q == UPDATE ? new_word : data_c_q[i];
      rec_old_o[i]  = m_q;
    end
  end

  logic unused;
  assign unused = &{1'b0, word_q};

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (!rst_i) begin
    a_match: assert (!sent || (match_q & ~served_q) != '0) else $error("a line without threads");
  end
`endif
endmodule
