// Wave scheduler: chooses, round robin, the wave whose next word issues.
// A wave is ready when it is there, its previous word no longer stands in the way, its next word is in the fetch buffer, the semaphores that
// the word waits for are free, and the unit that the word goes to can take it. The previous word stands in the way (busy) from its choice until
// the pipeline's free_* events, which come a fixed number of clocks after its beats, so that the next word reads what it wrote; a flow word until
// the flow unit has answered, a BAR until the barrier opens, a word of the special unit until its results are written.
// Shared memory: its queue holds mem_passes() component passes, of which a word keeps one from its admission, a wide one WIDE_PASSES, until it has left the queue.
// AXI memory unit: it holds AXI_WORDS words, counted from their admission to their completion. Special unit: the same with special_capacity().
//
//   C0  which waves are ready (registered)      a wave that is ready stays so until it is chosen
//   C1  the choice, one bit per wave            nobody is chosen twice: the last choice is taken out first
//   C2  unit of the word, number of the wave
//   C3  admission: room in the word's unit, counted exactly; a word without room goes back to C0, others to a short queue in front of issue.
//       Each unit's count looks only at its own words
//
// Timing: a free_* event in clock X lets the wave stand in sel_* in clock X + 5. Nothing is chosen unless the queue has a place for it.
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
  input  logic [NW-1:0] rd_i,               // place in the fetch buffer, goes along with the choice

  input  logic          axi_done_i,         // the unit has completed a word
  input  logic          special_done_i,
  input  logic          shared_gone_i,      // a word has left the unit's queue
  input  logic          shared_gone_wide_i,
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
  output logic          sel_rd_o,
  input  logic          sel_ready_i,

  output logic [6:0]    stall_semaphore_o,  // counters
  output logic [6:0]    stall_fetch_o,
  output logic [6:0]    stall_special_o,
  output logic [6:0]    stall_memory_o
);
  // ------------------------------------------------------------------------------------------------------ room in the units
  localparam int unsigned PASSES = mem_passes(C.lanes);
  localparam int unsigned PW     = $clog2(PASSES + 1);
  localparam int unsigned WIDE   = WIDE_PASSES;
  logic [2:0] axi_words_q, axi_words, flow_words_q, flow_words;
  logic [PW-1:0] free_q, free_passes;   // passes free in the queue of shared memory; without the present admission
  logic [1:0] special_words_q, special_words;
  logic       axi_ok_q, flow_ok_q, special_ok_q, narrow_ok_q, wide_ok_q;

  // --------------------------------------------------------------------------------------------------------------------- C0
  logic [NW-1:0] busy_q, runnable, waits, no_memory, no_special, ready, pick2_q;
  logic [NW-1:0] ready_waves_q, after_waves_q, axi_q, shared_q, wide_q, flow_q, special_q;
  assign runnable = valid_i & ~busy_q & ~pick2_q;
  assign waits    = (need_wait_axi_i & sem_axi_i) | (need_wait_shared_i & sem_shared_i) | (need_fence_i & memory_busy_i);
  always_comb begin
    no_memory  = (axi_ok_q ? '0 : need_axi_i) | (narrow_ok_q ? '0 : need_shared_i) | (wide_ok_q ? '0 : need_shared_i & need_wide_i);
    no_special = special_ok_q ? '0 : need_special_i;
    ready      = runnable & have_i & ~waits & ~no_memory & ~no_special & (flow_ok_q ? '1 : ~need_flow_i);
  end

  // --------------------------------------------------------------------------------------------------------------------- C1
  // Round robin: the lowest wave among those after the last choice (as it was known a clock ago), else the lowest of all.
  localparam int unsigned PLACES = 4;   // of C2, C3 and the queue together
  logic [NW-1:0] later_q, later, after_waves, ready_waves, first_after, first_ready, pick_bit, pick3_q;
  logic [WW-1:0] unused_after, unused_ready;
  logic [2:0]    queued_q;
  logic          may_q, valid2_q, valid3_q;
  assign after_waves = after_waves_q & ~pick2_q;
  assign ready_waves = ready_waves_q & ~pick2_q;
  mw_first #(.N(NW)) u_first_after (.x_i(after_waves), .first_o(first_after), .index_o(unused_after));
  mw_first #(.N(NW)) u_first_ready (.x_i(ready_waves), .first_o(first_ready), .index_o(unused_ready));
  assign pick_bit = !may_q ? '0 : after_waves != '0 ? first_after : first_ready;
  // Waves after the choice before this one. A word that goes back has its turn again: the choices behind it do not count then.
  logic          back;
  logic [1:0]    again_q;
  always_comb begin
    later = later_q;
    if (again_q == '0) begin
      if (back) later = ~(pick3_q - NW'(1));
      else if (valid2_q) later = ~(pick2_q ^ (pick2_q - NW'(1)));
    end
  end

  // --------------------------------------------------------------------------------------------------------------------- C2
  logic          axi3_q, narrow3_q, wide3_q, flow3_q, special3_q, rd3_q;  // narrow, wide: shared memory
  logic [WW-1:0] wave2, wave3_q;
  always_comb begin
    wave2 = 'x;   // without a choice nobody looks
    if (valid2_q) begin
      wave2 = '0;
      for (int w = 0; w < int'(NW); w++)
        if (pick2_q[w]) wave2 |= WW'(w);
    end
  end

  // --------------------------------------------------------------------------------------------------------------------- C3
  logic          admit;
  assign back       = (axi3_q && !axi_ok_q) || (narrow3_q && !narrow_ok_q) || (wide3_q && !wide_ok_q) || (flow3_q && !flow_ok_q) || (special3_q && !special_ok_q);
  assign admit      = valid3_q && !back;

  // the queue: its first place is sel_*
  logic [WW:0]   place_q [PLACES];
  logic          some_q, leave;
  assign sel_valid_o            = some_q;
  assign {sel_rd_o, sel_wave_o} = place_q[0];
  assign leave                  = some_q && sel_ready_i;

  assign axi_words     = axi_words_q + 3'(axi3_q && axi_ok_q) - 3'(axi_done_i);
  assign flow_words    = flow_words_q + 3'(flow3_q && flow_ok_q) - 3'(flow_retire_i);
  assign special_words = special_words_q + 2'(special3_q && special_ok_q) - 2'(special_done_i);
  assign free_passes   = free_q + (!shared_gone_i ? PW'(0) : shared_gone_wide_i ? PW'(WIDE) : PW'(1));

  logic [NW-1:0] busy;
  always_comb begin
    busy = (busy_q & ~free_mask_i & ~(back ? pick3_q : '0)) | pick2_q;
    if (free_a_i) busy[free_a_wave_i] = 1'b0;
    if (free_b_i) busy[free_b_wave_i] = 1'b0;
    if (free_f_i) busy[free_f_wave_i] = 1'b0;
    if (free_s_i) busy[free_s_wave_i] = 1'b0;
    if (launch_i) busy[launch_wave_i] = 1'b0;
  end

  // counters, a clock late
  logic [NW-1:0] stall_semaphore_q, stall_fetch_q, stall_special_q, stall_memory_q;

  always_ff @(posedge clk_i) begin
    // the choice of this clock is not counted yet: one place less
    may_q      <= !stop_i && queued_q + 3'(valid2_q) + 3'(valid3_q) < 3'(PLACES - 1);
    ready_waves_q   <= ready;
    after_waves_q   <= ready & later;
    later_q    <= later;
    again_q    <= again_q != '0 ? again_q - 2'd1 : back ? 2'd2 : 2'd0;
    busy_q     <= busy;
    axi_q      <= need_axi_i;
    shared_q   <= need_shared_i;
    wide_q     <= need_wide_i;
    flow_q     <= need_flow_i;
    special_q  <= need_special_i;

    valid2_q   <= may_q && ready_waves != '0;
    pick2_q    <= pick_bit;
    valid3_q   <= valid2_q;
    pick3_q    <= pick2_q;
    wave3_q    <= wave2;
    rd3_q      <= (pick2_q & rd_i) != '0;
    axi3_q     <= (pick2_q & axi_q) != '0;
    narrow3_q  <= (pick2_q & shared_q & ~wide_q) != '0;
    wide3_q    <= (pick2_q & shared_q & wide_q) != '0;
    flow3_q    <= (pick2_q & flow_q) != '0;
    special3_q <= (pick2_q & special_q) != '0;

    queued_q   <= queued_q + 3'(admit) - 3'(leave);
    some_q     <= admit || queued_q > 3'(leave);
    // the answer of issue comes late, so it only chooses between what was prepared
    for (int i = 0; i < int'(PLACES); i++)
      place_q[i] <= leave ? (admit && queued_q == 3'(i + 1) ? {rd3_q, wave3_q} : place_q[i == int'(PLACES) - 1 ? i : i + 1])
                          : admit && queued_q == 3'(i) ? {rd3_q, wave3_q} : place_q[i];

    // the admission comes late, so it only chooses between what was prepared
    free_q      <= free_passes;
    narrow_ok_q <= free_passes != '0;
    wide_ok_q   <= free_passes >= PW'(WIDE);
    if (narrow3_q && narrow_ok_q) begin
      free_q      <= free_passes - PW'(1);
      narrow_ok_q <= free_passes > PW'(1);
      wide_ok_q   <= free_passes > PW'(WIDE);
    end
    if (wide3_q && wide_ok_q) begin
      free_q      <= free_passes - PW'(WIDE);
      narrow_ok_q <= free_passes > PW'(WIDE);
      wide_ok_q   <= free_passes >= PW'(2 * WIDE);
    end
    axi_words_q     <= axi_words;
    axi_ok_q        <= axi_words < 3'(AXI_WORDS);
    flow_words_q    <= flow_words;
    flow_ok_q       <= flow_words < 3'(FLOW_WORDS);
    special_words_q <= special_words;
    special_ok_q    <= special_words < 2'(special_capacity(C.lanes));

    stall_semaphore_q <= runnable & have_i & waits;
    stall_fetch_q     <= runnable & ~have_i;
    stall_special_q   <= runnable & have_i & ~waits & no_special;
    stall_memory_q    <= runnable & have_i & ~waits & no_memory;
    if (rst_i) begin
      ready_waves_q        <= '0;
      after_waves_q        <= '0;
      may_q           <= 1'b0;
      valid2_q        <= 1'b0;
      pick2_q         <= '0;
      valid3_q        <= 1'b0;
      {axi3_q, narrow3_q, wide3_q, flow3_q, special3_q} <= '0;
      queued_q        <= '0;
      some_q          <= 1'b0;
      again_q         <= '0;
      later_q         <= '0;
      busy_q          <= '0;
      axi_words_q     <= '0;
      axi_ok_q        <= 1'b1;
      flow_words_q    <= '0;
      flow_ok_q       <= 1'b1;
      special_words_q <= '0;
      special_ok_q    <= 1'b1;
      free_q          <= PW'(PASSES);
      narrow_ok_q     <= 1'b1;
      wide_ok_q       <= 1'b1;
    end
  end
  always_comb begin
    stall_semaphore_o = 7'($countones(stall_semaphore_q));
    stall_fetch_o     = 7'($countones(stall_fetch_q));
    stall_special_o   = 7'($countones(stall_special_q));
    stall_memory_o    = 7'($countones(stall_memory_q));
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (!rst_i) begin
    assert (axi_words_q <= 3'(AXI_WORDS) && free_q <= PW'(PASSES)) else $error("more memory words on the way than the units can take");
    if (special_done_i) assert (special_words_q != '0) else $error("special word done that was not counted");
    assert (!(admit && queued_q == 3'(PLACES))) else $error("more choices than places");
    if (flow_retire_i) assert (flow_words_q != '0) else $error("flow word retired that was not counted");
    // what was ready stays so, so that a registered choice is still right
    assert ((pick_bit & ~(valid_i & have_i & ~waits & ~busy_q & ~pick2_q)) == '0) else $error("a wave was chosen and is not ready any more: %h", pick_bit);
  end
`endif
endmodule
