// mw_barrier against a list of who is where: a release names exactly the waves of one group that wait, and comes only when every wave of the group that
// has not ended waits (nobody is released early), and then within BOUND clocks; an arrival at another pc than the waiting waves is a mismatch, not counted,
// any other arrives and waits; the end of the last wave ends the group.
// Assumed: a group is launched into an empty slot; only waves that run arrive or end; wave w belongs to slot w / W. Reset only at the start.
// Parameters: two slots of three waves (quick: of two); the module's own assertions are proved too.
// Source: header of rtl/flow/mw_barrier.sv; docs/semantics.md, "Flow words", BAR; docs/architecture.md, "Wave slots".
module mw_barrier_props
  import mw_isa_pkg::*;
#(
  parameter  int unsigned NS    = 2,
  parameter  int unsigned W     = 3,
  parameter  int unsigned BOUND = 7,
  localparam int unsigned NW    = NS * W,
  localparam int unsigned WW    = $clog2(NW),
  localparam int unsigned GW    = $clog2(NS),
  localparam int unsigned CW    = $clog2(NW + 1)
) (
  input logic          clk_i,
  input logic          launch_i, arrive_i, end_i,
  input logic [GW-1:0] launch_slot_i,
  input logic [CW-1:0] launch_waves_i,
  input logic [WW-1:0] arrive_wave_i, end_wave_i,
  input logic [23:0]   arrive_pc_i
);
  function automatic cfg_t config_of();
    cfg_t c;
    c = CFG_TINY;
    c.waves_partial = NW;
    c.group_slots   = NS;
    return c;
  endfunction
  function automatic logic [GW-1:0] slot_of(input logic [WW-1:0] wave);
    return GW'(32'(wave) / W);
  endfunction

  logic [2:0]    begun_q = '0;
  logic          rst, mismatch, arrived, release_valid, done_valid;
  logic [GW-1:0] release_slot, done_slot;
  logic [NW-1:0] release_mask, waiting;
  assign rst = !begun_q[0];
  mw_barrier #(.C(config_of())) u_barrier (
    .clk_i, .rst_i(rst), .launch_valid_i(launch_i), .launch_slot_i, .launch_waves_i,
    .arrive_valid_i(arrive_i), .arrive_slot_i(slot_of(arrive_wave_i)), .arrive_wave_i, .arrive_pc_i, .mismatch_o(mismatch), .arrived_o(arrived),
    .end_valid_i(end_i), .end_slot_i(slot_of(end_wave_i)), .release_valid_o(release_valid), .release_slot_o(release_slot), .release_mask_o(release_mask),
    .waiting_o(waiting), .group_done_valid_o(done_valid), .group_done_slot_o(done_slot)
  );

  // ---- the list. here: arrived, not released; settled: for three clocks or more.
  logic [NW-1:0]       live_q, here_q, stuck_q, wait_q, here, settled;   // stuck: mismatched, and never seen again
  logic [NS-1:0][23:0] pc_q;
  logic [1:0]          came_q, wrong_q;      // an arrival one and two clocks ago, and whether it is a mismatch
  logic [1:0][WW-1:0]  who_q;
  logic                done_q;
  logic [GW-1:0]       done_slot_q, slot;
  logic [NS-1:0]       all_here, some_here;
  logic [NS-1:0][4:0]  age_q;                // clocks since all are here
  logic                wrong, last;
  logic [NW-1:0]       released;
  assign released = release_valid ? release_mask : '0;
  assign here     = here_q & ~released;
  assign settled  = wait_q & ~released;
  assign slot     = slot_of(arrive_wave_i);
  assign wrong    = some_here[slot] && pc_q[slot] != arrive_pc_i;
  always_comb begin
    last = end_i;
    for (int unsigned w = 0; w < NW; w++) if (slot_of(WW'(w)) == slot_of(end_wave_i) && live_q[w] && WW'(w) != end_wave_i) last = 1'b0;
    for (int unsigned s = 0; s < NS; s++) begin
      some_here[s] = here[s*W +: W] != '0;
      all_here[s]  = some_here[s] && here[s*W +: W] == live_q[s*W +: W];
    end
  end
  always_ff @(posedge clk_i) begin
    begun_q <= {begun_q[1:0], 1'b1};
    came_q  <= {came_q[0], arrive_i};
    wrong_q <= {wrong_q[0], wrong};
    who_q   <= {who_q[0], arrive_wave_i};
    here_q  <= here;
    wait_q  <= settled;
    if (arrive_i && wrong) stuck_q[arrive_wave_i] <= 1'b1;
    if (arrive_i && !wrong) here_q[arrive_wave_i] <= 1'b1;
    if (arrive_i && !some_here[slot]) pc_q[slot] <= arrive_pc_i;
    if (came_q[1] && !wrong_q[1]) wait_q[who_q[1]] <= 1'b1;
    if (end_i) live_q[end_wave_i] <= 1'b0;
    if (launch_i) for (int unsigned w = 0; w < NW; w++) if (slot_of(WW'(w)) == launch_slot_i && w % W < 32'(launch_waves_i)) live_q[w] <= 1'b1;
    done_q      <= last;
    done_slot_q <= slot_of(end_wave_i);
    for (int unsigned s = 0; s < NS; s++) age_q[s] <= all_here[s] ? age_q[s] + 5'd1 : '0;
    if (rst) begin
      {live_q, here_q, stuck_q, wait_q, age_q} <= '0;
      {came_q, done_q} <= '0;
    end
  end

  // ---- the module's state as the list tells it: no promises, but what makes the proof a step
  logic counts, late;
  always_comb begin
    counts = u_barrier.any_hot_q == (u_barrier.hot_q != '0) && (u_barrier.hot_q & (u_barrier.hot_q - 1'b1)) == '0 && !u_barrier.rst_q;
    late   = 1'b0;
    for (int unsigned s = 0; s < NS; s++) begin
      logic [CW-1:0] live, held;
      {live, held} = '0;
      for (int unsigned w = s * W; w < s * W + W; w++) begin
        live += CW'(live_q[w]);
        held += CW'(settled[w]);
        if (settled[w] && u_barrier.slot_q[w] != GW'(s)) counts = 1'b0;
        if ((here[w] && !settled[w]) != ((came_q[0] && !wrong_q[0] && who_q[0] == WW'(w)) || (came_q[1] && !wrong_q[1] && who_q[1] == WW'(w)))) counts = 1'b0;
      end
      if (u_barrier.left_q[s] != live || u_barrier.held_q[s] != held || u_barrier.some_q[s] != (held != '0)) counts = 1'b0;
      if ((u_barrier.open_q[s] || u_barrier.hot_q[s]) && !(all_here[s] && settled[s*W +: W] == here[s*W +: W])) counts = 1'b0;
      if (settled[s*W +: W] != '0 && u_barrier.u_pcs.mem_q[s] != pc_q[s]) counts = 1'b0;
      if (all_here[s] && age_q[s] >= 5'd3 && !u_barrier.open_q[s] && !u_barrier.hot_q[s]) counts = 1'b0;
      if (32'(age_q[s]) > BOUND) late = 1'b1;
    end
  end

  always_comb begin
    // The contract: nothing in the two cycles after reset; running waves only; empty slots only
    if (begun_q != '1) assume (!launch_i && !arrive_i && !end_i);
    if (launch_i) assume (32'(launch_slot_i) < NS && launch_waves_i != '0 && 32'(launch_waves_i) <= W);
    if (launch_i) for (int unsigned w = 0; w < NW; w++) assume (!(slot_of(WW'(w)) == launch_slot_i && live_q[w]));
    if (arrive_i) assume (32'(arrive_wave_i) < NW && live_q[arrive_wave_i] && !here[arrive_wave_i] && !stuck_q[arrive_wave_i]);
    if (end_i) assume (32'(end_wave_i) < NW && live_q[end_wave_i] && !here[end_wave_i] && !stuck_q[end_wave_i]);
    if (end_i && arrive_i) assume (end_wave_i != arrive_wave_i);

    if (begun_q == '1) begin
      a_mismatch: assert (mismatch == (came_q[1] && wrong_q[1]));
      a_arrived:  assert (arrived == (came_q[1] && !wrong_q[1]));
      a_waiting:  assert (waiting == settled);
      a_group:    assert (done_valid == done_q && (!done_q || done_slot == done_slot_q));
      if (release_valid) begin
        logic [NW-1:0] group;
        group = NW'((1 << W) - 1) << (32'(release_slot) * W);
        a_somebody: assert (release_mask != '0);
        a_exactly:  assert (release_mask == (wait_q & group));
        a_not_early: assert (release_mask == (live_q & group));
      end
      a_soon: assert (!late);
    end
    if (begun_q[1]) i_inner: assert (counts && (here & ~live_q) == '0 && (settled & ~here) == '0 && (stuck_q & here) == '0 && (stuck_q & ~live_q) == '0);
  end
endmodule
