// Role: stages 3 and 4 of the lane: P = A2 * B2, 33 x 33 bits signed, low 64 bits.
// Four products of 17-bit halves (one hard multiplier each), registered, then added.
// Timing: output two cycles after the inputs.
module mw_lane_multiplier (
    input  logic        clk_i,
    input  logic [32:0] a_i,
    input  logic [32:0] b_i,
    output logic [63:0] p_o
);
  logic signed [17:0] a_lo, a_hi, b_lo, b_hi;
  always_comb begin
    a_lo = {1'b0, a_i[16:0]};
    b_lo = {1'b0, b_i[16:0]};
    a_hi = {{2{a_i[32]}}, a_i[32:17]};
    b_hi = {{2{b_i[32]}}, b_i[32:17]};
  end

  logic signed [35:0] lo_q, hi_q, mid0_q, mid1_q;
  always_ff @(posedge clk_i) begin
    lo_q <= a_lo * b_lo;
    hi_q <= a_hi * b_hi;
    mid0_q <= a_lo * b_hi;
    mid1_q <= a_hi * b_lo;
  end

  logic [34:0] mid;
  assign mid = mid0_q[34:0] + mid1_q[34:0];
  always_ff @(posedge clk_i) begin
    p_o[16:0] <= lo_q[16:0];
    p_o[63:17] <= {hi_q[29:0], lo_q[33:17]} + {{12{mid[34]}}, mid};
  end

  logic unused;
  assign unused = &{1'b0, lo_q[35:34], hi_q[35:30], mid0_q[35], mid1_q[35]};
endmodule
