// Flow-control unit: executes one flow word of one wave at a time, for all 32 threads together, and keeps for every wave slot
// the thread states and levels, the depths Db, Dl, Dc, the loop frames and the call frames.
//
// The word goes through the steps of docs/semantics.md (Flow words) in fixed cycles after the one in which it is accepted:
//   LOAD  the wave's row comes out of the state memory; uniform boolean selected
//   CMP   thread levels = innermost level?  frames are read;  JUMP_FUNC per thread;  Db - B_POP_CNT
//   WAKE  steps 1 and 2
//   GT    vote reduced; levels > threshold of the jump decision?  faults of steps 0 to 4;  frame below is read
//   GT2   RETL only, which has one threshold for loops and one for branches
//   VOTE  threads that want are parked (BREAK, CONT, RETL); levels > Db - B_POP_CNT?
//   JUMP  J
//   APPLY steps 5 to 7
//   RESP  response, write back; the next word can be accepted in this cycle
// Response: one cycle, 8 cycles (RETL: 9) after the request was accepted. A launch only stores the live mask and marks the wave as fresh;
// its first word starts from that. After a fault only rsp_wave_o and rsp_fault_o have a meaning and the wave's state is as before the word.
// END, BAR, MEMBAR and NOP change nothing (END checks the depths); they may pass through to make a record.
// The caller never has two words of one wave in the unit and never sends a bad word (isa/rules.toml).
// Loop and call frames exist for C.waves_full waves only: partial mode has no words that use them.
module mw_flow
  import mw_isa_pkg::*;
#(
  parameter cfg_t C = CFG_BASE,
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
  localparam int unsigned FW = C.waves_full > 1 ? $clog2(C.waves_full) : 1;
  localparam int unsigned LOOP_ROWS = C.waves_full * LOOP_FRAMES;
  localparam int unsigned CALL_ROWS = C.waves_full * CALL_DEPTH;
  localparam int unsigned LAW = $clog2(LOOP_ROWS);
  localparam logic [10:0] LEVELS_FULL = 11'(BRANCH_LEVELS);
  localparam logic [10:0] LEVELS_PARTIAL = 11'(PARTIAL_LEVELS);

  localparam logic [2:0] FRAME_NONE = 3'd0, FRAME_PUSH_LOOP = 3'd1, FRAME_POP_LOOP = 3'd2, FRAME_PUSH_CALL = 3'd3,
                         FRAME_POP_CALL = 3'd4;

  typedef enum logic [3:0] { IDLE, LOAD, CMP, WAKE, GT, GT2, VOTE, JUMP, APPLY, RESP } phase_e;

  typedef struct packed {
    logic [9:0]          al;
    logic [5:0]          dc;
    logic [8:0]          dl;
    logic [10:0]         db;
    logic [31:0][10:0]   level;
    logic [31:0][2:0]    state;
  } row_t;

  typedef struct packed {
    logic        is_loop;   // LOOP, not REP
    logic        endless;
    logic [9:0]  al;
    logic [7:0]  step;
    logic [10:0] db;
    logic [31:0] n;
  } loop_t;

  typedef struct packed {
    logic        inc;
    logic [8:0]  lsp;
    logic [10:0] db;
    logic [10:0] hold;      // db + inc: branch-inactive threads above it hold a RETL
    logic [23:0] ra;
  } call_t;

  // What the operation code means here
  typedef struct packed {
    logic jump;
    logic open;             // LOOP, REP
    logic close;            // ENDLOOP, ENDREP
    logic brk;              // BREAKLOOP, BREAKREP
    logic cont;
    logic ret;              // RETL
    logic finish;           // END
    logic is_loop;          // of the LOOP kind
  } kind_t;

  function automatic kind_t kind_of(input logic [7:0] op);
    kind_t k;
    k = '0;
    k.jump    = op == OP_JUMP;
    k.open    = op == OP_LOOP || op == OP_REP;
    k.close   = op == OP_ENDLOOP || op == OP_ENDREP;
    k.brk     = op == OP_BREAKLOOP || op == OP_BREAKREP;
    k.cont    = op == OP_CONT;
    k.ret     = op == OP_RETL;
    k.finish  = op == OP_END;
    k.is_loop = op == OP_LOOP || op == OP_ENDLOOP || op == OP_BREAKLOOP;
    return k;
  endfunction

  // ------------------------------------------------------------------------------------------------------- phase and request
  phase_e        phase_q, phase_d;
  logic          accept, respond;
  logic [WW-1:0] wave_q;
  logic [23:0]   pc_q, target_q;
  kind_t         kind_q;
  logic [1:0]    aop_q, bop0_q, bop1_q;
  logic [6:0]    pop_q;
  logic [7:0]    func_q;
  logic [4:0]    bool_idx_q;
  logic          any_q, else_q, endless_q, stale_q, bool_q;
  logic [31:0]   count_q, pred_q, alu_q, want_q;
  logic [9:0]    al_init_q;
  logic [7:0]    step_q;

  assign respond     = phase_q == RESP;
  assign req_ready_o = phase_q == IDLE || respond;
  assign accept      = req_valid_i && req_ready_o;

  always_comb begin
    unique case (phase_q)
      IDLE:    phase_d = accept ? LOAD : IDLE;
      LOAD:    phase_d = CMP;
      CMP:     phase_d = WAKE;
      WAKE:    phase_d = GT;
      GT:      phase_d = kind_q.ret ? GT2 : VOTE;
      GT2:     phase_d = VOTE;
      VOTE:    phase_d = JUMP;
      JUMP:    phase_d = APPLY;
      APPLY:   phase_d = RESP;
      default: phase_d = accept ? LOAD : IDLE;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) phase_q <= IDLE;
    else phase_q <= phase_d;
    if (accept) begin
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
    if (phase_q == LOAD) bool_q <= bools_i[bool_idx_q];
    if (phase_q == CMP) for (int unsigned t = 0; t < 32; t++) want_q[t] <= func_q[{alu_q[t], pred_q[t], bool_q}];
  end

  // ---------------------------------------------------------------------------------------------------------------- memories
  row_t            row_rd, row_wr;
  loop_t           loop_rd, loop_wr_q, top_q;
  call_t           call_rd, call_wr_q, caller_q;
  logic            row_we, loop_we, call_we, loop_push_q, call_push_q;
  logic [8:0]      loop_ridx, loop_widx_q;
  logic [4:0]      call_widx_q;
  logic [LAW-1:0]  loop_base_q;
  logic [31:0][2:0]  state;
  logic [31:0][10:0] level;
  logic [31:0]       active, live;
  logic [10:0]     db_q, db_d;
  logic [8:0]      dl_q, dl_d;
  logic [5:0]      dc_q, dc_d;
  logic [9:0]      al_q, al_d;
  fault_e          fault_q, fault_early_q, fault_d;

  mw_flow_ram #(.WIDTH($bits(row_t)), .DEPTH(C.waves_partial)) u_rows (
    .clk_i, .we_i(row_we), .waddr_i(wave_q), .wdata_i(row_wr), .re_i(accept), .raddr_i(req_wave_i), .rdata_o(row_rd)
  );
  mw_flow_ram #(.WIDTH($bits(loop_t)), .DEPTH(LOOP_ROWS)) u_loops (
    .clk_i, .we_i(loop_we), .waddr_i(loop_base_q + LAW'(loop_widx_q)), .wdata_i(loop_wr_q),
    .re_i(phase_q == CMP || phase_q == GT), .raddr_i(loop_base_q + LAW'(loop_ridx)), .rdata_o(loop_rd)
  );
  mw_flow_ram #(.WIDTH($bits(call_t)), .DEPTH(CALL_ROWS)) u_calls (
    .clk_i, .we_i(call_we), .waddr_i({wave_q[FW-1:0], call_widx_q}), .wdata_i(call_wr_q),
    .re_i(phase_q == CMP), .raddr_i({wave_q[FW-1:0], 5'(dc_q - 6'd1)}), .rdata_o(call_rd)
  );

  // Waves that have been launched and have not changed their state yet start from their live mask.
  logic [C.waves_partial-1:0] fresh_q;
  logic                       is_fresh_q;
  logic [31:0]                launch_live;
  logic [31:0][2:0]           state_rd;

  mw_flow_ram #(.WIDTH(32), .DEPTH(C.waves_partial)) u_live (
    .clk_i, .we_i(init_valid_i), .waddr_i(init_wave_i), .wdata_i(init_live_i), .re_i(accept), .raddr_i(req_wave_i), .rdata_o(launch_live)
  );

  always_ff @(posedge clk_i) begin
    if (row_we) fresh_q[wave_q] <= 1'b0;
    if (init_valid_i) fresh_q[init_wave_i] <= 1'b1;
    if (accept) is_fresh_q <= fresh_q[req_wave_i];
  end

  always_comb begin
    state_rd = row_rd.state;
    if (is_fresh_q) for (int unsigned t = 0; t < 32; t++) state_rd[t] = launch_live[t] ? ST_A : ST_X;
  end

  // Frame i (from 1) of a stack is in row i - 1. In GT the frame that a pop uncovers is read.
  always_comb begin
    if (phase_q == CMP) loop_ridx = dl_q - 9'd1;
    else if (kind_q.jump) loop_ridx = caller_q.lsp - 9'd1;
    else loop_ridx = dl_q - 9'd2;
  end

  always_ff @(posedge clk_i) begin
    if (phase_q == LOAD) loop_base_q <= LAW'({wave_q[FW-1:0], 8'd0}) + LAW'({wave_q[FW-1:0], 3'd0});
    if (phase_q == WAKE) begin
      top_q    <= loop_rd;
      caller_q <= call_rd;
    end
  end

  // ----------------------------------------------------------------------------------------------------------------- threads
  logic        swap, wake_cont, wake_branch, wake_break, wake_ret, park_want, park_no;
  logic [2:0]  park_state;
  logic [10:0] park_level, threshold, thr_q;
  logic        want_any, no_any, branch_gt_any, loop_gt_any, cont_eq_any, live_any;
  logic        want_any_q, no_any_q, branch_gt_any_q, loop_gt_any_q, cont_eq_any_q, j_q;
  logic [1:0]  bop;
  logic        incr, decr, push_call, pop_call, push_loop, pop_loop;

  mw_flow_threads u_threads (
    .clk_i,
    .load_i(phase_q == LOAD), .fresh_i(is_fresh_q), .state_i(state_rd), .level_i(row_rd.level),
    .cmp_i(phase_q == CMP), .db_i(db_q), .frame_i(kind_q.jump ? 9'(dc_q) : dl_q), .threshold_i(threshold),
    .want_i(want_q),
    .wake_cont_i(wake_cont), .swap_i(swap), .wake_branch_i(wake_branch), .wake_break_i(wake_break), .wake_ret_i(wake_ret),
    .park_want_i(park_want), .park_no_i(park_no), .park_state_i(park_state), .park_level_i(park_level),
    .state_o(state), .level_o(level), .active_o(active), .live_o(live),
    .want_any_o(want_any), .no_any_o(no_any), .branch_gt_any_o(branch_gt_any), .loop_gt_any_o(loop_gt_any),
    .cont_eq_any_o(cont_eq_any), .live_any_o(live_any)
  );

  assign threshold = phase_q == GT2 ? caller_q.hold : phase_q == GT && kind_q.ret ? 11'(caller_q.lsp) : thr_q;

  assign bop       = j_q ? bop1_q : bop0_q;
  assign incr      = bop == BOP_INCR;
  assign decr      = bop == BOP_DECR;
  assign push_call = j_q && (aop_q == AOP_PUSH || aop_q == AOP_PUSHR);
  assign pop_call  = j_q && aop_q == AOP_POP;
  assign push_loop = kind_q.open && !j_q;
  assign pop_loop  = (kind_q.close && !j_q) || (kind_q.brk && j_q);

  always_comb begin
    wake_cont   = phase_q == WAKE && kind_q.close;
    swap        = phase_q == WAKE && else_q;
    wake_branch = phase_q == APPLY && decr;
    wake_break  = phase_q == APPLY && pop_loop;
    wake_ret    = phase_q == APPLY && pop_call;
    park_want   = (phase_q == VOTE && (kind_q.brk || kind_q.cont || kind_q.ret)) || (phase_q == APPLY && incr && !j_q);
    park_no     = phase_q == APPLY && ((incr && j_q) || (j_q && aop_q == AOP_PUSHR));
    park_state  = ST_B;
    park_level  = db_q;                                            // WAKE: B_ELSE
    if (phase_q == VOTE) begin
      if (kind_q.ret) begin
        park_state = dc_q == '0 ? ST_X : ST_R;
        park_level = 11'(dc_q);
      end else begin
        park_state = kind_q.cont ? ST_C : ST_K;
        park_level = 11'(dl_q);
      end
    end else if (phase_q == APPLY) begin
      park_state = incr ? ST_B : ST_R;
      park_level = incr ? db_q + 11'd1 : 11'(dc_q) + 11'd1;
    end
  end

  // ------------------------------------------------------------------------------------------------------ decision, steps 0 to 4
  logic   pop_under_q, last_turn_q, j_d;
  fault_e fault_early;

  always_comb begin
    fault_early = FAULT_NONE;
    if (stale_q) fault_early = FAULT_STALE_ALU;
    else if (kind_q.close) begin
      if (dl_q == '0) fault_early = FAULT_STACK_UNDERFLOW;
      else if (top_q.db != db_q || top_q.is_loop != kind_q.is_loop) fault_early = FAULT_STACK_MISMATCH;
    end else if (kind_q.brk || kind_q.cont) begin
      if (dl_q == '0 || pop_under_q) fault_early = FAULT_STACK_UNDERFLOW;
      else if (top_q.db != thr_q || (kind_q.brk && top_q.is_loop != kind_q.is_loop)) fault_early = FAULT_STACK_MISMATCH;
    end else if (kind_q.finish) begin
      if (db_q != '0 || dl_q != '0 || dc_q != '0) fault_early = FAULT_END_DEPTH;
    end else if (else_q && db_q == '0) fault_early = FAULT_STACK_UNDERFLOW;
  end

  always_comb begin
    j_d = any_q ? want_any_q : !no_any_q;
    if (kind_q.open && !endless_q && count_q == '0) j_d = 1'b1;
    if (kind_q.close && last_turn_q) j_d = 1'b0;
    if (kind_q.brk || kind_q.cont) j_d = !no_any_q && !branch_gt_any_q && (kind_q.cont || !cont_eq_any_q);
    if (kind_q.ret) j_d = dc_q != '0 && !no_any_q && !branch_gt_any_q && !loop_gt_any_q;
    if (!(kind_q.jump || kind_q.open || kind_q.close || kind_q.brk || kind_q.cont || kind_q.ret)) j_d = 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (phase_q == CMP) begin
      thr_q       <= db_q - 11'(pop_q);
      pop_under_q <= 11'(pop_q) > db_q;
    end
    if (phase_q == GT) begin
      want_any_q    <= want_any;
      no_any_q      <= no_any;
      last_turn_q   <= !top_q.endless && top_q.n == 32'd1;
      fault_early_q <= fault_early;
    end
    if (phase_q == GT2) loop_gt_any_q <= loop_gt_any;
    if (phase_q == VOTE) begin
      branch_gt_any_q <= branch_gt_any;
      cont_eq_any_q   <= cont_eq_any;
    end
    if (phase_q == JUMP) j_q <= j_d;
  end

  // -------------------------------------------------------------------------------------------------------------- steps 5 to 8
  logic [9:0]  al_below_q;      // aL of the frame that a pop uncovers
  logic [31:0] n_left_q;        // count after this turn
  logic [9:0]  al_next_q;       // aL of the next turn
  logic [23:0] next_pc_q, after_q;
  logic        jump_q;
  logic [2:0]  frame_q;
  logic [31:0] frame_a_q, frame_b_q, frame_c_q;
  loop_t       opened;
  call_t       called;

  always_comb begin
    db_d = incr ? db_q + 11'd1 : decr ? thr_q : db_q;
    opened = '{is_loop: kind_q.is_loop, endless: endless_q, al: kind_q.is_loop ? al_init_q : al_q, step: step_q, db: db_d, n: count_q};
    dc_d = push_call ? dc_q + 6'd1 : pop_call ? dc_q - 6'd1 : dc_q;
    dl_d = push_loop ? dl_q + 9'd1 : pop_loop ? dl_q - 9'd1 : pop_call ? caller_q.lsp : dl_q;
    al_d = al_q;
    if (push_loop) al_d = opened.al;
    else if (kind_q.close && j_q) al_d = al_next_q;
    else if (pop_loop || pop_call) al_d = dl_d == '0 ? '0 : al_below_q;

    called = '{inc: bop1_q == BOP_INCR, lsp: dl_q, db: db_q, hold: db_q + 11'(bop1_q == BOP_INCR), ra: after_q};
  end

  always_comb begin
    fault_d = fault_early_q;
    if (fault_early_q == FAULT_NONE) begin
      if (incr && db_q >= (full_i ? LEVELS_FULL : LEVELS_PARTIAL)) fault_d = FAULT_STACK_OVERFLOW;
      else if (decr && pop_under_q) fault_d = FAULT_STACK_UNDERFLOW;
      else if (push_call && dc_q == 6'(CALL_DEPTH)) fault_d = FAULT_STACK_OVERFLOW;
      else if (pop_call && dc_q == '0) fault_d = FAULT_STACK_UNDERFLOW;
      else if (pop_call && (db_d != caller_q.db || dl_q < caller_q.lsp)) fault_d = FAULT_STACK_MISMATCH;
      else if (push_loop && dl_q == 9'(LOOP_FRAMES)) fault_d = FAULT_STACK_OVERFLOW;
    end
  end

  always_ff @(posedge clk_i) begin
    if (phase_q == LOAD) begin
      db_q    <= is_fresh_q ? '0 : row_rd.db;
      dl_q    <= is_fresh_q ? '0 : row_rd.dl;
      dc_q    <= is_fresh_q ? '0 : row_rd.dc;
      al_q    <= is_fresh_q ? '0 : row_rd.al;
      after_q <= pc_q + 24'd1;
    end
    if (phase_q == GT) begin
      n_left_q  <= top_q.n - {31'd0, !top_q.endless};
      al_next_q <= top_q.al + (top_q.is_loop ? {{2{top_q.step[7]}}, top_q.step} : 10'd0);
    end
    if (phase_q == VOTE) al_below_q <= loop_rd.al;
    if (phase_q == APPLY) begin
      db_q        <= db_d;
      dl_q        <= dl_d;
      dc_q        <= dc_d;
      al_q        <= al_d;
      jump_q      <= j_q;
      next_pc_q   <= pop_call ? caller_q.ra : j_q ? target_q : after_q;
      fault_q     <= fault_d;
      // Frame to write: a new one, or the count and aL of the next turn.
      loop_push_q <= push_loop || (kind_q.close && j_q);
      loop_widx_q <= push_loop ? dl_q : dl_q - 9'd1;
      loop_wr_q   <= opened;
      if (!push_loop) begin
        loop_wr_q    <= top_q;
        loop_wr_q.al <= al_next_q;
        loop_wr_q.n  <= n_left_q;
      end
      call_push_q <= push_call;
      call_widx_q <= dc_q[4:0];
      call_wr_q   <= called;
      // Record
      frame_q   <= push_loop ? FRAME_PUSH_LOOP : pop_loop ? FRAME_POP_LOOP : push_call ? FRAME_PUSH_CALL : pop_call ? FRAME_POP_CALL : FRAME_NONE;
      frame_a_q <= '0;
      frame_b_q <= '0;
      frame_c_q <= '0;
      if (push_loop) begin
        frame_a_q <= opened.n;
        frame_b_q <= 32'(opened.db);
        frame_c_q <= 32'({opened.is_loop, opened.endless, opened.al});
      end else if (pop_loop) begin
        frame_a_q <= kind_q.close ? n_left_q : top_q.n;
        frame_b_q <= 32'(top_q.db);
        frame_c_q <= 32'({top_q.is_loop, top_q.endless, top_q.al});
      end else if (push_call) begin
        frame_a_q <= 32'(called.ra);
        frame_b_q <= 32'(called.db);
        frame_c_q <= 32'({called.inc, called.lsp});
      end else if (pop_call) begin
        frame_a_q <= 32'(caller_q.ra);
        frame_b_q <= 32'(caller_q.db);
        frame_c_q <= 32'({caller_q.inc, caller_q.lsp});
      end
    end
  end

  // ----------------------------------------------------------------------------------------------------- write back, response
  always_comb begin
    row_we  = respond && fault_q == FAULT_NONE;
    row_wr  = '{al: al_q, dc: dc_q, dl: dl_q, db: db_q, level: level, state: state};
    loop_we = row_we && loop_push_q;
    call_we = row_we && call_push_q;
  end

  assign rsp_valid_o   = respond;
  assign rsp_wave_o    = wave_q;
  assign rsp_pc_o      = next_pc_q;
  assign rsp_jump_o    = jump_q;
  assign rsp_active_o  = active;
  assign rsp_live_o    = live;
  assign rsp_ended_o   = fault_q == FAULT_NONE && (kind_q.finish || !live_any);
  assign rsp_fault_o   = fault_q;
  assign rsp_al_o      = al_q;
  assign rsp_depth_o   = dc_q;
  assign rsp_db_o      = db_q;
  assign rsp_dl_o      = dl_q;
  assign rsp_dc_o      = dc_q;
  assign rsp_state_o   = state;
  assign rsp_level_o   = level;
  assign rsp_frame_o   = frame_q;
  assign rsp_frame_a_o = frame_a_q;
  assign rsp_frame_b_o = frame_b_q;
  assign rsp_frame_c_o = frame_c_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i) begin
      // A wave is not launched while one of its words is here.
      assert (!(init_valid_i && phase_q != IDLE && init_wave_i == wave_q)) else $error("mw_flow: launch of a wave with a word in flight");
      assert (!(init_valid_i && accept && init_wave_i == req_wave_i)) else $error("mw_flow: word of a wave being launched");
      if (accept) begin
        assert (!bad_word(req_word_i, op_info(req_word_i.op), full_i)) else $error("mw_flow: bad word at pc %0h", req_pc_i);
        assert (32'(req_wave_i) < (full_i ? C.waves_full : C.waves_partial)) else $error("mw_flow: no such wave in this mode");
        assert (!respond || req_wave_i != wave_q) else $error("mw_flow: second word of a wave");
      end
      if (respond && fault_q == FAULT_NONE) begin
        assert (db_q <= (full_i ? LEVELS_FULL : LEVELS_PARTIAL));
        assert (dl_q <= 9'(LOOP_FRAMES) && dc_q <= 6'(CALL_DEPTH));
        assert (dl_q != '0 || al_q == '0);
      end
    end
  end
`endif
endmodule
