// Place-and-route harness: one lane between shift registers, so that four pins carry everything and every path of the lane runs
// between registers. Not a design of its own: only size and clock of the lane are read from it.
module mw_lane_scan
  import mw_lane_pkg::*;
(
    input  logic clk_i,
    input  logic scan_i,
    input  logic load_i,
    output logic scan_o
);
  localparam int IN = $bits(lane_ctl_t) + 98;
  localparam int OUT = 37;

  logic [IN-1:0] in_q;
  logic [OUT-1:0] out_q, out;
  always_ff @(posedge clk_i) begin
    in_q <= {in_q[IN-2:0], scan_i};
    out_q <= load_i ? out : {out_q[OUT-2:0], 1'b0};
  end
  assign scan_o = out_q[OUT-1];

  mw_lane u_lane (
      .clk_i,
      .ctl_i(lane_ctl_t'(in_q[IN-1:98])),
      .a_i(in_q[31:0]),
      .b_i(in_q[63:32]),
      .c_i(in_q[95:64]),
      .cf_i(in_q[96]),
      .zf_i(in_q[97]),
      .result_o(out[31:0]),
      .flags_o(out[35:32]),
      .alu_bit_o(out[36])
  );
endmodule
