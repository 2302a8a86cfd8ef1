// A place to stop in a valid / ready stream: ready_o is a register, so the taker's answer does not travel on. Nothing is delayed while
// the taker is ready; order is kept, and words that follow each other without a gap still do.
module mw_mem_skid #(
  parameter int unsigned WIDTH = 8
) (
  input  logic             clk_i,
  input  logic             rst_i,
  input  logic             valid_i,
  output logic             ready_o,
  input  logic [WIDTH-1:0] data_i,
  output logic             valid_o,
  input  logic             ready_i,
  output logic [WIDTH-1:0] data_o
);
  logic             spare_valid_q;
  logic [WIDTH-1:0] spare_q;
  always_ff @(posedge clk_i) begin
    if (rst_i) spare_valid_q <= 1'b0;
    else if (ready_i) spare_valid_q <= 1'b0;
    else if (valid_i) spare_valid_q <= 1'b1;
    if (valid_i && !spare_valid_q) spare_q <= data_i;
  end
  assign ready_o = !spare_valid_q;
  assign valid_o = spare_valid_q || valid_i;
  assign data_o  = spare_valid_q ? spare_q : data_i;
endmodule
