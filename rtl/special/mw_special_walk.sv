// Walks over the threads of one row (beat) of a word, lowest lane first: one for each clock with step_i.
// mask_i must stay the same until done_o; a row without threads is done at once, with none_o. With all_i the row is one step.
module mw_special_walk #(
  parameter int unsigned L = 8,
  localparam int unsigned LW = L > 1 ? $clog2(L) : 1
) (
  input  logic          clk_i,
  input  logic          rst_i,
  input  logic [L-1:0]  mask_i,
  input  logic          all_i,
  input  logic          step_i,
  output logic          none_o,
  output logic          done_o,   // this step is the row's last
  output logic [LW-1:0] lane_o
);
  if (L == 1) begin : g_one
    assign none_o = !mask_i[0];
    assign done_o = 1'b1;
    assign lane_o = 1'b0;
    logic unused;
    assign unused = &{1'b0, clk_i, rst_i, all_i, step_i};
  end else begin : g_many
    logic         begun_q;
    logic [L-1:0] rest_q, now, later;
    assign now    = begun_q ? rest_q : mask_i;
    assign none_o = !begun_q && mask_i == '0;
    always_comb begin
      lane_o = '0;
      for (int i = int'(L) - 1; i >= 0; i--) if (now[i]) lane_o = LW'(i);
      later = now;
      later[lane_o] = 1'b0;
    end
    assign done_o = all_i || later == '0;
    always_ff @(posedge clk_i) begin
      if (step_i) begin
        begun_q <= !done_o;
        rest_q  <= later;
      end
      if (rst_i) begun_q <= 1'b0;
    end
  end
endmodule
