// Issue: takes the chosen wave's word, checks it, and sends its beats into the operand pipeline, one per clock.
//
//   P1  fetch buffer and wave table are read: registered as they come; constants are addressed when the word leaves
//   P2  executing threads, their beats; constants come out; checks that need no operands (architecture.md, "Faults") at the end
//   G   beat generator          one beat per clock, component pass by component pass; registered as beat_o
//
// ALU words: the beats with an executing thread. Memory words: the same per component. Flow words: the beats
// with a live thread, per component of the predicate, if they read condition codes or ALU bits at all. A word with nothing to do has one empty beat.
// free_a_o / free_b_o: beats after which (RESULT_CLOCKS, A0_CLOCKS) the same beat of the wave's next word may be in G: short ALU words at their
// first beat, because the next word's beats follow in the same order, other words at their last. Flow words and words of the special unit: neither.
module mw_issue
  import mw_isa_pkg::*;
  import mw_core_pkg::*;
#(
  parameter cfg_t C = CFG_BASE,
  localparam int unsigned L = C.lanes,
  localparam int unsigned BEATS = WAVE_THREADS / L,
  localparam int unsigned WW = $clog2(C.waves_partial),
  localparam int unsigned GW = $clog2(C.group_slots)
) (
  input  logic          clk_i,
  input  logic          rst_i,
  /* verilator lint_off UNUSEDSIGNAL */  // travels whole, a part is needed here
  input  csr_t          csr_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic          stop_i,        // a fault: start no further word from the next clock on
  input  logic          hold_i,        // none in the next clock
  input  logic          skip_beat_i,   // leave the beat of the next clock empty

  input  logic          sel_valid_i,
  input  logic [WW-1:0] sel_wave_i,
  output logic          sel_ready_o,
  input  fetched_t      head_i,        // of sel_wave_i
  output logic          pop_o,
  input  logic [31:0]   active_i,
  input  logic [31:0]   live_i,
  input  logic [9:0]    al_i,
  input  logic [5:0]    depth_i,
  input  logic [31:0]   seq_i,
  input  logic [11:0]   regbase_i,
  input  logic [GW-1:0] gslot_i,
  input  logic [4:0]    widx_i,
  input  logic [15:0]   shared_i,

  output logic          const_read_o,
  output logic [9:0]    const_addr_o,
  output logic          const_slot_o,    // a buffer slot, else a uniform value
  output logic [GW-1:0] uniform_slot_o,
  output logic [5:0]    slot_addr_o,
  input  logic [31:0]   const_i,
  input  logic [31:0]   uniform_i,     // or base of the slot
  input  logic [31:0]   slot_size_i,

  output logic          fire_o,        // a word enters the beat generator
  output logic [WW-1:0] fire_wave_o,
  output logic [31:0]   fire_seq_o,
  output logic          fire_alu_o,
  output logic          fire_alu_we_o,
  output fetched_t      fire_word_o,
  output logic          fire_special_o,
  output logic          fire_mem_o,
  output logic          fire_shared_o,
  output logic          fire_acquire_o,

  output logic          fault_o,
  output fault_e        fault_code_o,
  output logic [WW-1:0] fault_wave_o,
  output logic [23:0]   fault_pc_o,
  output logic [31:0]   fault_lanes_o,

  output beat_t         beat_o,
  output logic [L-1:0]  lanes_o,       // executing threads of the beat
  output logic          free_a_o,
  output logic          free_b_o,
  output logic [WW-1:0] free_wave_o,
  output logic          busy_o         // beats still to come
);
  // With more beats than this the next word's records could come before the last of this one, and one other wave fills the gap anyway.
  localparam bit EARLY = BEATS <= 4;

  // beats without the first one
  function automatic logic [BEATS-1:0] but_first(input logic [BEATS-1:0] beats);
    return beats & (beats - BEATS'(1));
  endfunction
  // A beat after which nothing is left: those of this pass after it, the passes with the present one.
  function automatic logic final_beat(input logic [BEATS-1:0] after, input logic [3:0] passes, input logic empty);
    return after == '0 && ((passes & (passes - 4'd1)) == '0 || empty);
  endfunction

  // -------------------------------------------------------------------------------------------------------------------- P1
  typedef struct packed {
    logic [WW-1:0] wave;
    logic [31:0]   active;
    logic [31:0]   seq;
    logic [9:0]    al;
    logic [5:0]    depth;
    logic [11:0]   regbase;
    logic [GW-1:0] gslot;
    logic [4:0]    widx;
    logic [15:0]   shared;
  } place_t;
  // Whether the beat generator takes a word is known a clock ahead (go), and whether a word without or with fault stands in P2 (good, bad). Each of the
  // three large enables - P1's and the way back to the scheduler, P2's, the beat generator's - is one LUT behind its own copies of these; so is what the
  // generator itself does next (p2_enters).
  (* keep *) logic go1_q, go2_q, go3_q, go4_q, good1_q, good2_q, good3_q, good4_q, bad1_q, bad2_q;
  logic        p1_valid_q, p2_free, p2_advance, p2_enters;
  fetched_t    p1_q;
  place_t      p1_place_q;
  logic [31:0] p1_live_q;
  logic [15:0] p1_same_q;              // where the word's number is like the budget, two bits each
  assign sel_ready_o = !p1_valid_q || !(bad1_q || (good1_q && !go1_q));
  assign p2_free     = !(bad2_q || (good2_q && !go2_q));
  assign p2_advance  = good3_q && go3_q;
  assign p2_enters   = good4_q && go4_q;
  assign pop_o       = sel_valid_i && sel_ready_o;
  always_ff @(posedge clk_i) begin
    if (sel_ready_o) begin
      p1_valid_q <= sel_valid_i;
      p1_q       <= head_i;
      p1_place_q <= '{sel_wave_i, active_i, seq_i, al_i, depth_i, regbase_i, gslot_i, widx_i, shared_i};
      p1_live_q  <= live_i;
      for (int i = 0; i < 16; i++) p1_same_q[i] <= seq_i[2*i +: 2] == csr_i.budget[2*i +: 2];
    end
    if (rst_i) p1_valid_q <= 1'b0;
  end

  // executing threads and their beats
  /* verilator lint_off UNUSEDSIGNAL */  // travels whole, a part is needed here
  word_flow_t       p1_flow;
  word_alu_t        p1_alu;
  word_mem_t        p1_mem;
  /* verilator lint_on UNUSEDSIGNAL */
  logic             p1_is_flow, p1_all, p1_fault, over;
  logic [31:0]      p1_threads;
  logic [BEATS-1:0] p1_beats;
  logic [3:0]       p1_comps;
  assign p1_flow    = word_flow_t'(p1_q.word);
  assign p1_alu     = word_alu_t'(p1_q.word);
  assign p1_mem     = word_mem_t'(p1_q.word);
  assign p1_is_flow = p1_q.info.format == FORMAT_FLOW;
  // a flow word may wake threads before the vote (B_ELSE, ENDLOOP), so it collects those of all live ones
  assign p1_all     = p1_is_flow || (p1_q.info.format == FORMAT_ALU && p1_alu.write_inactive);
  assign p1_threads = p1_all ? p1_live_q : p1_place_q.active;
  // A wave's words come one after the other from 0 on, and the budget stays during a dispatch: no word is beyond it, and equality needs no carry chain
  // and begins a clock earlier.
  logic limited_q;
  always_ff @(posedge clk_i) limited_q <= csr_i.budget != '0;
  assign over       = limited_q && (&p1_same_q);
  assign p1_fault   = over || p1_q.out_range || p1_q.bus_error || p1_q.bad || p1_q.sem_bad;
  always_comb begin
    for (int b = 0; b < int'(BEATS); b++) p1_beats[b] = |p1_threads[b*L +: L];
    if (p1_is_flow && p1_flow.pred_mask == '0 && p1_flow.jump_func[7:4] == p1_flow.jump_func[3:0]) p1_beats = '0;
  end

  assign p1_comps = p1_is_flow ? p1_flow.pred_mask : p1_q.info.format == FORMAT_MEM ? p1_mem.mem_mask : '0;

  assign const_read_o   = p2_free;
  assign const_addr_o   = p1_q.word[96 +: 10];
  assign const_slot_o   = p1_q.info.format == FORMAT_MEM;
  assign uniform_slot_o = p1_place_q.gslot;
  assign slot_addr_o    = p1_mem.slot;

  // -------------------------------------------------------------------------------------------------------------------- P2
  fetched_t         p2_q;
  place_t           p2_place_q;
  logic             p2_over_q;
  logic             good, bad;
  logic [31:0]      p2_threads_q;
  logic [3:0][3:0]  p2_count_q;        // threads, by eights
  logic [BEATS-1:0] p2_beats_q;
  logic [3:0]       p2_comps_q;        // component passes
  logic             p2_final_q;        // one beat
  assign good = p2_free ? p1_valid_q && !p1_fault : good2_q;
  assign bad  = p2_free ? p1_valid_q && p1_fault : bad2_q;
  always_ff @(posedge clk_i) begin
    if (p2_free) begin
      p2_q         <= p1_q;
      p2_place_q   <= p1_place_q;
      p2_threads_q <= p1_threads;
      p2_beats_q   <= p1_beats;
      p2_comps_q   <= p1_comps;
      p2_final_q   <= final_beat(but_first(p1_beats), p1_comps, p1_beats == '0);
      p2_over_q    <= over;
      for (int i = 0; i < 4; i++) p2_count_q[i] <= 4'($countones(p1_threads[8*i +: 8]));
    end
    {good1_q, good2_q, good3_q, good4_q} <= rst_i ? '0 : {4{good}};
    {bad1_q, bad2_q}            <= rst_i ? '0 : {2{bad}};
  end

  /* verilator lint_off UNUSEDSIGNAL */  // travels whole, a part is needed here
  word_alu_t p2_alu;
  word_mem_t p2_mem;
  /* verilator lint_on UNUSEDSIGNAL */
  logic      is_alu, is_mem, is_flow, is_shared, is_special;
  assign p2_alu    = word_alu_t'(p2_q.word);
  assign p2_mem    = word_mem_t'(p2_q.word);
  assign is_alu    = p2_q.info.format == FORMAT_ALU;
  assign is_mem    = p2_q.info.format == FORMAT_MEM;
  assign is_flow   = p2_q.info.format == FORMAT_FLOW;
  assign is_shared = p2_q.info.unit == UNIT_SHARED;
  assign is_special = p2_q.info.unit == UNIT_SPECIAL;

  always_comb begin
    fault_code_o = FAULT_NONE;
    if (p2_q.out_range) fault_code_o = FAULT_PC_RANGE;
    else if (p2_q.bus_error) fault_code_o = FAULT_BUS_ERROR;
    else if (p2_over_q) fault_code_o = FAULT_WORD_BUDGET;
    else if (p2_q.bad) fault_code_o = FAULT_BAD_WORD;
    else if (p2_q.sem_bad) fault_code_o = FAULT_SEMAPHORE;
  end
  assign fault_o       = bad2_q;
  assign fault_wave_o  = p2_place_q.wave;
  assign fault_pc_o    = p2_q.pc;
  assign fault_lanes_o = fault_code_o == FAULT_BUS_ERROR ? '0 : p2_place_q.active;

  logic g_ready_q, g_ready;            // the beat generator has room for a word
  assign fire_o         = p2_advance;
  assign fire_wave_o    = p2_place_q.wave;
  assign fire_seq_o     = p2_place_q.seq;
  assign fire_alu_o     = is_alu;
  assign fire_word_o    = p2_q;
  assign fire_alu_we_o  = is_alu && p2_alu.alu_we;
  assign fire_special_o = is_special;
  assign fire_mem_o     = is_mem;
  assign fire_shared_o  = is_shared;
  assign fire_acquire_o = p2_mem.sem_acquire;

  // -------------------------------------------------------------------------------------------------------------- G: beats
  /* verilator lint_off UNDRIVEN */  // the beat fills the rest
  beat_t            g_q;               // what all beats of the word share
  /* verilator lint_on UNDRIVEN */
  logic             g_shared_q;
  logic [31:0]      g_threads_q;
  logic [31:0]      g_const_q, g_uniform_q, g_size_q;  // as they came from the memories
  logic [BEATS-1:0] g_beats_q, g_rest_q;   // of a pass; without the first
  logic [BEATS-1:0] g_left_q, g_after_q;   // of this pass: with the present one; after it
  logic [3:0]       g_comps_q;         // passes left, this one included
  logic             g_first_q, g_pass0_q, g_early_q;

  logic [BEATS-1:0] g_after;           // g_after_q of the next beat
  logic [3:0]       g_comps_next;
  logic [4:0]       g_beat;
  logic [1:0]       g_comp;
  logic             g_pass_end, g_send, skip_q;
  logic             g_last_q, g_last;  // the present beat is the word's last; found a clock ahead
  logic             g_valid;           // there is a beat in the next clock
  always_comb begin
    g_beat = '0;
    for (int b = int'(BEATS) - 1; b >= 0; b--)
      if (g_left_q[b]) g_beat = 5'(b);
    g_pass_end   = g_after_q == '0;
    g_after      = g_pass_end ? g_rest_q : but_first(g_after_q);
    g_comps_next = g_comps_q & (g_comps_q - 4'd1);
    g_comp       = g_comps_q[0] ? 2'd0 : g_comps_q[1] ? 2'd1 : g_comps_q[2] ? 2'd2 : g_comps_q[3] ? 2'd3 : 2'd0;
  end
  assign g_send  = g_q.valid && !skip_q;
  assign g_valid = g_ready_q ? p2_enters : g_q.valid;
  assign g_ready = !g_valid || (g_last && !skip_beat_i);
  always_comb begin
    g_last = g_last_q;
    if (p2_enters) g_last = p2_final_q;
    else if (g_send) g_last = final_beat(g_after, g_pass_end ? g_comps_next : g_comps_q, g_beats_q == '0);
  end

  /* verilator lint_off UNUSEDSIGNAL */  // travels whole, a part is needed here
  word_alu_t g_alu;
  word_mem_t g_mem;
  /* verilator lint_on UNUSEDSIGNAL */
  assign g_alu = word_alu_t'(g_q.word);
  assign g_mem = word_mem_t'(g_q.word);

  always_ff @(posedge clk_i) begin
    if (g_send) begin
      g_left_q  <= g_pass_end ? g_beats_q : g_after_q;
      g_after_q <= g_after;
      g_first_q <= 1'b0;
      if (g_pass_end) begin
        g_comps_q <= g_comps_next;
        g_pass0_q <= 1'b0;
      end
    end
    skip_q    <= skip_beat_i;
    g_last_q  <= g_last;
    g_q.valid <= g_valid;
    g_ready_q <= g_ready;
    {go1_q, go2_q, go3_q, go4_q} <= {4{g_ready && !stop_i && !hold_i && !rst_i}};
    if (p2_advance) begin
      g_q.alu     <= is_alu;
      g_q.special <= is_special;
      g_q.mem     <= is_mem;
      g_q.flow    <= is_flow;
      g_q.wave    <= 6'(p2_place_q.wave);
      g_q.gslot   <= 4'(p2_place_q.gslot);
      g_q.widx    <= p2_place_q.widx;
      g_q.seq     <= p2_place_q.seq;
      g_q.pc      <= p2_q.pc;
      g_q.regbase <= p2_place_q.regbase;
      g_q.base    <= {14'd0, p2_place_q.shared, 2'd0};
      g_q.word    <= p2_q.word;
      g_q.info    <= p2_q.info;
      g_q.rel     <= p2_alu.rel_sel == REL_AL ? {{2{p2_place_q.al[9]}}, p2_place_q.al} : {6'd0, p2_place_q.depth};
      g_q.threads <= 6'(p2_count_q[0]) + 6'(p2_count_q[1]) + 6'(p2_count_q[2]) + 6'(p2_count_q[3]);
      g_const_q   <= const_i;
      g_uniform_q <= uniform_i;
      g_size_q    <= slot_size_i;
      g_shared_q  <= is_shared;
      g_threads_q <= p2_threads_q;
      g_beats_q   <= p2_beats_q;
      g_rest_q    <= but_first(p2_beats_q);
      g_left_q    <= p2_beats_q;
      g_after_q   <= but_first(p2_beats_q);
      g_comps_q   <= p2_comps_q;
      g_first_q   <= 1'b1;
      g_pass0_q   <= 1'b1;
      g_early_q   <= EARLY && is_alu && !is_special && !p2_alu.write_inactive && p2_alu.op != OP_MOVA;
    end
    if (rst_i) begin
      g_q.valid <= 1'b0;
      g_ready_q <= 1'b1;
    end
  end

  // the beat's register
  beat_t        beat_d;
  logic [L-1:0] lanes_d;
  always_comb begin
    beat_d            = g_q;
    beat_d.valid      = g_send;
    beat_d.beat       = g_beat;
    beat_d.first      = g_first_q;
    beat_d.last       = g_last_q;
    beat_d.pass0      = g_pass0_q;
    beat_d.pass0_last = g_pass0_q && g_pass_end;
    beat_d.comp       = g_comp;
    beat_d.base       = g_q.info.global_address ? '0 : g_shared_q ? g_q.base : g_uniform_q;
    beat_d.bound      = g_q.info.global_address ? {1'b1, 32'd0} : {1'b0, g_shared_q ? csr_i.shared_bytes : g_size_q};
    if (g_q.alu && g_alu.imm_const) beat_d.imm = g_alu.imm[16] ? g_uniform_q : g_const_q;
    else if (g_q.mem) beat_d.imm = g_mem.imm + {28'd0, g_comp, 2'd0};
    else beat_d.imm = g_alu.imm;
    lanes_d = '0;
    for (int b = 0; b < int'(BEATS); b++)
      if (g_beat == 5'(b)) lanes_d = g_threads_q[b*L +: L];
    if (g_beats_q == '0) lanes_d = '0;
  end
  always_ff @(posedge clk_i) begin
    beat_o.valid <= g_send && !rst_i;
    if (g_send) begin
      beat_o  <= beat_d;
      lanes_o <= lanes_d;
    end
    if (rst_i) beat_o.valid <= 1'b0;
  end

  assign free_a_o    = g_send && g_first_q && g_early_q;
  assign free_b_o    = g_send && g_last_q && !g_early_q && !g_q.flow && !g_q.special;
  assign free_wave_o = g_q.wave[WW-1:0];
  assign busy_o      = g_q.valid;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (!rst_i) begin
    if (p2_advance) assert (!g_q.valid || (g_send && g_last_q)) else $error("a word came before the last one had gone");
    if (p2_advance && limited_q) assert (p2_place_q.seq < csr_i.budget) else $error("a word beyond the budget");
    if (g_send && g_last_q) assert (g_ready_q) else $error("the beat generator is free and does not say so");
  end
`endif
endmodule
