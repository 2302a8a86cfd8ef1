// Words on the bits of an operand: BFR, BTC, BTFL, BTFM. Shuffles pass, and so do the truth values of votes and range words, which
// come ready (truth_i, 0 if none).
// Timing: four clocks after the operand, one after a truth value; all zero without a result.
module mw_special_bits
  import mw_special_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_i,
  /* verilator lint_off UNUSEDSIGNAL */  // each unit needs a part
  input  ctl_t        ctl_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic        valid_i,
  input  logic [31:0] x_i,
  input  logic        truth_valid_i,
  input  logic [31:0] truth_i,
  output logic        valid_o,
  output logic [31:0] result_o
);
  // The number of ones of 16 bits from sums of three.
  function automatic logic [4:0] ones16(input logic [15:0] x);
    logic [1:0] three [5];
    for (int i = 0; i < 5; i++) three[i] = 2'(x[3*i]) + 2'(x[3*i+1]) + 2'(x[3*i+2]);
    return (5'(three[0]) + 5'(three[1]) + 5'(x[15])) + (5'(three[2]) + 5'(three[3])) + 5'(three[4]);
  endfunction

  logic        s1_valid_q, s2_valid_q, s3_valid_q, none_q;
  logic [31:0] reverse, s1_q, s2_q, s3_q;
  logic [4:0]  low_q, high_q, zeros, zeros_q;
  logic [5:0]  ones_q;
  logic [1:0]  upper_q;
  logic [3:1]  none;    // by byte
  logic [7:0]  x8, x8_q;
  logic [3:1]  x4;
  logic        x2;
  always_comb begin
    for (int i = 0; i < 32; i++) reverse[i] = x_i[31 - i];
    // leading zeros: of bytes, then by halves
    for (int i = 1; i < 4; i++) none[i] = s1_q[8*i +: 8] == '0;
    zeros[4] = none[3] && none[2];
    zeros[3] = none[3] && (!none[2] || none[1]);
    unique case (zeros[4:3])
      2'd0:    x8 = s1_q[31:24];
      2'd1:    x8 = s1_q[23:16];
      2'd2:    x8 = s1_q[15:8];
      default: x8 = s1_q[7:0];
    endcase
    zeros[2] = x8_q[7:4] == '0;
    x4       = zeros[2] ? x8_q[3:1] : x8_q[7:5];
    zeros[1] = x4[3:2] == '0;
    x2       = zeros[1] ? x4[1] : x4[3];
    zeros[0] = !x2;
  end
  always_ff @(posedge clk_i) begin
    s1_valid_q <= valid_i && ctl_i.bits && !rst_i;
    s1_q       <= ctl_i.reverse ? reverse : x_i ^ {32{ctl_i.flip && x_i[31]}};
    s2_valid_q <= s1_valid_q && !rst_i;
    s2_q       <= s1_q;
    if (!s1_valid_q || ctl_i.count || ctl_i.search) s2_q <= '0;
    low_q      <= ones16(s1_q[15:0]);
    high_q     <= ones16(s1_q[31:16]);
    upper_q    <= zeros[4:3];
    x8_q       <= x8;
    s3_valid_q <= s2_valid_q && !rst_i;
    s3_q       <= s2_q;
    ones_q     <= 6'(low_q) + 6'(high_q);
    zeros_q    <= {upper_q, zeros[2:0]} ^ {5{!ctl_i.lowest}};
    none_q     <= upper_q == '1 && x8_q == '0;
    valid_o    <= (s3_valid_q || truth_valid_i) && !rst_i;
    result_o   <= s3_q | truth_i;
    if (ctl_i.count) result_o[5:0] <= ones_q;
    if (ctl_i.search) result_o <= none_q ? '1 : 32'(zeros_q);
    if (!s3_valid_q && !truth_valid_i) result_o <= '0;
  end
endmodule
