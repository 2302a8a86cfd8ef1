// Between a unit whose results come late and the write-back stage: one or two places for results, and a queue that holds the unit's completion
// messages back until every result before them is written.
// Promises: results leave in order; done_valid_o comes when every result that was accepted before it is written. The taker's answer does not reach the
// unit in the same clock. FULL_RATE: one result per clock, with two places in turn; otherwise one per two clocks.
// The queue holds DEPTH completions: all words that complete while a result waits for its bank (mw_writeback gives it one after some 35 clocks).
module mw_load_port
  import mw_isa_pkg::*;
#(
  parameter cfg_t C = CFG_BASE,
  parameter int unsigned DEPTH = 16,
  parameter bit FULL_RATE = 1'b0,
  localparam int unsigned L = C.lanes,
  localparam int unsigned WW = $clog2(C.waves_partial)
) (
  input  logic            clk_i,
  input  logic            rst_i,
  /* verilator lint_off UNUSEDSIGNAL */  // for the assertion
  input  logic [10:0]     nregs_i,
  /* verilator lint_on UNUSEDSIGNAL */

  input  logic            valid_i,
  output logic            ready_o,
  input  logic [WW-1:0]   wave_i,
  input  logic [31:0]     seq_i,
  input  logic [1:0]      comp_i,
  input  logic [4:0]      beat_i,
  input  logic [L-1:0]    mask_i,
  input  logic [9:0]      dst_i,
  input  logic [L*32-1:0] data_i,
  input  logic            done_valid_i,
  input  logic [WW-1:0]   done_wave_i,
  input  logic            done_acq_i,

  output logic            valid_o,
  input  logic            ready_i,      // one clock, only with valid_o: taken
  output logic            second_o,     // the result to be taken is in place 1
  output logic [1:0][WW-1:0]   wave_o,
  output logic [1:0][31:0]     seq_o,
  output logic [1:0][1:0]      comp_o,
  output logic [1:0][4:0]      beat_o,
  output logic [1:0][L-1:0]    mask_o,
  output logic [1:0][9:0]      dst_o,
  output logic [1:0][L*32-1:0] data_o,
  input  logic            written_i,    // one of them
  output logic            done_valid_o,
  output logic [WW-1:0]   done_wave_o,
  output logic            done_acq_o,
  output logic            busy_o
);
  typedef struct packed {
    logic [WW-1:0]   wave;
    logic [31:0]     seq;
    logic [1:0]      comp;
    logic [4:0]      beat;
    logic [L-1:0]    mask;
    logic [9:0]      dst;
    logic [L*32-1:0] data;
  } result_t;
  // The places are loaded when they are free, whatever the taker says; he chooses between them (second_o).
  logic    take;
  result_t in, first_q;
  assign in      = '{wave_i, seq_i, comp_i, beat_i, mask_i, dst_i, data_i};
  assign take    = valid_i && ready_o;
  assign {wave_o[0], seq_o[0], comp_o[0], beat_o[0], mask_o[0], dst_o[0], data_o[0]} = first_q;
  if (FULL_RATE) begin : g_two
    logic    in_second_q;                // the place of the next result
    logic    full0_q, full1_q;
    result_t second_q;
    assign {wave_o[1], seq_o[1], comp_o[1], beat_o[1], mask_o[1], dst_o[1], data_o[1]} = second_q;
    assign ready_o = !(full0_q && full1_q);
    assign valid_o = full0_q || full1_q;
    always_ff @(posedge clk_i) begin
      if (valid_i && !in_second_q && !full0_q) first_q <= in;
      if (valid_i && in_second_q && !full1_q) second_q <= in;
      if (take) in_second_q <= !in_second_q;
      if (take && !in_second_q) full0_q <= 1'b1;
      if (take && in_second_q) full1_q <= 1'b1;
      if (ready_i) begin
        second_o <= !second_o;
        if (second_o) full1_q <= 1'b0;
        else full0_q <= 1'b0;
      end
      if (rst_i) begin
        in_second_q <= 1'b0;
        second_o    <= 1'b0;
        full0_q     <= 1'b0;
        full1_q     <= 1'b0;
      end
    end
  end else begin : g_one
    assign ready_o  = !valid_o;
    assign second_o = 1'b0;
    assign {wave_o[1], seq_o[1], comp_o[1], beat_o[1], mask_o[1], dst_o[1], data_o[1]} = '0;
    always_ff @(posedge clk_i) begin
      if (!valid_o) valid_o <= valid_i;
      else if (ready_i) valid_o <= 1'b0;
      if (valid_i && !valid_o) first_q <= in;
      if (rst_i) valid_o <= 1'b0;
    end
  end

  // ---- completions: with each, whether a result that came before it is still on its way is seen from the counts of results accepted and written
  localparam int unsigned QW = $clog2(DEPTH);
  typedef struct packed {
    logic [2:0]    number;   // results accepted up to and with this clock, modulo 8
    logic [WW-1:0] wave;
    logic          acq;
  } done_t;
  done_t       done_q [DEPTH];
  done_t       head;
  logic [QW:0] write_q, read_q;
  logic [2:0]  in_q, out_q, in_d;
  logic        pop;
  assign in_d = in_q + 3'(take);
  assign head = done_q[read_q[QW-1:0]];
  // at most three results are on their way, so the last `here` numbers before in_q are not written yet
  logic [2:0] here, ahead;
  assign here  = in_q - out_q;
  assign ahead = in_q - head.number;      // results accepted after this completion
  assign pop   = write_q != read_q && here <= ahead;

  always_ff @(posedge clk_i) begin
    in_q  <= in_d;
    out_q <= out_q + 3'(written_i);
    if (done_valid_i) begin
      done_q[write_q[QW-1:0]] <= '{in_d, done_wave_i, done_acq_i};
      write_q                 <= write_q + 1'b1;
    end
    done_valid_o <= pop;
    if (pop) begin
      read_q      <= read_q + 1'b1;
      done_wave_o <= head.wave;
      done_acq_o  <= head.acq;
    end
    if (rst_i) begin
      in_q         <= '0;
      out_q        <= '0;
      write_q      <= '0;
      read_q       <= '0;
      done_valid_o <= 1'b0;
    end
  end
  assign busy_o = in_q != out_q || write_q != read_q || done_valid_o;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (!rst_i) begin
    if (done_valid_i) assert (write_q - read_q < (QW + 1)'(DEPTH)) else $error("more completions than the queue holds");
    if (take) assert (mask_i == '0 || {1'b0, dst_i} < nregs_i) else $error("late result outside the register window");
    assert (here <= 3'd3) else $error("more results on their way than are counted");
  end
`endif
endmodule
