// mw_first, widths 1 to UPTO and the four widest: first_o is x_i with all bits but its lowest one cleared, index_o that bit's number, 0 if there is none.
// Written from the definition: the lowest bit is the one that is set with none below.
// Source: header of rtl/core/mw_first.sv; docs/fpga.md, "Clock and area by construction".
module mw_first_props #(
  parameter int unsigned UPTO = 20,
  localparam int unsigned HIGH = 64
) (
  input logic [HIGH-1:0] x_i
);
  for (genvar n = 1; n <= int'(HIGH); n++) if (n <= int'(UPTO) || n > int'(HIGH) - 4) begin : g_width
    localparam int unsigned W = n > 1 ? $clog2(n) : 1;
    logic [n-1:0] x, first, lowest;
    logic [W-1:0] index, number;
    assign x = x_i[n-1:0];
    mw_first #(.N(n)) u_first (.x_i(x), .first_o(first), .index_o(index));
    always_comb begin
      logic below;
      below  = 1'b0;
      lowest = '0;
      number = '0;
      for (int unsigned i = 0; i < n; i++) begin
        if (x[i] && !below) begin
          lowest[i] = 1'b1;
          number    = W'(i);
        end
        below |= x[i];
      end
      a_first: assert (first == lowest);
      a_index: assert (index == number);
    end
  end
endmodule
