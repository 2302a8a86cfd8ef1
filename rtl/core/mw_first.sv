// The lowest set bit of a vector: as a vector and as a number (0 without one). Groups of four bits, so that it is a few LUTs deep and no carry chain.
module mw_first #(
  parameter int unsigned N = 16,
  localparam int unsigned W = N > 1 ? $clog2(N) : 1
) (
  input  logic [N-1:0] x_i,
  output logic [N-1:0] first_o,
  output logic [W-1:0] index_o
);
  localparam int unsigned G = (N + 3) / 4;
  logic [G-1:0][3:0] x, in_group;
  logic [G-1:0]      some, group;
  logic [G-1:0][1:0] low;
  logic [4*G-1:0]    first;
  logic [6:0]        index;
  assign x = (4 * G)'(x_i);

  always_comb begin
    for (int unsigned g = 0; g < G; g++) begin
      some[g]     = x[g] != '0;
      in_group[g] = {x[g][3] && x[g][2:0] == '0, x[g][2] && x[g][1:0] == '0, x[g][1] && !x[g][0], x[g][0]};
      low[g]      = x[g][0] ? 2'd0 : x[g][1] ? 2'd1 : x[g][2] ? 2'd2 : 2'd3;
    end
    group = '0;
    for (int unsigned g = 0; g < G; g++) begin
      group[g] = some[g];
      for (int unsigned h = 0; h < g; h++) if (some[h]) group[g] = 1'b0;
    end
    index = '0;
    for (int unsigned g = 0; g < G; g++) begin
      first[4*g +: 4] = in_group[g] & {4{group[g]}};
      if (group[g]) index |= {5'(g), low[g]};
    end
  end
  assign first_o = first[N-1:0];
  assign index_o = index[W-1:0];

  logic unused;
  assign unused = &{1'b0, first, index};
endmodule
