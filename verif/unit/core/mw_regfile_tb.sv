// mw_regfile of one configuration with lane values in unpacked arrays, so that the C++ side is the same for all widths.
module mw_regfile_tb
  import mw_isa_pkg::*;
#(
  parameter int unsigned CFG = 1,
  localparam cfg_t C = cfg_of(CFG),
  localparam int unsigned L = C.lanes
) (
  input  logic        clk_i,
  input  logic [2:0]  re_i,
  input  logic        rbank_i,
  input  logic [4:0]  rbeat_i,
  input  logic [11:0] rrow_i [3*L],   // source A of all lanes, then B, then C
  input  logic        rwin_i [3*L],
  output logic [31:0] rdata_o [3*L],
  input  logic [1:0]  we_i,
  input  logic [4:0]  wbeat_i [2],
  input  logic [11:0] wrow_i [2*L],   // bank 0, then bank 1
  input  logic        wmask_i [2*L],
  input  logic [31:0] wdata_i [2*L]
);
  logic [L*12-1:0] wrow [2];
  logic [11:0]     row_a [L], row_b [L], row_c [L];
  logic [L-1:0]    rwin [3], wmask [2];
  logic [L*32-1:0] rdata [3], wdata [2];
  always_comb begin
    for (int l = 0; l < int'(L); l++) begin
      row_a[l] = rrow_i[l];
      row_b[l] = rrow_i[int'(L) + l];
      row_c[l] = rrow_i[2*int'(L) + l];
    end
    for (int s = 0; s < 3; s++)
      for (int l = 0; l < int'(L); l++) begin
        rwin[s][l]              = rwin_i[s*int'(L) + l];
        rdata_o[s*int'(L) + l]  = rdata[s][l*32 +: 32];
      end
    for (int b = 0; b < 2; b++)
      for (int l = 0; l < int'(L); l++) begin
        wrow[b][l*12 +: 12]  = wrow_i[b*int'(L) + l];
        wmask[b][l]          = wmask_i[b*int'(L) + l];
        wdata[b][l*32 +: 32] = wdata_i[b*int'(L) + l];
      end
  end
  mw_regfile #(.C(C)) u_dut (
    .clk_i, .re_i, .rbank_i, .rbeat_i, .row_a_i(row_a), .row_b_i(row_b), .row_c_i(row_c),
    .win_a_i(rwin[0]), .win_b_i(rwin[1]), .win_c_i(rwin[2]), .a_o(rdata[0]), .b_o(rdata[1]), .c_o(rdata[2]),
    .we_i, .wbeat0_i(wbeat_i[0]), .wrow0_i(wrow[0]), .wmask0_i(wmask[0]), .wdata0_i(wdata[0]),
    .wbeat1_i(wbeat_i[1]), .wrow1_i(wrow[1]), .wmask1_i(wmask[1]), .wdata1_i(wdata[1])
  );
endmodule
