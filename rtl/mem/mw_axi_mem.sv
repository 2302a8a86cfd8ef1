// Memory unit with AXI4 master: loads, stores and atomics on buffers (docs/architecture.md, "Memory beats" and "Memory order").
//
// collect (word slots) -> front (coalescing, memory order) -> read side / write side -> return (in order). Up to four words are inside.
// Promises: words are performed in the order in which they came, threads in increasing order. A line of 128 bytes is accessed once
// per word (atomics: one read, one write), by a burst over the bus beats that are needed. No two outstanding transactions on one line
// include a write. A word is done when its responses are in and its results are written; done pulses are in order.
// bus_error_o comes for each transaction that had an error response; the unit goes on.
// clear_i (start of a dispatch, unit idle) forgets a fault.
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
  input  logic                 clear_i,

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
  localparam int unsigned BEATS = WAVE_THREADS / L;
  localparam int unsigned BA = $clog2(NS * BEATS);
  localparam int unsigned EA = $clog2(NS * 4 * BEATS);

  // ------------------------------------------------------------------------------------------------ word slots
  logic                   commit, kill, empty, rt_free;
  slot_t [NS-1:0]         slots;
  logic [NS-1:0][BEATS-1:0]        came;
  logic                   fe_re, di_re, rt_re, fe_data_re, fe_held, held;
  logic [BA-1:0]          fe_beat, di_beat;
  logic [EA-1:0]          fe_entry, di_entry, rt_entry;
  logic [L-1:0][29:0]     fe_addr;
  logic [L-1:0]           fe_inb, di_inb, rt_wmask;
  logic [L-1:0][31:0]     fe_data2, data, res_data;
  logic [L-1:0][4:0]      di_word;
  logic [L-1:0]           res_we, di_we, old_we;
  logic                   res_ready;
  logic [EA-1:0]          res_entry, di_res_entry, old_entry;

  mw_axi_collect #(.C(C)) u_collect (
    .clk_i, .rst_i, .clear_i,
    .valid_i(beat_valid_i),
    .meta_i('{wave: 6'(beat_wave_i), seq: beat_seq_i, kind: beat_kind_i, op: beat_atom_op_i, sgn: beat_signed_i, flt: beat_float_i, comp: beat_comp_i,
              beat: beat_beat_i, dst: beat_dst_i, acq: beat_acq_i, first: beat_first_i, last: beat_last_i}),
    .pc_i(beat_pc_i), .size_i(beat_size_i), .bad_i(beat_bad_i), .mask_i(beat_mask_i), .wmask_i(beat_wmask_i),
    .addr_i(beat_addr_i), .data_i(beat_data_i), .data2_i(beat_data2_i), .base_i(beat_base_i), .bound_i(beat_bound_i),
    .ready_o(beat_ready_o), .free_i(rt_free), .commit_o(commit), .kill_o(kill), .empty_o(empty),
    .slot_o(slots), .came_o(came),
    .fe_re_i(fe_re), .fe_addr_beat_i(fe_beat), .fe_addr_o(fe_addr), .fe_entry_i(fe_entry), .fe_inb_o(fe_inb), .fe_data2_o(fe_data2),
    .di_re_i(di_re), .di_beat_i(di_beat), .di_word_o(di_word), .di_entry_i(di_entry), .di_inb_o(di_inb),
    .rt_re_i(rt_re), .rt_entry_i(rt_entry), .rt_wmask_o(rt_wmask),
    .data_re_i(fe_data_re || rt_re), .data_entry_i(fe_data_re ? fe_entry : rt_entry), .data_o(data),
    .res_we_i(res_we), .res_ready_o(res_ready), .res_entry_i(res_entry), .res_data_i(res_data)
  );

  // Slots are used in turn: committed, started by the front, retired.
  logic [SA:0] commit_q, fe_q, rt_q;
  logic        fe_end;
  always_ff @(posedge clk_i) begin
    if (commit) commit_q <= commit_q + 1'b1;
    if (fe_end) fe_q <= fe_q + 1'b1;
    if (rt_free) rt_q <= rt_q + 1'b1;
    if (rst_i || clear_i) begin
      commit_q <= '0;
      fe_q     <= '0;
      rt_q     <= '0;
    end
  end

  // ------------------------------------------------------------------------------------------------ front
  logic                    fe_idle, rd_valid, rd_ready, rd_busy, fe_atomic;
  line_t [NR-1:0]          rd_line;
  logic [NR-1:0]           rd_line_valid;
  burst_t                  burst;
  logic [WAVE_THREADS-1:0] threads;
  logic                    at_held, at_we, at_release;
  logic [4:0]              at_word, wr_word;
  logic [31:0]             at_data, wr_data;
  logic                    wr_free, wr_we, wr_some, wr_valid, wr_ready, wr_busy;
  line_t [NW-1:0]          wr_line;
  logic [NW-1:0]           wr_line_valid;
  slot_t                   fe_word;
  logic                    f_rec_valid, f_rec_first;
  meta_t                   f_rec_meta;
  logic [L-1:0]            f_rec_mask;
  logic [L-1:0][31:0]      f_rec_addr, f_rec_data, f_rec_old;

  assign fe_word = slots[fe_q[SA-1:0]];
  mw_axi_front #(.C(C)) u_front (
    .clk_i, .rst_i,
    .word_valid_i(fe_q != commit_q && !kill), .slot_i(fe_q[SA-1:0]), .word_i(fe_word), .came_i(came[fe_q[SA-1:0]]),
    .end_valid_o(fe_end), .idle_o(fe_idle),
    .fe_re_o(fe_re), .fe_addr_beat_o(fe_beat), .fe_addr_i(fe_addr), .fe_entry_o(fe_entry), .fe_inb_i(fe_inb), .fe_data2_i(fe_data2),
    .data_re_o(fe_data_re), .data_held_o(fe_held), .data_held_i(held), .fe_data_i(data),
    .rd_valid_o(rd_valid), .rd_ready_i(rd_ready), .rd_busy_i(rd_busy), .rd_line_i(rd_line), .rd_line_valid_i(rd_line_valid),
    .burst_o(burst), .threads_o(threads), .atomic_o(fe_atomic),
    .at_held_i(at_held), .at_word_o(at_word), .at_data_i(at_data), .at_we_o(at_we), .at_release_o(at_release),
    .wr_free_i(wr_free), .wr_we_o(wr_we), .wr_word_o(wr_word), .wr_data_o(wr_data), .wr_some_i(wr_some),
    .wr_valid_o(wr_valid), .wr_ready_i(wr_ready), .wr_line_i(wr_line), .wr_line_valid_i(wr_line_valid),
    .unit_valid_o(at_valid_o), .unit_ready_i(at_ready_i), .unit_op_o(at_op_o), .unit_signed_o(at_signed_o), .unit_float_o(at_float_o), .unit_old_o(at_old_o),
    .unit_x_o(at_x_o), .unit_y_o(at_y_o), .unit_valid_i(at_valid_i), .unit_store_i(at_store_i), .unit_new_i(at_new_i),
    .old_we_o(old_we), .old_ready_i(res_ready), .old_entry_o(old_entry),
    .rec_valid_o(f_rec_valid), .rec_first_o(f_rec_first), .rec_meta_o(f_rec_meta), .rec_mask_o(f_rec_mask),
    .rec_addr_o(f_rec_addr), .rec_data_o(f_rec_data), .rec_old_o(f_rec_old)
  );

  // ------------------------------------------------------------------------------------------------ read and write side
  logic          wr_fail_q;   // a failed write has not been reported yet
  logic          rd_end, rd_error, wr_end, wr_error;
  logic [SA-1:0] rd_end_slot, wr_end_slot;

  mw_axi_read #(.C(C)) u_read (
    .clk_i, .rst_i,
    .req_valid_i(rd_valid), .req_ready_o(rd_ready), .req_i(burst), .req_threads_i(threads), .req_comps_i(fe_word.comps), .req_atomic_i(fe_atomic),
    .busy_o(rd_busy), .line_valid_o(rd_line_valid), .line_o(rd_line), .end_valid_o(rd_end), .end_slot_o(rd_end_slot), .error_o(rd_error),
    .di_re_o(di_re), .di_beat_o(di_beat), .di_word_i(di_word), .di_entry_o(di_entry), .di_inb_i(di_inb),
    .res_we_o(di_we), .res_ready_i(res_ready), .res_entry_o(di_res_entry), .res_data_o(res_data),
    .at_held_o(at_held), .at_word_i(at_word), .at_data_o(at_data), .at_we_i(at_we), .at_wdata_i(wr_data), .at_release_i(at_release),
    .ar_valid_o(axi_ar_valid_o), .ar_ready_i(axi_ar_ready_i), .ar_addr_o(axi_ar_addr_o), .ar_len_o(axi_ar_len_o),
    .r_valid_i(axi_r_valid_i), .r_ready_o(axi_r_ready_o), .r_data_i(axi_r_data_i), .r_resp_i(axi_r_resp_i), .r_last_i(axi_r_last_i)
  );
  mw_axi_write #(.C(C)) u_write (
    .clk_i, .rst_i,
    .free_o(wr_free), .we_i(wr_we), .word_i(wr_word), .data_i(wr_data), .some_o(wr_some),
    .send_valid_i(wr_valid), .send_ready_o(wr_ready), .send_i(burst),
    .busy_o(wr_busy), .line_valid_o(wr_line_valid), .line_o(wr_line), .end_valid_o(wr_end), .end_slot_o(wr_end_slot), .error_o(wr_error),
    .aw_valid_o(axi_aw_valid_o), .aw_ready_i(axi_aw_ready_i), .aw_addr_o(axi_aw_addr_o), .aw_len_o(axi_aw_len_o),
    .w_valid_o(axi_w_valid_o), .w_ready_i(axi_w_ready_i), .w_data_o(axi_w_data_o), .w_strb_o(axi_w_strb_o), .w_last_o(axi_w_last_o),
    .b_valid_i(axi_b_valid_i), .b_ready_o(axi_b_ready_o), .b_resp_i(axi_b_resp_i)
  );

  // The read side distributes only while no atomic holds its buffer, so the two never write together.
  assign res_we    = di_we | old_we;
  assign res_entry = at_held ? old_entry : di_res_entry;

  // ------------------------------------------------------------------------------------------------ completion and return
  // Transactions of each slot under way; a word is complete when the front has left it and none is.
  logic [NS-1:0][3:0] under_way_q;
  always_ff @(posedge clk_i) begin
    for (int s = 0; s < int'(NS); s++)
      under_way_q[s] <= under_way_q[s]
                        + 4'(rd_valid && rd_ready && burst.slot == SA'(s)) + 4'(wr_valid && wr_ready && burst.slot == SA'(s))
                        - 4'(rd_end && rd_end_slot == SA'(s)) - 4'(wr_end && wr_end_slot == SA'(s));
    if (rst_i) under_way_q <= '0;
  end

  mw_axi_return #(.C(C)) u_return (
    .clk_i, .rst_i,
    .complete_i(rt_q != fe_q && under_way_q[rt_q[SA-1:0]] == '0), .slot_i(rt_q[SA-1:0]), .word_i(slots[rt_q[SA-1:0]]),
    .came_i(came[rt_q[SA-1:0]]), .free_o(rt_free),
    .data_wait_i(fe_data_re || fe_held), .data_re_o(rt_re), .entry_o(rt_entry), .data_held_o(held), .data_i(data), .wmask_i(rt_wmask),
    .ret_valid_o, .ret_ready_i, .ret_wave_o, .ret_seq_o, .ret_comp_o, .ret_beat_o, .ret_mask_o, .ret_dst_o, .ret_data_o,
    .done_valid_o, .done_wave_o, .done_acq_o
  );
  assign idle_o = rt_q == fe_q && fe_idle && (kill || empty) && !rd_busy && !wr_busy && !bus_error_o && !wr_fail_q;

  // ------------------------------------------------------------------------------------------------ bus errors
  // A failed write is told a cycle later, one more if a read fails then: soon enough for the slot to be still the word's.
  logic [SA-1:0] wr_fail_slot_q;
  logic [SA-1:0] failed_slot;
  slot_t         failed;
  assign failed_slot = rd_end && rd_error ? rd_end_slot : wr_fail_slot_q;
  assign failed      = slots[failed_slot];
  always_ff @(posedge clk_i) begin
    bus_error_o <= (rd_end && rd_error) || wr_fail_q;
    if ((rd_end && rd_error) || wr_fail_q) begin
      bus_error_wave_o <= failed.meta.wave[WW-1:0];
      bus_error_pc_o   <= failed.pc;
    end
    if (!(rd_end && rd_error)) wr_fail_q <= 1'b0;
    if (wr_end && wr_error) begin
      wr_fail_q      <= 1'b1;
      wr_fail_slot_q <= wr_end_slot;
    end
    if (rst_i) begin
      bus_error_o <= 1'b0;
      wr_fail_q   <= 1'b0;
    end
  end

  // ------------------------------------------------------------------------------------------------ records and counters
  if (RECORD) begin : g_record
    assign rec_valid_o = f_rec_valid;
    assign rec_wave_o  = f_rec_meta.wave[WW-1:0];
    assign rec_seq_o   = f_rec_meta.seq;
    assign rec_first_o = f_rec_first;
    assign rec_comp_o  = f_rec_meta.comp;
    assign rec_beat_o  = f_rec_meta.beat;
    assign rec_mask_o  = f_rec_mask;
    assign rec_addr_o  = f_rec_addr;
    assign rec_data_o  = f_rec_data;
    assign rec_old_o   = f_rec_old;
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
    logic unused_record;
    assign unused_record = &{1'b0, f_rec_valid, f_rec_first, f_rec_mask, f_rec_addr, f_rec_data, f_rec_old};
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
  assign unused = &{1'b0, f_rec_meta, failed, fe_word};
endmodule
