// Thread states and levels of all waves, and everything that is done once per thread of a flow word: level compares, moves between
// states, votes. S threads are handled at a time, so a wave passes in N = 32 / S clocks; control (mw_flow) says which moves a pass makes.
//
// One pass: read_i with slice_i = 0 .. N-1 in consecutive clocks. Stages of a slice:
//   R  read_i: the state memory is addressed
//   O  the row is here; levels are compared with ref_i and threshold_i, JUMP_FUNC per thread
//   E  moves_i, park_* are applied
//   U  new row: written to the memory (by the last pass only with store_i), voted on
// Sums of the votes (*_any_o) are complete in the clock after the last slice's U; load_i clears them. active_o, live_o, state_o and
// level_o are complete in the same clock of a last pass and hold.
// A thread that becomes active or not live has level 0 (so model and RTL agree on every bit of the record), and park_* set bits of a level that is 0.
// A launch stores only the live mask and marks the wave as fresh: its first word starts from that (fresh_o, combinational with wave_i).
// Meaning: docs/semantics.md, Flow words.
module mw_flow_threads
  import mw_isa_pkg::*;
  import mw_flow_pkg::*;
#(
  parameter cfg_t C = CFG_BASE,
  parameter int unsigned S = 16,
  parameter bit RECORD = 1,               // state_o and level_o exist
  localparam int unsigned N = WAVE_THREADS / S,
  localparam int unsigned KW = N > 1 ? $clog2(N) : 1,
  localparam int unsigned WW = $clog2(C.waves_partial)
) (
  input  logic              clk_i,
  input  logic              rst_i,
  input  logic              init_valid_i,
  input  logic [WW-1:0]     init_wave_i,
  input  logic [31:0]       init_live_i,
  input  logic              load_i,        // a word begins
  input  logic [WW-1:0]     wave_i,
  output logic              fresh_o,
  // A slice of a pass
  input  logic              read_i,
  input  logic [KW-1:0]     slice_i,
  input  logic              second_i,      // second pass of RETL
  input  logic              last_i,        // last pass of the word
  // Stage O
  input  logic [10:0]       ref_i,
  input  logic [10:0]       threshold_i,
  input  logic [31:0]       pred_i,
  input  logic [31:0]       alu_i,
  input  logic [3:0]        table_i,       // JUMP_FUNC by {ALU bit, predicate}
  // Stage E
  input  moves_t            moves_i,
  input  logic [2:0]        park_state_i,
  input  logic [10:0]       park_level_i,
  // Stage U
  input  logic              ret_i,         // RETL: the first pass votes on loops, the second on branches
  input  logic              store_i,
  output logic              want_any_o,      // an active thread wants
  output logic              no_any_o,        // an active thread does not want
  output logic              branch_gt_any_o, // (B, level > threshold)
  output logic              loop_gt_any_o,   // (K or C, level > threshold)
  output logic              cont_eq_any_o,   // (C, level = ref)
  // The wave after the word
  output logic [31:0]       active_o,
  output logic [31:0]       live_o,
  output logic [31:0][2:0]  state_o,
  output logic [31:0][10:0] level_o
);
  typedef struct packed {
    logic [S-1:0][10:0] level;
    logic [S-1:0][2:0]  state;
  } row_t;
  localparam int unsigned AW = $clog2(C.waves_partial * N);

  // ------------------------------------------------------------------------------------------------------- launch
  logic [C.waves_partial-1:0] fresh_q;
  logic                       is_fresh_q, done_q;
  logic [31:0]                launch_live;
  mw_mem_ram #(.WIDTH(32), .DEPTH(C.waves_partial)) u_live (
    .clk_i, .we_i(init_valid_i), .waddr_i(init_wave_i), .wdata_i(init_live_i), .re_i(load_i), .raddr_i(wave_i), .rdata_o(launch_live)
  );
  assign fresh_o = fresh_q[wave_i];
  always_ff @(posedge clk_i) begin
    if (done_q) fresh_q[wave_i] <= 1'b0;
    if (init_valid_i) fresh_q[init_wave_i] <= 1'b1;
    if (load_i) is_fresh_q <= fresh_o;
  end

  // ------------------------------------------------------------------------------------------------------- R, O
  row_t          row_rd, row_u_q;
  logic          o_valid_q, o_second_q, o_last_q, e_valid_q, e_second_q, e_last_q, u_valid_q, u_second_q, u_last_q;
  logic [KW-1:0] o_slice_q, e_slice_q, u_slice_q;
  logic          write;
  logic [AW-1:0] raddr, waddr;
  if (N > 1) begin : g_slices
    assign raddr = {wave_i, slice_i};
    assign waddr = {wave_i, u_slice_q};
  end else begin : g_whole
    assign raddr = wave_i;
    assign waddr = wave_i;
  end
  assign write = u_valid_q && (!u_last_q || store_i);
  mw_mem_ram #(.WIDTH($bits(row_t)), .DEPTH(C.waves_partial * N)) u_rows (
    .clk_i, .we_i(write), .waddr_i(waddr), .wdata_i(row_u_q), .re_i(read_i), .raddr_i(raddr), .rdata_o(row_rd)
  );

  logic [S-1:0] o_live, o_pred, o_alu;
  logic         o_fresh;
  assign o_fresh = is_fresh_q && !o_last_q;
  if (N > 1) begin : g_select
    assign o_live = launch_live[32'(o_slice_q) * S +: S];
    assign o_pred = pred_i[32'(o_slice_q) * S +: S];
    assign o_alu  = alu_i[32'(o_slice_q) * S +: S];
  end else begin : g_all
    assign o_live = launch_live;
    assign o_pred = pred_i;
    assign o_alu  = alu_i;
  end

  // ------------------------------------------------------------------------------------------------------- E
  logic [S-1:0][2:0]  state_q;
  logic [S-1:0][10:0] level_q;
  logic [S-1:0]       eq_q, gt_q, want_q, wake, park;
  always_comb begin
    {wake, park} = 'x;   // without a slice nobody looks
    if (e_valid_q) for (int unsigned t = 0; t < S; t++) begin
      wake[t] = (state_q[t] == ST_B && ((eq_q[t] && moves_i.wake_else) || (gt_q[t] && moves_i.wake_branch))) ||
                (eq_q[t] && ((state_q[t] == ST_K && moves_i.wake_break) || (state_q[t] == ST_C && moves_i.wake_cont) ||
                             (state_q[t] == ST_R && moves_i.wake_ret)));
      park[t] = state_q[t] == ST_A && (want_q[t] ? moves_i.park_want : moves_i.park_no);
    end
  end

  always_ff @(posedge clk_i) begin
    o_valid_q  <= read_i && !rst_i;
    o_slice_q  <= slice_i;
    o_second_q <= second_i;
    o_last_q   <= last_i;
    e_valid_q  <= o_valid_q && !rst_i;
    e_slice_q  <= o_slice_q;
    e_second_q <= o_second_q;
    e_last_q   <= o_last_q;
    u_valid_q  <= e_valid_q && !rst_i;
    u_slice_q  <= e_slice_q;
    u_second_q <= e_second_q;
    u_last_q   <= e_last_q;
    if (o_valid_q) for (int unsigned t = 0; t < S; t++) begin
      state_q[t] <= !o_fresh ? row_rd.state[t] : o_live[t] ? ST_A : ST_X;
      level_q[t] <= row_rd.level[t] & {11{!o_fresh}};
      eq_q[t]    <= row_rd.level[t] == ref_i;
      gt_q[t]    <= row_rd.level[t] > threshold_i;
      want_q[t]  <= table_i[{o_alu[t], o_pred[t]}];
    end
    if (e_valid_q) for (int unsigned t = 0; t < S; t++) begin
      // An active thread has state and level 0 and nobody is in both sets.
      row_u_q.state[t] <= (state_q[t] | (park_state_i & {3{park[t]}})) & {3{!wake[t]}};
      row_u_q.level[t] <= (level_q[t] | (park_level_i & {11{park[t]}})) & {11{!wake[t]}};
    end
  end

  // ------------------------------------------------------------------------------------------------------- U
  logic [S-1:0] u_eq_q, u_gt_q, u_want_q, is_a, is_b, is_k, is_c;
  always_comb begin
    {is_a, is_b, is_k, is_c} = 'x;
    if (u_valid_q) for (int unsigned t = 0; t < S; t++) begin
      is_a[t] = row_u_q.state[t] == ST_A;
      is_b[t] = row_u_q.state[t] == ST_B;
      is_k[t] = row_u_q.state[t] == ST_K;
      is_c[t] = row_u_q.state[t] == ST_C;
    end
  end
  always_ff @(posedge clk_i) begin
    if (e_valid_q) begin
      u_eq_q   <= eq_q;
      u_gt_q   <= gt_q;
      u_want_q <= want_q;
    end
    done_q   <= u_valid_q && u_last_q && store_i && u_slice_q == KW'(N - 1);
    if (u_valid_q && !u_last_q) begin
      want_any_o      <= want_any_o || |(is_a & u_want_q);
      no_any_o        <= no_any_o || |(is_a & ~u_want_q);
      cont_eq_any_o   <= cont_eq_any_o || |(is_c & u_eq_q);
      loop_gt_any_o   <= loop_gt_any_o || (!u_second_q && |((is_k | is_c) & u_gt_q));
      branch_gt_any_o <= branch_gt_any_o || (u_second_q == ret_i && |(is_b & u_gt_q));
    end
    if (load_i) {want_any_o, no_any_o, cont_eq_any_o, loop_gt_any_o, branch_gt_any_o} <= '0;
  end

  for (genvar k = 0; k < int'(N); k++) begin : g_collect
    logic here;
    assign here = u_valid_q && (N == 1 || u_slice_q == KW'(k));
    always_ff @(posedge clk_i) if (here) begin
      active_o[k*S +: S] <= is_a;
      for (int unsigned t = 0; t < S; t++) live_o[32'(k) * S + t] <= row_u_q.state[t] != ST_X;
    end
    if (RECORD) begin : g_record
      always_ff @(posedge clk_i) if (here) {state_o[k*S +: S], level_o[k*S +: S]} <= {row_u_q.state, row_u_q.level};
    end else begin : g_none
      assign {state_o[k*S +: S], level_o[k*S +: S]} = '0;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i && e_valid_q) begin
      for (int unsigned t = 0; t < S; t++) begin
        assert (state_q[t] <= ST_X);
        assert ((state_q[t] != ST_A && state_q[t] != ST_X) || level_q[t] == '0);
      end
    end
    if (!rst_i && u_valid_q && read_i) assert (slice_i != u_slice_q || second_i) else $error("mw_flow_threads: a pass overtakes another");
  end
`endif
endmodule
