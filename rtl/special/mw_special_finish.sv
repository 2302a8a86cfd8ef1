// Last steps of a result (docs/functions.md, step 5): normalize, round to nearest even, pack. The two halves of PKH come one after
// the other and leave together. Results of integers only pass, with the increment that completes a negation.
//   f1 zeros: 16   f2 zeros: 8   f3 zeros: 4, 2, 1   f4 shifted, by a multiplication with a power of two
//   s exponent     t round       u sum               out overflow
// A result below the normal numbers is shifted by one bit per clock in s (rare); one far below goes to 32 bits at once.
// Timing: nine clocks (f0: as it came from its queue, which is LUT RAM); stops while the taker is not ready.
module mw_special_finish
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
  logic move;
  logic f0_valid_q, f1_valid_q, f2_valid_q, f3_valid_q, f4_valid_q, s_valid_q, t_valid_q, u_valid_q, first_q, whole_q, second_q;
  assign ready_o = move;

  // ---- f0 to f4
  result_t     f0_q, f1_q, f2_q, f3_q;
  logic        f1_z_q, z16, z8, f4_raw_q, f4_sign_q;
  logic [1:0]  f2_z_q;
  logic [7:0]  power, power_q;
  logic [4:0]  f3_z_q, f4_z_q;
  logic [9:0]  f4_f_q;
  logic [25:0] low;
  logic [22:0] high;
  logic [32:0] v;
  always_comb begin
    z16 = !f0_q.raw && f0_q.v[32:17] == '0;
    z8  = !f1_q.raw && f1_q.v[32:25] == '0;
    power[0] = f2_q.raw || f2_q.v[32];
    power[1] = !f2_q.raw && f2_q.v[32:31] == 2'b01;
    power[2] = !f2_q.raw && f2_q.v[32:30] == 3'b001;
    power[3] = !f2_q.raw && f2_q.v[32:29] == 4'b0001;
    power[4] = !f2_q.raw && f2_q.v[32:28] == 5'b00001;
    power[5] = !f2_q.raw && f2_q.v[32:27] == 6'b000001;
    power[6] = !f2_q.raw && f2_q.v[32:26] == 7'b0000001;
    power[7] = !f2_q.raw && f2_q.v[32:26] == 7'b0000000;
  end
  always_ff @(posedge clk_i) if (move) begin
    f0_q     <= result_i;
    f1_q     <= f0_q;
    f1_q.v   <= z16 ? {f0_q.v[16:0], 16'd0} : f0_q.v;
    f1_z_q   <= z16;
    f2_q     <= f1_q;
    f2_q.v   <= z8 ? {f1_q.v[24:0], 8'd0} : f1_q.v;
    f2_z_q   <= {f1_z_q, z8};
    f3_q     <= f2_q;
    power_q  <= power;
    f3_z_q   <= {f2_z_q, power[7:4] != '0, power[7:6] != '0 || power[3:2] != '0, power[7] || power[5] || power[3] || power[1]};
    {f4_raw_q, f4_sign_q, f4_f_q} <= {f3_q.raw, f3_q.sign, f3_q.f};
    f4_z_q   <= f3_z_q;
  end
  mw_special_multiplier #(.B(8), .SIGNED(1'b0)) u_low (.clk_i, .en_i(move), .a_i(f3_q.v[17:0]), .b_i(power_q), .p_o(low));
  mw_special_multiplier #(.A(15), .B(8), .SIGNED(1'b0)) u_high (.clk_i, .en_i(move), .a_i(f3_q.v[32:18]), .b_i(power_q), .p_o(high));
  assign v = {high[14:8], high[7:0] | low[25:18], low[17:0]};

  // ---- s: exponent; below 0 the mantissa moves right until it is 0
  logic        s_raw_q, s_sign_q, shifting_q, far;
  logic [9:0]  f, s_f_q;
  logic [32:0] s_v_q;
  assign f        = f4_f_q - 10'(f4_z_q);
  assign far      = f[9] && f[8:5] != '1 && !f4_raw_q;
  always_ff @(posedge clk_i) begin
    if (shifting_q) begin
      shifting_q <= s_f_q != '1;
      s_f_q <= s_f_q + 1'b1;
      s_v_q <= {1'b0, s_v_q[32:2], s_v_q[1] | s_v_q[0]};
    end else if (move) begin
      s_raw_q    <= f4_raw_q;
      shifting_q <= f4_valid_q && f[9] && !f4_raw_q && v[32];
      s_sign_q <= f4_sign_q;
      s_f_q    <= far ? -10'sd32 : f;
      s_v_q    <= v;
      if (!f4_raw_q && !v[32]) begin
        s_f_q <= '0;
        s_v_q <= '0;
      end
    end
    if (rst_i) shifting_q <= 1'b0;
  end

  // ---- t, u, out
  logic        t_raw_q, t_sign_q, t_inc_q, t_top_q, guard, lsb, below;
  logic [23:0] t_m_q;
  logic [7:0]  t_f_q;
  logic        u_raw_q, u_sign_q, big;
  logic [31:0] sum_q, out_q;
  always_comb begin
    guard = half_i ? s_v_q[21] : s_v_q[8];
    lsb   = half_i ? s_v_q[22] : s_v_q[9];
    below = s_v_q[7:0] != '0 || (half_i && s_v_q[20:8] != '0);
    big   = !u_raw_q && (half_i ? sum_q[31:28] != '0 || sum_q[27:23] == '1 : sum_q[31] || sum_q[30:23] == '1);
  end
  always_ff @(posedge clk_i) if (move) begin
    t_raw_q  <= s_raw_q;
    t_sign_q <= s_sign_q;
    t_inc_q  <= s_raw_q ? s_f_q[8] : guard && (lsb || below);
    t_top_q  <= s_raw_q ? s_sign_q : s_f_q[8];
    t_f_q    <= s_f_q[7:0];
    t_m_q    <= s_v_q[32:9];
    sum_q    <= {t_top_q, t_f_q, t_m_q[22:0]} + {8'd0, t_m_q[23], 9'd0, half_i && t_inc_q, 13'd0} + 32'(t_inc_q && !half_i);
    u_raw_q  <= t_raw_q;
    u_sign_q <= t_sign_q;
    out_q    <= {u_raw_q && !half_i ? sum_q[31] : u_sign_q, sum_q[30:0]};
    if (big) out_q[30:0] <= {8'hff, 23'd0};
  end

  // ---- PKH: the first half waits for the second
  logic [15:0] half_q, half;
  always_ff @(posedge clk_i) begin
    if (move) begin
      {f0_valid_q, f1_valid_q, f2_valid_q, f3_valid_q, f4_valid_q, s_valid_q, t_valid_q, u_valid_q} <=
          {valid_i, f0_valid_q, f1_valid_q, f2_valid_q, f3_valid_q, f4_valid_q, s_valid_q, t_valid_q};
      whole_q <= u_valid_q && (!half_i || second_q);
      first_q <= u_valid_q && half_i && !second_q;
      if (u_valid_q) second_q <= half_i && !second_q;
    end else if (leave_o) {whole_q, first_q} <= '0;
    if (leave_o) half_q <= half;
    if (rst_i) {f0_valid_q, f1_valid_q, f2_valid_q, f3_valid_q, f4_valid_q, s_valid_q, t_valid_q, u_valid_q, whole_q, first_q, second_q} <= '0;
  end
  assign half    = {out_q[31], out_q[27:13]};
  assign valid_o = whole_q;
  assign data_o  = half_i ? {half, half_q} : out_q;
  assign leave_o = first_q || (whole_q && ready_i);
  assign move    = !shifting_q && (!whole_q || ready_i);

  logic unused;
  assign unused = &{1'b0, high[22:15]};
endmodule
