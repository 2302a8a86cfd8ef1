// Wave scheduler: chooses, round robin, the wave whose next word issues.
// A wave is ready when it is there, its previous word no longer stands in the way, its next word is in the fetch buffer, the semaphores that
// the word waits for are free, and the unit that the word goes to can take it. The previous word stands in the way (busy) from its choice until
// the pipeline's free_* events, which come a fixed number of clocks after its beats, so that the next word reads what it wrote; a flow word until
// the flow unit has answered, a BAR until the barrier opens, a word of the special unit until its results are written.
// Shared memory: shared_ready_i promises room for MEM_PASSES component passes; of words on the way at most so many are let go. AXI memory unit: it
// holds AXI_WORDS words, counted from their choice to their completion. Special unit: the same with special_capacity().
// Timing: choice in one clock, registered; the choice waits in sel_* until sel_ready_i, a second one behind it.
module mw_scheduler
  import mw_isa_pkg::*;
  import mw_core_pkg::*;
#(
  parameter cfg_t C = CFG_BASE,
  localparam int unsigned NW = C.waves_partial,
  localparam int unsigned WW = $clog2(NW)
) (
  input  logic          clk_i,
  input  logic          rst_i,
  input  logic          clear_i,
  input  logic          stop_i,

  input  logic [NW-1:0] valid_i,
  input  logic [NW-1:0] have_i,
  input  logic [NW-1:0] need_wait_axi_i,
  input  logic [NW-1:0] need_wait_shared_i,
  input  logic [NW-1:0] need_axi_i,
  input  logic [NW-1:0] need_shared_i,
  input  logic [NW-1:0] need_wide_i,
  input  logic [NW-1:0] need_flow_i,
  input  logic [NW-1:0] need_fence_i,
  input  logic [NW-1:0] need_special_i,
  input  logic [NW-1:0] sem_axi_i,
  input  logic [NW-1:0] sem_shared_i,
  input  logic [NW-1:0] memory_busy_i,

  input  logic          axi_done_i,         // the unit has completed a word
  input  logic          special_done_i,
  input  logic          shared_ready_i,
  input  logic          shared_arrive_i,    // the last beat of a word has come to the unit
  input  logic          shared_arrive_wide_i,
  input  logic          flow_retire_i,      // a flow word has left the flow queue

  input  logic          launch_i,
  input  logic [WW-1:0] launch_wave_i,
  input  logic          free_a_i,           // the wave's next word may be chosen
  input  logic [WW-1:0] free_a_wave_i,
  input  logic          free_b_i,
  input  logic [WW-1:0] free_b_wave_i,
  input  logic          free_f_i,
  input  logic [WW-1:0] free_f_wave_i,
  input  logic          free_s_i,
  input  logic [WW-1:0] free_s_wave_i,
  input  logic [NW-1:0] free_mask_i,        // barrier opened

  output logic          sel_valid_o,
  output logic [WW-1:0] sel_wave_o,
  input  logic          sel_ready_i,

  output logic [6:0]    stall_semaphore_o,  // counters
  output logic [6:0]    stall_fetch_o,
  output logic [6:0]    stall_special_o,
  output logic [6:0]    stall_memory_o
);
  logic [NW-1:0] busy_q, later_q;          // later_q: waves after the one chosen last
  logic [2:0]    axi_words_q, shared_passes_q, flow_words_q;
  logic [1:0]    special_words_q, special_words;
  logic          sel_valid_q, next_valid_q;
  logic [WW-1:0] next_wave_q;

  // What the words on the way leave free; those of the last choice are counted a clock late, so they are added here.
  logic          to_axi_q, to_shared_q, to_flow_q, to_special_q, wide_q, ready_q, arrive_q, arrive_wide_q;
  logic          axi_full_q, axi_last_q, flow_full_q, flow_last_q;  // none left, one left, before the last choice
  logic          passes_full_q, passes_last_q, passes_none_q;
  logic          axi_ok, shared_narrow, shared_wide, flow_ok, special_ok;
  assign axi_ok        = !axi_full_q && !(axi_last_q && to_axi_q);
  assign flow_ok       = !flow_full_q && !(flow_last_q && to_flow_q);
  assign special_ok    = special_words_q + 2'(to_special_q) < 2'(mw_core_pkg::special_capacity(C.lanes));
  assign shared_narrow = ready_q && !passes_full_q && !(to_shared_q && (passes_last_q || wide_q));
  assign shared_wide   = ready_q && passes_none_q && !to_shared_q;

  logic [NW-1:0] runnable, waits, blocked_memory, blocked_special, blocked, can;
  assign runnable = valid_i & ~busy_q;
  assign waits    = (need_wait_axi_i & sem_axi_i) | (need_wait_shared_i & sem_shared_i) | (need_fence_i & memory_busy_i);
  always_comb begin
    blocked_memory = axi_ok ? '0 : need_axi_i;
    if (!shared_narrow) blocked_memory |= need_shared_i;
    else if (!shared_wide) blocked_memory |= need_shared_i & need_wide_i;
    blocked_special = special_ok ? '0 : need_special_i;
    blocked = blocked_memory | blocked_special | (flow_ok ? '0 : need_flow_i);
  end
  assign can = runnable & have_i & ~waits & ~blocked;

  // Round robin by the carry of one subtraction: the lowest set bit, and all bits up to it.
  logic [NW-1:0] after, upto, pick_bit;
  logic          wrapped;
  logic          pick_found;
  logic [WW-1:0] pick;
  assign after      = can & later_q;
  assign wrapped    = after == '0;
  assign upto       = wrapped ? can ^ (can - NW'(1)) : after ^ (after - NW'(1));
  assign pick_bit   = can & upto & (wrapped ? '1 : later_q);
  assign pick_found = can != '0 && !stop_i && !next_valid_q;
  always_comb begin
    pick = '0;
    for (int w = 0; w < int'(NW); w++)
      if (pick_bit[w]) pick |= WW'(w);
  end

  logic [2:0] axi_words, flow_words, passes;
  assign axi_words  = axi_words_q + 3'(to_axi_q) - 3'(axi_done_i);
  assign flow_words = flow_words_q + 3'(to_flow_q) - 3'(flow_retire_i);
  assign special_words = special_words_q + 2'(to_special_q) - 2'(special_done_i);
  assign passes     = shared_passes_q + (!to_shared_q ? 3'd0 : wide_q ? 3'(MEM_PASSES) : 3'd1)
                    - (!arrive_q ? 3'd0 : arrive_wide_q ? 3'(MEM_PASSES) : 3'd1);

  always_ff @(posedge clk_i) begin
    // two choices are kept, so that the taker's answer does not reach the choice in the same clock
    if (!sel_valid_q || sel_ready_i) begin
      sel_valid_q  <= next_valid_q || pick_found;
      sel_wave_o   <= next_valid_q ? next_wave_q : pick;
      next_valid_q <= 1'b0;
    end else if (pick_found) begin
      next_valid_q <= 1'b1;
      next_wave_q  <= pick;
    end
    if (pick_found) later_q <= ~upto;
    busy_q <= (busy_q & ~free_mask_i) | (pick_found ? pick_bit : '0);
    if (free_a_i) busy_q[free_a_wave_i] <= 1'b0;
    if (free_b_i) busy_q[free_b_wave_i] <= 1'b0;
    if (free_f_i) busy_q[free_f_wave_i] <= 1'b0;
    if (free_s_i) busy_q[free_s_wave_i] <= 1'b0;
    if (launch_i) busy_q[launch_wave_i] <= 1'b0;

    to_axi_q      <= pick_found && (need_axi_i & pick_bit) != '0;
    to_shared_q   <= pick_found && (need_shared_i & pick_bit) != '0;
    to_flow_q     <= pick_found && (need_flow_i & pick_bit) != '0;
    to_special_q  <= pick_found && (need_special_i & pick_bit) != '0;
    wide_q        <= (need_wide_i & pick_bit) != '0;
    ready_q       <= shared_ready_i;
    arrive_q      <= shared_arrive_i;       // as late as ready_q, which then knows of it
    arrive_wide_q <= shared_arrive_wide_i;
    axi_words_q     <= axi_words;
    axi_full_q      <= axi_words >= 3'(AXI_WORDS);
    axi_last_q      <= axi_words == 3'(AXI_WORDS - 1);
    special_words_q <= special_words;
    flow_words_q    <= flow_words;
    flow_full_q     <= flow_words >= 3'(FLOW_WORDS);
    flow_last_q     <= flow_words == 3'(FLOW_WORDS - 1);
    shared_passes_q <= passes;
    passes_full_q   <= passes >= 3'(MEM_PASSES);
    passes_last_q   <= passes == 3'(MEM_PASSES - 1);
    passes_none_q   <= passes == '0;
    if (rst_i || clear_i) begin
      sel_valid_q     <= 1'b0;
      next_valid_q    <= 1'b0;
      later_q         <= '0;
      busy_q          <= '0;
      axi_words_q     <= '0;
      axi_full_q      <= 1'b0;
      axi_last_q      <= 1'b0;
      flow_full_q     <= 1'b0;
      flow_last_q     <= 1'b0;
      passes_full_q   <= 1'b0;
      passes_last_q   <= 1'b0;
      passes_none_q   <= 1'b1;
      shared_passes_q <= '0;
      flow_words_q    <= '0;
      to_axi_q        <= 1'b0;
      to_shared_q     <= 1'b0;
      to_flow_q       <= 1'b0;
      to_special_q    <= 1'b0;
      special_words_q <= '0;
      arrive_q        <= 1'b0;
    end
  end
  assign sel_valid_o = sel_valid_q;

  always_comb begin
    stall_semaphore_o = 7'($countones(runnable & have_i & waits));
    stall_fetch_o     = 7'($countones(runnable & ~have_i));
    stall_special_o   = 7'($countones(runnable & have_i & ~waits & blocked_special));
    stall_memory_o    = 7'($countones(runnable & have_i & ~waits & blocked_memory));
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (!rst_i && !clear_i) begin
    assert (axi_words_q <= 3'(AXI_WORDS) && shared_passes_q <= 3'(MEM_PASSES)) else $error("more memory passes on the way than the units can take");
    if (special_done_i) assert (special_words_q + 2'(to_special_q) != '0) else $error("special word done that was not counted");
    if (flow_retire_i) assert (flow_words_q + 3'(to_flow_q) != '0) else $error("flow word retired that was not counted");
  end
`endif
endmodule
