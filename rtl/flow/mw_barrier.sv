// Barrier counters of the resident work groups. A group's barrier opens when every wave of the group that has not ended waits;
// the whole state of a slot (waves left, waves waiting, pc) is its own, so events of several slots in one cycle or in
// consecutive cycles never meet.
//
// arrive: compared one clock later: then mismatch_o says that the wave is at another pc than the waiting ones (it is not counted; the core
// raises the fault), else arrived_o, and from the clock after it waits. end: one wave of the slot has ended; it may come in the same cycle as an arrival
// or a launch, of the same or another slot.
// release: from the fourth cycle after the last arrival, the second after the last end, release_mask_o names the waves that go on; they are not waiting in the cycle
// after. One slot is released per cycle, the slots take turns. group_done: one cycle after the end of the group's last wave.
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
  output logic          mismatch_o,         // the arrival of the clock before
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
  logic [NS-1:0][CW-1:0] left_q, held_q;    // waves that have not ended; of these, waves that wait
  logic [NS-1:0]         some_q;            // somebody waits
  logic [NS-1:0]         open_q;            // every wave left waits
  logic [NS-1:0][CW-1:0] left_d, held_d;
  logic [NW-1:0]         waiting_q;
  logic [NW-1:0][GW-1:0] slot_q;            // group slot of a waiting wave
  logic [NS-1:0]         later_q;           // slots after the one released last
  logic [NS-1:0]         hot_q, hot_d;      // the slot that is released, and the next one
  logic                  done_q;
  logic [GW-1:0]         done_slot_q;
  logic                  arrive;

  // First clock: the pc is compared with that of the waiting waves, and with that of the arrival just before, which may be the one that sets it.
  // Second clock: which of the two counts. Third clock: the arrival is counted.
  logic [23:0]   pc;                        // where the slot's waves wait
  logic          here_q, count_q, first_q;
  logic [GW-1:0] here_slot_q, count_slot_q;
  logic [WW-1:0] here_wave_q;
  logic [23:0]   here_pc_q;
  logic [5:0]    differs_q, differs_before_q;  // of four bits each
  logic          others, just_before, set_pc;
  mw_mem_lutram #(.WIDTH(24), .DEPTH(NS)) u_pcs (
    .clk_i, .we_i(set_pc), .waddr_i(here_slot_q), .wdata_i(here_pc_q), .raddr_i(arrive_slot_i), .rdata_o(pc)
  );
  assign just_before = count_q && count_slot_q == here_slot_q;
  assign others      = some_q[here_slot_q] || just_before;
  assign mismatch_o  = here_q && others && (just_before && first_q ? differs_before_q != '0 : differs_q != '0);
  assign arrive      = here_q && !mismatch_o;
  assign arrived_o   = arrive;
  assign set_pc      = here_q && !others;

  always_comb begin
    for (int unsigned s = 0; s < NS; s++) begin
      left_d[s] = left_q[s];
      held_d[s] = held_q[s];
      if (launch_valid_i && launch_slot_i == GW'(s)) left_d[s] = launch_waves_i;
      else if (end_valid_i && end_slot_i == GW'(s)) left_d[s] = left_q[s] - CW'(1);
      if (hot_q[s]) held_d[s] = '0;
      else if (count_q && count_slot_q == GW'(s)) held_d[s] = held_q[s] + CW'(1);
    end
  end

  // The open slots take turns: the lowest one after the last, else the lowest. It is released in the clock after the choice, when nothing can have
  // happened to it: all its waves wait.
  logic [NS-1:0] ready, from;
  assign ready = open_q & ~hot_q;
  assign from  = (ready & later_q) != '0 ? ready & later_q : ready;
  always_comb begin
    for (int unsigned s = 0; s < NS; s++) begin
      hot_d[s] = from[s];
      for (int unsigned below = 0; below < s; below++) if (from[below]) hot_d[s] = 1'b0;
    end
  end
  always_comb begin
    release_valid_o = hot_q != '0;
    release_slot_o  = '0;
    for (int unsigned s = 0; s < NS; s++) if (hot_q[s]) release_slot_o |= GW'(s);
    for (int unsigned w = 0; w < NW; w++) release_mask_o[w] = waiting_q[w] && hot_q[slot_q[w]];
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      left_q    <= '0;
      held_q    <= '0;
      open_q    <= '0;
      waiting_q <= '0;
      later_q   <= '0;
      done_q    <= 1'b0;
      count_q   <= 1'b0;
      here_q    <= 1'b0;
      hot_q     <= '0;
      some_q    <= '0;
    end else begin
      here_q  <= arrive_valid_i;
      hot_q   <= hot_d;
      count_q <= arrive;
      left_q <= left_d;
      held_q <= held_d;
      for (int unsigned s = 0; s < NS; s++) begin
        open_q[s] <= held_d[s] != '0 && held_d[s] == left_d[s];
        some_q[s] <= held_d[s] != '0;
      end
      if (release_valid_o) begin
        waiting_q <= waiting_q & ~release_mask_o;
        for (int unsigned s = 0; s < NS; s++) begin
          later_q[s] <= 1'b0;
          for (int unsigned below = 0; below < s; below++) if (hot_q[below]) later_q[s] <= 1'b1;
        end
      end
      if (arrive) begin
        waiting_q[here_wave_q] <= 1'b1;
      end
      done_q <= end_valid_i && left_q[end_slot_i] == CW'(1);
    end
    done_slot_q  <= end_slot_i;
    here_slot_q  <= arrive_slot_i;
    here_wave_q  <= arrive_wave_i;
    here_pc_q    <= arrive_pc_i;
    count_slot_q <= here_slot_q;
    first_q      <= !others;
    for (int unsigned i = 0; i < 6; i++) begin
      differs_q[i]        <= arrive_pc_i[4*i +: 4] != pc[4*i +: 4];
      differs_before_q[i] <= arrive_pc_i[4*i +: 4] != here_pc_q[4*i +: 4];
    end
    if (here_q) slot_q[here_wave_q] <= here_slot_q;
  end

  assign waiting_o          = waiting_q;
  assign group_done_valid_o = done_q;
  assign group_done_slot_o  = done_slot_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i) begin
      assert (!(arrive && waiting_q[here_wave_q])) else $error("mw_barrier: wave %0d waits already", here_wave_q);
      assert (!(count_q && held_q[count_slot_q] >= left_q[count_slot_q])) else $error("mw_barrier: more arrivals than waves");
      assert (!(end_valid_i && held_q[end_slot_i] >= left_q[end_slot_i])) else $error("mw_barrier: a waiting wave ends");
      assert (!(launch_valid_i && left_q[launch_slot_i] != '0)) else $error("mw_barrier: launch into a busy slot");
      for (int unsigned s = 0; s < NS; s++) assert (held_q[s] <= left_q[s]);
    end
  end
`endif
endmodule
