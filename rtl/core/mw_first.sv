// The lowest set bit of a vector: as a vector and as a number (0 without one). Groups of four bits, so that it is a few LUTs deep and no carry chain.
// All groups are handled side by side, as fields of one vector, which a simulator does in a few words.
module mw_first #(
  parameter int unsigned N = 16,
  localparam int unsigned W = N > 1 ? $clog2(N) : 1
) (
  input  logic [N-1:0] x_i,
  output logic [N-1:0] first_o,
  output logic [W-1:0] index_o
);
  localparam int unsigned G = (N + 3) / 4;
  typedef logic [4*G-1:0] fields_t;
  // `bits` in every group
  function automatic fields_t each(input logic [3:0] bits);
    return {G{bits}};
  endfunction
  // the groups whose number has bit k
  function automatic fields_t numbered(input int unsigned k);
    fields_t v;
    v = '0;
    for (int unsigned g = 0; g < G; g++) v[4*g] = (g >> k & 32'd1) != 0;
    return v;
  endfunction

  fields_t x, in_group, some, near, upto, group, low0, low1, all;
  assign x        = fields_t'(x_i);
  assign in_group = x & ~((x & each(4'h7)) << 1 | (x & each(4'h3)) << 2 | (x & each(4'h1)) << 3);
  // one bit per group from here on, its lowest: somebody there; up to here; the first one
  assign some     = (x | x >> 1 | x >> 2 | x >> 3) & each(4'h1);
  assign near     = some | some << 4 | some << 8 | some << 12;
  assign upto     = near | near << 16 | near << 32 | near << 48;
  assign group    = some & ~(upto << 4);
  assign low0     = ~x & (x >> 1 | ~(x >> 2));
  assign low1     = ~(x | x >> 1);
  assign all      = in_group & (group | group << 1 | group << 2 | group << 3);
  assign first_o  = all[N-1:0];

  logic [6:0] index;
  always_comb begin
    index = '0;
    index[0] = (group & low0) != '0;
    index[1] = (group & low1) != '0;
    for (int unsigned k = 0; 4 << k < N; k++) index[2+k] = (group & numbered(k)) != '0;
  end
  assign index_o = index[W-1:0];

  if (N > 64) $error("mw_first: at most 64 bits");
  logic unused;
  assign unused = &{1'b0, all, index};
endmodule
