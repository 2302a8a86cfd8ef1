// Memory unit with AXI4 master: loads, stores and atomics on buffers (docs/architecture.md, "Memory beats" and "Memory order").
//
// collect (word slots) -> front (items: lanes of a beat in one line) -> lines (bursts, memory order) -> read side / write side; results and
// completions leave in order through the read side's item queue. Up to four words are inside.
// Promises: words are performed in the order in which they came, threads in increasing order. Lanes that access one line one after the other share a burst
// over the bus beats that are needed; an atomic reads and writes a line once. No two outstanding transactions on one line
// include a write. A word is done when its responses are in and its results have left; done pulses are in order.
// bus_error_o comes for each transaction that had an error response, not after the word's done pulse; the unit goes on.
// rst_i, which comes with the start of a dispatch too, forgets a fault.
module mw_axi_mem
  import mw_isa_pkg::*;
  import mw_mem_pkg::*;
  import mw_axi_mem_pkg::*;
#(
  parameter  cfg_t C = CFG_BASE,
  parameter  bit   RECORD = 1'b1,
  localparam int unsigned L  = C.lanes,
  localparam int unsigned WW = $clog2(C.waves_partial),
  localparam int unsigned DW = C.axi_bits
) (
  input  logic                 clk_i,
  input  logic                 rst_i,

  // Beats of memory words
  input  logic                 beat_valid_i,
  output logic                 beat_ready_o,
  input  logic [WW-1:0]        beat_wave_i,
  input  logic [31:0]          beat_seq_i,
  input  logic [23:0]          beat_pc_i,
  input  kind_e                beat_kind_i,
  input  atom_e                beat_atom_op_i,
  input  logic                 beat_signed_i,
  input  logic                 beat_float_i,
  input  logic [1:0]           beat_size_i,
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
  input  logic [32:0]          beat_bound_i,       // 2^32: whatever does not wrap is in bounds
  input  logic                 beat_bad_i,

  // The atomic unit (mw_atomic_unit)
  output logic                 at_valid_o,
  input  logic                 at_ready_i,
  output atom_e                at_op_o,
  output logic                 at_signed_o,
  output logic                 at_float_o,
  output logic [31:0]          at_old_o,
  output logic [31:0]          at_x_o,
  output logic [31:0]          at_y_o,
  input  logic                 at_valid_i,
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

  output logic                 done_valid_o,       // not before the word's last result
  output logic [WW-1:0]        done_wave_o,
  output logic                 done_acq_o,
  output logic                 bus_error_o,
  output logic [WW-1:0]        bus_error_wave_o,
  output logic [23:0]          bus_error_pc_o,
  output logic                 idle_o,

  // AXI4 master (one ID)
  output logic                 axi_aw_valid_o,
  input  logic                 axi_aw_ready_i,
  output logic [31:0]          axi_aw_addr_o,
  output logic [7:0]           axi_aw_len_o,
  output logic                 axi_w_valid_o,
  input  logic                 axi_w_ready_i,
  output logic [DW-1:0]        axi_w_data_o,
  output logic [DW/8-1:0]      axi_w_strb_o,
  output logic                 axi_w_last_o,
  input  logic                 axi_b_valid_i,
  output logic                 axi_b_ready_o,
  input  logic [1:0]           axi_b_resp_i,
  output logic                 axi_ar_valid_o,
  input  logic                 axi_ar_ready_i,
  output logic [31:0]          axi_ar_addr_o,
  output logic [7:0]           axi_ar_len_o,
  input  logic                 axi_r_valid_i,
  output logic                 axi_r_ready_o,
  input  logic [DW-1:0]        axi_r_data_i,
  input  logic [1:0]           axi_r_resp_i,
  input  logic                 axi_r_last_i,

  // Record of performed accesses
  output logic                 rec_valid_o,
  output logic [WW-1:0]        rec_wave_o,
  output logic [31:0]          rec_seq_o,
  output logic                 rec_first_o,
  output logic [1:0]           rec_comp_o,
  output logic [4:0]           rec_beat_o,
  output logic [L-1:0]         rec_mask_o,
  output logic [L-1:0][31:0]   rec_addr_o,         // physical
  output logic [L-1:0][31:0]   rec_data_o,
  output logic [L-1:0][31:0]   rec_old_o,

  // Counter pulses
  output logic                 cnt_read_o,
  output logic [7:0]           cnt_read_bytes_o,
  output logic                 cnt_write_o,
  output logic [7:0]           cnt_write_bytes_o
);
  // ------------------------------------------------------------------------------------------------ word slots
  logic               commit, kill, empty, free;
  logic [SA:0]        commit_q, fe_q;
  logic [SA-1:0]      x_slot, rt_slot, er_slot;
  plan_t              plan;
  atom_e              x_op;
  logic               x_sgn, x_flt, rt_acq;
  logic [WW-1:0]      x_wave, rt_wave, er_wave;
  logic [31:0]        x_seq, rt_seq;
  logic [9:0]         rt_dst;
  logic [23:0]        er_pc;
  logic               ad_re, da_re;
  logic [SA-1:0]      ad_slot, da_slot;
  logic [4:0]         ad_ord, ad_beat, da_ord;
  logic [L-1:0]       ad_mask, da_inb, da_wmask;
  logic [L-1:0][29:0] ad_word;
  logic [1:0]         da_comp;
  logic [L-1:0][31:0] da_data, d2_data;
  logic               write, d2_re;
  item_t              item;

  mw_axi_collect #(.C(C), .RECORD(RECORD)) u_collect (
    .clk_i, .rst_i,
    .valid_i(beat_valid_i),
    .meta_i('{wave: 6'(beat_wave_i), seq: beat_seq_i, kind: beat_kind_i, op: beat_atom_op_i, sgn: beat_signed_i, flt: beat_float_i, comp: beat_comp_i,
              beat: beat_beat_i, dst: beat_dst_i, acq: beat_acq_i, first: beat_first_i, last: beat_last_i}),
    .pc_i(beat_pc_i), .size_i(beat_size_i), .bad_i(beat_bad_i), .mask_i(beat_mask_i), .wmask_i(beat_wmask_i),
    .addr_i(beat_addr_i), .data_i(beat_data_i), .data2_i(beat_data2_i), .base_i(beat_base_i), .bound_i(beat_bound_i),
    .ready_o(beat_ready_o), .free_i(free), .commit_o(commit), .kill_o(kill), .empty_o(empty),
    .fe_slot_i(fe_q[SA-1:0]), .plan_o(plan), .x_slot_i(x_slot), .op_o(x_op), .sgn_o(x_sgn), .flt_o(x_flt), .x_wave_o(x_wave), .x_seq_o(x_seq),
    .rt_slot_i(rt_slot), .wave_o(rt_wave), .seq_o(rt_seq), .dst_o(rt_dst), .acq_o(rt_acq), .er_slot_i(er_slot), .er_wave_o(er_wave), .er_pc_o(er_pc),
    .ad_re_i(ad_re), .ad_slot_i(ad_slot), .ad_ord_i(ad_ord), .ad_beat_o(ad_beat), .ad_mask_o(ad_mask), .ad_word_o(ad_word),
    .da_re_i(da_re), .da_slot_i(da_slot), .da_comp_i(da_comp), .da_ord_i(da_ord), .da_inb_o(da_inb), .da_wmask_o(da_wmask), .da_data_o(da_data),
    .d2_re_i(d2_re), .d2_slot_i(item.slot), .d2_ord_i(item.ord), .d2_data_o(d2_data)
  );

  // Slots are used in turn: committed, started by the front.
  logic start, fe_idle, fe_more;
  always_ff @(posedge clk_i) begin
    if (commit) commit_q <= commit_q + 1'b1;
    if (start) fe_q <= fe_q + 1'b1;
    if (rst_i) begin
      commit_q <= '0;
      fe_q     <= '0;
    end
  end

  // ------------------------------------------------------------------------------------------------ front and open line
  logic               i_valid, i_ready, pass_done, lines_idle, rd_idle, wr_idle, wrote;
  logic [L-1:0]       i_sel, i_ok, i_wmask;
  logic [L-1:0][4:0]  i_word;
  logic [L-1:0][31:0] i_data;
  logic [4:0]         i_first, i_last;
  logic               queue, mark, queue_ready, write_ready, read, read_ready, send, send_ready, accept, word_end;
  burst_t             burst;
  logic [NR-1:0]      rd_busy;
  logic [NW-1:0]      wr_busy;
  logic [NR-1:0][HASH-1:0] rd_hash;
  logic [NW-1:0][HASH-1:0] wr_hash;

  mw_axi_front #(.C(C)) u_front (
    .clk_i, .rst_i,
    .word_valid_i(fe_q != commit_q && !kill), .slot_i(fe_q[SA-1:0]), .plan_i(plan), .start_o(start), .idle_o(fe_idle),
    .ad_re_o(ad_re), .ad_slot_o(ad_slot), .ad_ord_o(ad_ord), .ad_beat_i(ad_beat), .ad_mask_i(ad_mask), .ad_word_i(ad_word),
    .da_re_o(da_re), .da_slot_o(da_slot), .da_comp_o(da_comp), .da_ord_o(da_ord), .da_inb_i(da_inb), .da_wmask_i(da_wmask), .da_data_i(da_data),
    .valid_o(i_valid), .ready_i(i_ready), .item_o(item), .sel_o(i_sel), .ok_o(i_ok), .wmask_o(i_wmask), .word_o(i_word), .data_o(i_data),
    .first_o(i_first), .last_o(i_last), .rest_idle_i(lines_idle && rd_idle && wr_idle), .pass_done_i(pass_done), .more_o(fe_more)
  );
  mw_axi_lines #(.C(C)) u_lines (
    .clk_i, .rst_i, .valid_i(i_valid), .ready_o(i_ready), .item_i(item), .ok_i(i_ok), .first_i(i_first), .last_i(i_last),
    .queue_o(queue), .mark_o(mark), .queue_ready_i(queue_ready), .write_o(write), .write_ready_i(write_ready), .write_idle_i(wr_idle), .wrote_i(wrote),
    .burst_o(burst), .read_o(read), .read_ready_i(read_ready), .send_o(send), .send_ready_i(send_ready),
    .rd_busy_i(rd_busy), .rd_hash_i(rd_hash), .wr_busy_i(wr_busy), .wr_hash_i(wr_hash),
    .accept_o(accept), .end_o(word_end), .pass_done_o(pass_done), .more_i(fe_more), .slot_o(x_slot), .idle_o(lines_idle)
  );

  // ------------------------------------------------------------------------------------------------ read and write side
  logic               q_put, q_newline, old_valid, new_we, rd_error, wr_error, done, w_rec;
  logic [4:0]         q_beat, q_word, new_word, w_beat, ret_beat;
  logic [L-1:0]       q_ok, q_ret, w_lane;
  logic [L-1:0][4:0]  q_words;
  logic [31:0]        old, new_data, w_old, w_new;
  logic [COUNT-1:0]   sent, responses;
  logic [SA-1:0]      rd_error_slot, wr_error_slot;
  logic [SA-1:0]      x_slot_put;
  assign q_words = {L{q_word}};

  mw_axi_read #(.C(C)) u_read (
    .clk_i, .rst_i,
    .read_i(read), .read_ready_o(read_ready), .burst_i(burst), .busy_o(rd_busy), .hash_o(rd_hash), .error_o(rd_error), .error_slot_o(rd_error_slot),
    .put_i(queue || q_put), .put_ready_o(queue_ready), .put_slot_i(x_slot_put), .put_beat_i(q_put ? q_beat : item.beat),
    .put_comp_i(q_put ? 2'd0 : item.comp), .put_newline_i(q_put ? q_newline : item.newline && !mark), .put_last_i(q_put ? 1'b0 : mark || item.last),
    .put_atomic_i(q_put && q_ok[0]), .put_ok_i(q_put ? q_ok : mark ? '0 : i_ok), .put_ret_i(q_put ? q_ret : mark ? '0 : i_wmask),
    .put_word_i(q_put ? q_words : i_word), .put_writes_i(sent), .responses_i(responses),
    .old_valid_o(old_valid), .old_o(old), .performed_i(w_rec), .new_we_i(new_we), .new_word_i(new_word), .new_i(new_data),
    .slot_o(rt_slot), .wave_i(rt_wave), .seq_i(rt_seq), .dst_i(rt_dst), .acq_i(rt_acq),
    .ret_valid_o, .ret_ready_i, .ret_wave_o, .ret_seq_o, .ret_comp_o, .ret_beat_o(ret_beat), .ret_mask_o, .ret_dst_o, .ret_data_o,
    .done_o(done), .done_acq_o, .idle_o(rd_idle),
    .ar_valid_o(axi_ar_valid_o), .ar_ready_i(axi_ar_ready_i), .ar_addr_o(axi_ar_addr_o), .ar_len_o(axi_ar_len_o),
    .r_valid_i(axi_r_valid_i), .r_ready_o(axi_r_ready_o), .r_data_i(axi_r_data_i), .r_resp_i(axi_r_resp_i), .r_last_i(axi_r_last_i)
  );
  assign x_slot_put   = q_put || mark ? x_slot : item.slot;
  assign ret_beat_o   = ret_beat;
  assign free         = done;
  assign done_valid_o = done;
  assign done_wave_o  = ret_wave_o;

  mw_axi_write #(.C(C)) u_write (
    .clk_i, .rst_i,
    .valid_i(i_valid), .put_i(write), .put_ready_o(write_ready), .item_i(item), .sel_i(i_sel), .ok_i(i_ok), .wmask_i(i_wmask), .word_i(i_word), .data_i(i_data),
    .idle_o(wr_idle), .send_i(send), .send_ready_o(send_ready), .burst_i(burst),
    .d2_re_o(d2_re), .data2_i(d2_data), .op_i(x_op), .sgn_i(x_sgn), .flt_i(x_flt),
    .q_put_o(q_put), .q_ready_i(queue_ready), .q_beat_o(q_beat), .q_newline_o(q_newline), .q_ok_o(q_ok), .q_ret_o(q_ret), .q_word_o(q_word),
    .old_valid_i(old_valid), .old_i(old),
    .at_valid_o, .at_ready_i, .at_op_o, .at_signed_o, .at_float_o, .at_old_o, .at_x_o, .at_y_o, .at_valid_i, .at_store_i, .at_new_i,
    .new_we_o(new_we), .new_word_o(new_word), .new_o(new_data), .wrote_o(wrote),
    .rec_valid_o(w_rec), .rec_beat_o(w_beat), .rec_lane_o(w_lane), .rec_old_o(w_old), .rec_new_o(w_new),
    .sent_o(sent), .responses_o(responses), .busy_o(wr_busy), .hash_o(wr_hash), .error_o(wr_error), .error_slot_o(wr_error_slot),
    .aw_valid_o(axi_aw_valid_o), .aw_ready_i(axi_aw_ready_i), .aw_addr_o(axi_aw_addr_o), .aw_len_o(axi_aw_len_o),
    .w_valid_o(axi_w_valid_o), .w_ready_i(axi_w_ready_i), .w_data_o(axi_w_data_o), .w_strb_o(axi_w_strb_o), .w_last_o(axi_w_last_o),
    .b_valid_i(axi_b_valid_i), .b_ready_o(axi_b_ready_o), .b_resp_i(axi_b_resp_i)
  );

  // ------------------------------------------------------------------------------------------------ bus errors
  // Told one after the other, within two clocks: soon enough for the slot to be still the word's.
  logic          rd_fail_q, wr_fail_q;
  logic [SA-1:0] rd_fail_slot_q, wr_fail_slot_q;
  assign er_slot = rd_fail_q ? rd_fail_slot_q : wr_fail_slot_q;
  always_ff @(posedge clk_i) begin
    rd_fail_q        <= rd_error;
    wr_fail_q        <= wr_error || (wr_fail_q && rd_fail_q);
    rd_fail_slot_q   <= rd_error_slot;
    if (wr_error) wr_fail_slot_q <= wr_error_slot;
    bus_error_o      <= rd_fail_q || wr_fail_q;
    bus_error_wave_o <= er_wave;
    bus_error_pc_o   <= er_pc;
    if (rst_i) begin
      rd_fail_q   <= 1'b0;
      wr_fail_q   <= 1'b0;
      bus_error_o <= 1'b0;
    end
  end
  assign idle_o = (kill || (empty && fe_q == commit_q)) && fe_idle && lines_idle && rd_idle && wr_idle && sent == responses && !bus_error_o && !rd_fail_q && !wr_fail_q;

  // ------------------------------------------------------------------------------------------------ records
  // Loads and stores when their item is taken, an atomic's lane when it is performed. The first item of a word always gives one, before anything returns.
  if (RECORD) begin : g_record
    logic               first_q, now, plain;
    assign plain = accept && item.way != W_ATOMIC;
    assign now   = (plain && i_ok != '0) || (accept && first_q) || w_rec;
    always_ff @(posedge clk_i) begin
      first_q <= (first_q && !now) || word_end;
      rec_valid_o <= now && !rst_i;
      if (now) begin
        rec_wave_o  <= x_wave;
        rec_seq_o   <= x_seq;
        rec_first_o <= first_q;
        rec_comp_o  <= w_rec ? 2'd0 : item.comp;
        rec_beat_o  <= w_rec ? w_beat : item.beat;
        rec_mask_o  <= w_rec ? w_lane : plain ? i_ok : '0;
        for (int i = 0; i < int'(L); i++) rec_addr_o[i] <= {w_rec ? burst.line : item.line, w_rec ? new_word : i_word[i], 2'b00};
        rec_data_o  <= w_rec ? {L{w_new}} : i_data;
        rec_old_o   <= {L{w_old}};
      end
      if (rst_i) first_q <= 1'b1;
    end
  end else begin : g_no_record
    assign rec_valid_o = 1'b0;
    assign rec_wave_o  = '0;
    assign rec_seq_o   = '0;
    assign rec_first_o = 1'b0;
    assign rec_comp_o  = '0;
    assign rec_beat_o  = '0;
    assign rec_mask_o  = '0;
    assign rec_addr_o  = '0;
    assign rec_data_o  = '0;
    assign rec_old_o   = '0;
  end

  assign cnt_read_o       = axi_ar_valid_o && axi_ar_ready_i;
  assign cnt_read_bytes_o = cnt_read_o ? 8'((32'(axi_ar_len_o) + 1) * (DW / 8)) : '0;
  assign cnt_write_o      = axi_aw_valid_o && axi_aw_ready_i;
  always_comb begin
    cnt_write_bytes_o = '0;
    if (axi_w_valid_o && axi_w_ready_i)
      for (int c = 0; c < int'(DW / 32); c++) cnt_write_bytes_o += {5'b0, axi_w_strb_o[c*4], 2'b0};
  end

  logic unused;
  assign unused = &{1'b0, w_beat, w_lane, w_old, w_new, accept, word_end, x_wave, x_seq};
endmodule
