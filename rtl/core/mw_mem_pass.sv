// Memory words: from operands to the beats that the memory units take (architecture.md, "Memory beats"), one component pass after the other. Computes
// addresses and finds the threads of a fault in the first pass: misaligned ones, or for CKA those whose register is not 0. Without a fault CKA goes
// to its unit as a fence. Words of the special unit get their operands here too: lanes stand beside their operands' registers, these units elsewhere;
// with one register for all, logic on either side would be far from it, and would be shared between them.
// Timing: one clock behind the operands. fault_o: one clock, behind the last beat of the first pass. shared_done_o, axi_done_o: another clock behind the last beat.
module mw_mem_pass
  import mw_isa_pkg::*;
  import mw_core_pkg::*;
#(
  parameter cfg_t C = CFG_BASE,
  localparam int unsigned L = C.lanes,
  localparam int unsigned WW = $clog2(C.waves_partial)
) (
  input  logic            clk_i,
  input  logic            rst_i,
  input  beat_t           beat_i,
  input  logic [1:0]      take_i,        // beat_i is valid and a memory word's or the special unit's; two copies
  input  logic [L-1:0]    lanes_i,
  input  logic [L-1:0]    exec_i,
  input  logic [L-1:0]    dst_win_i,
  input  logic [L*32-1:0] a_i,
  input  logic [L*32-1:0] b_i,
  input  logic [L*32-1:0] c_i,

  output logic            shared_valid_o,
  output logic            axi_valid_o,
  output logic            special_valid_o,
  output beat_t           beat_o,
  output logic [L-1:0]    mask_o,
  output logic [L-1:0]    wmask_o,
  output logic [9:0]      dst_o,
  output kind_e           kind_o,
  output logic            wide_o,
  output logic [L*32-1:0] a_o,           // special unit: first operand; data_o, data2_o: the others
  output logic [L*32-1:0] addr_o,
  output logic [L*32-1:0] data_o,
  output logic [L*32-1:0] data2_o,
  output logic            bad_o,
  output logic            shared_done_o, // a clock ago: last beat of a word without fault, and the word's threads
  output logic            axi_done_o,
  output logic [5:0]      done_threads_o,

  output logic            fault_o,
  output fault_e          fault_code_o,
  output logic [WW-1:0]   fault_wave_o,
  output logic [23:0]     fault_pc_o,
  output logic [31:0]     fault_lanes_o
);
  beat_t        q;
  /* verilator lint_off UNUSEDSIGNAL */  // travels whole, a part is needed here
  word_mem_t    word;
  class_t       info;
  /* verilator lint_on UNUSEDSIGNAL */
  logic         check, fence;
  logic [3:0]   align;
  logic [L-1:0] wrong_low, wrong_high, wrong_low_q, wrong_high_q, wrong;  // halves of CKA's register: all its bits at once would be a long path
  assign word  = word_mem_t'(beat_i.word);
  assign info  = beat_i.info;
  assign check = info.kind == KIND_CHECK;
  assign fence = info.kind == KIND_FENCE;
  assign align = word.mem_size == 2'd0 ? 4'd3 : word.mem_size == 2'd1 ? 4'd7 : 4'd15;
  always_comb begin
    for (int l = 0; l < int'(L); l++) begin
      logic [3:0] low;
      logic       looks;
      low   = a_i[l*32 +: 4] + beat_i.low;
      looks = lanes_i[l] && beat_i.pass0 && !fence;
      wrong_low[l]  = looks && (check ? a_i[l*32 +: 16] != '0 : (low & align) != '0);
      wrong_high[l] = looks && check && a_i[l*32+16 +: 16] != '0;
    end
  end

  always_ff @(posedge clk_i) begin
    q.valid         <= 1'b0;
    shared_valid_o  <= take_i[0] && beat_i.mem && info.unit == UNIT_SHARED;
    axi_valid_o     <= take_i[0] && beat_i.mem && info.unit == UNIT_AXI;
    special_valid_o <= take_i[0] && beat_i.special;
    if (take_i[0]) begin
      q       <= beat_i;
      q.valid <= beat_i.mem;
      mask_o  <= beat_i.mem && (fence || check) ? '0 : lanes_i;
      wmask_o <= exec_i & dst_win_i & {L{!beat_i.mem || word.dst_en}};
      wrong_low_q  <= wrong_low;
      wrong_high_q <= wrong_high;
      kind_o  <= check ? KIND_FENCE : info.kind;
      dst_o   <= word.dst + {8'd0, beat_i.comp};
      wide_o  <= word.mem_size != 2'd0 || info.kind == KIND_ATOMIC;
      for (int l = 0; l < int'(L); l++) addr_o[l*32 +: 32] <= a_i[l*32 +: 32] + beat_i.imm;
    end
    if (take_i[1]) begin
      a_o     <= a_i;
      data_o  <= b_i;
      data2_o <= c_i;
    end
    if (rst_i) begin
      q.valid         <= 1'b0;
      shared_valid_o  <= 1'b0;
      axi_valid_o     <= 1'b0;
      special_valid_o <= 1'b0;
    end
  end
  assign beat_o = q;
  assign wrong  = wrong_low_q | wrong_high_q;
  assign bad_o  = wrong != '0;

  // threads at fault of the word so far
  logic [31:0] seen_q, seen;
  logic        some_seen, some_seen_q;    // seen, seen_q: not 0
  always_comb begin
    seen = q.first ? '0 : seen_q;
    for (int l = 0; l < int'(L); l++)
      if (wrong[l]) seen[5'(32'(q.beat) * L + 32'(l))] = 1'b1;
  end
  assign some_seen = wrong != '0 || (some_seen_q && !q.first);
  always_ff @(posedge clk_i) begin
    if (q.valid && q.pass0) begin
      seen_q      <= seen;
      some_seen_q <= some_seen;
    end
  end
  logic last_pass0_q;
  always_ff @(posedge clk_i) begin
    last_pass0_q <= q.valid && q.pass0_last && !rst_i;
    fault_wave_o <= q.wave[WW-1:0];
    fault_pc_o   <= q.pc;
    fault_code_o <= q.info.kind == KIND_CHECK ? FAULT_ADDRESS : FAULT_MISALIGNED;
  end
  assign fault_o       = last_pass0_q && some_seen_q;
  assign fault_lanes_o = seen_q;

  logic done_q, done_shared_q;
  always_ff @(posedge clk_i) begin
    done_q         <= q.valid && q.last && !(q.pass0 ? some_seen : some_seen_q) && !rst_i;
    done_shared_q  <= shared_valid_o;
    done_threads_o <= q.threads;
  end
  assign shared_done_o = done_q && done_shared_q;
  assign axi_done_o    = done_q && !done_shared_q;
endmodule
