// mw_delay against a shift register, for the depths that the core uses and some smaller ones: what is written comes out DEPTH clocks later, once, and
// busy_o says whether anything is under way. A reset forgets all of it.
// One bit of data stands for any: the module does not look at them.
// Source: header of rtl/core/mw_delay.sv.
module mw_delay_props #(
  parameter int unsigned WIDTH = 1
) (
  input logic             clk_i,
  input logic             rst_i,
  input logic             valid_i,
  input logic [WIDTH-1:0] data_i
);
  localparam int unsigned KINDS = 4;
  localparam int unsigned DEPTHS [KINDS] = '{2, 3, 6, 10};
  logic begun_q = 1'b0;
  always_ff @(posedge clk_i) begun_q <= 1'b1;
  always_comb if (!begun_q) assume (rst_i);

  for (genvar k = 0; k < int'(KINDS); k++) begin : g_depth
    localparam int unsigned D = DEPTHS[k];
    logic             valid, busy;
    logic [WIDTH-1:0] data;
    mw_delay #(.WIDTH(WIDTH), .DEPTH(D)) u_delay (.clk_i, .rst_i, .valid_i, .data_i, .valid_o(valid), .data_o(data), .busy_o(busy));

    logic [D-1:0]            valid_q;   // bit i: i + 1 clocks ago
    logic [D-1:0][WIDTH-1:0] data_q;
    always_ff @(posedge clk_i) begin
      valid_q <= rst_i ? '0 : D'({valid_q, valid_i});
      data_q  <= (D*WIDTH)'({data_q, data_i});
    end
    always_comb
      if (begun_q) begin
        a_valid: assert (valid == valid_q[D-1]);
        a_data:  assert (!valid || data == data_q[D-1]);
        a_busy:  assert (busy == (valid_q != '0));
        // no promise, but with it D clocks tell everything
        i_inner: assert (32'(u_delay.at_q) < D - 1 && u_delay.valid_q == valid_q);
      end
  end
endmodule
