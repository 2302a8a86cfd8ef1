// Shared-memory unit: word-wide banks with conflict serialization, broadcast and atomics (docs/architecture.md, "Memory beats").
//
// Promises: one word of one wave is performed completely before the next, in the order in which they came; threads act in
// increasing order; of several stores to one word the highest thread's stays. Without bank conflicts loads and stores stream one beat a
// cycle. Lanes outside the declared size load 0 and store nothing. Results and done pulses leave in order.
// Timing: first result at ret_valid_o 10 cycles after the word's last beat; fill_ready_o is low only while a store or atomic writes.
// A fence is a word without accesses: one empty record, performed and done pulses.
// clear_i (start of a dispatch, unit idle) forgets a fault.
module mw_shared
  import mw_isa_pkg::*;
  import mw_mem_pkg::*;
#(
  parameter  cfg_t C = CFG_BASE,
  parameter  bit   RECORD = 1'b1,
  localparam int unsigned L  = C.lanes,
  localparam int unsigned NB = C.banks,
  localparam int unsigned WW = $clog2(C.waves_partial),
  localparam int unsigned IW = $clog2(C.shared_bytes / 4),
  localparam int unsigned RW = IW - $clog2(NB)
) (
  input  logic                 clk_i,
  input  logic                 rst_i,
  input  logic                 clear_i,

  // Beats of memory words
  input  logic                 beat_valid_i,
  output logic                 beat_ready_o,
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

  // Launch fill
  input  logic                 fill_valid_i,
  output logic                 fill_ready_o,
  input  logic [RW-1:0]        fill_row_i,
  input  logic [NB-1:0][31:0]  fill_data_i,

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
  output logic                 performed_valid_o,
  output logic [WW-1:0]        performed_wave_o,
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
  meta_t                q_meta;
  logic                 q_valid, q_ready, q_empty;
  logic [RW-1:0]        q_base_row;
  logic [L-1:0]         q_mask, q_wmask;
  logic [L-1:0][IW-1:0] q_index;
  logic [L-1:0][31:0]   q_data, q_data2;
  logic                 data2_pop, credit, credit_take;

  mw_shared_queue #(.C(C)) u_queue (
    .clk_i, .rst_i, .clear_i,
    .valid_i(beat_valid_i), .ready_o(beat_ready_o),
    .meta_i('{wave: 6'(beat_wave_i), seq: beat_seq_i, kind: beat_kind_i, op: beat_atom_op_i, sgn: beat_signed_i, flt: beat_float_i, comp: beat_comp_i,
              beat: beat_beat_i, dst: beat_dst_i, acq: beat_acq_i, first: beat_first_i, last: beat_last_i}),
    .bad_i(beat_bad_i), .mask_i(beat_mask_i), .wmask_i(beat_wmask_i),
    .addr_i(beat_addr_i), .data_i(beat_data_i), .data2_i(beat_data2_i), .base_i(beat_base_i), .bound_i(beat_bound_i),
    .valid_o(q_valid), .ready_i(q_ready), .meta_o(q_meta), .base_row_o(q_base_row), .mask_o(q_mask), .wmask_o(q_wmask),
    .index_o(q_index), .data_o(q_data), .data2_o(q_data2), .data2_pop_i(data2_pop), .empty_o(q_empty)
  );

  typedef struct packed {
    pass_t                pass;
    logic [RW-1:0]        base_row;
    logic [L-1:0]         done;
    logic [L-1:0]         served;
    logic [NB-1:0][L-1:0] sel;
    logic [L-1:0]         wmask;
    logic [L-1:0][IW-1:0] index;
    logic [L-1:0][31:0]   data;
  } slot_t;
  slot_t r_out, p;
  logic  r_valid, r_ready, r_idle, p_valid, p_ready;

  mw_shared_resolve #(.C(C)) u_resolve (
    .clk_i, .rst_i,
    .valid_i(q_valid), .ready_o(q_ready), .meta_i(q_meta), .base_row_i(q_base_row), .mask_i(q_mask), .wmask_i(q_wmask),
    .index_i(q_index), .data_i(q_data), .data2_i(q_data2), .data2_pop_o(data2_pop), .credit_i(credit), .credit_take_o(credit_take),
    .valid_o(r_valid), .ready_i(r_ready), .pass_o(r_out.pass), .base_row_o(r_out.base_row), .done_o(r_out.done), .served_o(r_out.served),
    .sel_o(r_out.sel), .wmask_o(r_out.wmask), .index_o(r_out.index), .data_o(r_out.data), .idle_o(r_idle)
  );
  // whether the banks can take a pass is found late in a clock
  mw_mem_skid #(.WIDTH($bits(slot_t))) u_skid (
    .clk_i, .rst_i, .valid_i(r_valid), .ready_o(r_ready), .data_i(r_out), .valid_o(p_valid), .ready_i(p_ready), .data_o(p)
  );

  pass_t              b_pass, rec_pass;
  logic               b_valid, b_idle;
  logic [L-1:0]       b_served, b_wmask;
  logic [L-1:0][31:0] b_word;

  mw_shared_banks #(.C(C), .RECORD(RECORD)) u_banks (
    .clk_i, .rst_i,
    .valid_i(p_valid), .ready_o(p_ready), .pass_i(p.pass), .base_row_i(p.base_row), .done_i(p.done), .served_i(p.served),
    .sel_i(p.sel), .wmask_i(p.wmask), .index_i(p.index), .data_i(p.data),
    .fill_valid_i, .fill_ready_o, .fill_row_i, .fill_data_i,
    .valid_o(b_valid), .pass_o(b_pass), .served_o(b_served), .wmask_o(b_wmask), .word_o(b_word),
    .rec_valid_o, .rec_pass_o(rec_pass), .rec_mask_o, .rec_addr_o, .rec_data_o, .rec_old_o, .idle_o(b_idle)
  );
  assign rec_wave_o  = rec_pass.meta.wave[WW-1:0];
  assign rec_seq_o   = rec_pass.meta.seq;
  assign rec_first_o = rec_pass.meta.first && rec_pass.first_pass;
  assign rec_comp_o  = rec_pass.meta.comp;
  assign rec_beat_o  = rec_pass.meta.beat;

  // ------------------------------------------------------------------------------------------------ return queue
  // One entry per beat that returns values, and one for the last beat of any other word, so that done stays in order. A beat's
  // lanes arrive pass by pass; each lane has its own memory and write enable, and the first pass writes all of them (0 where not served).
  localparam int unsigned RD = 16;
  localparam int unsigned RA = $clog2(RD);
  typedef struct packed {
    logic [5:0]   wave;
    logic [31:0]  seq;
    logic [1:0]   comp;
    logic [4:0]   beat;
    logic [9:0]   dst;
    logic [L-1:0] mask;
    logic         last;
    logic         acq;
  } ret_t;
  logic [RA:0]  credits_q, head_q, tail_q;
  logic         returns, push, pop;
  ret_t         ret_in, ret_out;

  assign returns = b_pass.meta.kind == KIND_LOAD || b_pass.meta.kind == KIND_ATOMIC;
  assign push    = b_valid && b_pass.last_pass && (returns || b_pass.meta.last);
  assign ret_in  = '{wave: b_pass.meta.wave, seq: b_pass.meta.seq, comp: b_pass.meta.comp, beat: b_pass.meta.beat,
                     dst: b_pass.meta.dst, mask: returns ? b_wmask : '0, last: b_pass.meta.last, acq: b_pass.meta.acq};
  assign credit  = credits_q != '0;

  mw_mem_lutram #(.WIDTH($bits(ret_t)), .DEPTH(RD)) u_ret (
    .clk_i, .we_i(push), .waddr_i(tail_q[RA-1:0]), .wdata_i(ret_in), .raddr_i(head_q[RA-1:0]), .rdata_o(ret_out)
  );
  for (genvar i = 0; i < int'(L); i++) begin : g_lane
    mw_mem_lutram #(.WIDTH(32), .DEPTH(RD)) u_data (
      .clk_i, .we_i(b_valid && returns && (b_pass.first_pass || b_served[i])), .waddr_i(tail_q[RA-1:0]), .wdata_i(b_word[i]),
      .raddr_i(head_q[RA-1:0]), .rdata_o(ret_data_o[i])
    );
  end

  logic some;
  assign some = head_q != tail_q;
  assign pop  = some && (ret_out.mask == '0 || ret_ready_i);
  always_ff @(posedge clk_i) begin
    if (push) tail_q <= tail_q + 1'b1;
    if (pop) head_q <= head_q + 1'b1;
    credits_q <= credits_q + (RA + 1)'(pop) - (RA + 1)'(credit_take);
    if (rst_i) begin
      tail_q    <= '0;
      head_q    <= '0;
      credits_q <= (RA + 1)'(RD);
    end
  end

  assign ret_valid_o  = some && ret_out.mask != '0;
  assign ret_wave_o   = ret_out.wave[WW-1:0];
  assign ret_seq_o    = ret_out.seq;
  assign ret_comp_o   = ret_out.comp;
  assign ret_beat_o   = ret_out.beat;
  assign ret_mask_o   = ret_out.mask;
  assign ret_dst_o    = ret_out.dst;
  assign done_valid_o = pop && ret_out.last;
  assign done_wave_o  = ret_out.wave[WW-1:0];
  assign done_acq_o   = ret_out.acq;
  // One cycle later, together with the record.
  always_ff @(posedge clk_i) begin
    performed_valid_o <= b_valid && b_pass.last_pass && b_pass.meta.last && !rst_i;
    performed_wave_o  <= b_pass.meta.wave[WW-1:0];
  end
  assign idle_o = q_empty && r_idle && !p_valid && b_idle && !some && !fill_valid_i;

  // ------------------------------------------------------------------------------------------------ counters
  logic [5:0] served_count;
  always_comb begin
    served_count = '0;
    for (int i = 0; i < int'(L); i++) served_count += 6'(b_served[i]);
  end
  assign cnt_pass_o     = b_valid && b_served != '0;
  assign cnt_conflict_o = b_valid && !b_pass.first_pass;
  assign cnt_words_o    = b_valid ? served_count : '0;

  logic unused;
  assign unused = &{1'b0, rec_pass.meta, rec_pass.last_pass, rec_pass.second, b_pass.second};

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (!rst_i) begin
    a_credit: assert (credits_q <= (RA + 1)'(RD)) else $error("return queue overflow");
  end
`endif
endmodule
