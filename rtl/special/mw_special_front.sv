// Collects the words of the special unit: operands of 32 threads in small memories, one row for a beat, and the list of the beats
// that came, which the sequencer and the return port read each at its own place. A beat's entry stays until its results have left.
// Promises: a beat may come in every clock; it is in the list two clocks later, when it is known which of its threads' values are 0 (pending_o: a beat is
// on the way there). Its row can be read then.
module mw_special_front
  import mw_isa_pkg::*;
  import mw_special_pkg::*;
#(
  parameter cfg_t C = CFG_BASE,
  localparam int unsigned L  = C.lanes,
  localparam int unsigned W  = mw_core_pkg::special_capacity(C.lanes),
  localparam int unsigned WW = $clog2(C.waves_partial),
  localparam int unsigned ROWS = W * (32 / L),
  localparam int unsigned AW = $clog2(ROWS),
  localparam int unsigned LW = L > 1 ? $clog2(L) : 1
) (
  input  logic               clk_i,
  input  logic               rst_i,

  input  logic               valid_i,
  input  logic [WW-1:0]      wave_i,
  input  logic [31:0]        seq_i,
  input  op_e                op_i,
  input  type_e              type_i,
  input  logic               first_i,
  input  logic               last_i,
  input  logic [4:0]         beat_i,
  input  logic [L-1:0]       mask_i,
  input  logic [L-1:0]       wmask_i,
  input  logic [9:0]         dst_i,
  input  logic [L-1:0][31:0] a_i,
  input  logic [L-1:0][31:0] b_i,
  /* verilator lint_off UNUSEDSIGNAL */  // only clamp and segment matter
  input  logic [L-1:0][31:0] c_i,
  /* verilator lint_on UNUSEDSIGNAL */

  // Headers of the words held, and of votes whether some thread is not zero and some thread is.
  output header_t [W-1:0]    header_o,
  output logic [W-1:0]       some_o,
  output logic [W-1:0]       some_zero_o,

  // The list: entries [head, tail). vote_o: threads not zero (votes), threads that execute (others).
  output logic               pending_o,
  output logic [AW:0]        tail_o,
  input  logic [AW-1:0]      seq_at_i,
  output logic [4:0]         seq_beat_o,
  output logic               seq_last_o,
  output logic [L-1:0]       seq_wmask_o,
  output logic [L-1:0]       seq_vote_o,
  input  logic [AW-1:0]      ret_at_i,
  output logic [4:0]         ret_beat_o,
  output logic               ret_last_o,
  output logic [L-1:0]       ret_wmask_o,

  // Operands of one thread: answers in the same clock. Row = word * BEATS + beat.
  input  logic [AW-1:0]      a_row_i,
  input  logic [LW-1:0]      a_lane_i,
  output logic [31:0]        a_o,
  input  logic [AW-1:0]      bc_row_i,
  input  logic [LW-1:0]      bc_lane_i,
  output logic [31:0]        b_o,
  output logic [9:0]         c_o          // {segment, clamp}
);
  localparam int unsigned BEATS = 32 / L;
  logic word_q;  // where the coming word goes
  if (W == 1) begin : g_one_word
    assign word_q = 1'b0;
  end else begin : g_words
    always_ff @(posedge clk_i) begin
      if (rst_i) word_q <= 1'b0;
      else if (valid_i && last_i) word_q <= !word_q;
    end
  end

  header_t [W-1:0] header_q;
  for (genvar w = 0; w < int'(W); w++) begin : g_header
    always_ff @(posedge clk_i) if (valid_i && first_i && word_q == 1'(w)) header_q[w] <= '{op: op_i, kind: type_i, wave: 6'(wave_i), seq: seq_i, dst: dst_i};
  end
  assign header_o = header_q;

  // Second clock of a beat.
  logic         enter_q, first_q, last_q, is_vote_q, word1_q;
  logic [4:0]   beat_q;
  logic [L-1:0] mask_q, wmask_q, not_zero_q, vote;
  always_ff @(posedge clk_i) begin
    enter_q <= valid_i && !rst_i;
    if (valid_i) begin
      first_q   <= first_i;
      last_q    <= last_i;
      is_vote_q <= is_vote(op_i);
      word1_q   <= word_q;
      beat_q    <= beat_i;
      mask_q    <= mask_i;
      wmask_q   <= wmask_i;
      for (int i = 0; i < int'(L); i++) not_zero_q[i] <= a_i[i][30:0] != '0 || (a_i[i][31] && type_i != T_F32);
    end
  end
  assign pending_o = enter_q;
  assign vote      = mask_q & (not_zero_q | {L{!is_vote_q}});

  logic [W-1:0] some_q, some_zero_q;
  for (genvar w = 0; w < int'(W); w++) begin : g_some
    always_ff @(posedge clk_i) if (enter_q && word1_q == 1'(w)) begin
      some_q[w]      <= (some_q[w] && !first_q) || (mask_q & not_zero_q) != '0;
      some_zero_q[w] <= (some_zero_q[w] && !first_q) || (mask_q & ~not_zero_q) != '0;
    end
  end
  assign some_o      = some_q;
  assign some_zero_o = some_zero_q;

  // The list, once for each reader.
  logic [AW:0] tail_q;
  always_ff @(posedge clk_i) begin
    if (rst_i) tail_q <= '0;
    else if (enter_q) tail_q <= tail_q + 1'b1;
  end
  assign tail_o = tail_q;
  mw_mem_lutram #(.WIDTH(6 + 2 * L), .DEPTH(ROWS)) u_seq (
    .clk_i, .we_i(enter_q), .waddr_i(tail_q[AW-1:0]), .wdata_i({last_q, beat_q, wmask_q, vote}),
    .raddr_i(seq_at_i), .rdata_o({seq_last_o, seq_beat_o, seq_wmask_o, seq_vote_o})
  );
  mw_mem_lutram #(.WIDTH(6 + L), .DEPTH(ROWS)) u_ret (
    .clk_i, .we_i(enter_q), .waddr_i(tail_q[AW-1:0]), .wdata_i({last_q, beat_q, wmask_q}),
    .raddr_i(ret_at_i), .rdata_o({ret_last_o, ret_beat_o, ret_wmask_o})
  );

  // Operands.
  logic [AW-1:0]      row;
  logic [L-1:0][31:0] a, b;
  logic [L-1:0][9:0]  c;
  assign row = AW'(32'(word_q) * BEATS) | AW'(beat_i);
  for (genvar i = 0; i < int'(L); i++) begin : g_lane
    mw_mem_lutram #(.WIDTH(32), .DEPTH(ROWS)) u_a (
      .clk_i, .we_i(valid_i), .waddr_i(row), .wdata_i(a_i[i]), .raddr_i(a_row_i), .rdata_o(a[i])
    );
    mw_mem_lutram #(.WIDTH(42), .DEPTH(ROWS)) u_bc (
      .clk_i, .we_i(valid_i), .waddr_i(row), .wdata_i({c_i[i][12:8], c_i[i][4:0], b_i[i]}), .raddr_i(bc_row_i),
      .rdata_o({c[i], b[i]})
    );
  end
  if (L == 1) begin : g_lanes_one
    assign a_o = a[0];
    assign b_o = b[0];
    assign c_o = c[0];
    logic unused;
    assign unused = &{1'b0, a_lane_i, bc_lane_i};
  end else begin : g_lanes_many
    assign a_o = a[a_lane_i];
    assign b_o = b[bc_lane_i];
    assign c_o = c[bc_lane_i];
  end

`ifndef SYNTHESIS
  logic open_q;
  always_ff @(posedge clk_i) if (rst_i) open_q <= 1'b0; else if (valid_i) open_q <= !last_i;
  always_ff @(posedge clk_i) if (!rst_i && valid_i) begin
    a_first: assert (first_i == !open_q) else $error("a word's first beat is not where it should be");
    a_subset: assert ((wmask_i & ~mask_i) == '0) else $error("a thread is written that does not execute");
    a_op: assert (op_i[7:5] == 3'b001) else $error("not an operation of the special unit");
    a_wave: assert (first_i || header_q[word_q].wave == 6'(wave_i)) else $error("beats of two waves mixed");
  end
`endif
endmodule
