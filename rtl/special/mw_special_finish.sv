// Last steps of a result (docs/functions.md, step 5): normalize, round to nearest even, pack. The two halves of PKH come one after
// the other and leave together. Results of integers only pass, with the increment that completes a negation.
// A result below the normal numbers is shifted by one bit per clock meanwhile (rare); one far below goes to 32 bits at once.
// Timing: six clocks; stops while the taker is not ready.
module mw_special_finish
  import mw_isa_pkg::*;
  import mw_special_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_i,
  input  logic        half_i,     // PKH
  input  logic        valid_i,
  output logic        ready_o,
  input  result_t     result_i,
  output logic        valid_o,
  input  logic        ready_i,
  output logic        leave_o,    // a result has left (PKH: one half)
  output logic [31:0] data_o
);
  logic shifting, move;
  assign move    = !shifting && (!valid_o || ready_i);
  assign ready_o = move;

  // ---- leading zeros: 16, 8, then 4, 2, 1
  logic        f1_valid_q, f2_valid_q;
  result_t     f1_q, f2_q;
  logic [1:0]  f1_z_q;
  logic [4:0]  f2_z_q;
  logic [32:0] v16, v8, v4, v2, v1;
  logic        z16, z8, z4, z2, z1;
  always_comb begin
    z16 = !result_i.raw && result_i.v[32:17] == '0;
    v16 = z16 ? result_i.v << 16 : result_i.v;
    z8  = !result_i.raw && v16[32:25] == '0;
    v8  = z8 ? v16 << 8 : v16;
    z4  = !f1_q.raw && f1_q.v[32:29] == '0;
    v4  = z4 ? f1_q.v << 4 : f1_q.v;
    z2  = !f1_q.raw && v4[32:31] == '0;
    v2  = z2 ? v4 << 2 : v4;
    z1  = !f1_q.raw && !v2[32];
    v1  = z1 ? v2 << 1 : v2;
  end
  always_ff @(posedge clk_i) if (move) begin
    f1_q   <= result_i;
    f1_q.v <= v8;
    f1_z_q <= {z16, z8};
    f2_q   <= f1_q;
    f2_q.v <= v1;
    f2_z_q <= {f1_z_q, z4, z2, z1};
  end

  // ---- exponent; below 0 the mantissa moves right until it is 0
  logic        s_valid_q, far;
  result_t     s_q;
  logic [9:0]  f;
  assign f        = f2_q.f - 10'(f2_z_q);
  assign far      = f[9] && f[8:5] != '1 && !f2_q.raw;
  assign shifting = s_valid_q && s_q.f[9] && !s_q.raw;
  always_ff @(posedge clk_i) begin
    if (shifting) begin
      s_q.f <= s_q.f + 1'b1;
      s_q.v <= {1'b0, s_q.v[32:2], s_q.v[1] | s_q.v[0]};
    end else if (move) begin
      s_q   <= f2_q;
      s_q.f <= far ? -10'sd32 : f;
      if (!f2_q.raw && !f2_q.v[32]) begin
        s_q.f <= '0;
        s_q.v <= '0;
      end
    end
  end

  // ---- round, pack
  logic        t_valid_q, t_raw_q, t_sign_q, t_inc_q, t_top_q, guard, lsb, below;
  logic [23:0] t_m_q;
  logic [7:0]  t_f_q;
  always_comb begin
    guard = half_i ? s_q.v[21] : s_q.v[8];
    lsb   = half_i ? s_q.v[22] : s_q.v[9];
    below = s_q.v[7:0] != '0 || (half_i && s_q.v[20:8] != '0);
  end
  logic        sum_valid_q, sum_raw_q, sum_sign_q;
  logic [31:0] sum_q;
  logic        big, first_q;
  logic [15:0] half_q, half;
  logic        out_valid_q;
  logic [31:0] out_q;
  assign big = half_i ? sum_q[31:28] != '0 || sum_q[27:23] == '1 : sum_q[31] || sum_q[30:23] == '1;
  always_ff @(posedge clk_i) if (move) begin
    t_raw_q  <= s_q.raw;
    t_sign_q <= s_q.sign;
    t_inc_q  <= s_q.raw ? s_q.f[8] : guard && (lsb || below);
    t_top_q  <= s_q.raw ? s_q.sign : s_q.f[8];
    t_f_q    <= s_q.f[7:0];
    t_m_q    <= s_q.v[32:9];
    sum_q    <= {t_top_q, t_f_q, t_m_q[22:0]} + {8'd0, t_m_q[23], 9'd0, half_i && t_inc_q, 13'd0} + 32'(t_inc_q && !half_i);
    sum_raw_q  <= t_raw_q;
    sum_sign_q <= t_sign_q;
    out_q    <= {sum_raw_q && !half_i ? sum_q[31] : sum_sign_q, sum_q[30:0]};
    if (big && !sum_raw_q) out_q[30:0] <= {8'hff, 23'd0};
  end
  always_ff @(posedge clk_i) begin
    if (move) begin
      {f1_valid_q, f2_valid_q, s_valid_q, t_valid_q, sum_valid_q, out_valid_q} <=
          {valid_i, f1_valid_q, f2_valid_q, s_valid_q, t_valid_q, sum_valid_q};
    end else if (leave_o) out_valid_q <= 1'b0;
    if (leave_o) begin
      first_q <= half_i && !first_q;
      half_q  <= half;
    end
    if (rst_i) begin
      {f1_valid_q, f2_valid_q, s_valid_q, t_valid_q, sum_valid_q, out_valid_q} <= '0;
      first_q <= 1'b0;
    end
  end
  assign half    = {out_q[31], out_q[27:13]};
  assign valid_o = out_valid_q && (!half_i || first_q);
  assign data_o  = half_i ? {half, half_q} : out_q;
  assign leave_o = out_valid_q && (!valid_o || ready_i);
endmodule
