// The 32 thread states and levels of the wave whose flow word is being processed, and everything that is done once per
// thread: level compares, moves between states, reduction trees. Control (mw_flow) decides which moves happen in which cycle.
//
// Promises: outputs `*_any_o` are combinational on the registers here and meant to be registered by the user; a
// thread that becomes active or not live has level 0 (so model and RTL agree on every bit of the record).
// Timing: load_i takes state_i/level_i; every other command acts on the registers in the cycle it is given in. Compare
// results are registered (eq at cmp_i, gt every cycle) and belong to the state of the cycle before.
// Meaning: docs/semantics.md, Flow words.
module mw_flow_threads
  import mw_isa_pkg::*;
#(
  parameter int unsigned N = WAVE_THREADS
) (
  input  logic               clk_i,
  // Load of the wave; fresh_i: levels are 0 whatever level_i is
  input  logic               load_i,
  input  logic               fresh_i,
  input  logic [N-1:0][2:0]  state_i,
  input  logic [N-1:0][10:0] level_i,
  // Compares: eq = the thread waits for the innermost level of its kind; gt = above the threshold
  input  logic               cmp_i,
  input  logic [10:0]        db_i,            // innermost branch level: B threads compare with it
  input  logic [8:0]         frame_i,         // innermost frame: loop frame in words that ask for K and C, call frame in those that ask for R
  input  logic [10:0]        threshold_i,
  // Vote of every thread (only that of active threads counts)
  input  logic [N-1:0]       want_i,
  // Moves: threads to active
  input  logic               wake_cont_i,     // (C, eq) -> A
  input  logic               swap_i,          // (B, eq) -> A and A -> (B, Db)
  input  logic               wake_branch_i,   // (B, gt) -> A
  input  logic               wake_break_i,    // (K, eq) -> A
  input  logic               wake_ret_i,      // (R, eq) -> A
  // Moves: active threads that want / do not want to the state park_state_i at park_level_i (swap_i: all of them)
  input  logic               park_want_i,
  input  logic               park_no_i,
  input  logic [2:0]         park_state_i,
  input  logic [10:0]        park_level_i,
  // State of the wave
  output logic [N-1:0][2:0]  state_o,
  output logic [N-1:0][10:0] level_o,
  output logic [N-1:0]       active_o,
  output logic [N-1:0]       live_o,
  // Reductions
  output logic               want_any_o,      // an active thread wants
  output logic               no_any_o,        // an active thread does not want
  output logic               branch_gt_any_o, // (B, gt)
  output logic               loop_gt_any_o,   // (K or C, gt)
  output logic               cont_eq_any_o,   // (C, eq)
  output logic               live_any_o
);
  logic [N-1:0][2:0]  state_q;
  logic [N-1:0][10:0] level_q;
  logic [N-1:0]       eq_q, gt_q;
  logic [N-1:0]       is_b, is_k, is_c, is_r;
  logic [N-1:0]       eq_d, gt_d, to_active, to_park;

  always_comb begin
    for (int unsigned t = 0; t < N; t++) begin
      active_o[t] = state_q[t] == ST_A;
      live_o[t]   = state_q[t] != ST_X;
      is_b[t]     = state_q[t] == ST_B;
      is_k[t]     = state_q[t] == ST_K;
      is_c[t]     = state_q[t] == ST_C;
      is_r[t]     = state_q[t] == ST_R;
    end
  end

  always_comb begin
    for (int unsigned t = 0; t < N; t++) begin
      eq_d[t] = level_q[t] == (is_b[t] ? db_i : 11'(frame_i));
      gt_d[t] = level_q[t] > threshold_i;
    end
  end

  always_comb begin
    to_active = ({N{wake_cont_i}} & is_c & eq_q) | ({N{swap_i}} & is_b & eq_q) | ({N{wake_branch_i}} & is_b & gt_q) |
                ({N{wake_break_i}} & is_k & eq_q) | ({N{wake_ret_i}} & is_r & eq_q);
    to_park = active_o & ({N{swap_i}} | ({N{park_want_i}} & want_i) | ({N{park_no_i}} & ~want_i));
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned t = 0; t < N; t++) begin
      // A thread is never in both sets: one holds active threads, the other the rest.
      if (load_i || to_active[t] || to_park[t]) begin
        state_q[t] <= load_i ? state_i[t] : to_park[t] ? park_state_i : ST_A;
      end
    end
    for (int unsigned t = 0; t < N; t++) begin
      if (load_i && fresh_i) level_q[t] <= '0;
      else if (load_i || to_active[t] || to_park[t]) level_q[t] <= load_i ? level_i[t] : to_park[t] ? park_level_i : '0;
    end
    // A thread that is parked by the vote waits for the innermost frame, so that BREAK can wake it in the same word.
    if (cmp_i) eq_q <= eq_d;
    else eq_q <= eq_q | (to_park & {N{park_want_i}});
    gt_q <= gt_d;
  end

  assign state_o         = state_q;
  assign level_o         = level_q;
  assign want_any_o      = |(active_o & want_i);
  assign no_any_o        = |(active_o & ~want_i);
  assign branch_gt_any_o = |(is_b & gt_q);
  assign loop_gt_any_o   = |((is_k | is_c) & gt_q);
  assign cont_eq_any_o   = |(is_c & eq_q);
  assign live_any_o      = |live_o;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (load_i) begin
      for (int unsigned t = 0; t < N; t++) begin
        assert (state_i[t] <= ST_X);
        assert (fresh_i || (state_i[t] != ST_A && state_i[t] != ST_X) || level_i[t] == '0);
      end
    end
    assert (!(park_want_i && park_no_i));
  end
`endif
endmodule
