// One hard multiplier (at most 18 x 18 bits) with its output register.
// Timing: output one clock after the inputs, if en_i.
module mw_special_multiplier #(
  parameter int unsigned A = 18,
  parameter int unsigned B = 18,
  parameter bit          SIGNED = 1'b1
) (
  input  logic           clk_i,
  input  logic           en_i,
  input  logic [A-1:0]   a_i,
  input  logic [B-1:0]   b_i,
  output logic [A+B-1:0] p_o
);
  if (SIGNED) begin : g_signed
    always_ff @(posedge clk_i) if (en_i) p_o <= (A + B)'($signed(a_i) * $signed(b_i));
  end else begin : g_unsigned
    always_ff @(posedge clk_i) if (en_i) p_o <= (A + B)'(a_i * b_i);
  end
endmodule
