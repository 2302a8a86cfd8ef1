// The one AXI4 master port of the unit: memory unit (id 0) and instruction cache (id 1).
//
// Read addresses: the two take turns when both ask; a choice holds until it is accepted, so the payload is stable. Read data go back by
// id, in any interleaving. Writes come from the memory unit only. Combinational. Bursts are incrementing, of full bus beats, within
// 128-byte lines, so that no burst crosses a 4 KiB boundary.
module mw_axi_arb
  import mw_isa_pkg::*;
#(
  parameter  cfg_t C = CFG_BASE,
  localparam int unsigned DW = C.axi_bits
) (
  input  logic             clk_i,
  input  logic             rst_i,

  // Memory unit
  input  logic             mem_aw_valid_i,
  output logic             mem_aw_ready_o,
  input  logic [31:0]      mem_aw_addr_i,
  input  logic [7:0]       mem_aw_len_i,
  input  logic             mem_w_valid_i,
  output logic             mem_w_ready_o,
  input  logic [DW-1:0]    mem_w_data_i,
  input  logic [DW/8-1:0]  mem_w_strb_i,
  input  logic             mem_w_last_i,
  output logic             mem_b_valid_o,
  input  logic             mem_b_ready_i,
  output logic [1:0]       mem_b_resp_o,
  input  logic             mem_ar_valid_i,
  output logic             mem_ar_ready_o,
  input  logic [31:0]      mem_ar_addr_i,
  input  logic [7:0]       mem_ar_len_i,
  output logic             mem_r_valid_o,
  input  logic             mem_r_ready_i,

  // Instruction cache
  input  logic             ic_ar_valid_i,
  output logic             ic_ar_ready_o,
  input  logic [31:0]      ic_ar_addr_i,
  input  logic [7:0]       ic_ar_len_i,
  output logic             ic_r_valid_o,
  input  logic             ic_r_ready_i,

  // Read data, for both
  output logic [DW-1:0]    r_data_o,
  output logic [1:0]       r_resp_o,
  output logic             r_last_o,

  // AXI4 master
  output logic             axi_awvalid_o,
  input  logic             axi_awready_i,
  output logic             axi_awid_o,
  output logic [31:0]      axi_awaddr_o,
  output logic [7:0]       axi_awlen_o,
  output logic [2:0]       axi_awsize_o,
  output logic [1:0]       axi_awburst_o,
  output logic             axi_wvalid_o,
  input  logic             axi_wready_i,
  output logic [DW-1:0]    axi_wdata_o,
  output logic [DW/8-1:0]  axi_wstrb_o,
  output logic             axi_wlast_o,
  input  logic             axi_bvalid_i,
  output logic             axi_bready_o,
  input  logic [1:0]       axi_bresp_i,
  output logic             axi_arvalid_o,
  input  logic             axi_arready_i,
  output logic             axi_arid_o,
  output logic [31:0]      axi_araddr_o,
  output logic [7:0]       axi_arlen_o,
  output logic [2:0]       axi_arsize_o,
  output logic [1:0]       axi_arburst_o,
  input  logic             axi_rvalid_i,
  output logic             axi_rready_o,
  input  logic             axi_rid_i,
  input  logic [DW-1:0]    axi_rdata_i,
  input  logic [1:0]       axi_rresp_i,
  input  logic             axi_rlast_i
);
  localparam logic [2:0] SIZE = 3'($clog2(DW / 8));
  localparam logic [1:0] INCR = 2'b01;

  // ------------------------------------------------------------------------------------------------ read addresses
  logic locked_q, last_q;   // a choice is waiting to be accepted; who was served last (1 = instruction cache)
  logic choice;
  always_comb begin
    if (locked_q) choice = last_q;
    else          choice = ic_ar_valid_i && (!mem_ar_valid_i || !last_q);
  end
  assign axi_arvalid_o  = choice ? ic_ar_valid_i : mem_ar_valid_i;
  assign axi_arid_o     = choice;
  assign axi_araddr_o   = choice ? ic_ar_addr_i : mem_ar_addr_i;
  assign axi_arlen_o    = choice ? ic_ar_len_i : mem_ar_len_i;
  assign axi_arsize_o   = SIZE;
  assign axi_arburst_o  = INCR;
  assign mem_ar_ready_o = axi_arready_i && !choice;
  assign ic_ar_ready_o  = axi_arready_i && choice;

  always_ff @(posedge clk_i) begin
    if (axi_arvalid_o) begin
      locked_q <= !axi_arready_i;
      last_q   <= choice;
    end
    if (rst_i) begin
      locked_q <= 1'b0;
      last_q   <= 1'b0;
    end
  end

  // ------------------------------------------------------------------------------------------------ read data
  assign mem_r_valid_o = axi_rvalid_i && !axi_rid_i;
  assign ic_r_valid_o  = axi_rvalid_i && axi_rid_i;
  assign axi_rready_o  = axi_rid_i ? ic_r_ready_i : mem_r_ready_i;
  assign r_data_o      = axi_rdata_i;
  assign r_resp_o      = axi_rresp_i;
  assign r_last_o      = axi_rlast_i;

  // ------------------------------------------------------------------------------------------------ writes
  assign axi_awvalid_o  = mem_aw_valid_i;
  assign mem_aw_ready_o = axi_awready_i;
  assign axi_awid_o     = 1'b0;
  assign axi_awaddr_o   = mem_aw_addr_i;
  assign axi_awlen_o    = mem_aw_len_i;
  assign axi_awsize_o   = SIZE;
  assign axi_awburst_o  = INCR;
  assign axi_wvalid_o   = mem_w_valid_i;
  assign mem_w_ready_o  = axi_wready_i;
  assign axi_wdata_o    = mem_w_data_i;
  assign axi_wstrb_o    = mem_w_strb_i;
  assign axi_wlast_o    = mem_w_last_i;
  assign mem_b_valid_o  = axi_bvalid_i;
  assign axi_bready_o   = mem_b_ready_i;
  assign mem_b_resp_o   = axi_bresp_i;

`ifndef SYNTHESIS
  logic        ar_wait_q, aw_wait_q, w_wait_q;
  logic [40:0] ar_q;
  logic [39:0] aw_q;
  logic [DW:0] w_q;
  always_ff @(posedge clk_i) begin
    ar_wait_q <= axi_arvalid_o && !axi_arready_i && !rst_i;
    aw_wait_q <= axi_awvalid_o && !axi_awready_i && !rst_i;
    w_wait_q  <= axi_wvalid_o && !axi_wready_i && !rst_i;
    ar_q <= {axi_arid_o, axi_araddr_o, axi_arlen_o};
    aw_q <= {axi_awaddr_o, axi_awlen_o};
    w_q  <= {axi_wlast_o, axi_wdata_o};
    if (!rst_i) begin
      a_ar: assert (!ar_wait_q || (axi_arvalid_o && ar_q == {axi_arid_o, axi_araddr_o, axi_arlen_o})) else $error("AR payload changed");
      a_aw: assert (!aw_wait_q || (axi_awvalid_o && aw_q == {axi_awaddr_o, axi_awlen_o})) else $error("AW payload changed");
      a_w:  assert (!w_wait_q || (axi_wvalid_o && w_q == {axi_wlast_o, axi_wdata_o})) else $error("W payload changed");
      a_ar_line: assert (!axi_arvalid_o || 32'(axi_araddr_o[6:0]) + (32'(axi_arlen_o) + 1) * (DW / 8) <= 128) else $error("burst leaves its line");
      a_aw_line: assert (!axi_awvalid_o || 32'(axi_awaddr_o[6:0]) + (32'(axi_awlen_o) + 1) * (DW / 8) <= 128) else $error("burst leaves its line");
    end
  end
`endif
endmodule
