// Walks over the threads of one row (beat) of a word, lowest lane first: one for each clock with step_i. load_i begins a row, in
// the clock of the last step or later. Who is next, and that it is the row's last thread, is known ahead.
module mw_special_walk #(
  parameter int unsigned L = 8
) (
  input  logic         clk_i,
  input  logic         load_i,
  input  logic [L-1:0] mask_i,
  input  logic         step_i,
  output logic         last_o,
  output logic [L-1:0] hot_o    // the lane, one-hot; of no meaning in a row without threads
);
  if (L == 1) begin : g_one
    assign last_o = 1'b1;
    assign hot_o  = 1'b1;
    logic unused;
    assign unused = &{1'b0, clk_i, load_i, mask_i, step_i};
  end else begin : g_many
    logic         last_q;
    logic [L-1:0] rest_q, hot_q, from, lowest, rest;
    assign from   = load_i ? mask_i : rest_q;
    assign lowest = from & (~from + 1'b1);
    assign rest   = from & (from - 1'b1);
    always_ff @(posedge clk_i) if (load_i || step_i) begin
      hot_q  <= lowest;
      rest_q <= rest;
      last_q <= rest == '0;
    end
    assign last_o = last_q;
    assign hot_o  = hot_q;
  end
endmodule
