// Condition codes (three registers of four components, four flags each) and ALU bits of all threads. A row holds the lanes of one beat:
// condition codes at {wave, beat, 4 * register + component}, ALU bits at {wave, beat}.
// Promises: three read ports (predicate, chained words, ALU bits), data two clocks after the address (memory, register); write by lane.
// A nibble that is written in the very clock of its read is undefined: the scheduler never lets that happen.
module mw_ccfile
  import mw_isa_pkg::*;
#(
  parameter cfg_t C = CFG_BASE,
  localparam int unsigned L = C.lanes,
  localparam int unsigned BEATS = WAVE_THREADS / L,
  localparam int unsigned ROWS = C.waves_partial * BEATS
) (
  input  logic           clk_i,
  input  logic [5:0]     rwave_i,
  input  logic [4:0]     rbeat_i,
  input  logic           pred_re_i,
  input  logic [3:0]     pred_index_i,
  output logic [L*4-1:0] pred_o,
  input  logic           chain_re_i,
  input  logic [3:0]     chain_index_i,
  output logic [L*4-1:0] chain_o,
  input  logic           alu_re_i,
  output logic [L-1:0]   alu_o,

  input  logic [5:0]     wwave_i,
  input  logic [4:0]     wbeat_i,
  input  logic           cc_we_i,
  input  logic [3:0]     cc_index_i,
  input  logic [L-1:0]   cc_mask_i,
  input  logic [L*4-1:0] cc_data_i,
  input  logic           alu_we_i,
  input  logic [5:0]     alu_wave_i,
  input  logic [4:0]     alu_beat_i,
  input  logic [L-1:0]   alu_mask_i,
  input  logic [L-1:0]   alu_data_i
);
  localparam int unsigned AW = $clog2(ROWS);
  (* no_rw_check *) logic [L*4-1:0] cc_q  [ROWS*16];
  (* no_rw_check *) logic [L-1:0]   alu_q [ROWS];

  logic [AW-1:0]  rrow, wrow, alu_row;
  logic [L*4-1:0] pred_q, chain_q;
  logic [L-1:0]   bits_q;
  assign rrow    = AW'(32'(rwave_i) * BEATS + 32'(rbeat_i));
  assign wrow    = AW'(32'(wwave_i) * BEATS + 32'(wbeat_i));
  assign alu_row = AW'(32'(alu_wave_i) * BEATS + 32'(alu_beat_i));

  always_ff @(posedge clk_i) begin
    if (cc_we_i)
      for (int l = 0; l < int'(L); l++)
        if (cc_mask_i[l]) cc_q[{wrow, cc_index_i}][l*4 +: 4] <= cc_data_i[l*4 +: 4];
    if (alu_we_i)
      for (int l = 0; l < int'(L); l++)
        if (alu_mask_i[l]) alu_q[alu_row][l] <= alu_data_i[l];
    if (pred_re_i) pred_q <= cc_q[{rrow, pred_index_i}];
    if (chain_re_i) chain_q <= cc_q[{rrow, chain_index_i}];
    if (alu_re_i) bits_q <= alu_q[rrow];
    pred_o  <= pred_q;
    chain_o <= chain_q;
    alu_o   <= bits_q;
  end
endmodule
