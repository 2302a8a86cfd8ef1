// Memory with one write port and one registered read port, inferred: LUT RAM up to LUT_ROWS rows, which would waste a block RAM's 512 and more;
// else block RAM if BLOCK, or as the synthesizer likes.
// The read port holds its word while re_i is 0. A word that is written in the very cycle it is read comes out undefined:
// no user relies on it.
module mw_mem_ram #(
  parameter int unsigned WIDTH = 32,
  parameter int unsigned DEPTH = 16,
  parameter bit          BLOCK = 1'b0,
  parameter int unsigned LUT_ROWS = 32,
  localparam int unsigned AW = DEPTH > 1 ? $clog2(DEPTH) : 1
) (
  input  logic             clk_i,
  input  logic             we_i,
  input  logic [AW-1:0]    waddr_i,
  input  logic [WIDTH-1:0] wdata_i,
  input  logic             re_i,
  input  logic [AW-1:0]    raddr_i,
  output logic [WIDTH-1:0] rdata_o
);
  logic [WIDTH-1:0] rdata_q;

  if (DEPTH <= LUT_ROWS) begin : g_small
    (* no_rw_check, ram_style = "distributed" *) logic [WIDTH-1:0] mem_q [DEPTH];
    always_ff @(posedge clk_i) begin
      if (we_i) mem_q[waddr_i] <= wdata_i;
      if (re_i) rdata_q <= mem_q[raddr_i];
    end
  end else if (BLOCK) begin : g_block
    (* no_rw_check, ram_style = "block" *) logic [WIDTH-1:0] mem_q [DEPTH];
    always_ff @(posedge clk_i) begin
      if (we_i) mem_q[waddr_i] <= wdata_i;
      if (re_i) rdata_q <= mem_q[raddr_i];
    end
  end else begin : g_any
    (* no_rw_check *) logic [WIDTH-1:0] mem_q [DEPTH];
    always_ff @(posedge clk_i) begin
      if (we_i) mem_q[waddr_i] <= wdata_i;
      if (re_i) rdata_q <= mem_q[raddr_i];
    end
  end
  assign rdata_o = rdata_q;
endmodule
