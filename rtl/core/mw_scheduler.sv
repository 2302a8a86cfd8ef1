// Wave scheduler: chooses, round robin, the wave whose next word issues.
// A wave is ready when it is there, its previous word no longer stands in the way, its next word is in the fetch buffer, the semaphores that
// the word waits for are free, and the unit that the word goes to can take it. The previous word stands in the way (busy) from its choice until
// the pipeline's free_* events, which come a fixed number of clocks after its beats, so that the next word reads what it wrote; a flow word until
// the flow unit has answered, a BAR until the barrier opens.
// Shared memory: shared_ready_i promises room for MEM_PASSES component passes; of words on the way at most so many are let go. AXI memory unit: it
// holds AXI_WORDS words, counted from their choice to their completion.
// Timing: choice in one clock, registered; the choice waits in sel_* until sel_ready_i.
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
  input  logic [NW-1:0] sem_axi_i,
  input  logic [NW-1:0] sem_shared_i,
  input  logic [NW-1:0] memory_busy_i,

  input  logic          axi_done_i,         // the unit has completed a word
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
  input  logic [NW-1:0] free_mask_i,        // barrier opened

  output logic          sel_valid_o,
  output logic [WW-1:0] sel_wave_o,
  input  logic          sel_ready_i,

  output logic [6:0]    stall_semaphore_o,  // counters
  output logic [6:0]    stall_fetch_o
);
  logic [NW-1:0] busy_q;
  logic [2:0]    axi_words_q, shared_passes_q, flow_words_q;
  logic [WW-1:0] turn_q;
  logic          sel_valid_q;

  logic [NW-1:0] runnable, waits, blocked, can, above;
  logic          axi_ok, shared_narrow, shared_wide, flow_ok;
  assign axi_ok        = axi_words_q < 3'(AXI_WORDS);
  assign shared_narrow = shared_ready_i && shared_passes_q < 3'(MEM_PASSES);
  assign shared_wide   = shared_ready_i && shared_passes_q == '0;
  assign flow_ok       = flow_words_q < 3'(FLOW_WORDS);

  assign runnable = valid_i & ~busy_q;
  assign waits    = (need_wait_axi_i & sem_axi_i) | (need_wait_shared_i & sem_shared_i) | (need_fence_i & memory_busy_i);
  always_comb begin
    blocked = '0;
    if (!axi_ok) blocked |= need_axi_i;
    if (!shared_narrow) blocked |= need_shared_i;
    else if (!shared_wide) blocked |= need_shared_i & need_wide_i;
    if (!flow_ok) blocked |= need_flow_i;
  end
  assign can = runnable & have_i & ~waits & ~blocked;

  logic          pick_found;
  logic [WW-1:0] pick;
  always_comb begin
    above      = can & ~((NW'(2) << turn_q) - NW'(1));
    pick_found = can != '0 && !stop_i && (!sel_valid_q || sel_ready_i);
    pick       = '0;
    for (int w = int'(NW) - 1; w >= 0; w--)
      if (above != '0 ? above[w] : can[w]) pick = WW'(w);
  end

  logic [2:0] pass_cost;
  logic       to_axi, to_shared, to_flow;
  assign pass_cost = need_wide_i[pick] ? 3'(MEM_PASSES) : 3'd1;
  assign to_axi    = pick_found && need_axi_i[pick];
  assign to_shared = pick_found && need_shared_i[pick];
  assign to_flow   = pick_found && need_flow_i[pick];

  always_ff @(posedge clk_i) begin
    if (!sel_valid_q || sel_ready_i) sel_valid_q <= pick_found;
    if (pick_found) begin
      sel_wave_o <= pick;
      turn_q     <= pick;
    end
    busy_q <= busy_q & ~free_mask_i;
    if (free_a_i) busy_q[free_a_wave_i] <= 1'b0;
    if (free_b_i) busy_q[free_b_wave_i] <= 1'b0;
    if (free_f_i) busy_q[free_f_wave_i] <= 1'b0;
    if (launch_i) busy_q[launch_wave_i] <= 1'b0;
    if (pick_found) busy_q[pick] <= 1'b1;
    axi_words_q <= axi_words_q + 3'(to_axi) - 3'(axi_done_i);
    shared_passes_q <= shared_passes_q + (to_shared ? pass_cost : 3'd0)
                     - (!shared_arrive_i ? 3'd0 : shared_arrive_wide_i ? 3'(MEM_PASSES) : 3'd1);
    flow_words_q <= flow_words_q + 3'(to_flow) - 3'(flow_retire_i);
    if (rst_i || clear_i) begin
      sel_valid_q     <= 1'b0;
      turn_q          <= '0;
      busy_q          <= '0;
      axi_words_q     <= '0;
      shared_passes_q <= '0;
      flow_words_q    <= '0;
    end
  end
  assign sel_valid_o = sel_valid_q;

  always_comb begin
    stall_semaphore_o = 7'($countones(runnable & have_i & waits));
    stall_fetch_o     = 7'($countones(runnable & ~have_i));
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (!rst_i && !clear_i) begin
    assert (axi_words_q <= 3'(AXI_WORDS) && shared_passes_q <= 3'(MEM_PASSES)) else $error("more memory passes on the way than the units can take");
    if (flow_retire_i) assert (flow_words_q != '0) else $error("flow word retired that was not counted");
  end
`endif
endmodule
