// Walks over the threads of one row (beat) of a word, lowest lane first: one for each clock with step_i. load_i begins a row, in
// the clock of the last step or later; that a thread is the row's last is known ahead.
module mw_special_walk #(
  parameter int unsigned L = 8,
  localparam int unsigned LW = L > 1 ? $clog2(L) : 1
) (
  input  logic          clk_i,
  input  logic          load_i,
  input  logic [L-1:0]  mask_i,
  input  logic          step_i,
  output logic          last_o,
  output logic [LW-1:0] lane_o
);
  if (L == 1) begin : g_one
    assign last_o = 1'b1;
    assign lane_o = 1'b0;
    logic unused;
    assign unused = &{1'b0, clk_i, load_i, mask_i, step_i};
  end else begin : g_many
    function automatic logic single(input logic [L-1:0] x);
      return (x & (x - 1'b1)) == '0;
    endfunction
    logic         last_q;
    logic [L-1:0] rest_q, later, next;
    always_comb begin
      lane_o = '0;
      for (int i = int'(L) - 1; i >= 0; i--) if (rest_q[i]) lane_o = LW'(i);
      later = rest_q & (rest_q - 1'b1);
      next  = load_i ? mask_i : later;
    end
    always_ff @(posedge clk_i) if (load_i || step_i) begin
      rest_q <= next;
      last_q <= load_i ? single(mask_i) : single(later);
    end
    assign last_o = last_q;
  end
endmodule
