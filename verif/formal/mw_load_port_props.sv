// mw_load_port, with one place and with two: results leave once, in order and unchanged; a completion leaves in its order, never before every result that was
// accepted before it (or with it) is written, and in the second clock after that at the latest if it is the oldest.
// Assumed of the taker (mw_writeback): it takes one result at a time and writes it in a later clock, before or while it takes the next; of the unit: not more
// completions than DEPTH (4 here) wait. With a longer queue the numbers of three bits may lap, which can only hold a completion back. One bit of data stands for the lanes' data, which the module does not look at. The module's own assertions are proved too.
// Source: header of rtl/core/mw_load_port.sv; docs/architecture.md, "Memory beats" (done) and "Pipeline" (late results).
module mw_load_port_props
  import mw_isa_pkg::*;
#(
  parameter  bit          FULL_RATE = 1'b0,
  parameter  int unsigned DEPTH     = 4,
  localparam cfg_t        C         = CFG_TINY,
  localparam int unsigned WW        = $clog2(C.waves_partial)
) (
  input logic          clk_i,
  input logic          rst_i,
  input logic          valid_i,
  input logic [4:0]    beat_i,
  input logic          done_valid_i,
  input logic [WW-1:0] done_wave_i,
  input logic          done_acq_i,
  input logic          ready_i,
  input logic          written_i
);
  logic                 ready, valid, second, done_valid, done_acq, busy;
  logic [WW-1:0]        done_wave;
  logic [1:0][4:0]      beat;
  mw_load_port #(.C(C), .DEPTH(DEPTH), .FULL_RATE(FULL_RATE)) u_port (
    .clk_i, .rst_i, .nregs_i(11'd1024), .valid_i, .ready_o(ready), .wave_i('0), .seq_i('0), .comp_i('0), .beat_i, .mask_i('0), .dst_i('0), .data_i('0),
    .done_valid_i, .done_wave_i, .done_acq_i, .valid_o(valid), .ready_i, .second_o(second), .wave_o(), .seq_o(), .comp_o(), .beat_o(beat), .mask_o(), .dst_o(),
    .data_o(), .written_i, .done_valid_o(done_valid), .done_wave_o(done_wave), .done_acq_o(done_acq), .busy_o(busy)
  );

  // Results in the places (the oldest first), whether the taker has one, and completions with the number of results that must be written before.
  typedef struct packed {
    logic [1:0]    ahead;
    logic [WW-1:0] wave;
    logic          acq;
  } done_t;
  localparam int unsigned PLACES = FULL_RATE ? 2 : 1;
  logic              begun_q = 1'b0;
  logic [1:0][4:0]   result_q;
  logic [1:0]        count_q;
  logic              held_q, put;
  done_t [DEPTH-1:0] list_q, list_d;
  logic [3:0]        waiting_q, waiting_d;
  logic [1:0]        on_way;              // results accepted and not written, after this clock
  done_t             out_q;
  logic              out_valid_q;
  assign put    = valid_i && ready;
  assign on_way = count_q + 2'(held_q) + 2'(put) - 2'(written_i);
  always_comb begin
    {list_d, waiting_d} = {list_q, waiting_q};
    // the oldest leaves when nothing before it is left
    if (waiting_q != '0 && list_q[0].ahead == '0) begin
      list_d >>= $bits(done_t);
      waiting_d -= 4'd1;
    end
    for (int i = 0; i < int'(DEPTH); i++) if (written_i && list_d[i].ahead != '0) list_d[i].ahead -= 2'd1;
    if (done_valid_i) begin
      for (int i = 0; i < int'(DEPTH); i++) if (waiting_d == 4'(i)) list_d[i] = '{on_way, done_wave_i, done_acq_i};
      waiting_d += 4'd1;
    end
  end
  always_ff @(posedge clk_i) begin
    begun_q     <= 1'b1;
    count_q     <= count_q + 2'(put) - 2'(ready_i);
    held_q      <= ready_i || (held_q && !written_i);
    if (ready_i) result_q[0] <= result_q[1];
    if (put) result_q[count_q == 2'(ready_i) ? 0 : 1] <= beat_i;
    list_q      <= list_d;
    waiting_q   <= waiting_d;
    out_valid_q <= waiting_q != '0 && list_q[0].ahead == '0;
    out_q       <= list_q[0];
    if (rst_i) {count_q, held_q, waiting_q, out_valid_q} <= '0;
  end

  // ---- the module's counts as the lists tell them: no promise, but what makes the proof a step
  localparam int unsigned QW = $clog2(DEPTH);
  logic counts;
  logic [DEPTH-1:0][2:0] list_after;
  always_comb begin
    list_after = '0;
    counts = count_q <= 2'(PLACES) && 32'(waiting_q) <= DEPTH && (QW+1)'(u_port.write_q - u_port.read_q) == (QW+1)'(waiting_q);
    counts &= 3'(u_port.in_q - u_port.out_q) == 3'(count_q) + 3'(held_q);
    counts &= 3'(count_q) + 3'(held_q) <= 3'd3;
    for (int unsigned i = 0; i < DEPTH; i++)
      if (i < 32'(waiting_q)) begin
        logic [QW-1:0] at;
        logic [2:0]    after, way;   // results that came after the completion; those on their way, of which the last `after` are not waited for
        at    = QW'(u_port.read_q + (QW+1)'(i));
        after = 3'(u_port.in_q - u_port.done_q[at].number);
        way   = 3'(count_q) + 3'(held_q);
        if (u_port.done_q[at].wave != list_q[i].wave || u_port.done_q[at].acq != list_q[i].acq) counts = 1'b0;
        if (3'(list_q[i].ahead) != (after >= way ? 3'd0 : way - after)) counts = 1'b0;
        // the number never laps: what can leave does, one per clock
        if (32'(after) > 6 - i || (i > 0 && list_after[i-1] < after)) counts = 1'b0;
        list_after[i] = after;
      end
  end
  if (FULL_RATE) begin : g_two
    logic places;
    assign places = u_port.g_two.in_second_q == (second ^ count_q[0])
                    && (count_q == 2'd0 || (second ? u_port.g_two.full1_q : u_port.g_two.full0_q))
                    && (count_q != 2'd2 || beat[!second] == result_q[1]);
    always_comb if (begun_q && !rst_i) i_places: assert (places);
  end

  always_comb begin
    if (!begun_q) assume (rst_i);
    assume (!ready_i || (valid && (!held_q || written_i)));
    assume (!written_i || held_q);
    if (32'(waiting_q) == DEPTH) assume (!done_valid_i);
    if (begun_q && !rst_i) begin
      a_valid:  assert (valid == (count_q != '0) && ready == (32'(count_q) < PLACES));
      a_result: assert (!valid || beat[second] == result_q[0]);
      a_done:   assert (done_valid == out_valid_q && (!out_valid_q || (done_wave == out_q.wave && done_acq == out_q.acq)));
      a_busy:   assert (busy == (count_q != '0 || held_q || waiting_q != '0 || out_valid_q));
      i_inner:  assert (counts);
    end
  end
endmodule
