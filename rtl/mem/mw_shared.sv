// Shared-memory unit: word-wide banks with conflict serialization, broadcast and atomics (docs/architecture.md, "Memory beats").
//
// Promises: one word of one wave is performed completely before the next, in the order in which they came; threads act in
// increasing order; of several stores to one word the highest thread's stays. Without bank conflicts loads and stores stream one beat a
// cycle. Lanes outside the declared size load 0 and store nothing. Results and done pulses leave in order.
// Timing: first result at ret_valid_o 14 cycles after the word's last beat; fill_ready_o is low only while something else is written.
// A fence is a word without accesses: one empty record and a done pulse.
// rst_i, which comes with the start of a dispatch too, forgets a fault.
module mw_shared
  import mw_isa_pkg::*;
  import mw_mem_pkg::*;
#(
  parameter  cfg_t C = CFG_BASE,
  parameter  bit   RECORD = 1'b1,
  parameter  int unsigned PASSES = C.lanes <= 8 ? 8 : C.lanes,   // component passes that the queue holds
  localparam int unsigned L  = C.lanes,
  localparam int unsigned NB = C.banks,
  localparam int unsigned WW = $clog2(C.waves_partial),
  localparam int unsigned BB = L == WAVE_THREADS ? 1 : $clog2(WAVE_THREADS / L),
  localparam int unsigned IW = $clog2(C.shared_bytes / 4),
  localparam int unsigned BR = IW - $clog2(NB),        // row of a group's base
  localparam int unsigned PB = L == 1 ? 1 : NB,        // memories: one lane needs only one
  localparam int unsigned RW = IW - $clog2(PB),
  localparam int unsigned LW = L == 1 ? 1 : $clog2(L)
) (
  input  logic                 clk_i,
  input  logic                 rst_i,

  // Beats of memory words. They need not ask: a word holds one pass of the queue from its choice, a wide one (several components, or an atomic) 4, until gone_o.
  input  logic                 beat_valid_i,
  input  logic                 beat_wide_i,
  output logic                 gone_o,
  output logic                 gone_wide_o,
  input  logic [WW-1:0]        beat_wave_i,
  input  logic [31:0]          beat_seq_i,
  input  kind_e                beat_kind_i,
  input  atom_e                beat_atom_op_i,
  input  logic                 beat_signed_i,
  input  logic                 beat_float_i,
  input  logic [1:0]           beat_comp_i,
  input  logic                 beat_acq_i,
  input  logic                 beat_first_i,
  input  logic                 beat_last_i,
  input  logic [4:0]           beat_beat_i,
  input  logic [L-1:0]         beat_mask_i,
  input  logic [L-1:0]         beat_wmask_i,
  input  logic [9:0]           beat_dst_i,
  input  logic [L-1:0][31:0]   beat_addr_i,
  input  logic [L-1:0][31:0]   beat_data_i,
  input  logic [L-1:0][31:0]   beat_data2_i,
  input  logic [31:0]          beat_base_i,
  input  logic [31:0]          beat_bound_i,
  input  logic                 beat_bad_i,

  // Launch fill: a row of all banks
  input  logic                 fill_valid_i,
  output logic                 fill_ready_o,
  input  logic [RW-1:0]        fill_row_i,
  input  logic [PB-1:0][31:0]  fill_data_i,

  // The atomic unit (mw_atomic_unit)
  output logic                 at_valid_o,
  output atom_e                at_op_o,
  output logic                 at_signed_o,
  output logic                 at_float_o,
  output logic [31:0]          at_old_o,
  output logic [31:0]          at_x_o,
  output logic [31:0]          at_y_o,
  input  logic                 at_soon_i,          // the answer comes in the next clock
  input  logic                 at_store_i,
  input  logic [31:0]          at_new_i,

  // Load results and old values
  output logic                 ret_valid_o,
  input  logic                 ret_ready_i,
  output logic [WW-1:0]        ret_wave_o,
  output logic [31:0]          ret_seq_o,
  output logic [1:0]           ret_comp_o,
  output logic [4:0]           ret_beat_o,
  output logic [L-1:0]         ret_mask_o,
  output logic [9:0]           ret_dst_o,
  output logic [L-1:0][31:0]   ret_data_o,

  output logic                 done_valid_o,       // together with the word's last result
  output logic [WW-1:0]        done_wave_o,
  output logic                 done_acq_o,
  output logic                 idle_o,

  // Record of performed accesses, one per pass
  output logic                 rec_valid_o,
  output logic [WW-1:0]        rec_wave_o,
  output logic [31:0]          rec_seq_o,
  output logic                 rec_first_o,
  output logic [1:0]           rec_comp_o,
  output logic [4:0]           rec_beat_o,
  output logic [L-1:0]         rec_mask_o,
  output logic [L-1:0][31:0]   rec_addr_o,
  output logic [L-1:0][31:0]   rec_data_o,
  output logic [L-1:0][31:0]   rec_old_o,

  // Counter pulses
  output logic                 cnt_pass_o,
  output logic                 cnt_conflict_o,
  output logic [5:0]           cnt_words_o
);
  // ------------------------------------------------------------------------------------------------ queue -> passes -> banks
  beat_meta_t           q_meta;
  logic                 q_load, q_valid, q_some, q_many, q_step, q_empty;
  logic [31:0]          q_seq;
  logic [BR-1:0]        q_base_row;
  logic [L-1:0]         q_mask, q_wmask, q_lead, q_left, q_drop;
  logic [L-1:0][L-1:0]  q_wait, q_word;
  logic [L-1:0][IW-1:0] q_index;
  logic [L-1:0][31:0]   data, data2;
  logic                 data_read, data2_read, data2_pop;

  mw_shared_queue #(.C(C), .RECORD(RECORD), .PASSES(PASSES)) u_queue (
    .clk_i, .rst_i,
    .valid_i(beat_valid_i), .wide_i(beat_wide_i), .gone_o, .gone_wide_o,
    .meta_i('{wave: 6'(beat_wave_i), seq: beat_seq_i, kind: beat_kind_i, op: beat_atom_op_i, sgn: beat_signed_i, flt: beat_float_i, comp: beat_comp_i,
              beat: beat_beat_i, dst: beat_dst_i, acq: beat_acq_i, first: beat_first_i, last: beat_last_i}),
    .bad_i(beat_bad_i), .mask_i(beat_mask_i), .wmask_i(beat_wmask_i),
    .addr_i(beat_addr_i), .data_i(beat_data_i), .data2_i(beat_data2_i), .base_i(beat_base_i), .bound_i(beat_bound_i),
    .step_i(q_step), .load_o(q_load), .valid_o(q_valid), .meta_o(q_meta), .seq_o(q_seq), .base_row_o(q_base_row), .mask_o(q_mask), .wmask_o(q_wmask),
    .index_o(q_index), .lead_o(q_lead), .left_o(q_left), .some_o(q_some), .many_o(q_many), .drop_o(q_drop), .wait_o(q_wait), .word_o(q_word),
    .data_read_i(data_read), .data_o(data), .data2_o(data2), .data2_read_i(data2_read), .data2_pop_i(data2_pop), .empty_o(q_empty)
  );

  pass_t                pass;
  logic                 p_valid, p_atomic, passed, busy, adding, room_q, reserve, r_idle, b_idle, fill_q, answer;
  logic [31:0]          p_seq, p_new;
  logic [BR-1:0]        p_base_row;
  logic [L-1:0]         p_done, p_served, p_wmask;
  logic [PB-1:0]        p_en;
  logic [PB-1:0][LW-1:0] p_from;
  logic [L-1:0][IW-1:0] p_index;
  logic [IW-1:0]        p_word;

  mw_shared_resolve #(.C(C)) u_resolve (
    .clk_i, .rst_i, .passed_i(passed), .busy_i(busy), .adding_i(adding), .fill_i(fill_q), .room_i(room_q), .reserve_o(reserve),
    .step_o(q_step), .load_i(q_load), .valid_i(q_valid), .meta_i(q_meta), .seq_i(q_seq), .base_row_i(q_base_row), .mask_i(q_mask), .wmask_i(q_wmask),
    .index_i(q_index), .lead_i(q_lead), .left_i(q_left), .some_i(q_some), .many_i(q_many), .drop_i(q_drop), .wait_i(q_wait), .word_i(q_word),
    .data2_i(data2), .data2_read_o(data2_read), .data2_pop_o(data2_pop), .data_read_o(data_read),
    .valid_o(p_valid), .atomic_o(p_atomic), .pass_o(pass), .seq_o(p_seq), .base_row_o(p_base_row), .done_o(p_done), .served_o(p_served),
    .en_o(p_en), .from_o(p_from), .wmask_o(p_wmask), .index_o(p_index), .new_o(p_new), .word_o(p_word), .idle_o(r_idle)
  );

  beat_meta_t           rec_meta;
  pass_t                b_pass;
  access_e              at_op;
  logic                 b_valid;
  logic [31:0]          b_seq;
  logic [L-1:0]         b_served, b_wmask;
  logic [L-1:0][31:0]   b_data;
  mw_shared_banks #(.C(C), .RECORD(RECORD)) u_banks (
    .clk_i, .rst_i,
    .valid_i(p_valid), .atomic_i(p_atomic), .passed_o(passed), .busy_o(busy), .adding_o(adding), .pass_i(pass), .seq_i(p_seq), .base_row_i(p_base_row),
    .done_i(p_done), .served_i(p_served), .en_i(p_en), .from_i(p_from), .wmask_i(p_wmask), .index_i(p_index), .data_i(data), .new_i(p_new),
    .word_i(p_word), .fill_valid_i, .fill_ready_o, .fill_row_i, .fill_data_i,
    .at_valid_o, .at_op_o(at_op), .at_signed_o, .at_float_o, .at_old_o, .at_x_o, .at_y_o, .at_soon_i, .at_store_i, .at_new_i, .answer_o(answer),
    .valid_o(b_valid), .pass_o(b_pass), .seq_o(b_seq), .served_o(b_served), .wmask_o(b_wmask), .data_o(b_data),
    .rec_valid_o, .rec_meta_o(rec_meta), .rec_first_o, .rec_seq_o, .rec_mask_o, .rec_addr_o, .rec_data_o, .rec_old_o, .idle_o(b_idle)
  );
  assign at_op_o    = atom_e'(at_op);
  assign rec_wave_o = rec_meta.wave[WW-1:0];
  assign rec_comp_o = rec_meta.comp;
  assign rec_beat_o = rec_meta.beat;

  // ------------------------------------------------------------------------------------------------ return queue
  // One entry per beat of a load, per pass of an atomic, and for the last beat of any other word, so that done stays in order. The lanes of a load
  // arrive pass by pass; each lane has its own memory and write enable, and the first pass writes all of them (0 where not served). What an
  // atomic returns is visible with its answer.
  localparam int unsigned RD = 16;
  localparam int unsigned RA = $clog2(RD);
  localparam int unsigned SW = RECORD ? 32 : 1;
  typedef struct packed {
    logic [WW-1:0] wave;
    logic [SW-1:0] seq;
    logic [1:0]    comp;
    logic [BB-1:0] beat;
    logic [9:0]    dst;
    logic [L-1:0]  mask;
    logic          none;   // mask is 0
    logic          last;
    logic          acq;
  } ret_t;
  logic [RA:0] used_q, head_q, shown_q, tail_q;
  logic        load, push, pop, grow, some_q, pop_q;
  ret_t        ret_in, ret_out;
  logic [L-1:0] mask;

  assign load   = b_pass.meta.access == ACC_LOAD;
  assign push   = b_valid && (b_pass.atomic || (b_pass.last_pass && (load || is_atomic(b_pass.meta.access) || b_pass.meta.last)));
  assign mask   = load || is_atomic(b_pass.meta.access) ? b_wmask : '0;
  assign ret_in = '{wave: b_pass.meta.wave[WW-1:0], seq: SW'(b_seq), comp: b_pass.meta.comp, beat: b_pass.meta.beat[BB-1:0], dst: b_pass.meta.dst,
                    mask: mask, none: mask == '0,
                    last: b_pass.meta.last && b_pass.last_pass, acq: b_pass.meta.acq};
  mw_mem_lutram #(.WIDTH($bits(ret_t)), .DEPTH(RD)) u_ret (
    .clk_i, .we_i(push), .waddr_i(tail_q[RA-1:0]), .wdata_i(ret_in), .raddr_i(head_q[RA-1:0]), .rdata_o(ret_out)
  );
  for (genvar i = 0; i < int'(L); i++) begin : g_lane
    mw_mem_lutram #(.WIDTH(32), .DEPTH(RD)) u_data (
      .clk_i, .we_i(b_valid && (b_pass.first_pass || b_served[i])), .waddr_i(tail_q[RA-1:0]), .wdata_i(b_data[i]),
      .raddr_i(head_q[RA-1:0]), .rdata_o(ret_data_o[i])
    );
  end

  assign grow = answer || (push && !b_pass.atomic);
  assign pop  = some_q && (ret_out.none || ret_ready_i);
  always_ff @(posedge clk_i) begin
    if (push) tail_q <= tail_q + 1'b1;
    if (grow) shown_q <= shown_q + 1'b1;
    if (pop) head_q <= head_q + 1'b1;
    some_q <= grow || (pop ? shown_q != head_q + 1'b1 : some_q);   // head_q != shown_q, which ret_ready_i would have to wait for
    pop_q  <= pop;   // an entry is free a clock after it has left
    used_q <= used_q + (RA + 1)'(reserve) - (RA + 1)'(pop_q);
    fill_q <= fill_valid_i;
    room_q <= used_q <= (RA + 1)'(RD - 4);
    if (rst_i) begin
      tail_q  <= '0;
      shown_q <= '0;
      head_q  <= '0;
      used_q  <= '0;
      some_q  <= 1'b0;
      pop_q   <= 1'b0;
    end
  end
  assign ret_valid_o  = some_q && !ret_out.none;
  assign ret_wave_o   = ret_out.wave;
  assign ret_seq_o    = 32'(ret_out.seq);
  assign ret_comp_o   = ret_out.comp;
  assign ret_beat_o   = 5'(ret_out.beat);
  assign ret_mask_o   = ret_out.mask;
  assign ret_dst_o    = ret_out.dst;
  assign done_valid_o = pop && ret_out.last;
  assign done_wave_o  = ret_out.wave;
  assign done_acq_o   = ret_out.acq;
  assign idle_o       = q_empty && r_idle && b_idle && !some_q && !fill_valid_i;

  // ------------------------------------------------------------------------------------------------ counters
  assign cnt_words_o    = b_valid ? 6'($countones(b_served)) : '0;
  assign cnt_pass_o     = b_valid && b_served != '0;
  assign cnt_conflict_o = b_valid && !b_pass.first_pass;

  logic unused;
  assign unused = &{1'b0, b_pass, b_seq, rec_meta};

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (!rst_i) begin
    a_room: assert (used_q <= (RA + 1)'(RD)) else $error("return queue overflow");
    a_some: assert (some_q == (head_q != shown_q)) else $error("whether an entry is shown is not as its pointers say");
  end
`endif
endmodule
