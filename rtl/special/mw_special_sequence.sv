// Takes the words of the special unit in order and sends their threads, one per clock, to the function units. A word's threads leave
// lowest first, only those that are written; beats that did not come cost nothing. Words with two operands send b after a (pass 1).
//  - Functions: as soon as a beat is there.
//  - Votes and shuffles first scan the whole word: one bit per thread in scan_q, beats that did not come count 0. A vote is then one
//    result; a shuffle walks over its threads and finds for each the one whose a it takes:
//       s1 read b, c    s2 bounds    s3 compare, does it execute?    s4 a's address    s5 operand
// Nothing stalls behind the choice: it is made while free_i (room for the result) and go_i (room for the operand) say so.
// Timing: operand_* come two clocks after the thread is chosen (functions), six clocks after (shuffles).
module mw_special_sequence
  import mw_isa_pkg::*;
  import mw_special_pkg::*;
#(
  parameter cfg_t C = CFG_BASE,
  localparam int unsigned L  = C.lanes,
  localparam int unsigned W  = mw_core_pkg::special_capacity(C.lanes),
  localparam int unsigned ROWS = W * (32 / L),
  localparam int unsigned AW = $clog2(ROWS),
  localparam int unsigned LW = L > 1 ? $clog2(L) : 1
) (
  input  logic          clk_i,
  input  logic          rst_i,

  input  header_t [W-1:0] header_i,
  input  logic [W-1:0]  some_i,
  input  logic [W-1:0]  some_zero_i,
  input  logic [AW:0]   tail_i,
  output logic [AW-1:0] at_o,
  input  logic [4:0]    beat_i,
  input  logic          last_i,
  input  logic [L-1:0]  wmask_i,
  input  logic [L-1:0]  vote_i,
  output logic [AW-1:0] a_row_o,
  output logic [LW-1:0] a_lane_o,
  input  logic [31:0]   a_i,
  output logic [AW-1:0] bc_row_o,
  output logic [LW-1:0] bc_lane_o,
  input  logic [31:0]   b_i,
  input  logic [9:0]    c_i,

  input  logic          free_i,      // room for a result
  input  logic          go_i,        // room for an operand
  input  logic          flight_i,    // results of an earlier thread have yet to come
  output logic          issue_o,     // a result will come
  output logic          word_o,      // the word in hand is through

  // To the units: the operand of a thread
  output ctl_t          ctl_o,       // stays until the last result of that operation has come
  output logic          valid_o,
  output logic          pass_o,      // 1: operand b
  output logic [31:0]   operand_o,
  // Results of votes and range words
  output logic          truth_valid_o,
  output logic [31:0]   truth_o
);
  localparam int unsigned BEATS = 32 / L;
  localparam int unsigned BW = BEATS > 1 ? $clog2(BEATS) : 1;

  // ---- the next beat of the list waits in a register
  logic          word_q, here, load, step, row_valid;
  logic [AW:0]   at_q, row_at_q, begin_q;
  logic          row_some_q, row_none_q, row_last_q;  // a beat waits of which some thread is written, or none
  logic [4:0]    row_beat_q;
  logic [L-1:0]  row_vote_q;
  header_t       header;
  assign header    = header_i[W == 1 ? 0 : 32'(word_q)];
  assign at_o      = at_q[AW-1:0];
  assign here      = at_q != tail_i;
  assign row_valid = row_some_q || row_none_q;
  assign load      = here && (!row_valid || step);

  // ---- what is done with the word in hand
  localparam int unsigned NEW = 0, SCAN = 1, VOTE = 2, WALK = 3;
  logic [3:0]    state_q;        // one of these
  op_e           op_q;           // whose results are under way: units take it as a constant; another one waits until all have come
  type_e         type_q;
  logic          vote_q, shuffle_q, range_q, pair_q, twice_q, begin_word;
  logic [W-1:0]  same_q;         // by word: its results may follow those under way
  assign begin_word = state_q[NEW] && row_valid && (!flight_i || same_q[W == 1 ? 0 : 32'(word_q)]);
  always_ff @(posedge clk_i) begin
    ctl_o <= decode(op_q, type_q);  // an operand is there two clocks later
    for (int w = 0; w < int'(W); w++) same_q[w] <= header_i[w].op == op_q && header_i[w].kind == type_q && !op_q[4];
  end

  // the scan of votes and shuffles
  logic          scan_last_q, match, scan_step, scan_over;
  logic [BW-1:0] scan_beat_q;
  logic [31:0]   threads_q;
  assign match     = !scan_last_q && scan_beat_q == BW'(row_beat_q);
  assign scan_step = state_q[SCAN] && (row_valid || scan_last_q);
  assign scan_over = scan_step && scan_beat_q == BW'(BEATS - 1);

  // threads
  logic          passes, send, pass_q, pass_last, row_done, vote_send, word_done;
  logic [LW-1:0] lane;
  logic [L-1:0]  hot;
  always_comb begin
    lane = '0;
    for (int i = 0; i < int'(L); i++) if (hot[i]) lane |= LW'(i);
  end
  assign send      = state_q[WALK] && row_some_q && free_i && go_i;
  assign passes    = state_q[WALK] && row_none_q;
  assign pass_last = !pair_q || pass_q;
  mw_special_walk #(.L(L)) u_walk (
    .clk_i, .load_i(load), .mask_i(wmask_i), .step_i(send && pass_last), .last_o(row_done), .hot_o(hot)
  );
  assign vote_send = state_q[VOTE] && free_i;
  assign step      = (send && row_done && pass_last) || passes || (scan_step && match);
  assign word_done = ((send && row_done && pass_last) || passes) && row_last_q || vote_send;
  assign word_o    = word_done;
  // Each half of PKH is a result of its own until the very end.
  assign issue_o   = (send && (pass_last || twice_q)) || vote_send;

  always_ff @(posedge clk_i) begin
    if (step) {row_some_q, row_none_q} <= '0;
    if (load) begin
      at_q       <= at_q + 1'b1;
      row_at_q   <= at_q;
      row_beat_q <= beat_i;
      row_last_q <= last_i;
      row_vote_q <= vote_i;
      row_none_q <= wmask_i == '0;
      row_some_q <= wmask_i != '0;
    end
    if (begin_word) begin
      op_q        <= header.op;
      type_q      <= header.kind;
      vote_q      <= is_vote(header.op);
      shuffle_q   <= is_shuffle(header.op);
      range_q     <= is_range(header.op);
      pair_q      <= header.op == OP_DIV || header.op == OP_MOD || header.op == OP_PKH;
      twice_q     <= header.op == OP_PKH;
      state_q       <= '0;
      state_q[SCAN] <= header.op[4];
      state_q[WALK] <= !header.op[4];
      begin_q       <= row_at_q;
    end
    if (state_q[NEW]) begin
      scan_beat_q <= '0;
      scan_last_q <= 1'b0;
    end
    if (scan_step) begin
      scan_beat_q <= scan_beat_q + 1'b1;
      threads_q   <= 32'({match ? row_vote_q : L'(0), threads_q} >> L);
      if (match && row_last_q) scan_last_q <= 1'b1;
    end
    if (scan_over) begin
      state_q       <= '0;
      state_q[VOTE] <= vote_q;
      state_q[WALK] <= !vote_q;
      if (!vote_q) begin  // shuffles walk over the word again
        at_q                     <= begin_q;
        {row_some_q, row_none_q} <= '0;
      end
    end
    if (send) pass_q <= !pass_last;
    if (word_done) state_q <= 4'(1 << NEW);
    if (rst_i) begin
      at_q                     <= '0;
      {row_some_q, row_none_q} <= '0;
      state_q                  <= 4'(1 << NEW);
      pass_q                   <= 1'b0;
    end
  end
  if (W == 1) begin : g_one_word
    assign word_q = 1'b0;
  end else begin : g_words
    always_ff @(posedge clk_i) begin
      if (rst_i) word_q <= 1'b0;
      else if (word_done) word_q <= !word_q;
    end
  end

  // ---- s1: operands of the chosen thread. The address of a is that of s1 (functions) or of s5 (shuffles).
  logic          s1_valid_q, s1_pass_q, word1_q;
  logic [AW-1:0] bc_row_q, a_row_q;
  logic [LW-1:0] bc_lane_q, a_lane_q;
  logic [4:0]    s1_thread_q, from;
  always_ff @(posedge clk_i) begin
    s1_valid_q <= send && !rst_i;
    if (send) begin
      s1_pass_q   <= pass_q;
      bc_row_q    <= AW'(32'(word_q) * BEATS) | AW'(row_beat_q);
      bc_lane_q   <= lane;
      s1_thread_q <= 5'(32'(row_beat_q) * L) | (L == 1 ? 5'd0 : 5'(lane));
    end
    if (shuffle_q) begin
      a_row_q  <= AW'(32'(word1_q) * BEATS) | AW'(32'(from) / L);
      a_lane_q <= L == 1 ? '0 : LW'(from);
    end else if (send) begin
      a_row_q  <= AW'(32'(word_q) * BEATS) | AW'(row_beat_q);
      a_lane_q <= lane;
    end
    if (issue_o) word1_q <= word_q;
  end
  assign bc_row_o  = bc_row_q;
  assign bc_lane_o = bc_lane_q;
  assign a_row_o   = a_row_q;
  assign a_lane_o  = a_lane_q;

  // ---- s2 to s5: the thread whose value a shuffle takes. Sums have a sixth bit: a thread below 0 or above 31 is out of range.
  shuffle_e   how;
  logic       s2_valid_q, s3_valid_q, s4_valid_q, s5_valid_q, s4_found_q, s5_found_q, in_range;
  logic [4:0] s2_thread_q, s2_b_q, s2_clamp_q, s2_seg_q, s3_thread_q, s3_min_q, s3_max_q, s4_thread_q, s4_from_q, low;
  logic [5:0] s3_from_q, source;
  assign how = shuffle_e'(op_q[1:0]);
  always_comb begin
    low = s2_thread_q & s2_seg_q;
    unique case (how)
      SHUFFLE_IDX:  source = {1'b0, (s2_b_q & ~s2_seg_q) | low};
      SHUFFLE_UP:   source = {1'b0, s2_thread_q} - {1'b0, s2_b_q};
      SHUFFLE_DOWN: source = {1'b0, s2_thread_q} + {1'b0, s2_b_q};
      default:      source = {1'b0, s2_thread_q ^ s2_b_q};
    endcase
    in_range = !s3_from_q[5] && (how == SHUFFLE_UP ? s3_from_q[4:0] >= s3_min_q : s3_from_q[4:0] <= s3_max_q);
    from     = s4_found_q ? s4_from_q : s4_thread_q;
  end
  always_ff @(posedge clk_i) begin
    s2_thread_q <= s1_thread_q;
    s2_b_q      <= b_i[4:0];
    {s2_seg_q, s2_clamp_q} <= c_i;
    s3_thread_q <= s2_thread_q;
    s3_from_q   <= source;
    s3_min_q    <= low;
    s3_max_q    <= low | (s2_clamp_q & ~s2_seg_q);
    s4_found_q  <= in_range && threads_q[s3_from_q[4:0]];
    s4_from_q   <= s3_from_q[4:0];
    s4_thread_q <= s3_thread_q;
    s5_found_q  <= s4_found_q;
    if (rst_i) {s2_valid_q, s3_valid_q, s4_valid_q, s5_valid_q} <= '0;
    else {s2_valid_q, s3_valid_q, s4_valid_q, s5_valid_q} <= {s1_valid_q && shuffle_q, s2_valid_q, s3_valid_q, s4_valid_q};
  end

  // ---- operand register
  logic operand;
  assign operand = (s1_valid_q && !shuffle_q) || (s5_valid_q && !range_q);
  always_ff @(posedge clk_i) begin
    valid_o <= operand && !rst_i;
    if (operand) begin
      pass_o    <= s1_pass_q;
      operand_o <= s1_pass_q ? b_i : a_i;
    end
  end

  // ---- truth values
  logic all, any, verdict, voted_q, range_found, truth_valid;
  assign all = !some_zero_i[W == 1 ? 0 : 32'(word1_q)];
  assign any = some_i[W == 1 ? 0 : 32'(word1_q)];
  always_comb begin
    unique case (op_q[1:0])
      2'd0:    verdict = all;
      2'd1:    verdict = any;
      default: verdict = all || !any;
    endcase
  end
  assign range_found = s5_valid_q && range_q;
  assign truth_valid = voted_q || range_found;
  logic [31:0] truth_word;
  logic        true_q, ballot_q, truth_q, is_float_q;
  assign truth_word = truth(is_float_q ? T_F32 : T_U32, true_q);
  always_ff @(posedge clk_i) begin
    voted_q       <= vote_send && !rst_i;
    truth_q       <= truth_valid && !rst_i;
    true_q        <= range_q ? s5_found_q : verdict;
    ballot_q      <= op_q == OP_TGBALLOT;
    is_float_q    <= type_q == T_F32;
    truth_valid_o <= truth_q && !rst_i;
    truth_o       <= ballot_q ? threads_q : truth_word;
    if (!truth_q) truth_o <= '0;
  end

  logic unused;
  assign unused = &{1'b0, header};
endmodule
