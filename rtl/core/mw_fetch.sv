// Instruction fetch: keeps up to two words ahead for every wave. Round robin among the waves with room, one request per wave under
// way. A word is checked against rules.toml and classified on its way into the buffer, so that issue finds flags only.
// A redirect (launch or jump) empties the wave's buffer; the answer to a request that was under way then is thrown away.
// Promises: head_* of a wave with have_o is its next word in program order. A pc beyond the program or a bus error gives a buffer
// entry with that flag: it becomes a fault only if the wave gets there.
// Timing: word in the buffer 4 clocks after the instruction cache's answer.
module mw_fetch
  import mw_isa_pkg::*;
  import mw_core_pkg::*;
#(
  parameter cfg_t C = CFG_BASE,
  localparam int unsigned NW = C.waves_partial,
  localparam int unsigned WW = $clog2(NW)
) (
  input  logic          clk_i,
  input  logic          rst_i,
  /* verilator lint_off UNUSEDSIGNAL */  // travels whole, a part is needed here
  input  csr_t          csr_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic [NW-1:0] valid_i,       // waves in execution
  input  logic          stop_i,        // no new requests

  input  logic          redirect_valid_i,
  input  logic [WW-1:0] redirect_wave_i,
  input  logic [23:0]   redirect_pc_i,

  output logic          req_valid_o,   // to mw_icache
  input  logic          req_ready_i,
  output logic [WW-1:0] req_wave_o,
  output logic [23:0]   req_pc_o,
  input  logic          rsp_valid_i,
  input  logic [WW-1:0] rsp_wave_i,
  input  logic [23:0]   rsp_pc_i,
  input  word_t         rsp_word_i,
  input  logic          rsp_error_i,

  output logic [NW-1:0] have_o,        // the wave has a next word
  output logic [NW-1:0] need_wait_axi_o,
  output logic [NW-1:0] need_wait_shared_o,
  output logic [NW-1:0] need_axi_o,
  output logic [NW-1:0] need_shared_o,
  output logic [NW-1:0] need_wide_o,
  output logic [NW-1:0] need_flow_o,
  output logic [NW-1:0] need_fence_o,
  output logic [NW-1:0] need_special_o,
  output logic [NW-1:0] rd_o,          // buffer place of the wave's next word
  input  logic [WW-1:0] head_wave_i,
  input  logic          head_rd_i,     // rd_o of it, as the scheduler found it
  output fetched_t      head_o,
  input  logic          pop_i,         // of head_wave_i
  output logic          busy_o         // requests under way
);
  // per wave: two buffer places, a request under way, its answer unwanted
  logic [NW-1:0] full0_q, full1_q, rd_q, wr_q, pend_q, kill_q;
  logic [1:0][NW-1:0] wait_axi_q, wait_shared_q, axi_q, shared_q, wide_q, flow_q, fence_q, special_q;
  logic [23:0]   pc_q [NW];            // of the next request
  fetched_t      buffer_q [2*NW];

  // ---- stage 1: choose a wave; two choices are kept. What waves want is a clock old: who was chosen in the last clock is taken out in front of the
  // choice. Which ones are later in the round is two clocks old.
  logic [NW-1:0] want_d, want_q, later_d, later_q, after_q, pick_bit, picked_q, want, after;
  logic          pick_found;
  logic [WW-1:0] pick;
  logic          s2_valid_q, next_valid_q;
  logic [WW-1:0] s2_wave_q, next_wave_q;
  logic          s2_go;                // the request leaves stage 2
  logic [NW-1:0] first_after, first_want;
  logic [WW-1:0] index_after, index_want;
  assign want       = want_q & ~picked_q;
  assign after      = after_q & ~picked_q;
  assign pick_found = want != '0 && !stop_i && !next_valid_q;
  mw_first #(.N(NW)) u_first_after (.x_i(after), .first_o(first_after), .index_o(index_after));
  mw_first #(.N(NW)) u_first_want (.x_i(want), .first_o(first_want), .index_o(index_want));
  assign pick     = after != '0 ? index_after : index_want;
  assign pick_bit = (after != '0 ? first_after : first_want) & {NW{!stop_i && !next_valid_q}};
  assign want_d   = valid_i & ~pend_q & ~(full0_q & full1_q);
  assign later_d  = picked_q != '0 ? ~(picked_q ^ (picked_q - NW'(1))) : later_q;

  // ---- stage 2: its pc and whether that is beyond the program
  logic [23:0] s2_pc;
  assign s2_pc = pc_q[s2_wave_q];

  // ---- stage 3: the request: to the cache, or out of range and answered here, or cancelled by a redirect that came before it. The next pc is
  // written a clock after a wave has entered; redirects use that port first, and while they hold it up nobody enters. A request that leaves in the
  // clock of a redirect has its answer thrown away.
  logic          next_pc_q, next_late_q;     // a next pc is to be written, and has been held up
  logic [WW-1:0] next_pc_wave_q;
  logic [23:0]   next_pc_value_q;
  logic          rq_valid_q, rq_ask_q, rq_local_q, rq_cancel_q, rq_go, s2_kill;
  logic [WW-1:0] rq_wave_q;
  logic [23:0]   rq_pc_q;
  logic          pop_q;
  logic [WW-1:0] pop_wave_q;
  logic          in_valid_q, op_valid_q, rq_local;
  logic          s2_enter;                   // the request of stage 2 enters, if there is room
  assign s2_enter    = s2_valid_q && !redirect_valid_i && !next_late_q;
  assign s2_kill     = kill_q[s2_wave_q];
  assign req_valid_o = rq_ask_q;
  assign req_wave_o  = rq_wave_q;
  assign req_pc_o    = rq_pc_q;
  assign rq_local    = rq_local_q && !rsp_valid_i;
  assign rq_go       = (rq_ask_q && req_ready_i) || rq_local || rq_cancel_q;
  assign s2_go       = (!rq_valid_q || rq_go) && !redirect_valid_i && !next_late_q;

  // one bit for the wave that is redirected
  logic [NW-1:0] redirect_hot;
  always_comb begin
    redirect_hot = '0;
    if (redirect_valid_i) for (int w = 0; w < int'(NW); w++) redirect_hot[w] = redirect_wave_i == WW'(w);
  end

  // ---- stage 4: the answer. Stage 5: what its operation is. Stage 6: its flags.
  logic [WW-1:0] in_wave_q, op_wave_q;
  fetched_t      in_q, op_q;
  fetched_t      ck_q, ck;
  needs_t        needs, ck_needs_q, ck_needs;

  /* verilator lint_off UNUSEDSIGNAL */  // travels whole, a part is needed here
  op_info_t  info;                     // registered
  word_mem_t mem_word;
  /* verilator lint_on UNUSEDSIGNAL */
  assign mem_word = word_mem_t'(op_q.word);
  bad_groups_t in_bad, ck_bad_q;       // of stages 5 and 6; with all rules in one clock this would be the unit's longest path
  logic        ck_bad;
  always_comb begin
    in_bad = 'x;   // without a word nobody looks
    if (op_valid_q) in_bad = bad_word(op_q.word, info, csr_i.full);
    needs             = '0;
    needs.wait_axi    = mem_word.sem_wait[0];
    needs.wait_shared = mem_word.sem_wait[1];
    needs.to_axi      = info.format == FORMAT_MEM && info.unit == UNIT_AXI;
    needs.to_shared   = info.format == FORMAT_MEM && info.unit == UNIT_SHARED;
    needs.wide        = mem_word.mem_size != 2'd0 || info.kind == KIND_ATOMIC;
    needs.to_flow     = info.format == FORMAT_FLOW;
    needs.to_special  = info.format == FORMAT_ALU && info.unit == UNIT_SPECIAL;
    needs.fence       = info.format == FORMAT_FLOW && op_q.word[7:0] inside {OP_BAR, OP_MEMBAR, OP_MEMBAR_CTA};
    if (op_q.out_range || op_q.bus_error) needs = '0;  // issues at once and faults there, as a bad word does
  end
  assign ck_bad   = |ck_bad_q;
  assign ck_needs = ck_bad ? '0 : ck_needs_q;
  always_comb begin
    ck     = ck_q;
    ck.bad = ck_bad;
  end

  logic [NW-1:0] ck_hot_q, ck_write_hot;     // the wave of stage 6; the same if its word is wanted
  logic          ck_valid_q;
  logic [WW:0]   ck_at_q;                    // the wave's next place
  assign ck_write_hot = ck_hot_q & ~kill_q & ~redirect_hot;

  always_ff @(posedge clk_i) begin
    if (!s2_valid_q || s2_go) begin
      s2_valid_q   <= next_valid_q || pick_found;
      s2_wave_q    <= next_valid_q ? next_wave_q : pick;
      next_valid_q <= 1'b0;
    end else if (pick_found) begin
      next_valid_q <= 1'b1;
      next_wave_q  <= pick;
    end
    want_q   <= want_d;
    after_q  <= want_d & later_d;
    picked_q <= pick_bit;
    later_q  <= later_d;
    pend_q   <= (pend_q | pick_bit) & ~ck_hot_q;
    kill_q   <= kill_q & ~ck_hot_q;
    if (!rq_valid_q || rq_go) begin
      rq_valid_q  <= s2_enter;
      rq_ask_q    <= s2_enter && !s2_kill && {1'b0, s2_pc} < csr_i.prog_words;
      rq_local_q  <= s2_enter && !s2_kill && {1'b0, s2_pc} >= csr_i.prog_words;
      rq_cancel_q <= s2_enter && s2_kill;
      rq_wave_q   <= s2_wave_q;
      rq_pc_q     <= s2_pc;
    end else if (redirect_valid_i && redirect_wave_i == rq_wave_q) begin
      rq_ask_q    <= 1'b0;
      rq_local_q  <= 1'b0;
      rq_cancel_q <= 1'b1;
    end
    if (rq_cancel_q) begin
      pend_q[rq_wave_q] <= 1'b0;
      kill_q[rq_wave_q] <= 1'b0;
    end
    if (redirect_valid_i) pc_q[redirect_wave_i] <= redirect_pc_i;
    else if (next_pc_q) pc_q[next_pc_wave_q] <= next_pc_value_q;
    if (redirect_valid_i) begin
      if (redirect_wave_i == next_pc_wave_q) next_pc_q <= 1'b0;
    end else next_pc_q <= s2_enter && !s2_kill && (!rq_valid_q || rq_go);
    next_late_q <= next_pc_q && redirect_valid_i;
    if (s2_enter) begin
      next_pc_wave_q  <= s2_wave_q;
      next_pc_value_q <= s2_pc + 24'd1;
    end

    in_valid_q <= rsp_valid_i || rq_local;
    if (rsp_valid_i || rq_local) begin
      in_wave_q <= rsp_valid_i ? rsp_wave_i : rq_wave_q;
      in_q      <= '{word: rsp_valid_i ? rsp_word_i : '0, info: class_t'('0), pc: rsp_valid_i ? rsp_pc_i : rq_pc_q, bad: 1'b0, sem_bad: 1'b0,
                     out_range: !rsp_valid_i, bus_error: rsp_valid_i && rsp_error_i};
    end
    op_valid_q <= in_valid_q;
    if (in_valid_q) begin
      op_wave_q <= in_wave_q;
      op_q      <= in_q;
      info      <= op_info(in_q.word[7:0]);
    end
    ck_hot_q   <= '0;
    if (op_valid_q) for (int w = 0; w < int'(NW); w++) ck_hot_q[w] <= op_wave_q == WW'(w);
    ck_valid_q <= op_valid_q;
    if (op_valid_q) begin
      ck_at_q    <= {op_wave_q, wr_q[op_wave_q]};
      ck_q       <= op_q;
      ck_bad_q   <= in_bad;
      ck_q.sem_bad <= info.format == FORMAT_MEM
                      ? mem_word.sem_acquire && !(info.unit == UNIT_SHARED ? mem_word.sem_wait[1] : mem_word.sem_wait[0])
                      : op_q.word[7:0] == OP_END && mem_word.sem_wait != 2'b11;
      ck_q.info  <= '{info.format, info.unit, info.kind, info.srcs_a, info.srcs_b, info.srcs_c, info.is_global};
      ck_needs_q <= needs;
    end

    // ---- buffer
    wr_q    <= wr_q ^ ck_write_hot;
    full0_q <= full0_q | (ck_write_hot & ~wr_q);
    full1_q <= full1_q | (ck_write_hot & wr_q);
    // An unwanted word may be written too: the place is empty.
    if (ck_valid_q) buffer_q[ck_at_q] <= ck;
    for (int w = 0; w < int'(NW); w++)
      if (ck_hot_q[w])
        for (int i = 0; i < 2; i++)
          if (ck_at_q[0] == i[0]) begin
            wait_axi_q[i][w]    <= ck_needs.wait_axi;
            wait_shared_q[i][w] <= ck_needs.wait_shared;
            axi_q[i][w]         <= ck_needs.to_axi;
            shared_q[i][w]      <= ck_needs.to_shared;
            wide_q[i][w]        <= ck_needs.wide;
            flow_q[i][w]        <= ck_needs.to_flow;
            fence_q[i][w]       <= ck_needs.fence;
            special_q[i][w]     <= ck_needs.to_special;
          end
    // a clock late: the wave's next word is looked at much later
    pop_q      <= pop_i;
    pop_wave_q <= head_wave_i;
    if (pop_q) begin
      rd_q[pop_wave_q] <= !rd_q[pop_wave_q];
      if (rd_q[pop_wave_q]) full1_q[pop_wave_q] <= 1'b0;
      else full0_q[pop_wave_q] <= 1'b0;
    end
    if (redirect_valid_i) begin
      full0_q[redirect_wave_i] <= 1'b0;
      full1_q[redirect_wave_i] <= 1'b0;
      rd_q[redirect_wave_i]    <= 1'b0;
      wr_q[redirect_wave_i]    <= 1'b0;
      // an answer that is still to come is unwanted; one that stands in stage 6 is dropped now
      kill_q[redirect_wave_i]  <= pend_q[redirect_wave_i] && !ck_hot_q[redirect_wave_i] && !(rq_cancel_q && rq_wave_q == redirect_wave_i);
    end
    if (rst_i) begin
      full0_q    <= '0;
      full1_q    <= '0;
      rd_q       <= '0;
      wr_q       <= '0;
      pend_q     <= '0;
      kill_q     <= '0;
      s2_valid_q <= 1'b0;
      next_valid_q <= 1'b0;
      want_q     <= '0;
      after_q    <= '0;
      picked_q   <= '0;
      later_q    <= '0;
      in_valid_q <= 1'b0;
      op_valid_q <= 1'b0;
      rq_valid_q <= 1'b0;
      rq_ask_q   <= 1'b0;
      rq_local_q <= 1'b0;
      rq_cancel_q <= 1'b0;
      ck_hot_q   <= '0;
      ck_valid_q <= 1'b0;
      pop_q      <= 1'b0;
      next_pc_q  <= 1'b0;
    end
  end

  assign have_o             = (rd_q & full1_q) | (~rd_q & full0_q);
  assign need_wait_axi_o    = (rd_q & wait_axi_q[1]) | (~rd_q & wait_axi_q[0]);
  assign need_wait_shared_o = (rd_q & wait_shared_q[1]) | (~rd_q & wait_shared_q[0]);
  assign need_axi_o         = (rd_q & axi_q[1]) | (~rd_q & axi_q[0]);
  assign need_shared_o      = (rd_q & shared_q[1]) | (~rd_q & shared_q[0]);
  assign need_wide_o        = (rd_q & wide_q[1]) | (~rd_q & wide_q[0]);
  assign need_flow_o        = (rd_q & flow_q[1]) | (~rd_q & flow_q[0]);
  assign need_fence_o       = (rd_q & fence_q[1]) | (~rd_q & fence_q[0]);
  assign need_special_o     = (rd_q & special_q[1]) | (~rd_q & special_q[0]);
  assign rd_o               = rd_q;
  assign head_o             = buffer_q[{head_wave_i, head_rd_i}];
  assign busy_o             = |pend_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (!rst_i) begin
    if (pop_i) assert (head_rd_i == rd_q[head_wave_i]) else $error("wrong place of the fetch buffer, wave %0d", head_wave_i);
    if (pop_i) assert (have_o[head_wave_i]) else $error("pop of an empty fetch buffer, wave %0d", head_wave_i);
    if (rsp_valid_i) assert (pend_q[rsp_wave_i]) else $error("instruction that nobody asked for, wave %0d", rsp_wave_i);
  end
`endif
endmodule
