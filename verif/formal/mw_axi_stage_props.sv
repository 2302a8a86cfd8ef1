// mw_axi_stage against a queue of two words: nothing is lost, doubled or reordered, whatever comes and goes.
// The word that stands at the output stays there until it is taken; ready_o and valid_o are registers, so neither answers in the same clock.
// Source: header of rtl/mem/mw_axi_stage.sv; docs/decisions.md, 21.
module mw_axi_stage_props #(
  parameter int unsigned WIDTH = 4
) (
  input logic             clk_i,
  input logic             rst_i,
  input logic             valid_i,
  input logic [WIDTH-1:0] data_i,
  input logic             ready_i
);
  logic             ready, valid;
  logic [WIDTH-1:0] data;
  mw_axi_stage #(.WIDTH(WIDTH)) u_stage (.clk_i, .rst_i, .valid_i, .ready_o(ready), .data_i, .valid_o(valid), .ready_i, .data_o(data));

  logic             begun_q = 1'b0;
  logic [1:0]       count_q;       // words inside
  logic [WIDTH-1:0] head_q, next_q;
  logic             put, get;
  assign put = valid_i && ready;
  assign get = valid && ready_i;
  always_ff @(posedge clk_i) begin
    begun_q <= 1'b1;
    count_q <= count_q + 2'(put) - 2'(get);
    if (get) head_q <= next_q;
    if (put) begin
      if (count_q == 2'(get)) head_q <= data_i;
      else next_q <= data_i;
    end
    if (rst_i) count_q <= '0;
  end

  always_comb begin
    if (!begun_q) assume (rst_i);
    if (begun_q) begin
      a_count: assert (count_q <= 2'd2);
      a_valid: assert (valid == (count_q != 2'd0));
      a_ready: assert (ready == (count_q != 2'd2));
      a_data:  assert (!valid || data == head_q);
      // where the second word waits: not a promise, but what makes the proof a step
      i_inner: assert (u_stage.second_q == !ready && (ready || u_stage.second_data_q == next_q));
    end
  end
endmodule
