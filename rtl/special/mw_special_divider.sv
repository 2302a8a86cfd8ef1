// RCP, DIV and MOD by a ring of STAGES digit-recurrence steps (docs/functions.md, "Division"): as many threads circulate as there
// are stages, each for as many rounds as its bits need. With one stage it is a bit-serial divider.
// Floats come normalized; their quotient gets 26 bits or more and a sticky bit, the rounding is done behind. Integers come as
// absolute values. DIV and MOD take their dividend first, then their divisor.
// Timing: rounds * stages + 2 clocks (one stage: 29 and 35); a thread can enter when its place in the ring is free.
module mw_special_divider
  import mw_special_pkg::*;
#(
  parameter int unsigned STAGES = 1
) (
  input  logic        clk_i,
  input  logic        rst_i,
  /* verilator lint_off UNUSEDSIGNAL */  // each unit needs a part
  input  ctl_t        ctl_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic        valid_i,
  output logic        ready_o,
  input  logic        last_i,     // the divisor
  input  operand_t    operand_i,
  output logic        valid_o,
  output result_t     result_o,   // floats
  output logic [31:0] word_o,     // integers, inverted and to be incremented if negative
  output logic        negative_o
);
  localparam int unsigned FLOAT_ROUNDS = (26 + STAGES - 1) / STAGES;
  localparam int unsigned WORD_ROUNDS  = (32 + STAGES - 1) / STAGES;
  localparam int unsigned FLOAT_STEPS  = FLOAT_ROUNDS * STAGES;
  localparam int unsigned STEPS        = WORD_ROUNDS * STAGES;
  // With one stage a thread is loaded in a clock of its own; else its first step is done as it enters.
  localparam bit          LOAD = STAGES == 1;
  localparam int unsigned RW = $clog2(WORD_ROUNDS + 1);
  localparam int unsigned FLOAT_LAST = LOAD ? FLOAT_ROUNDS : FLOAT_ROUNDS - 1;
  localparam int unsigned WORD_LAST  = LOAD ? WORD_ROUNDS : WORD_ROUNDS - 1;

  // What a thread takes along.
  typedef struct packed {
    logic       special;  // no quotient: f and nan say what
    logic       nan;
    logic       sign;     // of the float; the integer is negated
    logic       rest;     // the remainder is the result
    logic [9:0] f;
  } tag_t;

  // ---- the dividend waits for its divisor (that of RCP is 1), both for a free place: the operands come from afar, the first step is a long path
  logic     stays;
  (* keep *) logic stays_q;  // the thread at the end of the ring needs another round
  (* keep *) logic busy_q;   // the same, a copy for the way back to the sequencer
  logic     waits_q, enter;
  operand_t a_q, b_q;
  assign ready_o = !waits_q || !busy_q;
  assign enter   = waits_q && !stays_q;
  always_ff @(posedge clk_i) begin
    if (ready_o) begin
      waits_q <= valid_i && last_i;
      b_q     <= operand_i;
    end
    if (ready_o && valid_i && !last_i) a_q <= operand_i;
    if (rst_i) waits_q <= 1'b0;
    if (ctl_i.rcp) a_q <= '{sign: 1'b0, zero: 1'b0, inf: 1'b0, nan: 1'b0, exp: 10'd127, x: 32'h0080_0000};
  end

  tag_t             tag;
  logic [31:0]      first_r;
  logic [STEPS-1:0] first_n;
  logic             nan, inf, zero;
  always_comb begin
    nan  = a_q.nan || b_q.nan || (a_q.zero && b_q.zero) || (a_q.inf && b_q.inf);
    inf  = a_q.inf || b_q.zero;
    zero = a_q.zero || b_q.inf;
    tag.special = nan || inf || zero;
    tag.nan     = nan;
    tag.sign    = ctl_i.is_float ? (a_q.sign ^ b_q.sign) && !nan
                                 : !b_q.zero && (a_q.sign ^ (b_q.sign && !ctl_i.mod));
    tag.rest    = ctl_i.mod && !b_q.zero;
    tag.f       = a_q.exp - b_q.exp + 10'd126;
    if (nan || inf) tag.f = 10'h0ff;
    else if (zero) tag.f = '0;
    // One quotient bit per step, {r, n} moving left: n is the integer; or of the mantissa its last bit, the others wait in r.
    first_r = {9'd0, a_q.x[23:1] & {23{ctl_i.is_float}}};
    first_n = ctl_i.is_float ? {a_q.x[0], (STEPS - 1)'(0)} : STEPS'(a_q.x);
  end

  // ---- the ring
  logic [STAGES-1:0] valid_q;
  logic [31:0]       r_q [STAGES];
  logic [31:0]       d_q [STAGES];
  logic [STEPS-1:0]  n_q [STAGES];
  tag_t              tag_q [STAGES];
  logic [RW-1:0]     round_q [STAGES];
  logic [RW-1:0]     last_round;
  assign last_round = ctl_i.is_float ? RW'(FLOAT_LAST) : RW'(WORD_LAST);
  if (LOAD) begin : g_stays_one
    assign stays = enter || (stays_q && round_q[0] + 1'b1 != last_round);
  end else begin : g_stays
    assign stays = valid_q[STAGES-2] && round_q[STAGES-2] != last_round;
  end
  always_ff @(posedge clk_i) begin
    stays_q <= stays && !rst_i;
    busy_q  <= stays && !rst_i;
  end
  for (genvar k = 0; k < int'(STAGES); k++) begin : g_stage
    logic [31:0]      r, d, r_next;
    logic [STEPS-1:0] n, n_next;
    logic [32:0]      t;
    logic [33:0]      less;
    logic             load;
    if (k == 0) begin : g_first
      // A free place takes whatever is there: valid_q tells whether it is a thread.
      assign load = LOAD && !stays_q;
      assign r    = stays_q || LOAD ? r_q[STAGES-1] : first_r;
      assign d    = stays_q || LOAD ? d_q[STAGES-1] : b_q.x;
      assign n    = stays_q || LOAD ? n_q[STAGES-1] : first_n;
      always_ff @(posedge clk_i) begin
        valid_q[0] <= (enter || stays_q) && !rst_i;
        if (!LOAD || !stays_q) tag_q[0] <= stays_q ? tag_q[STAGES-1] : tag;
        round_q[0] <= stays_q ? round_q[STAGES-1] + 1'b1 : '0;
      end
    end else begin : g_next
      assign load = 1'b0;
      assign r    = r_q[k-1];
      assign d    = d_q[k-1];
      assign n    = n_q[k-1];
      always_ff @(posedge clk_i) begin
        valid_q[k] <= valid_q[k-1] && !rst_i;
        tag_q[k]   <= tag_q[k-1];
        round_q[k] <= round_q[k-1];
      end
    end
    assign t      = {r, n[STEPS-1]};
    assign less   = {1'b0, t} - {2'b00, d};
    assign r_next = less[33] ? t[31:0] : less[31:0];
    assign n_next = {n[STEPS-2:0], !less[33]};
    always_ff @(posedge clk_i) begin
      r_q[k] <= load ? first_r : r_next;
      n_q[k] <= load ? first_n : n_next;
      if (load || !LOAD) d_q[k] <= load ? b_q.x : d;
    end
    logic unused;
    assign unused = &{1'b0, less[32]};
  end

  // ---- out
  tag_t             out;
  logic [STEPS-1:0] n_out;
  logic [31:0]      r_out;
  logic             rest, leave;
  logic [32:0]      quotient;
  assign out   = tag_q[STAGES-1];
  assign n_out = n_q[STAGES-1];
  assign r_out = r_q[STAGES-1];
  assign rest  = r_out != '0;
  assign leave = valid_q[STAGES-1] && !stays_q;
  if (FLOAT_STEPS <= 32) begin : g_short
    assign quotient = 33'({n_out[FLOAT_STEPS-1:0], rest}) << (32 - FLOAT_STEPS);
  end else begin : g_long
    assign quotient = {n_out[FLOAT_STEPS-1 -: 32], rest || n_out[FLOAT_STEPS-33:0] != '0};
  end
  always_ff @(posedge clk_i) begin
    valid_o    <= leave && !rst_i;
    result_o   <= '{raw: out.special, sign: out.sign, f: out.f, v: quotient};
    if (out.special) result_o.v <= {1'b0, out.nan, 31'd0};
    if (!leave || !ctl_i.is_float) result_o <= '0;
    word_o     <= (out.rest ? r_out : n_out[31:0]) ^ {32{out.sign}};
    negative_o <= out.sign;
    if (!leave || ctl_i.is_float) {word_o, negative_o} <= '0;
  end

  logic unused;
  assign unused = &{1'b0, n_out};
endmodule
