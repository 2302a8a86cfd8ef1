// mw_writeback: the register banks have one writer each, ALU beats are never held up, and every late result (or value of the launch fill) that was taken
// is written once, into the bank of its beat, as it was taken.
// Assumed: a late result stays offered as it is until it is taken (mw_load_port), reg_late_i is a copy of reg_i, an ALU beat writes the bank of its beat only.
// Not looked at: who comes first, and how long somebody waits; condition codes and A0.
// Source: header of rtl/core/mw_writeback.sv; docs/architecture.md, "Pipeline" (write ports) and "The unit" (register banks).
module mw_writeback_props
  import mw_isa_pkg::*;
  import mw_core_pkg::*;
#(
  parameter  int unsigned CFG = 0,
  localparam cfg_t        C   = cfg_of(CFG),
  localparam int unsigned L   = C.lanes,
  localparam int unsigned WW  = $clog2(C.waves_partial)
) (
  input logic               clk_i,
  input logic               rst_i,
  input logic               valid_i,
  input logic [1:0]         reg_i,
  input wb_ctl_t            wb_i,
  input logic [L-1:0]       exec_i,
  input logic [L-1:0]       dst_win_i,
  input logic [L*12-1:0]    dst_row_i,
  input logic [L*32-1:0]    result_i,
  input logic [L*4-1:0]     flags_i,
  input logic [RETURNS-1:0] ret_valid_i, ret_second_i,
  input logic [RETURNS-1:0][1:0][WW-1:0]   wave_i,
  input logic [RETURNS-1:0][1:0][4:0]      beat_i,
  input logic [RETURNS-1:0][1:0][L-1:0]    mask_i,
  input logic [RETURNS-1:0][1:0][9:0]      dst_i,
  input logic [RETURNS-1:0][1:0][L*32-1:0] data_i,
  input logic [11:0]        late_regbase_i,
  input logic               fill_reg_i,
  input logic [WW-1:0]      fill_wave_i,
  input logic [4:0]         fill_beat_i,
  input logic [9:0]         fill_index_i,
  input logic [L*32-1:0]    fill_data_i
);
  typedef struct packed {
    logic [WW-1:0]   wave;
    logic [4:0]      beat;
    logic [L-1:0]    mask;
    logic [9:0]      dst;
    logic [L*32-1:0] data;
  } late_t;
  logic [1:0][WW-1:0]   ret_wave [RETURNS];
  logic [1:0][31:0]     ret_seq  [RETURNS];
  logic [1:0][1:0]      ret_comp [RETURNS];
  logic [1:0][4:0]      ret_beat [RETURNS];
  logic [1:0][L-1:0]    ret_mask [RETURNS];
  logic [1:0][9:0]      ret_dst  [RETURNS];
  logic [1:0][L*32-1:0] ret_data [RETURNS];
  late_t [RETURNS-1:0]  offer;      // by unit
  for (genvar u = 0; u < int'(RETURNS); u++) begin : g_unit
    assign ret_wave[u] = wave_i[u];
    assign ret_seq[u]  = '0;
    assign ret_comp[u] = '0;
    assign ret_beat[u] = beat_i[u];
    assign ret_mask[u] = mask_i[u];
    assign ret_dst[u]  = dst_i[u];
    assign ret_data[u] = data_i[u];
    assign offer[u] = '{wave_i[u][ret_second_i[u]], beat_i[u][ret_second_i[u]], mask_i[u][ret_second_i[u]], dst_i[u][ret_second_i[u]],
                        data_i[u][ret_second_i[u]]};
  end

  logic [RETURNS-1:0] ret_ready, ret_written;
  logic               late, fill_ready, fill_busy;
  late_t              late_rec;
  logic [1:0]         rf_we;
  logic [1:0][4:0]      rf_beat;
  logic [1:0][L*12-1:0] rf_row;
  logic [1:0][L-1:0]    rf_mask;
  logic [1:0][L*32-1:0] rf_data;
  mw_writeback #(.C(C)) u_wb (
    .clk_i, .rst_i, .valid_i, .reg_i, .reg_late_i(reg_i), .wb_i, .exec_i, .dst_win_i, .dst_row_i, .result_i, .flags_i,
    .ret_valid_i, .ret_ready_o(ret_ready), .ret_second_i, .ret_wave_i(ret_wave), .ret_seq_i(ret_seq), .ret_comp_i(ret_comp), .ret_beat_i(ret_beat),
    .ret_mask_i(ret_mask), .ret_dst_i(ret_dst), .ret_data_i(ret_data), .ret_written_o(ret_written),
    .late_o(late), .late_wave_o(late_rec.wave), .late_beat_o(late_rec.beat), .late_mask_o(late_rec.mask), .late_dst_o(late_rec.dst),
    .late_data_o(late_rec.data), .late_seq_o(), .late_comp_o(), .late_regbase_i,
    .fill_reg_i, .fill_cc_i(1'b0), .fill_a0_i(1'b0), .fill_reg_ready_o(fill_ready), .fill_cc_ready_o(), .fill_a0_ready_o(), .fill_busy_o(fill_busy),
    .fill_wave_i, .fill_beat_i, .fill_index_i, .fill_data_i,
    .rf_we_o(rf_we), .rf_beat0_o(rf_beat[0]), .rf_row0_o(rf_row[0]), .rf_mask0_o(rf_mask[0]), .rf_data0_o(rf_data[0]),
    .rf_beat1_o(rf_beat[1]), .rf_row1_o(rf_row[1]), .rf_mask1_o(rf_mask[1]), .rf_data1_o(rf_data[1]),
    .cc_we_o(), .cc_wave_o(), .cc_beat_o(), .cc_index_o(), .cc_mask_o(), .cc_data_o(), .alu_we_o(),
    .a0_we_o(), .a0_wave_o(), .a0_beat_o(), .a0_mask_o(), .a0_data_o(), .skip_beat_o()
  );

  // ---- what is inside: at most one late result, and whose it is (RETURNS: the fill's)
  logic               begun_q = 1'b0, rst_q;
  logic               full_q, full_d;
  logic [RETURNS:0]   whose_q;
  late_t              held_q;
  logic               written;         // the held one, now
  logic [RETURNS:0]   taken;
  // ---- one clock ago
  logic [RETURNS-1:0]  wait_q;
  late_t [RETURNS-1:0] offer_q;
  logic [1:0]          reg_q, late_bank_q;
  logic [11:0]         row_q;
  logic [4:0]          beat_q;
  logic [L-1:0]        exec_q;
  logic [L*12-1:0]     alu_row_q;
  logic [L*32-1:0]     result_q;
  late_t               was_q;
  assign taken   = {fill_ready && fill_reg_i, ret_ready & ret_valid_i};
  assign written = late || (fill_busy && !reg_i[held_q.beat[0]]);
  assign full_d  = taken != '0 || (full_q && !written);
  always_ff @(posedge clk_i) begin
    begun_q <= 1'b1;
    rst_q   <= rst_i;
    full_q  <= full_d && !rst_i;
    if (taken != '0) begin
      whose_q <= taken;
      held_q  <= '{fill_wave_i, fill_beat_i, '1, fill_index_i, fill_data_i};
      for (int u = 0; u < int'(RETURNS); u++) if (taken[u]) held_q <= offer[u];
    end
    wait_q      <= ret_valid_i & ~ret_ready;
    offer_q     <= offer;
    reg_q       <= reg_i;
    late_bank_q <= !(full_q && written) ? 2'b00 : held_q.beat[0] ? 2'b10 : 2'b01;
    row_q       <= late_regbase_i + 12'(held_q.dst);
    was_q       <= held_q;
    beat_q      <= wb_i.beat;
    exec_q      <= exec_i & dst_win_i;
    alu_row_q   <= dst_row_i;
    result_q    <= result_i;
  end

  always_comb begin
    if (!begun_q) assume (rst_i);
    if (begun_q && !rst_q)
      for (int u = 0; u < int'(RETURNS); u++)
        if (wait_q[u]) assume (ret_valid_i[u] && offer[u] == offer_q[u]);
    assume (reg_i != 2'b11);

    if (begun_q && !rst_i && !rst_q) begin
      // one is taken, and only where the register is free or becomes free
      a_one:     assert ((taken & (taken - 1'b1)) == '0);
      a_room:    assert (taken == '0 || !full_q || written);
      a_late:    assert (!late || (full_q && !whose_q[RETURNS] && late_rec == held_q));
      a_written: assert (ret_written == (late ? whose_q[RETURNS-1:0] : '0));
      a_fill:    assert (fill_busy == (full_q && whose_q[RETURNS]));
      // a bank has one writer, and what waits waits for its bank only
      a_bank:    assert (!late || !reg_i[held_q.beat[0]]);
      a_prompt:  assert (!full_q || written || reg_i[held_q.beat[0]]);
      // one clock later
      a_we:      assert (rf_we == (reg_q | late_bank_q) && (reg_q & late_bank_q) == '0);
      a_alu0:    assert (!reg_q[0] || (rf_beat[0] == beat_q && rf_row[0] == alu_row_q && rf_mask[0] == exec_q && rf_data[0] == result_q));
      a_alu1:    assert (!reg_q[1] || (rf_beat[1] == beat_q && rf_row[1] == alu_row_q && rf_mask[1] == exec_q && rf_data[1] == result_q));
      a_late0:   assert (!late_bank_q[0] || (rf_beat[0] == was_q.beat && rf_row[0] == {L{row_q}} && rf_mask[0] == was_q.mask && rf_data[0] == was_q.data));
      a_late1:   assert (!late_bank_q[1] || (rf_beat[1] == was_q.beat && rf_row[1] == {L{row_q}} && rf_mask[1] == was_q.mask && rf_data[1] == was_q.data));
    end
    // no promises, but what makes the proof a step
    if (begun_q && !rst_q) begin
      i_turn: assert ((u_wb.turn_q & (u_wb.turn_q - 1'b1)) == '0 && u_wb.late_valid_q == full_q && u_wb.valid0_q == full_q && u_wb.valid1_q == full_q);
      i_held: assert (!full_q || ((whose_q & (whose_q - 1'b1)) == '0 && u_wb.late_who_q == whose_q && late_rec == held_q && u_wb.bank0_q == held_q.beat[0] && u_wb.bank1_q == held_q.beat[0]));
    end
  end
endmodule
