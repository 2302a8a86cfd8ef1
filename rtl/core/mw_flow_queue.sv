// Flow words between the operand pipeline and the flow unit: collects the predicate and the ALU bits of all 32 threads from the word's beats,
// queues the words in front of mw_flow, and acts on its response.
// NOP, BAR and fences go to the flow unit as a JUMP that stays. BAR then needs active = live (else DIVERGENT_BAR; with nobody active it has no effect) and
// arrives at the barrier unit.
// Promises: at most FLOW_WORDS words (the scheduler counts); every word gives exactly one of retire_o and fault_o, two clocks after the registered response.
module mw_flow_queue
  import mw_isa_pkg::*;
  import mw_core_pkg::*;
#(
  parameter cfg_t C = CFG_BASE,
  localparam int unsigned L = C.lanes,
  localparam int unsigned BEATS = WAVE_THREADS / L,
  localparam int unsigned NW = C.waves_partial,
  localparam int unsigned WW = $clog2(NW),
  localparam int unsigned GW = $clog2(C.group_slots)
) (
  input  logic          clk_i,
  input  logic          rst_i,

  /* verilator lint_off UNUSEDSIGNAL */  // travels whole, a part is needed here
  input  beat_t         beat_i,          // operand stage s6
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic [L-1:0]  lanes_i,
  input  logic [L-1:0]  pred_i,
  input  logic [L-1:0]  alu_bits_i,
  input  logic [NW-1:0] alu_valid_i,

  output logic          req_valid_o,     // to mw_flow
  input  logic          req_ready_i,
  output logic [WW-1:0] req_wave_o,
  output logic [23:0]   req_pc_o,
  output word_flow_t    req_word_o,
  output logic [31:0]   req_pred_o,
  output logic [31:0]   req_alu_o,
  output logic          req_alu_valid_o,

  output logic [WW-1:0] flow_wave_o,     // the wave in the flow unit; the wave table answers
  input  logic [31:0]   flow_active_i,
  input  logic [GW-1:0] flow_gslot_i,
  input  logic          raw_valid_i,     // response of mw_flow
  input  logic          rsp_valid_i,     // the same, registered: one clock later
  input  logic [WW-1:0] rsp_wave_i,
  input  logic          rsp_jump_i,
  input  logic [31:0]   rsp_active_i,
  input  logic [31:0]   rsp_live_i,
  input  logic          rsp_ended_i,
  input  fault_e        rsp_fault_i,

  output logic          arrive_o,        // to mw_barrier
  output logic [GW-1:0] arrive_slot_o,
  output logic [WW-1:0] arrive_wave_o,
  output logic [23:0]   arrive_pc_o,
  input  logic          mismatch_i,      // two clocks after arrive_o

  output logic          retire_o,        // the word has retired
  output logic          update_o,        // the wave's state is taken over
  output logic          redirect_o,      // ... and jumps
  output logic          free_o,          // ... and the wave may go on
  output logic [WW-1:0] wave_o,          // of the word that retires or faults
  output logic [31:0]   seq_o,
  output logic [23:0]   pc_o,
  output logic          fault_o,
  output fault_e        fault_code_o,
  output logic [31:0]   fault_lanes_o,
  output logic          busy_o
);
  typedef struct packed {
    logic [5:0]  wave;
    logic [31:0] seq;
    logic [23:0] pc;
    logic        bar;
    word_flow_t  word;
    logic [31:0] pred;
    logic [31:0] alu;
    logic        alu_valid;
  } entry_t;
  localparam int unsigned QW = $clog2(FLOW_WORDS);

  // ---- collect
  logic [31:0] pred_q, alu_q, pred, alu;
  word_flow_t  word;
  logic        take, push;
  assign take = beat_i.valid && beat_i.flow;
  assign push = take && beat_i.last;
  assign word = word_flow_t'(beat_i.word);
  always_comb begin
    pred = pred_q;
    alu  = alu_q;
    if (beat_i.first) begin
      pred = {32{word.pred_test == TEST_TR}};
      alu  = '0;
    end
    for (int b = 0; b < int'(BEATS); b++)
      if (beat_i.beat == 5'(b)) begin
        if (word.pred_mask != '0) pred[b*L +: L] |= pred_i & lanes_i;
        if (beat_i.pass0) alu[b*L +: L] = alu_bits_i;
      end
  end

  // ---- queue
  entry_t      queue_q [FLOW_WORDS];
  /* verilator lint_off UNUSEDSIGNAL */  // travels whole, a part is needed here
  entry_t      head, cur_q, old_q, entry;   // word in the unit, word whose response is here
  logic [31:0] before_q, old_before_q;
  logic [GW-1:0] gslot_q, old_gslot_q;
  logic        under_way_q, compare_q, end_valid_q;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [QW:0] write_q, read_q, read;
  logic        some_q;          // a word waits
  logic        accept;
  always_comb begin
    entry = '{wave: beat_i.wave, seq: beat_i.seq, pc: beat_i.pc, bar: word.op == OP_BAR, word: word,
              pred: pred, alu: alu, alu_valid: alu_valid_i[beat_i.wave[WW-1:0]]};
    if (word.op inside {OP_BAR, OP_MEMBAR, OP_MEMBAR_CTA, OP_NOP}) entry.word = stay_word();
    // what has been used already needs no place in the queue
    entry.word.last      = 1'b0;
    entry.word.sem_wait  = '0;
    entry.word.pred_test = TEST_TR;
    entry.word.pred_cc   = '0;
    entry.word.pred_mask = '0;
  end
  assign head   = queue_q[read_q[QW-1:0]];
  assign accept = req_valid_o && req_ready_i;

  assign read   = read_q + (QW + 1)'(accept);
  always_ff @(posedge clk_i) begin
    some_q <= push || write_q != read;
    read_q <= read;
    if (take) begin
      pred_q <= pred;
      alu_q  <= alu;
    end
    if (push) begin
      queue_q[write_q[QW-1:0]] <= entry;
      write_q                  <= write_q + 1'b1;
    end
    if (accept) begin
      cur_q <= head;
    end
    // the response comes a clock after the unit may have accepted the next word
    before_q <= flow_active_i;
    gslot_q  <= flow_gslot_i;
    if (raw_valid_i) begin
      old_q        <= cur_q;
      old_before_q <= before_q;
      old_gslot_q  <= gslot_q;
    end
    if (accept) under_way_q <= 1'b1;
    else if (raw_valid_i) under_way_q <= 1'b0;
    if (rst_i) begin
      some_q      <= 1'b0;
      write_q     <= '0;
      read_q      <= '0;
      under_way_q <= 1'b0;
    end
  end
  assign req_valid_o     = some_q;
  assign req_wave_o      = head.wave[WW-1:0];
  assign req_pc_o        = head.pc;
  assign req_word_o      = head.word;
  assign req_pred_o      = head.pred;
  assign req_alu_o       = head.alu;
  assign req_alu_valid_o = head.alu_valid;
  assign busy_o          = some_q || under_way_q || rsp_valid_i || compare_q || end_valid_q;
  assign flow_wave_o     = cur_q.wave[WW-1:0];

  // ---- response. First clock: the wave goes on, a BAR arrives. Third clock: record or fault, when the barrier unit has compared (the next
  // response is a whole word of the flow unit away).
  logic bar_divergent;
  assign bar_divergent = old_q.bar && rsp_active_i != '0 && rsp_active_i != rsp_live_i;
  assign arrive_o      = rsp_valid_i && rsp_fault_i == FAULT_NONE && old_q.bar && rsp_active_i != '0 && !bar_divergent;
  assign arrive_slot_o = old_gslot_q;
  assign arrive_wave_o = rsp_wave_i;
  assign arrive_pc_o   = old_q.pc;
  // BAR changes nothing in the wave, so the barrier unit's answer need not be waited for
  assign update_o      = rsp_valid_i && rsp_fault_i == FAULT_NONE;
  assign redirect_o    = update_o && rsp_jump_i && !rsp_ended_i;
  assign free_o        = update_o && !rsp_ended_i && !(old_q.bar && rsp_active_i != '0);

  fault_e        end_fault_q;
  logic [31:0]   end_before_q;
  always_ff @(posedge clk_i) begin
    compare_q   <= rsp_valid_i && !rst_i;
    end_valid_q <= compare_q && !rst_i;
    if (rsp_valid_i) begin
      end_fault_q <= rsp_fault_i;
      if (rsp_fault_i == FAULT_NONE && bar_divergent) end_fault_q <= FAULT_DIVERGENT_BAR;
      end_before_q <= old_before_q;
      wave_o       <= rsp_wave_i;
      seq_o        <= old_q.seq;
      pc_o         <= old_q.pc;
    end
  end
  assign retire_o      = end_valid_q && end_fault_q == FAULT_NONE && !mismatch_i;
  assign fault_o       = end_valid_q && (end_fault_q != FAULT_NONE || mismatch_i);
  assign fault_code_o  = mismatch_i ? FAULT_DIVERGENT_BAR : end_fault_q;
  assign fault_lanes_o = end_before_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (!rst_i) begin
    if (push) assert (write_q - read_q < (QW + 1)'(FLOW_WORDS)) else $error("flow queue overflow");
    if (rsp_valid_i) assert (old_q.wave[WW-1:0] == rsp_wave_i) else $error("response of the flow unit without request");
  end
`endif
endmodule
