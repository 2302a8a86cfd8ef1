// Loop and call frames of all waves in one memory, and the order in which a flow word needs them: the innermost loop frame, the innermost
// call frame, and the loop frame that a pop uncovers.
//
// Frame i (from 1) of a stack is in row i - 1 of the wave's part: all call frames first (CALL_DEPTH rows a wave), then all loop frames (LOOP_FRAMES rows).
// Frames exist for C.waves_full waves only: partial mode has no words that use them.
// Timing (age_i = clocks since the word was accepted): dl_i and dc_i from 2 until the write; top_o from 6, caller_o from 7, below_al_o from 10; all hold.
// The frame is written after age 5, once a word. The memory is built of banks whose outputs are registered before one is chosen: block RAM is slow.
module mw_flow_frames
  import mw_isa_pkg::*;
  import mw_flow_pkg::*;
#(
  parameter cfg_t C = CFG_BASE,
  localparam int unsigned WW = $clog2(C.waves_partial)
) (
  input  logic          clk_i,
  input  logic [3:0]    age_i,
  /* verilator lint_off UNUSEDSIGNAL */  // partial mode has more waves, without frames
  input  logic [WW-1:0] wave_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic          jump_i,        // a pop is that of a call
  input  logic [8:0]    dl_i,
  input  logic [5:0]    dc_i,
  output loop_t         top_o,         // of dl_i
  output call_t         caller_o,      // of dc_i
  output logic [9:0]    below_al_o,    // aL of the loop frame below top_o (jump: below caller_o)
  // Write: the frame that is pushed, or the innermost loop frame anew
  input  logic          loop_we_i,
  input  logic          push_i,
  input  loop_t         loop_i,
  input  logic          call_we_i,
  input  call_t         call_i
);
  localparam int unsigned FW = C.waves_full > 1 ? $clog2(C.waves_full) : 1;
  localparam int unsigned CALL_ROWS = C.waves_full * CALL_DEPTH;
  localparam int unsigned ROWS = CALL_ROWS + C.waves_full * LOOP_FRAMES;
  localparam int unsigned AW = $clog2(ROWS);

  localparam int unsigned BANK_ROWS = 1024;
  localparam int unsigned BANKS = (ROWS + BANK_ROWS - 1) / BANK_ROWS;
  localparam int unsigned DEPTH = BANKS > 1 ? BANK_ROWS : ROWS;
  localparam int unsigned DW = $clog2(DEPTH);
  localparam int unsigned BW = BANKS > 1 ? $clog2(BANKS) : 1;

  logic [FW-1:0] wave;
  logic [AW-1:0] base_q;               // one row before the wave's loop frames
  logic [AW-1:0] top_q, push_q;        // rows of the innermost loop frame and of the next one
  logic [AW-1:0] call_q, raddr_q, waddr;
  logic [BW-1:0] wbank, bank1_q, bank2_q;
  loop_t [BANKS-1:0] rdata, rdata_q;
  loop_t         wdata, found;
  logic          keep_q;
  assign wave = wave_i[FW-1:0];

  always_ff @(posedge clk_i) begin
    if (age_i == 4'd1) base_q <= AW'(CALL_ROWS - 1) + AW'({wave, 8'd0}) + AW'({wave, 3'd0});
    case (age_i)
      4'd2: raddr_q <= base_q + AW'(dl_i);
      4'd3: raddr_q <= AW'({wave, 5'(dc_i - 6'd1)});
      4'd7: raddr_q <= jump_i ? base_q + AW'(caller_o.lsp) : top_q - AW'(1);
      default: ;
    endcase
    if (age_i == 4'd3) top_q <= raddr_q;
    if (age_i == 4'd4) begin
      push_q <= top_q + AW'(1);
      call_q <= AW'({wave, dc_i[4:0]});
    end
    keep_q  <= age_i inside {4'd3, 4'd4, 4'd8};
    bank1_q <= BW'(raddr_q >> DW);
    if (keep_q) begin
      rdata_q <= rdata;
      bank2_q <= bank1_q;
    end
    if (age_i == 4'd5) top_o <= found;
    if (age_i == 4'd6) caller_o <= found[$bits(call_t)-1:0];
  end
  assign found      = rdata_q[bank2_q];
  assign below_al_o = found.al;

  assign waddr = call_we_i ? call_q : push_i ? push_q : top_q;
  assign wbank = BW'(waddr >> DW);
  assign wdata = call_we_i ? {($bits(loop_t) - $bits(call_t))'(0), call_i} : loop_i;
  for (genvar b = 0; b < int'(BANKS); b++) begin : g_bank
    localparam int unsigned OWN = b == int'(BANKS) - 1 ? ROWS - b * DEPTH : DEPTH;   // the last bank has the rest
    localparam int unsigned OW = $clog2(OWN);
    mw_mem_ram #(.WIDTH($bits(loop_t)), .DEPTH(OWN)) u_rows (
      .clk_i, .we_i((loop_we_i || call_we_i) && wbank == BW'(b)), .waddr_i(waddr[OW-1:0]), .wdata_i(wdata),
      .re_i(age_i inside {4'd3, 4'd4, 4'd8}), .raddr_i(raddr_q[OW-1:0]), .rdata_o(rdata[b])
    );
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) assert (!(loop_we_i && call_we_i));
`endif
endmodule
