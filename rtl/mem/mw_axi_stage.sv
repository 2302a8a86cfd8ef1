// A place to stop in a stream of one word per clock: what comes out is a register, and the taker's answer does not travel on in the same clock.
// A second register holds the word that comes while the first waits.
module mw_axi_stage #(
  parameter int unsigned WIDTH = 32
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
  logic             second_q;   // ready_o is its complement, a register of its own: second_q drives the width of the data
  logic [WIDTH-1:0] second_data_q;
  always_ff @(posedge clk_i) begin
    if (!valid_o || ready_i) begin
      valid_o  <= valid_i || second_q;
      second_q <= 1'b0;
      ready_o  <= 1'b1;
      if (second_q) data_o <= second_data_q;
      else if (valid_i) data_o <= data_i;
    end else if (valid_i) begin
      second_q <= 1'b1;
      ready_o  <= 1'b0;
    end
    if (valid_i && !second_q) second_data_q <= data_i;
    if (rst_i) begin
      valid_o  <= 1'b0;
      second_q <= 1'b0;
      ready_o  <= 1'b1;
    end
  end
endmodule
