// mw_axi_arb: one grant at a time, the payload of who is granted, AXI's stability, turns, answers by id.
// Assumed of both clients, as of every AXI master: a request stays as it is until it is accepted, and a burst stays in its 128-byte line. The other
// side (ready, read data, responses) does whatever it likes. The assertions of the module itself are proved as well.
// Source: header of rtl/mem/mw_axi_arb.sv; docs/architecture.md, "Modules", mw_axi_arb, and "Ports of mw_top".
module mw_axi_arb_props
  import mw_isa_pkg::*;
#(
  parameter  int unsigned CFG = 0,
  localparam cfg_t        C   = cfg_of(CFG),
  localparam int unsigned DW  = C.axi_bits
) (
  input logic            clk_i,
  input logic            rst_i,
  input logic            aw_valid_i, w_valid_i, w_last_i, b_ready_i, ar_valid_i, r_ready_i, ic_ar_valid_i, ic_r_ready_i,
  input logic [31:0]     aw_addr_i, ar_addr_i, ic_ar_addr_i,
  input logic [7:0]      aw_len_i, ar_len_i, ic_ar_len_i,
  input logic [DW-1:0]   w_data_i,
  input logic [DW/8-1:0] w_strb_i,
  input logic            awready_i, wready_i, bvalid_i, arready_i, rvalid_i, rid_i, rlast_i,
  input logic [1:0]      bresp_i, rresp_i,
  input logic [DW-1:0]   rdata_i
);
  logic            aw_ready, w_ready, b_valid, ar_ready, r_valid, ic_ar_ready, ic_r_valid, r_last;
  logic [1:0]      b_resp, r_resp;
  logic [DW-1:0]   r_data, wdata;
  logic            awvalid, awid, wvalid, wlast, bready, arvalid, arid, rready;
  logic [31:0]     awaddr, araddr;
  logic [7:0]      awlen, arlen;
  logic [2:0]      awsize, arsize;
  logic [1:0]      awburst, arburst;
  logic [DW/8-1:0] wstrb;
  mw_axi_arb #(.C(C)) u_arb (
    .clk_i, .rst_i,
    .mem_aw_valid_i(aw_valid_i), .mem_aw_ready_o(aw_ready), .mem_aw_addr_i(aw_addr_i), .mem_aw_len_i(aw_len_i),
    .mem_w_valid_i(w_valid_i), .mem_w_ready_o(w_ready), .mem_w_data_i(w_data_i), .mem_w_strb_i(w_strb_i), .mem_w_last_i(w_last_i),
    .mem_b_valid_o(b_valid), .mem_b_ready_i(b_ready_i), .mem_b_resp_o(b_resp),
    .mem_ar_valid_i(ar_valid_i), .mem_ar_ready_o(ar_ready), .mem_ar_addr_i(ar_addr_i), .mem_ar_len_i(ar_len_i),
    .mem_r_valid_o(r_valid), .mem_r_ready_i(r_ready_i),
    .ic_ar_valid_i, .ic_ar_ready_o(ic_ar_ready), .ic_ar_addr_i, .ic_ar_len_i, .ic_r_valid_o(ic_r_valid), .ic_r_ready_i,
    .r_data_o(r_data), .r_resp_o(r_resp), .r_last_o(r_last),
    .axi_awvalid_o(awvalid), .axi_awready_i(awready_i), .axi_awid_o(awid), .axi_awaddr_o(awaddr), .axi_awlen_o(awlen),
    .axi_awsize_o(awsize), .axi_awburst_o(awburst),
    .axi_wvalid_o(wvalid), .axi_wready_i(wready_i), .axi_wdata_o(wdata), .axi_wstrb_o(wstrb), .axi_wlast_o(wlast),
    .axi_bvalid_i(bvalid_i), .axi_bready_o(bready), .axi_bresp_i(bresp_i),
    .axi_arvalid_o(arvalid), .axi_arready_i(arready_i), .axi_arid_o(arid), .axi_araddr_o(araddr), .axi_arlen_o(arlen),
    .axi_arsize_o(arsize), .axi_arburst_o(arburst),
    .axi_rvalid_i(rvalid_i), .axi_rready_o(rready), .axi_rid_i(rid_i), .axi_rdata_i(rdata_i), .axi_rresp_i(rresp_i), .axi_rlast_i(rlast_i)
  );

  function automatic logic in_line(input logic [31:0] addr, input logic [7:0] len);
    return len < 8'(128 * 8 / DW) && 8'(addr[6:0]) + 8'(len) * 8'(DW / 8) <= 8'(128 - DW / 8);
  endfunction

  // ---- one clock ago
  logic            begun_q = 1'b0, rst_q;
  logic            mem_wait_q, ic_wait_q, aw_wait_q, w_wait_q, ar_wait_q;   // asked and not accepted
  logic [39:0]     mem_ar_q, ic_ar_q, aw_q;
  logic            arid_q;
  logic [31:0]     araddr_q;
  logic [7:0]      arlen_q;
  logic [DW/8+DW:0] w_q;
  logic [1:0]      mem_passed_q, ic_passed_q;   // others that were accepted while this one waited
  always_ff @(posedge clk_i) begin
    begun_q    <= 1'b1;
    rst_q      <= rst_i;
    mem_wait_q <= ar_valid_i && !ar_ready;
    ic_wait_q  <= ic_ar_valid_i && !ic_ar_ready;
    aw_wait_q  <= aw_valid_i && !aw_ready;
    w_wait_q   <= w_valid_i && !w_ready;
    ar_wait_q  <= arvalid && !arready_i;
    mem_ar_q   <= {ar_addr_i, ar_len_i};
    ic_ar_q    <= {ic_ar_addr_i, ic_ar_len_i};
    aw_q       <= {aw_addr_i, aw_len_i};
    w_q        <= {w_data_i, w_strb_i, w_last_i};
    arid_q     <= arid;
    araddr_q   <= araddr;
    arlen_q    <= arlen;
    mem_passed_q <= ar_valid_i && !ar_ready ? mem_passed_q + 2'(ic_ar_valid_i && ic_ar_ready) : 2'd0;
    ic_passed_q  <= ic_ar_valid_i && !ic_ar_ready ? ic_passed_q + 2'(ar_valid_i && ar_ready) : 2'd0;
    if (rst_i) begin
      mem_passed_q <= '0;
      ic_passed_q  <= '0;
    end
  end

  always_comb begin
    if (!begun_q) assume (rst_i);
    if (begun_q && !rst_q) begin
      if (mem_wait_q) assume (ar_valid_i && mem_ar_q == {ar_addr_i, ar_len_i});
      if (ic_wait_q) assume (ic_ar_valid_i && ic_ar_q == {ic_ar_addr_i, ic_ar_len_i});
      if (aw_wait_q) assume (aw_valid_i && aw_q == {aw_addr_i, aw_len_i});
      if (w_wait_q) assume (w_valid_i && w_q == {w_data_i, w_strb_i, w_last_i});
    end
    assume (!ar_valid_i || in_line(ar_addr_i, ar_len_i));
    assume (!ic_ar_valid_i || in_line(ic_ar_addr_i, ic_ar_len_i));
    assume (!aw_valid_i || in_line(aw_addr_i, aw_len_i));

    // Read addresses
    if (begun_q && !rst_i) begin
      a_asks:   assert (arvalid == (ar_valid_i || ic_ar_valid_i));
      a_one:    assert (!(ar_ready && ic_ar_ready));
      a_given:  assert (((ar_ready && ar_valid_i) || (ic_ar_ready && ic_ar_valid_i)) == (arvalid && arready_i));
      a_mem:    assert (!arvalid || arid || (ar_valid_i && ar_ready == arready_i && araddr == ar_addr_i && arlen == ar_len_i));
      a_ic:     assert (!arvalid || !arid || (ic_ar_valid_i && ic_ar_ready == arready_i && araddr == ic_ar_addr_i && arlen == ic_ar_len_i));
      a_stable: assert (rst_q || !ar_wait_q || (arvalid && arid == arid_q && araddr == araddr_q && arlen == arlen_q));
      // A held choice is that of a client that waits; who was passed over is next: no promises, but what makes the proof a step.
      i_inner:  assert (rst_q || !u_arb.locked_q || (u_arb.last_q ? ic_wait_q : mem_wait_q));
      i_last:   assert ((mem_passed_q == '0 || u_arb.last_q != u_arb.locked_q) && (ic_passed_q == '0 || u_arb.last_q == u_arb.locked_q));
      a_turns:  assert (mem_passed_q <= 2'd1 && ic_passed_q <= 2'd1);
    end
    a_kind: assert (arsize == 3'($clog2(DW / 8)) && awsize == arsize && arburst == 2'b01 && awburst == 2'b01);

    // Read data go to the client of their id, and only there.
    a_r_valid: assert (r_valid == (rvalid_i && rid_i == 1'b0) && ic_r_valid == (rvalid_i && rid_i == 1'b1));
    a_r_ready: assert (!rvalid_i || rready == (rid_i ? ic_r_ready_i : r_ready_i));
    a_r_data:  assert ({r_data, r_resp, r_last} == {rdata_i, rresp_i, rlast_i});

    // Writes pass.
    a_aw: assert (awvalid == aw_valid_i && aw_ready == awready_i && awid == 1'b0 && {awaddr, awlen} == {aw_addr_i, aw_len_i});
    a_w:  assert (wvalid == w_valid_i && w_ready == wready_i && {wdata, wstrb, wlast} == {w_data_i, w_strb_i, w_last_i});
    a_b:  assert (b_valid == bvalid_i && bready == b_ready_i && b_resp == bresp_i);
  end
endmodule
