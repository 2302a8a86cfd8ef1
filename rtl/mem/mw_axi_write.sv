// Write side of the AXI memory unit: gathers the lanes of items into bus beats, fills line buffers, sends bursts; and performs atomics.
//
// Readiness is told from registers: it is known a clock ahead that the item here is at its last bus beat.
// Stores: per clock the lanes of one bus beat, beats in order of their lowest lane; of several lanes with one word the highest stays. Two line buffers: one is
// filled, one goes out, behind its address. send_i ends the line of the items before it. Bursts go out in order; up to NW wait for their response.
// Atomics: one lane after the other. Its word is read by an entry in the item queue (q_*), which also returns it to the thread; the new value
// goes into the line memory (for the lanes behind) and into the line buffer. wrote_o: since the first item of the line something was stored.
module mw_axi_write
  import mw_isa_pkg::*;
  import mw_axi_mem_pkg::*;
#(
  parameter  cfg_t C = CFG_BASE,
  localparam int unsigned L = C.lanes
) (
  input  logic                clk_i,
  input  logic                rst_i,

  // Items. put_i: the one that is offered is taken.
  input  logic                valid_i,
  input  logic                put_i,
  output logic                put_ready_o,
  input  item_t               item_i,
  input  logic [L-1:0]        sel_i,
  input  logic [L-1:0]        ok_i,
  input  logic [L-1:0]        wmask_i,
  input  logic [L-1:0][4:0]   word_i,
  input  logic [L-1:0][31:0]  data_i,
  output logic                idle_o,        // no item here
  input  logic                send_i,
  output logic                send_ready_o,
  input  burst_t              burst_i,

  // Atomics
  output logic                d2_re_o,
  input  logic [L-1:0][31:0]  data2_i,       // of the item that is offered with d2_re_o, from the next clock on
  input  atom_e               op_i,          // of the item's word
  input  logic                sgn_i,
  input  logic                flt_i,
  output logic                q_put_o,
  input  logic                q_ready_i,
  output logic [4:0]          q_beat_o,
  output logic                q_newline_o,
  output logic [L-1:0]        q_ok_o,
  output logic [L-1:0]        q_ret_o,
  output logic [4:0]          q_word_o,      // of all lanes
  input  logic                old_valid_i,
  input  logic [31:0]         old_i,
  output logic                at_valid_o,
  input  logic                at_ready_i,
  output atom_e               at_op_o,
  output logic                at_signed_o,
  output logic                at_float_o,
  output logic [31:0]         at_old_o,
  output logic [31:0]         at_x_o,
  output logic [31:0]         at_y_o,
  input  logic                at_valid_i,
  input  logic                at_store_i,
  input  logic [31:0]         at_new_i,
  output logic                new_we_o,
  output logic [4:0]          new_word_o,
  output logic [31:0]         new_o,
  output logic                wrote_o,
  output logic                rec_valid_o,   // an atomic is performed
  output logic [4:0]          rec_beat_o,
  output logic [L-1:0]        rec_lane_o,
  output logic [31:0]         rec_old_o,
  output logic [31:0]         rec_new_o,

  output logic [COUNT-1:0]    sent_o,        // bursts
  output logic [COUNT-1:0]    responses_o,
  output logic [NW-1:0]       busy_o,        // without response
  output logic [NW-1:0][HASH-1:0] hash_o,
  output logic                error_o,
  output logic [SA-1:0]       error_slot_o,

  // AXI write channels
  output logic                aw_valid_o,
  input  logic                aw_ready_i,
  output logic [31:0]         aw_addr_o,
  output logic [7:0]          aw_len_o,
  output logic                w_valid_o,
  input  logic                w_ready_i,
  output logic [C.axi_bits-1:0]   w_data_o,
  output logic [C.axi_bits/8-1:0] w_strb_o,
  output logic                w_last_o,
  input  logic                b_valid_i,
  output logic                b_ready_o,
  input  logic [1:0]          b_resp_i
);
  localparam int unsigned COLS = C.axi_bits / 32;
  localparam int unsigned ROWS = 32 / COLS;
  localparam int unsigned RA   = $clog2(ROWS);
  localparam int unsigned CW   = $clog2(COLS);
  localparam int unsigned PA   = $clog2(NW);

  // ------------------------------------------------------------------------------------------------ stage 0: an item
  logic                   r0_valid_q, r0_atomic_q, r0_zero_q, flush_q, flushing_q;
  logic [4:0]             r0_beat_q;
  logic [L-1:0]           r0_lead_q, r0_ret_q, r0_out_q, cur;
  logic [L-1:0][L-1:0]    r0_match_q;      // [i][j]: same bus beat, j not overwritten by a later lane
  logic [L-1:0][4:0]      r0_word_q;
  logic [L-1:0][31:0]     r0_data_q;
  logic                   r0_end, r0_go, r1_ready, flush, load, above, few, last_step;
  atom_e                  op_q;
  logic                   sgn_q, flt_q;
  logic [1:0]             full_q;      // line buffers that wait or go out
  logic                   fill0_q, fill_q;   // the one that is being filled, as seen from stage 0 and from stage 2

  // ------------------------------------------------------------------------------------------------ stages 1, 2
  logic                   r1_valid_q, r1_atomic_q, r1_zero_q, r1_some_q, r1_flush_q;    // some: not only the end of a line
  logic [4:0]             r1_beat_q;
  logic [L-1:0]           r1_cur_q, r1_ret_q;
  logic [COLS-1:0][L-1:0] r1_sel_q;        // lane of each word of the bus beat
  logic [L-1:0][4:0]      r1_word_q;
  logic [L-1:0][31:0]     r1_data_q;
  logic                   hold_q;          // stage 2 is an atomic that is not at its end
  logic                   r2_valid_q, r2_atomic_q, r2_zero_q, r2_some_q, r2_flush_q;
  logic [4:0]             r2_beat_q, r2_word_q;
  logic [L-1:0]           r2_cur_q, r2_ret_q;
  logic [COLS-1:0]        r2_strb_q;
  logic [COLS-1:0][31:0]  r2_data_q;
  logic [31:0]            r2_y_q;

  always_comb begin
    logic two;   // two lanes below
    above = 1'b0;
    two   = 1'b0;
    few   = 1'b1;
    for (int i = 0; i < int'(L); i++) begin
      cur[i] = r0_lead_q[i] && !above;
      if (two && r0_lead_q[i]) few = 1'b0;
      two   |= above && r0_lead_q[i];
      above |= r0_lead_q[i];
    end
  end
  assign r0_end   = !r0_zero_q && (r0_lead_q & ~cur) == '0;
  assign r0_go    = r0_valid_q && r1_ready && !full_q[fill0_q];
  assign r1_ready = !r1_valid_q || !hold_q;
  // What is offered is loaded while there is room for it, taken or not.
  assign load     = put_ready_o && valid_i && item_i.write;
  assign d2_re_o  = load;
  // The line ends with the last bus beat here, or behind it. Only the first beat of the next line may have to wait until the other buffer is free,
  // so whoever is at its last goes on.
  assign flush    = flush_q && (r0_valid_q ? r0_go && r0_end && !r0_atomic_q : r1_ready);
  assign idle_o   = !r0_valid_q && !r1_valid_q && !r2_valid_q && !flush_q;
  // The second operands of an atomic must stay until its last lane has left stage 1.
  // No atomic is behind a store.
  if (L == 1) begin : g_ready
    assign put_ready_o = !(r0_valid_q && (r0_atomic_q || full_q[fill0_q])) && !(r1_valid_q && r1_atomic_q);
  end else begin : g_ready
    logic ready_q;
    assign put_ready_o = ready_q;
    always_ff @(posedge clk_i)
      ready_q <= !rst_i && !put_i && (r0_valid_q ? !r0_atomic_q && few && !full_q[fill0_q] : !(r1_valid_q && r1_atomic_q));
  end

  // Word and second operand of an atomic's lane; a store's lanes are of one row, the only part of the word that it needs.
  logic [4:0]  cur_word;
  logic [31:0] cur_second;
  always_comb begin
    cur_word   = '0;
    cur_second = '0;
    for (int i = 0; i < int'(L); i++) begin
      cur_word   |= r1_word_q[i] & {5{r1_cur_q[i]}};
      cur_second |= data2_i[i] & {32{r1_cur_q[i]}};
    end
  end

  always_ff @(posedge clk_i) begin
    if (load) begin
      r0_atomic_q <= item_i.way == W_ATOMIC;
      r0_zero_q   <= item_i.way == W_ATOMIC && (sel_i & ~ok_i & wmask_i) != '0;
      r0_out_q    <= sel_i & ~ok_i & wmask_i;
      r0_beat_q   <= item_i.beat;
      r0_ret_q    <= wmask_i;
      r0_word_q   <= word_i;
      r0_data_q   <= data_i;
      op_q        <= op_i;
      sgn_q       <= sgn_i;
      flt_q       <= flt_i;
      for (int i = 0; i < int'(L); i++) begin
        r0_lead_q[i] <= ok_i[i];
        for (int j = 0; j < int'(L); j++) begin
          r0_match_q[i][j] <= ok_i[j] && word_i[i] >> CW == word_i[j] >> CW;
          if (j < i && ok_i[i] && ok_i[j] && word_i[i] >> CW == word_i[j] >> CW && item_i.way == W_STORE) r0_lead_q[i] <= 1'b0;
        end
      end
      for (int j = 0; j < int'(L); j++)
        for (int k = j + 1; k < int'(L); k++)
          if (ok_i[k] && word_i[k] == word_i[j] && item_i.way == W_STORE)
            for (int i = 0; i < int'(L); i++) r0_match_q[i][j] <= 1'b0;
    end else if (r0_go) begin
      r0_zero_q <= 1'b0;
      if (!r0_zero_q) r0_lead_q <= r0_lead_q & ~cur;
    end
    if (put_i) r0_valid_q <= ok_i != '0 || (item_i.way == W_ATOMIC && (sel_i & ~ok_i & wmask_i) != '0);
    else if (r0_go && (r0_end || !above)) r0_valid_q <= 1'b0;
    if (send_i) flush_q <= 1'b1;
    else if (flush) flush_q <= 1'b0;
    if (flush) fill0_q <= !fill0_q;

    if (r1_ready) begin
      r1_valid_q <= r0_go || flush;
      r1_some_q  <= r0_go;
      r1_flush_q <= flush;
    end
    if (r0_go) begin
      r1_atomic_q <= r0_atomic_q;
      r1_zero_q   <= r0_zero_q;
      r1_beat_q   <= r0_beat_q;
      r1_cur_q    <= cur;
      r1_ret_q    <= r0_zero_q ? r0_out_q : r0_ret_q & cur;
      r1_word_q   <= r0_word_q;
      r1_data_q   <= r0_data_q;
      for (int c = 0; c < int'(COLS); c++)
        for (int i = 0; i < int'(L); i++) begin
          logic served;
          served = 1'b0;
          for (int j = 0; j < int'(L); j++) served |= cur[j] && r0_match_q[j][i];
          r1_sel_q[c][i] <= r0_atomic_q ? cur[i] : served && (COLS == 1 || 32'(r0_word_q[i]) % COLS == c);
        end
    end
    if (!hold_q) begin
      r2_valid_q <= r1_valid_q;
      hold_q     <= r1_valid_q && r1_atomic_q && r1_some_q;
    end else if (q_put_o && r2_zero_q) begin
      r2_valid_q <= 1'b0;
      hold_q     <= 1'b0;
    end else if (last_step) hold_q <= 1'b0;
    if (!hold_q && r1_valid_q) begin
      r2_some_q   <= r1_some_q;
      r2_flush_q  <= r1_flush_q;
      r2_atomic_q <= r1_atomic_q && r1_some_q;
      r2_zero_q   <= r1_zero_q;
      r2_beat_q   <= r1_beat_q;
      r2_cur_q    <= r1_cur_q;
      r2_ret_q    <= r1_ret_q;
      r2_word_q   <= cur_word;
      r2_y_q      <= cur_second;
      for (int c = 0; c < int'(COLS); c++) begin
        logic [31:0] word;
        word = '0;
        for (int i = 0; i < int'(L); i++) word |= r1_data_q[i] & {32{r1_sel_q[c][i]}};
        r2_data_q[c] <= word;
        r2_strb_q[c] <= |r1_sel_q[c];
      end
    end
    if (rst_i) begin
      r0_valid_q <= 1'b0;
      r1_valid_q <= 1'b0;
      r2_valid_q <= 1'b0;
      hold_q     <= 1'b0;
      flush_q    <= 1'b0;
      fill0_q    <= 1'b0;
    end
  end

  // ------------------------------------------------------------------------------------------------ atomics
  typedef enum logic [2:0] { READ, OLD, ASK, ANSWER, WRITE } step_e;
  step_e       step_q;
  logic [31:0] m_q, new_q;
  logic        store_q, finish;
  logic        fresh_q;                   // the line's first entry of the item queue is still to come
  assign q_put_o     = hold_q && step_q == READ && q_ready_i;
  assign q_beat_o    = r2_beat_q;
  assign q_newline_o = fresh_q;
  assign q_ok_o      = {L{!r2_zero_q}};
  assign q_ret_o     = r2_ret_q;
  assign q_word_o    = r2_word_q;
  assign at_valid_o  = step_q == ASK;
  assign at_op_o     = op_q;
  assign at_signed_o = sgn_q;
  assign at_float_o  = flt_q;
  assign at_old_o    = m_q;
  assign at_x_o      = r2_data_q[0];
  assign at_y_o      = r2_y_q;
  assign finish      = step_q == WRITE;
  assign last_step   = step_q == ANSWER && at_valid_i;
  assign new_we_o    = finish && store_q;
  assign new_word_o  = r2_word_q;
  assign new_o       = new_q;
  assign rec_valid_o = finish;
  assign rec_beat_o  = r2_beat_q;
  assign rec_lane_o  = r2_cur_q;
  assign rec_old_o   = m_q;
  assign rec_new_o   = store_q ? new_q : m_q;
  always_ff @(posedge clk_i) begin
    case (step_q)
      READ: if (q_put_o && !r2_zero_q) step_q <= OLD;
      OLD: if (old_valid_i) begin
        step_q <= ASK;
        m_q    <= old_i;
      end
      ASK: if (at_ready_i) step_q <= ANSWER;
      ANSWER: if (at_valid_i) begin
        step_q  <= WRITE;
        new_q   <= at_new_i;
        store_q <= at_store_i;
      end
      default: if (finish) step_q <= READ;
    endcase
    if (put_i && item_i.newline) wrote_o <= 1'b0;
    else if (new_we_o) wrote_o <= 1'b1;
    fresh_q <= (put_i && item_i.newline) || (fresh_q && !q_put_o);
    if (rst_i) begin
      step_q  <= READ;
      fresh_q <= 1'b0;
    end
  end

  // ------------------------------------------------------------------------------------------------ line buffers
  logic [1:0][31:0] strobe_q;
  logic [1:0][4:0]  first_q, last_q;
  logic [4:0]       flush_first_q, flush_last_q;
  logic             write;
  logic [COLS-1:0]  we;
  logic [4:0]       fill_row;
  logic [COLS-1:0][31:0] wdata;
  assign write    = r2_atomic_q ? new_we_o : r2_valid_q && r2_some_q;
  assign fill_row = r2_word_q >> CW;
  for (genvar c = 0; c < int'(COLS); c++) begin : g_fill
    assign we[c]    = write && (r2_atomic_q ? 32'(r2_word_q) % COLS == c : r2_strb_q[c]);
    assign wdata[c] = r2_atomic_q ? new_q : r2_data_q[c];
  end

  logic                  out_q, run_q, issue, w_room, freed;    // out_q: buffer that goes out
  logic [RA-1:0]         row_q;
  logic [4:0]            end_q;
  logic                  row_end_q;   // row_q is the last of its burst
  logic [1:0]            single_q;    // bursts of one row
  logic                  s_valid_q, s_last_q, next, begins;
  logic [2:0]            ahead_q;     // addresses that were taken and whose data have not begun
  logic [COLS-1:0]       s_strb_q;
  logic [COLS-1:0][31:0] s_data;
  assign issue   = run_q && (!s_valid_q || w_room);
  assign freed   = issue && row_end_q;
  assign next    = run_q ? !out_q : out_q;
  assign begins  = full_q[next] && ahead_q != '0 && (!run_q || freed);
  for (genvar c = 0; c < int'(COLS); c++) begin : g_col
    mw_mem_ram #(.WIDTH(32), .DEPTH(2 * ROWS), .BLOCK(L <= 16)) u_line (
      .clk_i, .we_i(we[c]), .waddr_i({fill_q, fill_row[RA-1:0]}), .wdata_i(wdata[c]), .re_i(issue), .raddr_i({out_q, row_q}), .rdata_o(s_data[c])
    );
  end
  always_ff @(posedge clk_i) begin
    for (int c = 0; c < int'(COLS); c++)
      if (we[c]) strobe_q[fill_q][5'(32'(fill_row) * COLS + c)] <= 1'b1;
    if (r2_valid_q && r2_flush_q) begin
      full_q[fill_q]  <= 1'b1;
      first_q[fill_q] <= flush_first_q;
      last_q[fill_q]  <= flush_last_q;
      single_q[fill_q] <= flush_first_q == flush_last_q;
      fill_q          <= !fill_q;
      flushing_q      <= 1'b0;
    end
    if (send_i) begin
      flushing_q    <= 1'b1;
      flush_first_q <= burst_i.first;
      flush_last_q  <= burst_i.last;
    end
    ahead_q <= ahead_q + 3'(aw_valid_o && aw_ready_i) - 3'(begins);
    if (begins) begin
      run_q     <= 1'b1;
      row_q     <= first_q[next][RA-1:0];
      end_q     <= last_q[next];
      row_end_q <= single_q[next];
    end else if (issue) begin
      run_q     <= !row_end_q;
      row_q     <= row_q + 1'b1;
      row_end_q <= 5'(row_q) + 5'd1 == end_q;
    end
    if (freed) begin
      full_q[out_q]   <= 1'b0;
      strobe_q[out_q] <= '0;
      out_q           <= !out_q;
    end
    if (!s_valid_q || w_room) s_valid_q <= issue;
    if (issue) begin
      s_last_q  <= freed;
      for (int c = 0; c < int'(COLS); c++) s_strb_q[c] <= strobe_q[out_q][5'(32'(row_q) * COLS + c)];
    end
    if (rst_i) begin
      full_q     <= '0;
      fill_q     <= 1'b0;
      out_q      <= 1'b0;
      run_q      <= 1'b0;
      ahead_q    <= '0;
      s_valid_q  <= 1'b0;
      strobe_q   <= '0;
      flushing_q <= 1'b0;
    end
  end

  logic [COLS-1:0] w_strb;
  mw_axi_stage #(.WIDTH(1 + COLS + C.axi_bits)) u_out (
    .clk_i, .rst_i, .valid_i(s_valid_q), .ready_o(w_room), .data_i({s_last_q, s_strb_q, s_data}),
    .valid_o(w_valid_o), .ready_i(w_ready_i), .data_o({w_last_o, w_strb, w_data_o})
  );
  for (genvar c = 0; c < int'(COLS); c++) assign w_strb_o[c*4 +: 4] = {4{w_strb[c]}};

  // ------------------------------------------------------------------------------------------------ bursts without response
  logic [COUNT-1:0] sent_q, responses_q;
  logic [NW-1:0] busy_q;
  logic [NW-1:0][HASH-1:0] hash_q;
  assign b_ready_o   = 1'b1;
  assign sent_o      = sent_q;
  assign responses_o = responses_q;
  assign busy_o      = busy_q;
  assign hash_o      = hash_q;
  assign error_o     = b_valid_i && b_resp_i[1];
  mw_mem_lutram #(.WIDTH(SA), .DEPTH(NW)) u_slot (
    .clk_i, .we_i(send_i), .waddr_i(sent_q[PA-1:0]), .wdata_i(burst_i.slot), .raddr_i(responses_q[PA-1:0]), .rdata_o(error_slot_o)
  );
  always_ff @(posedge clk_i) begin
    send_ready_o <= !send_i && !aw_valid_o && !flushing_q && !(&busy_q);
    if (aw_ready_i) aw_valid_o <= 1'b0;
    if (send_i) begin
      aw_valid_o             <= 1'b1;
      aw_addr_o              <= {burst_i.line, 7'b0} | 32'(burst_i.first) << $clog2(C.axi_bits / 8);
      aw_len_o               <= 8'(5'(burst_i.last - burst_i.first));
      sent_q                 <= sent_q + 1'b1;
      busy_q[sent_q[PA-1:0]] <= 1'b1;
      hash_q[sent_q[PA-1:0]] <= burst_i.line[HASH-1:0];
    end
    if (b_valid_i) begin
      busy_q[responses_q[PA-1:0]] <= 1'b0;
      responses_q                 <= responses_q + 1'b1;
    end
    if (rst_i) begin
      aw_valid_o   <= 1'b0;
      send_ready_o <= 1'b0;
      busy_q       <= '0;
      sent_q       <= '0;
      responses_q  <= '0;
    end
  end

  logic unused;
  assign unused = &{1'b0, item_i, b_resp_i[0], fill_row, few};

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (!rst_i) begin
    a_response: assert (!b_valid_i || busy_q[responses_q[PA-1:0]]) else $error("write response that nobody waits for");
    a_way: assert (!put_i || !r0_valid_q || r0_go) else $error("an item over another");
    a_fill: assert (!write || !full_q[fill_q]) else $error("write into a buffer that is on its way");
    a_flush: assert (!(r2_valid_q && r2_flush_q && full_q[fill_q])) else $error("a line buffer is full twice");
  end
`endif
endmodule
