// Flow-control unit: executes one flow word of one wave at a time and keeps for every wave slot the thread states and levels
// (mw_flow_threads), the depths Db, Dl, Dc, and the loop and call frames (mw_flow_frames).
//
// The threads pass in N slices of S = 32 / N (two slices on 8 lanes and more, else four). Clocks after the one in which the word is accepted
// (docs/semantics.md, Flow words, has the steps):
//   1            LOAD   the wave's depths come
//   2 .. N+1     SCAN   first pass: steps 1 to 3, compares of step 4 (RETL: from 6 on, a pass for loops and one for branches)
//   3 clocks     DRAIN  the votes come together
//   N clocks     APPLY  second pass: steps 4 to 7. First clock: J. Second: what follows from it. Third: faults
//   3 clocks     TAIL   last clock: depths, frames, next pc
//   1            RESP   response; the next word can be accepted in this cycle
// Response: one cycle, 8 + 2 N cycles (RETL: 12 + 3 N) after the request was accepted. After a fault only rsp_wave_o and rsp_fault_o have a meaning;
// depths and frames of the wave are as before the word, its threads may have gone through steps 1 and 2.
// END, BAR, MEMBAR and NOP change nothing (END checks the depths); they may pass through to make a record.
// The caller never has two words of one wave in the unit and never sends a bad word (isa/rules.toml).
module mw_flow
  import mw_isa_pkg::*;
  import mw_flow_pkg::*;
#(
  parameter cfg_t C = CFG_BASE,
  parameter bit RECORD = 1,               // record fields exist
  localparam int unsigned WW = $clog2(C.waves_partial)
) (
  input  logic          clk_i,
  input  logic          rst_i,
  input  logic          full_i,            // flow mode of the dispatch
  input  logic [31:0]   bools_i,           // uniform booleans
  // Launch of a wave: live threads active, depths 0
  input  logic          init_valid_i,
  input  logic [WW-1:0] init_wave_i,
  input  logic [31:0]   init_live_i,
  // Request
  input  logic          req_valid_i,
  output logic          req_ready_o,
  input  logic [WW-1:0] req_wave_i,
  input  logic [23:0]   req_pc_i,
  /* verilator lint_off UNUSEDSIGNAL */    // predicate, semaphore and reserved fields are the core's
  input  word_flow_t    req_word_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic [31:0]   req_pred_i,        // predicate of every thread
  input  logic [31:0]   req_alu_i,         // ALU bit of every thread
  input  logic          req_alu_valid_i,   // an ALU bit was written since the wave's last flow word
  // Response
  output logic          rsp_valid_o,
  output logic [WW-1:0] rsp_wave_o,
  output logic [23:0]   rsp_pc_o,          // next pc
  output logic          rsp_jump_o,
  output logic [31:0]   rsp_active_o,
  output logic [31:0]   rsp_live_o,
  output logic          rsp_ended_o,       // no live thread left, or END
  output fault_e        rsp_fault_o,
  output logic [9:0]    rsp_al_o,          // aL of the top loop frame, 0 without one
  output logic [5:0]    rsp_depth_o,       // Dc
  // Record fields (FlowRecord in cmodel/include/maskwork/records.hpp)
  output logic [10:0]   rsp_db_o,
  output logic [8:0]    rsp_dl_o,
  output logic [5:0]    rsp_dc_o,
  output logic [95:0]   rsp_state_o,
  output logic [351:0]  rsp_level_o,
  output logic [2:0]    rsp_frame_o,       // 0 none, 1 loop pushed, 2 loop popped, 3 call pushed, 4 call popped
  output logic [31:0]   rsp_frame_a_o,
  output logic [31:0]   rsp_frame_b_o,
  output logic [31:0]   rsp_frame_c_o
);
  localparam int unsigned S = C.lanes >= 8 ? 16 : 8;
  localparam int unsigned N = 32 / S;
  localparam int unsigned KW = N > 1 ? $clog2(N) : 1;
  localparam logic [10:0] LEVELS_FULL = 11'(BRANCH_LEVELS);
  localparam logic [10:0] LEVELS_PARTIAL = 11'(PARTIAL_LEVELS);

  localparam logic [2:0] FRAME_NONE = 3'd0, FRAME_PUSH_LOOP = 3'd1, FRAME_POP_LOOP = 3'd2, FRAME_PUSH_CALL = 3'd3,
                         FRAME_POP_CALL = 3'd4;

  typedef enum logic [2:0] { IDLE, LOAD, HOLD, SCAN, DRAIN, APPLY, TAIL, RESP } phase_e;

  // ------------------------------------------------------------------------------------------------------- phase and request
  phase_e        phase_q;
  logic [3:0]    age_q;                  // clocks since the word was accepted, stops at 15
  logic [1:0]    wait_q;                 // clock of HOLD, DRAIN or TAIL
  logic [KW-1:0] slice_q;
  logic          second_q, accept, last_slice, last_clock;
  logic          j_first_q, moves_now_q, fault_now_q;  // clocks of J, of the moves, of the faults
  logic [WW-1:0] wave_q;
  logic [23:0]   pc_q, target_q;
  kind_t         kind_q;
  logic [1:0]    aop_q, bop0_q, bop1_q;
  logic [6:0]    pop_q;
  logic [7:0]    func_q;
  logic [4:0]    bool_idx_q;
  logic          any_q, else_q, endless_q, stale_q, bool_q;
  logic [31:0]   count_q, pred_q, alu_q;
  logic [3:0]    table_q;
  logic [9:0]    al_init_q;
  logic [7:0]    step_q;

  assign req_ready_o = phase_q == IDLE || phase_q == RESP;
  assign accept      = req_valid_i && req_ready_o;
  assign last_slice  = N == 1 || slice_q == KW'(N - 1);
  assign last_clock  = phase_q == TAIL && wait_q == 2'd2;

  always_ff @(posedge clk_i) begin
    wait_q    <= '0;
    slice_q   <= '0;
    age_q     <= accept ? 4'd1 : age_q == 4'd15 ? age_q : age_q + 4'd1;
    case (phase_q)
      LOAD: phase_q <= kind_q.ret ? HOLD : SCAN;
      HOLD: begin
        wait_q <= wait_q + 2'd1;
        if (wait_q == 2'd3) phase_q <= SCAN;
      end
      SCAN: begin
        if (!last_slice) slice_q <= slice_q + 1'b1;
        else begin
          second_q <= 1'b1;
          if (!kind_q.ret || second_q) phase_q <= DRAIN;
        end
      end
      DRAIN: begin
        wait_q <= wait_q + 2'd1;
        if (wait_q == 2'd2) begin
          phase_q <= APPLY;
          wait_q  <= '0;
        end
      end
      APPLY: begin
        if (!last_slice) slice_q <= slice_q + 1'b1;
        else phase_q <= TAIL;
      end
      TAIL: begin
        wait_q <= wait_q + 2'd1;
        if (last_clock) phase_q <= RESP;
      end
      default: if (phase_q == RESP) phase_q <= IDLE;
    endcase
    j_first_q   <= phase_q == DRAIN && wait_q == 2'd2;
    moves_now_q <= j_first_q;
    fault_now_q <= moves_now_q;
    if (accept) begin
      phase_q    <= LOAD;
      second_q   <= 1'b0;
      wave_q     <= req_wave_i;
      pc_q       <= req_pc_i;
      target_q   <= req_word_i.target;
      kind_q     <= kind_of(req_word_i.op);
      aop_q      <= req_word_i.a_op;
      bop0_q     <= req_word_i.b_op0;
      bop1_q     <= req_word_i.b_op1;
      pop_q      <= req_word_i.b_pop;
      func_q     <= req_word_i.jump_func;
      bool_idx_q <= req_word_i.bool_idx;
      any_q      <= req_word_i.jump_any;
      else_q     <= req_word_i.b_else;
      endless_q  <= req_word_i.endless;
      count_q    <= req_word_i.imm;
      al_init_q  <= req_word_i.al_init;
      step_q     <= req_word_i.al_step;
      pred_q     <= req_pred_i;
      alu_q      <= req_alu_i;
      stale_q    <= !req_alu_valid_i && req_word_i.jump_func[7:4] != req_word_i.jump_func[3:0];
    end
    if (rst_i) begin
      phase_q     <= IDLE;
      j_first_q   <= 1'b0;
      moves_now_q <= 1'b0;
      fault_now_q <= 1'b0;
    end
    bool_q  <= bools_i[bool_idx_q];                                                                            // from 2
    table_q <= bool_q ? {func_q[7], func_q[5], func_q[3], func_q[1]} : {func_q[6], func_q[4], func_q[2], func_q[0]};  // from 3
  end

  // ---------------------------------------------------------------------------------------------------------- depths and frames
  depth_t       depth_rd, depth_q, depth_next_q;
  loop_t        top, frame_wr, opened;
  call_t        caller, called;
  logic         fresh, store;
  logic [9:0]   below_al;
  logic [11:0]  under_q;                 // Db - B_POP_CNT, with borrow
  logic [10:0]  thr_q, hold_q, db_up_q;
  logic         pop_under_q;
  logic [31:0]  n_left_q;                // count after this turn
  logic [9:0]   al_next_q;               // aL of the next turn
  logic [23:0]  after_q;
  logic         none_q, last_turn_q;
  fault_e       fault_early, fault_early_q, fault_q, fault_d;
  logic         loop_again, push_loop_q, pop_loop_q, push_call_q, pop_call_q, incr_q, decr_q, j_q;

  assign thr_q       = under_q[10:0];
  assign pop_under_q = under_q[11];
  assign store       = fault_q == FAULT_NONE;
  assign loop_again  = kind_q.close && j_q;

  mw_mem_ram #(.WIDTH($bits(depth_t)), .DEPTH(C.waves_partial)) u_depths (
    .clk_i, .we_i(last_clock && store), .waddr_i(wave_q), .wdata_i(depth_next_q), .re_i(accept), .raddr_i(req_wave_i), .rdata_o(depth_rd)
  );
  mw_flow_frames #(.C(C)) u_frames (
    .clk_i, .age_i(age_q), .wave_i(wave_q), .jump_i(kind_q.jump), .dl_i(depth_q.dl), .dc_i(depth_q.dc),
    .top_o(top), .caller_o(caller), .below_al_o(below_al),
    .loop_we_i(last_clock && store && (push_loop_q || loop_again)), .push_i(push_loop_q), .loop_i(frame_wr),
    .call_we_i(last_clock && store && push_call_q), .call_i(called)
  );

  // What follows from the word, the depths and the frames alone; each holds from a clock after its inputs on.
  always_ff @(posedge clk_i) begin
    under_q       <= {1'b0, depth_q.db} - 12'(pop_q);
    db_up_q       <= depth_q.db + 11'd1;
    hold_q        <= caller.db + {10'd0, caller.inc};
    n_left_q      <= top.n - {31'd0, !top.endless};
    al_next_q     <= top.al + (top.is_loop ? {{2{top.step[7]}}, top.step} : 10'd0);
    after_q       <= pc_q + 24'd1;
    none_q        <= count_q == '0 && !endless_q;
    last_turn_q   <= !top.endless && top.n == 32'd1;
    fault_early_q <= fault_early;
  end

  // ----------------------------------------------------------------------------------------------------------------- threads
  moves_t      moves_q;
  logic [2:0]  park_state_q;
  logic [10:0] park_level_q, threshold, reference;
  logic        want_any, no_any, branch_gt_any, loop_gt_any, cont_eq_any;
  logic [31:0] active, live;

  // What a slice is compared with, chosen a clock before it is.
  logic ref_dc_q, ref_db_q, thr_hold_q, thr_lsp_q;
  always_ff @(posedge clk_i) begin
    ref_dc_q   <= phase_q == APPLY && kind_q.jump;
    ref_db_q   <= phase_q != APPLY && else_q;
    thr_hold_q <= phase_q != APPLY && kind_q.ret && second_q;
    thr_lsp_q  <= phase_q != APPLY && kind_q.ret && !second_q;
  end
  assign reference = ref_dc_q ? 11'(depth_q.dc) : ref_db_q ? depth_q.db : 11'(depth_q.dl);
  assign threshold = thr_hold_q ? hold_q : thr_lsp_q ? 11'(caller.lsp) : thr_q;

  mw_flow_threads #(.C(C), .S(S), .RECORD(RECORD)) u_threads (
    .clk_i, .rst_i, .init_valid_i, .init_wave_i, .init_live_i,
    .load_i(phase_q == LOAD), .wave_i(wave_q), .fresh_o(fresh),
    .read_i(phase_q == SCAN || phase_q == APPLY), .slice_i(slice_q), .second_i(second_q && phase_q == SCAN), .last_i(phase_q == APPLY),
    .ref_i(reference), .threshold_i(threshold),
    .pred_i(pred_q), .alu_i(alu_q), .table_i(table_q),
    .moves_i(moves_q), .park_state_i(park_state_q), .park_level_i(park_level_q),
    .ret_i(kind_q.ret), .store_i(store),
    .want_any_o(want_any), .no_any_o(no_any), .branch_gt_any_o(branch_gt_any), .loop_gt_any_o(loop_gt_any), .cont_eq_any_o(cont_eq_any),
    .active_o(active), .live_o(live), .state_o(rsp_state_o), .level_o(rsp_level_o)
  );

  // ------------------------------------------------------------------------------------------------------ decision, steps 0 to 4
  logic       j_d, incr, decr, vote_parks;
  logic [1:0] bop;

  always_comb begin
    fault_early = FAULT_NONE;
    if (stale_q) fault_early = FAULT_STALE_ALU;
    else if (kind_q.close) begin
      if (depth_q.dl == '0) fault_early = FAULT_STACK_UNDERFLOW;
      else if (top.db != depth_q.db || top.is_loop != kind_q.is_loop) fault_early = FAULT_STACK_MISMATCH;
    end else if (kind_q.brk || kind_q.cont) begin
      if (depth_q.dl == '0 || pop_under_q) fault_early = FAULT_STACK_UNDERFLOW;
      else if (top.db != thr_q || (kind_q.brk && top.is_loop != kind_q.is_loop)) fault_early = FAULT_STACK_MISMATCH;
    end else if (kind_q.finish) begin
      if (depth_q.db != '0 || depth_q.dl != '0 || depth_q.dc != '0) fault_early = FAULT_END_DEPTH;
    end else if (else_q && depth_q.db == '0) fault_early = FAULT_STACK_UNDERFLOW;
  end

  always_comb begin
    j_d = any_q ? want_any : !no_any;
    if (kind_q.open && none_q) j_d = 1'b1;
    if (kind_q.close && last_turn_q) j_d = 1'b0;
    if (kind_q.brk || kind_q.cont) j_d = !no_any && !branch_gt_any && (kind_q.cont || !cont_eq_any);
    if (kind_q.ret) j_d = depth_q.dc != '0 && !no_any && !branch_gt_any && !loop_gt_any;
    if (!(kind_q.jump || kind_q.open || kind_q.close || kind_q.brk || kind_q.cont || kind_q.ret)) j_d = 1'b0;
  end

  assign bop        = j_q ? bop1_q : bop0_q;
  assign incr       = bop == BOP_INCR;
  assign decr       = bop == BOP_DECR;
  assign vote_parks = kind_q.brk || kind_q.cont || kind_q.ret;

  always_ff @(posedge clk_i) begin
    if (j_first_q) j_q <= j_d;
    if (phase_q == LOAD) begin
      moves_q           <= '0;
      moves_q.wake_cont <= kind_q.close;
      moves_q.wake_else <= else_q;
      moves_q.park_want <= else_q;
      moves_q.park_no   <= else_q;
    end
    if (age_q == 4'd2) begin
      park_state_q <= ST_B;
      park_level_q <= depth_q.db;
    end
    if (moves_now_q) begin
      incr_q      <= incr;
      decr_q      <= decr;
      push_call_q <= j_q && (aop_q == AOP_PUSH || aop_q == AOP_PUSHR);
      pop_call_q  <= j_q && aop_q == AOP_POP;
      push_loop_q <= kind_q.open && !j_q;
      pop_loop_q  <= (kind_q.close && !j_q) || (kind_q.brk && j_q);
      moves_q.wake_cont   <= 1'b0;
      moves_q.wake_else   <= 1'b0;
      moves_q.wake_branch <= decr;
      moves_q.wake_break  <= (kind_q.close && !j_q) || (kind_q.brk && j_q);
      moves_q.wake_ret    <= j_q && aop_q == AOP_POP;
      // A BREAK that jumps wakes those that it parks: they stay. When a vote parks, nobody is left to disagree with the branch.
      moves_q.park_want   <= vote_parks ? !(kind_q.brk && j_q) : incr && !j_q;
      moves_q.park_no     <= !vote_parks && j_q && (incr || aop_q == AOP_PUSHR);
      park_state_q <= kind_q.ret ? (depth_q.dc == '0 ? ST_X : ST_R) : kind_q.cont ? ST_C : kind_q.brk ? ST_K : incr ? ST_B : ST_R;
      park_level_q <= kind_q.ret ? 11'(depth_q.dc) : vote_parks ? 11'(depth_q.dl) : incr ? db_up_q : 11'(depth_q.dc) + 11'd1;
    end
    if (fault_now_q) fault_q <= fault_d;
  end

  // -------------------------------------------------------------------------------------------------------------- steps 5 to 8
  logic [10:0] db_d;
  logic [8:0]  dl_d;
  logic [5:0]  dc_d;
  logic [9:0]  al_open, al_d;
  always_comb begin
    db_d = incr_q ? db_up_q : decr_q ? thr_q : depth_q.db;
    dc_d = push_call_q ? depth_q.dc + 6'd1 : pop_call_q ? depth_q.dc - 6'd1 : depth_q.dc;
    dl_d = push_loop_q ? depth_q.dl + 9'd1 : pop_loop_q ? depth_q.dl - 9'd1 : pop_call_q ? caller.lsp : depth_q.dl;
    al_open = kind_q.is_loop ? al_init_q : depth_q.al;
    al_d = depth_q.al;
    if (push_loop_q) al_d = al_open;
    else if (loop_again) al_d = al_next_q;
    else if (pop_loop_q || pop_call_q) al_d = depth_next_q.dl == '0 ? '0 : below_al;
  end
  // Complete in the last clock: depths a clock after the moves are known, aL another one later.
  always_ff @(posedge clk_i) depth_next_q <= '{al: al_d, dc: dc_d, dl: dl_d, db: db_d};
  assign opened  = '{is_loop: kind_q.is_loop, endless: endless_q, al: al_open, step: step_q, db: depth_next_q.db, n: count_q};
  assign called  = '{inc: bop1_q == BOP_INCR, lsp: depth_q.dl, db: depth_q.db, ra: after_q};
  always_comb begin
    frame_wr = opened;
    if (!push_loop_q) begin
      frame_wr    = top;
      frame_wr.al = al_next_q;
      frame_wr.n  = n_left_q;
    end
  end

  // Faults for each way that the word can go, before it is known which.
  logic db_full_q, dc_full_q, dc_none_q, dl_full_q, lsp_above_q, up_differs_q, thr_differs_q, db_differs_q;
  always_ff @(posedge clk_i) begin
    db_full_q     <= depth_q.db >= (full_i ? LEVELS_FULL : LEVELS_PARTIAL);
    dc_full_q     <= depth_q.dc == 6'(CALL_DEPTH);
    dc_none_q     <= depth_q.dc == '0;
    dl_full_q     <= depth_q.dl == 9'(LOOP_FRAMES);
    lsp_above_q   <= depth_q.dl < caller.lsp;
    up_differs_q  <= db_up_q != caller.db;
    thr_differs_q <= thr_q != caller.db;
    db_differs_q  <= depth_q.db != caller.db;
  end
  always_comb begin
    fault_d = fault_early_q;
    if (fault_early_q == FAULT_NONE) begin
      if (incr_q && db_full_q) fault_d = FAULT_STACK_OVERFLOW;
      else if (decr_q && pop_under_q) fault_d = FAULT_STACK_UNDERFLOW;
      else if (push_call_q && dc_full_q) fault_d = FAULT_STACK_OVERFLOW;
      else if (pop_call_q && dc_none_q) fault_d = FAULT_STACK_UNDERFLOW;
      else if (pop_call_q && (lsp_above_q || (incr_q ? up_differs_q : decr_q ? thr_differs_q : db_differs_q))) fault_d = FAULT_STACK_MISMATCH;
      else if (push_loop_q && dl_full_q) fault_d = FAULT_STACK_OVERFLOW;
    end
  end

  always_ff @(posedge clk_i) begin
    if (phase_q == LOAD) depth_q <= fresh ? '0 : depth_rd;
    else if (last_clock) depth_q <= depth_next_q;
    if (last_clock) begin
      rsp_jump_o <= j_q;
      rsp_pc_o   <= pop_call_q ? caller.ra : j_q ? target_q : after_q;
    end
  end

  if (RECORD) begin : g_record
    always_ff @(posedge clk_i) if (last_clock) begin
      rsp_frame_o   <= FRAME_NONE;
      rsp_frame_a_o <= '0;
      rsp_frame_b_o <= '0;
      rsp_frame_c_o <= '0;
      if (push_loop_q) begin
        rsp_frame_o   <= FRAME_PUSH_LOOP;
        rsp_frame_a_o <= opened.n;
        rsp_frame_b_o <= 32'(opened.db);
        rsp_frame_c_o <= 32'({opened.is_loop, opened.endless, opened.al});
      end else if (pop_loop_q) begin
        rsp_frame_o   <= FRAME_POP_LOOP;
        rsp_frame_a_o <= kind_q.close ? n_left_q : top.n;
        rsp_frame_b_o <= 32'(top.db);
        rsp_frame_c_o <= 32'({top.is_loop, top.endless, top.al});
      end else if (push_call_q) begin
        rsp_frame_o   <= FRAME_PUSH_CALL;
        rsp_frame_a_o <= 32'(called.ra);
        rsp_frame_b_o <= 32'(called.db);
        rsp_frame_c_o <= 32'({called.inc, called.lsp});
      end else if (pop_call_q) begin
        rsp_frame_o   <= FRAME_POP_CALL;
        rsp_frame_a_o <= 32'(caller.ra);
        rsp_frame_b_o <= 32'(caller.db);
        rsp_frame_c_o <= 32'({caller.inc, caller.lsp});
      end
    end
  end else begin : g_no_record
    assign rsp_frame_o   = FRAME_NONE;
    assign rsp_frame_a_o = '0;
    assign rsp_frame_b_o = '0;
    assign rsp_frame_c_o = '0;
  end

  assign rsp_valid_o  = phase_q == RESP;
  assign rsp_wave_o   = wave_q;
  assign rsp_active_o = active;
  assign rsp_live_o   = live;
  assign rsp_ended_o  = store && (kind_q.finish || live == '0);
  assign rsp_fault_o  = fault_q;
  assign rsp_al_o     = depth_q.al;
  assign rsp_depth_o  = depth_q.dc;
  assign rsp_db_o     = depth_q.db;
  assign rsp_dl_o     = depth_q.dl;
  assign rsp_dc_o     = depth_q.dc;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i) begin
      // A wave is not launched while one of its words is here.
      assert (!(init_valid_i && phase_q != IDLE && phase_q != RESP && init_wave_i == wave_q)) else $error("mw_flow: launch of a wave with a word in flight");
      assert (!(init_valid_i && accept && init_wave_i == req_wave_i)) else $error("mw_flow: word of a wave being launched");
      if (accept) begin
        assert (bad_word(req_word_i, op_info(req_word_i.op), full_i) == '0) else $error("mw_flow: bad word at pc %0h", req_pc_i);
        assert (32'(req_wave_i) < (full_i ? C.waves_full : C.waves_partial)) else $error("mw_flow: no such wave in this mode");
        assert (!(phase_q == RESP) || req_wave_i != wave_q) else $error("mw_flow: second word of a wave");
      end
      if (phase_q == RESP && store) begin
        assert (depth_q.db <= (full_i ? LEVELS_FULL : LEVELS_PARTIAL));
        assert (depth_q.dl <= 9'(LOOP_FRAMES) && depth_q.dc <= 6'(CALL_DEPTH));
        assert (depth_q.dl != '0 || depth_q.al == '0);
      end
    end
  end
`endif
endmodule
