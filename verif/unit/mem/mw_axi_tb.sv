// Memory unit, instruction cache and arbiter on one AXI port, with ports of equal width in every configuration.
module mw_axi_tb
  import mw_isa_pkg::*;
#(
  parameter  int unsigned CFG = 1,
  localparam cfg_t C = cfg_of(CFG),
  localparam int unsigned L  = C.lanes,
  localparam int unsigned DW = C.axi_bits,
  localparam int unsigned WW = $clog2(C.waves_partial)
) (
`include "mem_tb_ports.svh"
  output logic [31:0]       axi_bits_o,
  output logic [31:0]       icache_words_o,
  output logic              bus_error_o,
  output logic [7:0]        bus_error_wave_o,
  output logic [23:0]       bus_error_pc_o,
  input  logic              busy_i,          // the other client of the atomic unit asks
  output logic              cnt_read_o,
  output logic [7:0]        cnt_read_bytes_o,
  output logic              cnt_write_o,
  output logic [7:0]        cnt_write_bytes_o,

  input  logic              ic_invalidate_i,
  input  logic [31:0]       ic_base_i,
  input  logic              ic_req_valid_i,
  output logic              ic_req_ready_o,
  input  logic [7:0]        ic_req_wave_i,
  input  logic [23:0]       ic_req_pc_i,
  output logic              ic_rsp_valid_o,
  output logic [7:0]        ic_rsp_wave_o,
  output logic [23:0]       ic_rsp_pc_o,
  output logic [127:0]      ic_rsp_word_o,
  output logic              ic_rsp_error_o,
  output logic              cnt_miss_o,

  output logic              awvalid_o,
  input  logic              awready_i,
  output logic              awid_o,
  output logic [31:0]       awaddr_o,
  output logic [7:0]        awlen_o,
  output logic [2:0]        awsize_o,
  output logic [1:0]        awburst_o,
  output logic              wvalid_o,
  input  logic              wready_i,
  output logic [127:0]      wdata_o,
  output logic [15:0]       wstrb_o,
  output logic              wlast_o,
  input  logic              bvalid_i,
  output logic              bready_o,
  input  logic [1:0]        bresp_i,
  output logic              arvalid_o,
  input  logic              arready_i,
  output logic              arid_o,
  output logic [31:0]       araddr_o,
  output logic [7:0]        arlen_o,
  output logic [2:0]        arsize_o,
  output logic [1:0]        arburst_o,
  input  logic              rvalid_i,
  output logic              rready_o,
  input  logic              rid_i,
  input  logic [127:0]      rdata_i,
  input  logic [1:0]        rresp_i,
  input  logic              rlast_i
);
  logic [WW-1:0]      ret_wave, done_wave, rec_wave, error_wave, ic_wave;
  logic [L-1:0]       ret_mask, rec_mask;
  logic [L-1:0][31:0] ret_data, rec_addr, rec_data, rec_old;
  logic [4:0]         ret_beat, rec_beat;
  logic [9:0]         ret_dst;

  logic            m_aw_valid, m_aw_ready, m_w_valid, m_w_ready, m_w_last, m_b_valid, m_b_ready, m_ar_valid, m_ar_ready, m_r_valid, m_r_ready;
  logic [31:0]     m_aw_addr, m_ar_addr, i_ar_addr;
  logic [7:0]      m_aw_len, m_ar_len, i_ar_len;
  logic [DW-1:0]   m_w_data, r_data, wdata;
  logic [DW/8-1:0] m_w_strb, wstrb;
  logic [1:0]      m_b_resp, r_resp;
  logic            i_ar_valid, i_ar_ready, i_r_valid, i_r_ready, r_last;

  mw_axi_mem #(.C(C)) dut (
    .clk_i, .rst_i,
    .beat_valid_i(valid_i), .beat_ready_o(ready_o), .beat_wave_i(wave_i[WW-1:0]), .beat_seq_i(seq_i), .beat_pc_i(pc_i),
    .beat_kind_i(kind_e'(kind_i[2:0])), .beat_atom_op_i(atom_e'(op_i[3:0])), .beat_signed_i(signed_i), .beat_float_i(float_i), .beat_size_i(size_i), .beat_comp_i(comp_i),
    .beat_acq_i(acq_i), .beat_first_i(first_i), .beat_last_i(last_i), .beat_beat_i(beat_i[4:0]), .beat_mask_i(mask_i[L-1:0]),
    .beat_wmask_i(wmask_i[L-1:0]), .beat_dst_i(dst_i[9:0]), .beat_addr_i(addr_i[L-1:0]), .beat_data_i(data_i[L-1:0]),
    .beat_data2_i(data2_i[L-1:0]), .beat_base_i(base_i), .beat_bound_i(bound_i), .beat_bad_i(bad_i),
    .at_valid_o(at_valid), .at_ready_i(at_ready), .at_op_o(at_op), .at_signed_o(at_signed), .at_float_o(at_float), .at_old_o(at_old),
    .at_x_o(at_x), .at_y_o(at_y), .at_valid_i(at_answer[1]), .at_store_i(at_store[1]), .at_new_i(at_new[1]),
    .ret_valid_o, .ret_ready_i, .ret_wave_o(ret_wave), .ret_seq_o, .ret_comp_o, .ret_beat_o(ret_beat), .ret_mask_o(ret_mask),
    .ret_dst_o(ret_dst), .ret_data_o(ret_data), .done_valid_o, .done_wave_o(done_wave), .done_acq_o,
    .bus_error_o, .bus_error_wave_o(error_wave), .bus_error_pc_o, .idle_o,
    .axi_aw_valid_o(m_aw_valid), .axi_aw_ready_i(m_aw_ready), .axi_aw_addr_o(m_aw_addr), .axi_aw_len_o(m_aw_len),
    .axi_w_valid_o(m_w_valid), .axi_w_ready_i(m_w_ready), .axi_w_data_o(m_w_data), .axi_w_strb_o(m_w_strb), .axi_w_last_o(m_w_last),
    .axi_b_valid_i(m_b_valid), .axi_b_ready_o(m_b_ready), .axi_b_resp_i(m_b_resp), .axi_ar_valid_o(m_ar_valid), .axi_ar_ready_i(m_ar_ready),
    .axi_ar_addr_o(m_ar_addr), .axi_ar_len_o(m_ar_len), .axi_r_valid_i(m_r_valid), .axi_r_ready_o(m_r_ready), .axi_r_data_i(r_data),
    .axi_r_resp_i(r_resp), .axi_r_last_i(r_last),
    .rec_valid_o, .rec_wave_o(rec_wave), .rec_seq_o, .rec_first_o, .rec_comp_o, .rec_beat_o(rec_beat), .rec_mask_o(rec_mask),
    .rec_addr_o(rec_addr), .rec_data_o(rec_data), .rec_old_o(rec_old), .cnt_read_o, .cnt_read_bytes_o, .cnt_write_o, .cnt_write_bytes_o
  );

  logic              at_valid, at_signed, at_float, at_ready;
  logic [1:0]        at_soon, at_answer, at_store;
  logic [1:0][31:0]  at_new;
  atom_e             at_op;
  logic [31:0]       at_old, at_x, at_y;
  mw_atomic_unit atomics (
    .clk_i, .rst_i, .req_valid_i({at_valid, busy_i}), .req_ready_o(at_ready), .req_op_i('{ATOM_XOR, at_op}), .req_signed_i({at_signed, 1'b0}),
    .req_float_i({at_float, 1'b0}), .req_old_i({at_old, 32'd0}), .req_x_i({at_x, 32'd0}), .req_y_i({at_y, 32'd0}),
    .rsp_soon_o(at_soon), .rsp_valid_o(at_answer), .rsp_store_o(at_store), .rsp_new_o(at_new)
  );

  mw_icache #(.C(C)) icache (
    .clk_i, .rst_i, .invalidate_i(ic_invalidate_i), .base_i(ic_base_i), .req_valid_i(ic_req_valid_i), .req_ready_o(ic_req_ready_o),
    .req_wave_i(ic_req_wave_i[WW-1:0]), .req_pc_i(ic_req_pc_i), .rsp_valid_o(ic_rsp_valid_o), .rsp_wave_o(ic_wave), .rsp_pc_o(ic_rsp_pc_o),
    .rsp_word_o(ic_rsp_word_o), .rsp_error_o(ic_rsp_error_o), .axi_ar_valid_o(i_ar_valid), .axi_ar_ready_i(i_ar_ready),
    .axi_ar_addr_o(i_ar_addr), .axi_ar_len_o(i_ar_len), .axi_r_valid_i(i_r_valid), .axi_r_ready_o(i_r_ready), .axi_r_data_i(r_data),
    .axi_r_resp_i(r_resp), .axi_r_last_i(r_last), .cnt_miss_o
  );

  mw_axi_arb #(.C(C)) arb (
    .clk_i, .rst_i,
    .mem_aw_valid_i(m_aw_valid), .mem_aw_ready_o(m_aw_ready), .mem_aw_addr_i(m_aw_addr), .mem_aw_len_i(m_aw_len),
    .mem_w_valid_i(m_w_valid), .mem_w_ready_o(m_w_ready), .mem_w_data_i(m_w_data), .mem_w_strb_i(m_w_strb), .mem_w_last_i(m_w_last),
    .mem_b_valid_o(m_b_valid), .mem_b_ready_i(m_b_ready), .mem_b_resp_o(m_b_resp), .mem_ar_valid_i(m_ar_valid), .mem_ar_ready_o(m_ar_ready),
    .mem_ar_addr_i(m_ar_addr), .mem_ar_len_i(m_ar_len), .mem_r_valid_o(m_r_valid), .mem_r_ready_i(m_r_ready),
    .ic_ar_valid_i(i_ar_valid), .ic_ar_ready_o(i_ar_ready), .ic_ar_addr_i(i_ar_addr), .ic_ar_len_i(i_ar_len), .ic_r_valid_o(i_r_valid),
    .ic_r_ready_i(i_r_ready), .r_data_o(r_data), .r_resp_o(r_resp), .r_last_o(r_last),
    .axi_awvalid_o(awvalid_o), .axi_awready_i(awready_i), .axi_awid_o(awid_o), .axi_awaddr_o(awaddr_o), .axi_awlen_o(awlen_o),
    .axi_awsize_o(awsize_o), .axi_awburst_o(awburst_o), .axi_wvalid_o(wvalid_o), .axi_wready_i(wready_i), .axi_wdata_o(wdata),
    .axi_wstrb_o(wstrb), .axi_wlast_o(wlast_o), .axi_bvalid_i(bvalid_i), .axi_bready_o(bready_o), .axi_bresp_i(bresp_i),
    .axi_arvalid_o(arvalid_o), .axi_arready_i(arready_i), .axi_arid_o(arid_o), .axi_araddr_o(araddr_o), .axi_arlen_o(arlen_o),
    .axi_arsize_o(arsize_o), .axi_arburst_o(arburst_o), .axi_rvalid_i(rvalid_i), .axi_rready_o(rready_o), .axi_rid_i(rid_i),
    .axi_rdata_i(rdata_i[DW-1:0]), .axi_rresp_i(rresp_i), .axi_rlast_i(rlast_i)
  );

  assign lanes_o = L;
  assign axi_bits_o = DW;
  assign icache_words_o = C.icache_words;
  assign wdata_o = 128'(wdata);
  assign wstrb_o = 16'(wstrb);
  assign ret_wave_o = 8'(ret_wave);
  assign done_wave_o = 8'(done_wave);
  assign bus_error_wave_o = 8'(error_wave);
  assign rec_wave_o = 8'(rec_wave);
  assign ic_rsp_wave_o = 8'(ic_wave);
  assign ret_mask_o = 32'(ret_mask);
  assign rec_mask_o = 32'(rec_mask);
  assign ret_data_o = 1024'(ret_data);
  assign rec_addr_o = 1024'(rec_addr);
  assign rec_data_o = 1024'(rec_data);
  assign rec_old_o  = 1024'(rec_old);
  assign ret_beat_o = 8'(ret_beat);
  assign rec_beat_o = 8'(rec_beat);
  assign ret_dst_o  = 16'(ret_dst);

  logic unused;
  assign unused = &{1'b0, wave_i, kind_i, op_i, beat_i, mask_i, wmask_i, dst_i, addr_i, data_i, data2_i, ic_req_wave_i, rdata_i, at_soon, at_answer[0], at_store[0], at_new[0]};
endmodule
