// Barrier counters of the resident work groups. A group's barrier opens when every wave of the group that has not ended waits;
// the whole state of a slot (waves left, waves waiting, pc) is its own, so events of several slots in one cycle or in
// consecutive cycles never meet.
//
// arrive: compared one clock later; another one later mismatch_o says that the wave is at another pc than the waiting ones (it is not counted; the
// core raises the fault), else arrived_o, and from the clock after it waits. end: one wave of the slot has ended; it may come in the same cycle as an
// arrival or a launch, of the same or another slot.
// release: from the sixth cycle after the last arrival, the fourth after the last end, release_mask_o names the waves that go on; they do not wait any more.
// One slot is released in two cycles, the slots take turns. group_done: one cycle after the end of the group's last wave. Nothing may come in the two
// cycles after a reset, which acts one clock late.
// Meaning: docs/semantics.md, Flow words, BAR.
module mw_barrier
  import mw_isa_pkg::*;
#(
  parameter cfg_t C = CFG_BASE,
  localparam int unsigned NW = C.waves_partial,
  localparam int unsigned NS = C.group_slots,
  localparam int unsigned WW = $clog2(NW),
  localparam int unsigned GW = $clog2(NS),
  localparam int unsigned CW = $clog2(NW + 1)
) (
  input  logic          clk_i,
  input  logic          rst_i,
  input  logic          launch_valid_i,
  input  logic [GW-1:0] launch_slot_i,
  input  logic [CW-1:0] launch_waves_i,
  input  logic          arrive_valid_i,
  input  logic [GW-1:0] arrive_slot_i,
  input  logic [WW-1:0] arrive_wave_i,
  input  logic [23:0]   arrive_pc_i,
  output logic          mismatch_o,         // the arrival two clocks before
  output logic          arrived_o,
  input  logic          end_valid_i,
  input  logic [GW-1:0] end_slot_i,
  output logic          release_valid_o,
  output logic [GW-1:0] release_slot_o,
  output logic [NW-1:0] release_mask_o,
  output logic [NW-1:0] waiting_o,
  output logic          group_done_valid_o,
  output logic [GW-1:0] group_done_slot_o
);
  (* keep *) logic       rst_q;
  logic [NS-1:0][CW-1:0] left_q, held_q;    // waves that have not ended; of these, waves that wait
  logic [NS-1:0]         some_q;            // somebody waits
  logic [NS-1:0]         open_q;            // every wave left waits
  logic [NW-1:0]         waiting_q;
  logic [NW-1:0][GW-1:0] slot_q;            // group slot of a waiting wave
  logic [NS-1:0]         later_q;           // slots after the one released last
  logic [NS-1:0]         hot_q, hot_d;      // the slot that is released, and the next one
  logic                  any_hot_q;
  logic                  done_q;
  logic [GW-1:0]         done_slot_q;

  // First clock: the pc is compared with that of the waiting waves, and with that of the arrival just before, which may be the one that sets it.
  // Second clock: which of the two counts. Third clock: the arrival is counted.
  logic [23:0]   pc;                        // where the slot's waves wait
  logic          here_q, count_q, first_q, mismatch_q;
  logic [GW-1:0] here_slot_q, count_slot_q;
  logic [WW-1:0] here_wave_q, count_wave_q;
  logic [23:0]   here_pc_q;
  logic [5:0]    differs_q, differs_before_q;  // of four bits each
  logic          others, just_before, mismatch;
  mw_mem_lutram #(.WIDTH(24), .DEPTH(NS)) u_pcs (
    .clk_i, .we_i(here_q && !others), .waddr_i(here_slot_q), .wdata_i(here_pc_q), .raddr_i(arrive_slot_i), .rdata_o(pc)
  );
  assign just_before = count_q && count_slot_q == here_slot_q;
  assign others      = some_q[here_slot_q] || just_before;
  assign mismatch    = others && (just_before && first_q ? differs_before_q != '0 : differs_q != '0);

  // The open slots take turns: the lowest one after the last, else the lowest.
  logic [NS-1:0] first;
  logic [GW-1:0] unused_first;
  mw_first #(.N(NS)) u_first (.x_i((open_q & later_q) != '0 ? open_q & later_q : open_q), .first_o(first), .index_o(unused_first));
  assign hot_d = any_hot_q ? '0 : first;

  logic [NW-1:0] leave;                     // waves that are released
  logic [GW-1:0] hot_slot;
  always_comb begin
    {hot_slot, leave} = 'x;   // without a release nobody looks
    if (any_hot_q) begin
      hot_slot = '0;
      for (int unsigned s = 0; s < NS; s++) if (hot_q[s]) hot_slot |= GW'(s);
      for (int unsigned w = 0; w < NW; w++) leave[w] = waiting_q[w] && hot_q[slot_q[w]];
    end
  end

  always_ff @(posedge clk_i) begin
    rst_q <= rst_i;
    if (rst_q) begin
      left_q          <= '0;
      held_q          <= '0;
      open_q          <= '0;
      waiting_q       <= '0;
      later_q         <= '0;
      done_q          <= 1'b0;
      count_q         <= 1'b0;
      mismatch_q      <= 1'b0;
      here_q          <= 1'b0;
      hot_q           <= '0;
      any_hot_q       <= 1'b0;
      some_q          <= '0;
      release_valid_o <= 1'b0;
    end else begin
      here_q          <= arrive_valid_i;
      count_q         <= here_q && !mismatch;
      mismatch_q      <= here_q && mismatch;
      hot_q           <= hot_d;
      any_hot_q       <= open_q != '0 && !any_hot_q;
      release_valid_o <= any_hot_q;
      for (int unsigned s = 0; s < NS; s++) begin
        if (launch_valid_i && launch_slot_i == GW'(s)) left_q[s] <= launch_waves_i;
        else if (end_valid_i && end_slot_i == GW'(s)) left_q[s] <= left_q[s] - CW'(1);
        if (hot_q[s]) held_q[s] <= '0;
        else if (count_q && count_slot_q == GW'(s)) held_q[s] <= held_q[s] + CW'(1);
        some_q[s] <= !hot_q[s] && (some_q[s] || (count_q && count_slot_q == GW'(s)));
        // A clock behind the counts: nothing happens to a slot all of whose waves wait.
        open_q[s] <= some_q[s] && held_q[s] == left_q[s] && !hot_q[s];
      end
      if (any_hot_q) begin
        waiting_q <= waiting_q & ~leave;
        for (int unsigned s = 0; s < NS; s++) begin
          later_q[s] <= 1'b0;
          for (int unsigned below = 0; below < s; below++) if (hot_q[below]) later_q[s] <= 1'b1;
        end
      end
      if (count_q) waiting_q[count_wave_q] <= 1'b1;
      done_q <= end_valid_i && left_q[end_slot_i] == CW'(1);
    end
    if (arrive_valid_i) begin
      here_slot_q <= arrive_slot_i;
      here_wave_q <= arrive_wave_i;
      here_pc_q   <= arrive_pc_i;
      for (int unsigned i = 0; i < 6; i++) begin
        differs_q[i]        <= arrive_pc_i[4*i +: 4] != pc[4*i +: 4];
        differs_before_q[i] <= arrive_pc_i[4*i +: 4] != here_pc_q[4*i +: 4];
      end
    end
    if (here_q) begin
      count_slot_q <= here_slot_q;
      count_wave_q <= here_wave_q;
      first_q      <= !others;
    end
    if (count_q) slot_q[count_wave_q] <= count_slot_q;
    if (any_hot_q) begin
      release_mask_o <= leave;
      release_slot_o <= hot_slot;
    end
    if (end_valid_i) done_slot_q <= end_slot_i;
  end

  assign mismatch_o         = mismatch_q;
  assign arrived_o          = count_q;
  assign waiting_o          = waiting_q;
  assign group_done_valid_o = done_q;
  assign group_done_slot_o  = done_slot_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i && !rst_q) begin
      assert (!(count_q && waiting_q[count_wave_q])) else $error("mw_barrier: wave %0d waits already", count_wave_q);
      assert (!(count_q && held_q[count_slot_q] >= left_q[count_slot_q])) else $error("mw_barrier: more arrivals than waves");
      assert (!(end_valid_i && held_q[end_slot_i] >= left_q[end_slot_i])) else $error("mw_barrier: a waiting wave ends");
      assert (!(launch_valid_i && left_q[launch_slot_i] != '0)) else $error("mw_barrier: launch into a busy slot");
      for (int unsigned s = 0; s < NS; s++) assert (held_q[s] <= left_q[s]);
    end
  end
`endif
endmodule
