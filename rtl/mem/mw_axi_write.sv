// Write side of the AXI memory unit: gathers the lanes of items into bus beats, fills line buffers, sends bursts; and performs atomics.
//
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

  // Items
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
  input  logic [L-1:0][31:0]  data2_i,       // of the item, one clock later
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
  logic [L-1:0][31:0]     r0_data_q, d2_q;
  logic                   r0_end, r0_go, r1_ready, r2_ready, flush;
  logic [1:0]             full_q;      // line buffers that wait or go out
  logic                   fill_q;      // the one that is being filled

  // ------------------------------------------------------------------------------------------------ stages 1, 2
  logic                   r1_valid_q, r1_atomic_q, r1_zero_q, r1_flush_q;
  logic [4:0]             r1_beat_q;
  logic [L-1:0]           r1_cur_q, r1_ret_q;
  logic [COLS-1:0][L-1:0] r1_sel_q;        // lane of each word of the bus beat
  logic [L-1:0][4:0]      r1_word_q;
  logic [L-1:0][31:0]     r1_data_q;
  logic                   r2_valid_q, r2_atomic_q, r2_zero_q, r2_flush_q;
  logic [4:0]             r2_beat_q, r2_word_q;
  logic [L-1:0]           r2_cur_q, r2_ret_q;
  logic [COLS-1:0]        r2_strb_q;
  logic [COLS-1:0][31:0]  r2_data_q;
  logic [31:0]            r2_y_q;

  assign cur         = r0_lead_q & (~r0_lead_q + 1'b1);
  assign r0_end      = !r0_zero_q && (r0_lead_q & (r0_lead_q - 1'b1)) == '0;
  assign r0_go       = r0_valid_q && r1_ready;
  // The second operands of an atomic must stay until its last lane has left stage 1.
  // Stores never stop here, and no atomic is behind them.
  assign put_ready_o = (!r0_valid_q || (r0_end && !r0_atomic_q)) && !(r1_valid_q && r1_atomic_q) && !flush_q;
  assign r1_ready    = !r1_valid_q || r2_ready;
  // The line ends when the other buffer is free, so the buffer that is being filled always is.
  assign flush       = flush_q && !r0_valid_q && r1_ready && !full_q[!fill_q];
  assign idle_o      = !r0_valid_q && !r1_valid_q && !r2_valid_q && !flush_q;

  always_ff @(posedge clk_i) begin
    d2_q <= data2_i;
    if (put_i) begin
      r0_valid_q  <= ok_i != '0 || (item_i.way == W_ATOMIC && (sel_i & ~ok_i & wmask_i) != '0);
      r0_atomic_q <= item_i.way == W_ATOMIC;
      r0_zero_q   <= item_i.way == W_ATOMIC && (sel_i & ~ok_i & wmask_i) != '0;
      r0_out_q    <= sel_i & ~ok_i & wmask_i;
      r0_beat_q   <= item_i.beat;
      r0_ret_q    <= wmask_i;
      r0_word_q   <= word_i;
      r0_data_q   <= data_i;
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
      if (r0_end || r0_lead_q == '0) r0_valid_q <= 1'b0;
    end
    if (send_i) flush_q <= 1'b1;
    else if (flush) flush_q <= 1'b0;

    if (r1_ready) begin
      r1_valid_q  <= r0_valid_q || flush;
      r1_flush_q  <= !r0_valid_q;
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
    if (r2_ready) begin
      r2_valid_q  <= r1_valid_q;
      r2_flush_q  <= r1_flush_q;
      r2_atomic_q <= r1_atomic_q && !r1_flush_q;
      r2_zero_q   <= r1_zero_q;
      r2_beat_q   <= r1_beat_q;
      r2_cur_q    <= r1_cur_q;
      r2_ret_q    <= r1_ret_q;
      r2_word_q   <= '0;
      r2_y_q      <= '0;
      for (int i = 0; i < int'(L); i++) begin
        if (r1_cur_q[i]) r2_word_q <= r1_word_q[i];
        if (r1_cur_q[i]) r2_y_q <= d2_q[i];
      end
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
      flush_q    <= 1'b0;
    end
  end

  // ------------------------------------------------------------------------------------------------ atomics
  typedef enum logic [2:0] { READ, OLD, ASK, ANSWER, WRITE } step_e;
  step_e       step_q;
  logic [31:0] m_q, new_q;
  logic        store_q, finish;
  logic        fresh_q;                   // the line's first entry of the item queue is still to come
  assign q_put_o     = r2_valid_q && r2_atomic_q && step_q == READ && q_ready_i;
  assign q_beat_o    = r2_beat_q;
  assign q_newline_o = fresh_q;
  assign q_ok_o      = {L{!r2_zero_q}};
  assign q_ret_o     = r2_ret_q;
  assign q_word_o    = r2_word_q;
  assign at_valid_o  = step_q == ASK;
  assign at_op_o     = op_i;
  assign at_signed_o = sgn_i;
  assign at_float_o  = flt_i;
  assign at_old_o    = m_q;
  assign at_x_o      = r2_data_q[0];
  assign at_y_o      = r2_y_q;
  assign finish      = step_q == WRITE;
  assign new_we_o    = finish && store_q;
  assign new_word_o  = r2_word_q;
  assign new_o       = new_q;
  assign rec_valid_o = finish;
  assign rec_beat_o  = r2_beat_q;
  assign rec_lane_o  = r2_cur_q;
  assign rec_old_o   = m_q;
  assign rec_new_o   = store_q ? new_q : m_q;
  assign r2_ready    = !r2_valid_q || !r2_atomic_q || finish || (q_ready_i && r2_zero_q);
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
  assign write    = r2_atomic_q ? new_we_o : r2_valid_q && !r2_flush_q;
  assign fill_row = r2_word_q >> CW;
  for (genvar c = 0; c < int'(COLS); c++) begin : g_fill
    assign we[c]    = write && (r2_atomic_q ? 32'(r2_word_q) % COLS == c : r2_strb_q[c]);
    assign wdata[c] = r2_atomic_q ? new_q : r2_data_q[c];
  end

  logic                  out_q, run_q, issue, w_go, freed;      // out_q: buffer that goes out
  logic [RA-1:0]         row_q;
  logic [4:0]            end_q;
  logic                  s_valid_q, s_last_q, next_ok, begins;
  logic [2:0]            ahead_q;     // addresses that were taken and whose data have not begun
  logic [COLS-1:0]       s_strb_q;
  logic [COLS-1:0][31:0] s_data;
  assign w_go    = !w_valid_o || w_ready_i;
  assign issue   = run_q && (!s_valid_q || w_go);
  assign begins  = freed ? next_ok : !run_q && full_q[out_q] && ahead_q != '0;
  assign freed   = issue && 5'(row_q) == end_q;
  assign next_ok = full_q[!out_q] && ahead_q != '0;
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
      fill_q          <= !fill_q;
      flushing_q      <= 1'b0;
    end
    if (send_i) begin
      flushing_q    <= 1'b1;
      flush_first_q <= burst_i.first;
      flush_last_q  <= burst_i.last;
    end
    ahead_q <= ahead_q + 3'(aw_valid_o && aw_ready_i) - 3'(begins);
    if (issue) row_q <= row_q + 1'b1;
    if (freed) begin
      full_q[out_q]   <= 1'b0;
      strobe_q[out_q] <= '0;
      out_q           <= !out_q;
      run_q           <= next_ok;
      row_q           <= first_q[!out_q][RA-1:0];
      end_q           <= last_q[!out_q];
    end else if (!run_q && full_q[out_q] && ahead_q != '0) begin
      run_q <= 1'b1;
      row_q <= first_q[out_q][RA-1:0];
      end_q <= last_q[out_q];
    end
    if (!s_valid_q || w_go) begin
      s_valid_q <= issue;
      s_last_q  <= freed;
      for (int c = 0; c < int'(COLS); c++) s_strb_q[c] <= strobe_q[out_q][5'(32'(row_q) * COLS + c)];
    end
    if (w_go) begin
      w_valid_o <= s_valid_q;
      w_last_o  <= s_last_q;
      for (int c = 0; c < int'(COLS); c++) begin
        w_data_o[c*32 +: 32] <= s_data[c];
        w_strb_o[c*4 +: 4]   <= {4{s_strb_q[c]}};
      end
    end
    if (rst_i) begin
      full_q     <= '0;
      fill_q     <= 1'b0;
      out_q      <= 1'b0;
      run_q      <= 1'b0;
      ahead_q    <= '0;
      s_valid_q  <= 1'b0;
      w_valid_o  <= 1'b0;
      strobe_q   <= '0;
      flushing_q <= 1'b0;
    end
  end

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
  assign unused = &{1'b0, item_i, b_resp_i[0], fill_row};

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (!rst_i) begin
    a_response: assert (!b_valid_i || busy_q[responses_q[PA-1:0]]) else $error("write response that nobody waits for");
    a_way: assert (!put_i || !r0_valid_q || r0_go) else $error("an item over another");
    a_fill: assert (!write || !full_q[fill_q]) else $error("write into a buffer that is on its way");
    a_flush: assert (!(r2_valid_q && r2_flush_q && full_q[fill_q])) else $error("a line buffer is full twice");
  end
`endif
endmodule
