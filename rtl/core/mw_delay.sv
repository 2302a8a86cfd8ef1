// A delay line of DEPTH clocks (at least 2) in a small memory that is used as a ring: far fewer flip-flops than a shift register of the
// same width. Data written with valid_i comes out DEPTH clocks later with valid_o; data_o is undefined without valid_o.
module mw_delay #(
  parameter int unsigned WIDTH = 8,
  parameter int unsigned DEPTH = 8
) (
  input  logic             clk_i,
  input  logic             rst_i,
  input  logic             valid_i,
  input  logic [WIDTH-1:0] data_i,
  output logic             valid_o,
  output logic [WIDTH-1:0] data_o,
  output logic             busy_o    // something is under way
);
  localparam int unsigned RING = DEPTH - 1;  // the output register is the last stage
  localparam int unsigned PW = RING > 1 ? $clog2(RING) : 1;

  logic [WIDTH-1:0] ring_q [RING];
  logic [PW-1:0]    at_q;
  logic [DEPTH-1:0] valid_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      at_q    <= '0;
      valid_q <= '0;
    end else begin
      at_q    <= at_q == PW'(RING - 1) ? '0 : at_q + 1'b1;
      valid_q <= {valid_q[DEPTH-2:0], valid_i};
    end
    if (valid_i) ring_q[at_q] <= data_i;
    if (valid_q[DEPTH-2]) data_o <= ring_q[at_q];
  end
  assign valid_o = valid_q[DEPTH-1];
  assign busy_o  = |valid_q;
endmodule
