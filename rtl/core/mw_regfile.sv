// Register file: LANES memories of 32-bit words, each in two banks (block RAM, one write and three read ports; synthesis makes one copy per
// read port). Bank = low bit of the beat, or of the wave when a wave is one beat, so that a load result and the result of an ALU beat
// mostly go to different banks. Row of register r of a wave: (regbase + r) * BEATS + beat.
// Promises: data in the clock after the address, 0 unless it is read inside the window, so that the value is the OR of the banks. A word that is written in
// the very clock of its read is undefined: the scheduler never lets that happen.
module mw_regfile
  import mw_isa_pkg::*;
#(
  parameter cfg_t C = CFG_BASE,
  localparam int unsigned L = C.lanes,
  localparam int unsigned BEATS = WAVE_THREADS / L,
  localparam int unsigned BB = BEATS > 2 ? $clog2(BEATS) - 1 : 0,   // bits of beat / 2
  localparam int unsigned DEPTH = BEATS > 1 ? C.reg_words / L / 2 : C.reg_words / L,
  localparam int unsigned RW = $clog2(DEPTH),
  localparam int unsigned IW = RW - BB                              // regbase + register
) (
  input  logic            clk_i,
  input  logic [2:0]      re_i,       // source A, B, C
  input  logic            rbank_i,
  /* verilator lint_off UNUSEDSIGNAL */  // travels whole, a part is needed here
  input  logic [4:0]      rbeat_i,
  input  logic [11:0]     row_a_i [L],    // regbase + register, by lane
  input  logic [11:0]     row_b_i [L],
  input  logic [11:0]     row_c_i [L],
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic [L-1:0]    win_a_i,    // inside the register window
  input  logic [L-1:0]    win_b_i,
  input  logic [L-1:0]    win_c_i,
  output logic [L*32-1:0] a_o,
  output logic [L*32-1:0] b_o,
  output logic [L*32-1:0] c_o,

  input  logic [1:0]      we_i,       // by bank
  /* verilator lint_off UNUSEDSIGNAL */  // travels whole, a part is needed here
  input  logic [4:0]      wbeat0_i,
  input  logic [L*12-1:0] wrow0_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic [L-1:0]    wmask0_i,
  input  logic [L*32-1:0] wdata0_i,
  /* verilator lint_off UNUSEDSIGNAL */  // travels whole, a part is needed here
  input  logic [4:0]      wbeat1_i,
  input  logic [L*12-1:0] wrow1_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic [L-1:0]    wmask1_i,
  input  logic [L*32-1:0] wdata1_i
);
  for (genvar l = 0; l < int'(L); l++) begin : g_lane
    logic [RW-1:0] ra, rb, rc, w0, w1;
    if (BB == 0) begin : g_row
      assign ra = row_a_i[l][RW-1:0];
      assign rb = row_b_i[l][RW-1:0];
      assign rc = row_c_i[l][RW-1:0];
      assign w0 = wrow0_i[l*12 +: RW];
      assign w1 = wrow1_i[l*12 +: RW];
    end else begin : g_row
      assign ra = {row_a_i[l][IW-1:0], rbeat_i[BB:1]};
      assign rb = {row_b_i[l][IW-1:0], rbeat_i[BB:1]};
      assign rc = {row_c_i[l][IW-1:0], rbeat_i[BB:1]};
      assign w0 = {wrow0_i[l*12 +: IW], wbeat0_i[BB:1]};
      assign w1 = {wrow1_i[l*12 +: IW], wbeat1_i[BB:1]};
    end
    logic [2:0]  hit;              // read inside the window
    logic [31:0] a0, b0, c0, a1, b1, c1;
    assign hit = re_i & {win_c_i[l], win_b_i[l], win_a_i[l]};
    mw_regfile_bank #(.DEPTH(DEPTH)) u_bank0 (
      .clk_i, .miss_i(~hit | {3{rbank_i}}), .ra_i(ra), .rb_i(rb), .rc_i(rc), .a_o(a0), .b_o(b0), .c_o(c0),
      .we_i(we_i[0] && wmask0_i[l]), .wa_i(w0), .wd_i(wdata0_i[l*32 +: 32])
    );
    mw_regfile_bank #(.DEPTH(DEPTH)) u_bank1 (
      .clk_i, .miss_i(~hit | {3{!rbank_i}}), .ra_i(ra), .rb_i(rb), .rc_i(rc), .a_o(a1), .b_o(b1), .c_o(c1),
      .we_i(we_i[1] && wmask1_i[l]), .wa_i(w1), .wd_i(wdata1_i[l*32 +: 32])
    );
    assign a_o[l*32 +: 32] = a0 | a1;
    assign b_o[l*32 +: 32] = b0 | b1;
    assign c_o[l*32 +: 32] = c0 | c1;
  end
endmodule
