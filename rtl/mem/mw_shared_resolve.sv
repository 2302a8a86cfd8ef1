// Passes of shared memory: splits a beat into passes, each with at most one word per bank, from what mw_shared_conflict has found.
//
// A pass serves the leaders that wait for nobody, with the lanes that load their words. A beat without lanes is one empty pass.
// A beat without conflicts takes one clock, one with n passes n + 1, because it is seen from a register that nothing is left.
// Behind this module nothing stops, so it gives a pass only when its way is free: loads, stores and F32 ADDs when no atomic is under way, other atomics when
// none is before the end of stage 4, stores when no row of the launch fill waits, and all only with room in the return queue.
// Timing: step_o (the next beat is taken) comes from a register; the enables of what it moves hang on copies of it.
module mw_shared_resolve
  import mw_isa_pkg::*;
  import mw_mem_pkg::*;
#(
  parameter  cfg_t C = CFG_BASE,
  localparam int unsigned L  = C.lanes,
  localparam int unsigned NB = C.banks,
  localparam int unsigned PB = L == 1 ? 1 : NB,
  localparam int unsigned BW = $clog2(NB),
  localparam int unsigned IW = $clog2(C.shared_bytes / 4),
  localparam int unsigned RW = IW - BW,
  localparam int unsigned LW = L == 1 ? 1 : $clog2(L)
) (
  input  logic                  clk_i,
  input  logic                  rst_i,
  input  logic                  passed_i,      // an atomic leaves stage 4, or will in the next clock
  input  logic                  busy_i,        // an atomic is behind this module
  input  logic                  adding_i,      // an F32 ADD is
  input  logic                  fill_i,        // a row of the launch fill waits
  input  logic                  room_i,        // the return queue has room for two more
  output logic                  reserve_o,     // a pass that will need a place there is given

  output logic                  step_o,
  input  logic                  load_i,        // there is a beat,
  input  logic                  valid_i,       // and it is not dropped
  input  beat_meta_t            meta_i,
  input  logic [31:0]           seq_i,
  input  logic [RW-1:0]         base_row_i,
  input  logic [L-1:0]          mask_i,
  input  logic [L-1:0]          wmask_i,
  input  logic [L-1:0][IW-1:0]  index_i,
  input  logic [L-1:0]          lead_i,
  input  logic [L-1:0]          left_i,
  input  logic                  some_i,        // lead_i is not 0
  input  logic                  many_i,        // left_i is not 0: more than one pass
  input  logic [L-1:0]          drop_i,
  input  logic [L-1:0][L-1:0]   wait_i,
  input  logic [L-1:0][L-1:0]   word_i,
  input  logic [L-1:0][31:0]    data2_i,
  output logic                  data2_read_o,
  output logic                  data2_pop_o,
  output logic                  data_read_o,   // a pass is given, with which the beat's operands come

  output logic                  valid_o,
  output logic                  atomic_o,      // and it is an atomic with a lane
  output pass_t                 pass_o,
  output logic [31:0]           seq_o,
  output logic [RW-1:0]         base_row_o,
  output logic [L-1:0]          done_o,    // lanes that this pass performs (dropped stores in the first one)
  output logic [L-1:0]          served_o,  // lanes that get the word of their bank
  output logic [PB-1:0]         en_o,      // per bank: it is accessed,
  output logic [PB-1:0][LW-1:0] from_o,    // with row and data of this lane
  output logic [L-1:0]          wmask_o,   // of an atomic: lanes of this pass, in the first one also those out of bounds
  output logic [L-1:0][IW-1:0]  index_o,
  output logic [31:0]           new_o,     // CSWAP: new value of the served lane
  output logic [IW-1:0]         word_o,    // atomics: its word
  output logic                  idle_o
);
  typedef struct packed {
    beat_meta_t           meta;
    logic [31:0]          seq;
    logic [RW-1:0]        base_row;
    logic [L-1:0]         mask;
    logic [L-1:0]         wmask;
    logic [L-1:0][IW-1:0] index;
  } beat_t;

  // ------------------------------------------------------------------------------------------------ the beat
  (* keep *) logic step_q, step_queue_q, step_beat_q;   // copies
  logic            valid_q;
  beat_t           d_q;
  logic [L-1:0]    drop_q;
  logic [L-1:0][L-1:0] words_q;
  logic            many_q, atomic_q, returns_q;   // more than one pass; an atomic with a lane; something goes into the return queue
  logic            load, atomic;
  assign load   = step_beat_q && load_i;
  assign atomic = is_atomic(meta_i.access) && some_i;
  always_ff @(posedge clk_i) if (load) begin
    d_q       <= '{meta_i, seq_i, base_row_i, mask_i, wmask_i, index_i};
    drop_q    <= drop_i;
    words_q   <= word_i;
    many_q    <= many_i;
    atomic_q  <= atomic;
    returns_q <= meta_i.access == ACC_LOAD || is_atomic(meta_i.access) || meta_i.last;
  end

  // ------------------------------------------------------------------------------------------------ the pass
  logic [L-1:0]        lead_q, left_q;   // leaders of this pass; those of later ones
  logic [L-1:0][L-1:0] wait_q;
  logic                more_q, first_q;  // there is a pass to give; it is the first

  // ------------------------------------------------------------------------------------------------ the way
  logic       settle_q;      // CSWAP: data2_i is not yet this beat's
  logic       free_q;        // no atomic between here and the end of stage 4
  logic       go, go_next, go_same, more, give, step;     // of the next clock
  (* keep *) logic give_q, give_pass_q;                   // a pass is given now; copies

  function automatic logic clear_way(input access_e access, input logic flt, input logic atom);
    if (atom) return room_i && free_q && !((adding_i || (access == ACC_ADD && flt)) && busy_i);
    return room_i && free_q && !busy_i && !(access == ACC_STORE && fill_i);
  endfunction
  assign go_next = clear_way(meta_i.access, meta_i.flt, atomic) && meta_i.access != ACC_CSWAP;
  assign go_same = clear_way(d_q.meta.access, d_q.meta.flt, atomic_q) && !settle_q;
  // after an atomic the next pass of either kind waits for passed_i
  assign go      = (step_q ? go_next : go_same) && !(give_q && atomic_q);
  assign more    = step_q || (give_q ? left_q != '0 : more_q);
  assign give    = (step_q ? valid_i : valid_q) && go && more;
  // empty, or one pass that can go, or none left
  assign step    = step_q ? !valid_i || (!many_i && go) : many_q ? !more : go;

  assign step_o       = step_queue_q;
  assign data2_read_o = settle_q;
  assign data2_pop_o  = step_q && valid_q && d_q.meta.access == ACC_CSWAP;
  assign data_read_o  = give_pass_q;
  assign reserve_o    = give_q && (atomic_q || (first_q && returns_q));

  always_ff @(posedge clk_i) begin
    step_q       <= step;
    step_queue_q <= step;
    step_beat_q  <= step;
    give_q       <= give;
    give_pass_q  <= give;
    more_q       <= more;
    first_q      <= step_q || (first_q && !give_q);
    if (step_q) valid_q <= valid_i;
    if (load) begin
      lead_q <= lead_i;
      left_q <= left_i;
      wait_q <= wait_i;
    end else if (give_q) begin
      for (int i = 0; i < int'(L); i++) begin
        lead_q[i] <= left_q[i] && (wait_q[i] & ~lead_q) == '0;
        left_q[i] <= left_q[i] && (wait_q[i] & ~lead_q) != '0;
        wait_q[i] <= wait_q[i] & ~lead_q;
      end
    end
    settle_q     <= step_q && valid_i && meta_i.access == ACC_CSWAP;
    free_q <= passed_i || (free_q && !(give_q && atomic_q));
    if (rst_i) begin
      step_q       <= 1'b1;
      step_queue_q <= 1'b1;
      step_beat_q  <= 1'b1;
      valid_q      <= 1'b0;
      free_q       <= 1'b1;
      give_q       <= 1'b0;
      give_pass_q  <= 1'b0;
      settle_q     <= 1'b0;
    end
  end

  // ------------------------------------------------------------------------------------------------ on its way
  always_ff @(posedge clk_i) begin
    valid_o  <= give_q && !rst_i;
    atomic_o <= give_q && atomic_q && !rst_i;
    if (give_pass_q) begin
      logic [L-1:0] served;
      for (int i = 0; i < int'(L); i++) served[i] = lead_q[i] || (words_q[i] & lead_q) != '0;
      pass_o     <= '{meta: d_q.meta, first_pass: first_q, last_pass: left_q == '0, atomic: atomic_q};
      seq_o      <= d_q.seq;
      base_row_o <= d_q.base_row;
      wmask_o    <= d_q.wmask & (atomic_q ? lead_q | (first_q ? ~d_q.mask : '0) : '1);
      index_o    <= d_q.index;
      done_o     <= served | (first_q ? drop_q : '0);
      served_o   <= served;
      for (int b = 0; b < int'(PB); b++) begin
        logic [L-1:0]  sel;      // at most one
        logic [LW-1:0] from;
        from = '0;
        for (int i = 0; i < int'(L); i++) begin
          sel[i] = lead_q[i] && (PB == 1 || d_q.index[i][BW-1:0] == BW'(b));
          from  |= LW'(i) & {LW{sel[i]}};
        end
        en_o[b]   <= |sel;
        from_o[b] <= from;
      end
      if (atomic_q) begin
        logic [31:0]   new_word;
        logic [IW-1:0] word;
        new_word = '0;
        word     = '0;
        for (int i = 0; i < int'(L); i++) begin
          new_word |= data2_i[i] & {32{lead_q[i]}};
          word     |= d_q.index[i] & {IW{lead_q[i]}};
        end
        new_o  <= new_word;
        word_o <= word;
      end
    end
  end
  assign idle_o = !valid_q && !valid_o;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (!rst_i && give_pass_q)
    for (int i = 0; i < int'(L); i++)
      for (int j = i + 1; j < int'(L); j++)
        a_one: assert (!(lead_q[i] && lead_q[j] && (PB == 1 || d_q.index[i][BW-1:0] == d_q.index[j][BW-1:0]))) else $error("two lanes lead one bank");
`endif
endmodule
