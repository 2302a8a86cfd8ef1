// Conflict resolution of shared memory: splits a beat into passes, each with at most one word per bank.
//
// Loads: lanes with one word are served together, by the lowest of them, their leader; leaders of one bank take turns in lane
// order. Stores: of several lanes with one word only the highest stores, the lower ones are dropped. Atomics: one lane per pass, in lane order. A
// beat without lanes is one empty pass.
// Stages: A compares the lanes with each other; B finds leaders and, for each lane, the earlier ones that it has to wait for; C sees whether more than
// one pass is needed; D gives the passes. A beat without conflicts leaves D in one clock; with n passes it takes n + 1, because D sees from a register that
// nothing is left.
// Behind D nothing stops, so D gives a pass only when its way is free: loads, stores and F32 ADDs when no atomic is under way, other atomics when none is before
// the end of stage 4, stores when no row of the launch fill waits, and all only with room in the return queue.
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
  localparam int unsigned RW = IW - BW
) (
  input  logic                  clk_i,
  input  logic                  rst_i,
  input  logic                  passed_i,      // an atomic leaves stage 4, or will in the next clock
  input  logic                  busy_i,        // an atomic is behind this module
  input  logic                  adding_i,      // an F32 ADD is
  input  logic                  fill_i,        // a row of the launch fill waits
  input  logic                  room_i,        // the return queue has room for two more
  output logic                  reserve_o,     // a pass that will need a place there is given

  input  logic                  valid_i,
  output logic                  ready_o,
  input  beat_meta_t            meta_i,
  input  logic [31:0]           seq_i,
  input  logic [RW-1:0]         base_row_i,
  input  logic [L-1:0]          mask_i,
  input  logic [L-1:0]          wmask_i,
  input  logic [L-1:0][IW-1:0]  index_i,
  input  logic [L-1:0][31:0]    data_i,
  input  logic [L-1:0][31:0]    data2_i,
  output logic                  data2_pop_o,

  output logic                  valid_o,
  output pass_t                 pass_o,
  output logic [31:0]           seq_o,
  output logic [RW-1:0]         base_row_o,
  output logic [L-1:0]          done_o,    // lanes that this pass performs (dropped stores in the first one)
  output logic [L-1:0]          served_o,  // lanes that get the word of their bank
  output logic [PB-1:0][L-1:0]  sel_o,     // per bank: the lane whose row and data it takes, one-hot, or none
  output logic [L-1:0][PB-1:0]  hot_o,     // bank of each lane
  output logic [L-1:0]          wmask_o,   // of an atomic: lanes of this pass, in the first one also those out of bounds
  output logic [L-1:0][IW-1:0]  index_o,
  output logic [L-1:0][31:0]    data_o,
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
    logic [L-1:0][31:0]   data;
  } beat_t;
  typedef logic [L-1:0][L-1:0] pairs_t;   // [i][j], j < i

  logic   step;                // A to D go on
  logic   a_valid_q, b_valid_q, c_valid_q, d_valid_q;
  beat_t  a_q, b_q, c_q, d_q;

  // ------------------------------------------------------------------------------------------------ A: same bank, same word
  pairs_t a_bank_q, a_word_q;
  always_ff @(posedge clk_i) if (step) begin
    a_q <= '{meta_i, seq_i, base_row_i, mask_i, wmask_i, index_i, data_i};
    for (int i = 0; i < int'(L); i++) begin
      for (int j = 0; j < int'(L); j++) begin
        a_bank_q[i][j] <= j < i && mask_i[i] && mask_i[j] && index_i[i][BW-1:0] == index_i[j][BW-1:0];
        a_word_q[i][j] <= j < i && mask_i[i] && mask_i[j] && index_i[i] == index_i[j];
      end
    end
  end

  // ------------------------------------------------------------------------------------------------ B: leaders, and whom they wait for
  logic         a_load, a_store, a_atomic;
  logic [L-1:0] a_lead, b_lead_q, b_drop_q;
  pairs_t       b_wait_q, b_word_q;
  assign a_load   = a_q.meta.access == ACC_LOAD;
  assign a_store  = a_q.meta.access == ACC_STORE;
  assign a_atomic = is_atomic(a_q.meta.access);
  logic [L-1:0] a_drop;
  always_comb begin
    a_drop = '0;
    for (int i = 0; i < int'(L); i++)
      for (int j = 0; j < i; j++) a_drop[j] |= a_word_q[i][j] && a_store;
    for (int i = 0; i < int'(L); i++) a_lead[i] = a_q.mask[i] && !(a_load && a_word_q[i] != '0) && !a_drop[i];
  end
  always_ff @(posedge clk_i) if (step) begin
    b_q      <= a_q;
    b_lead_q <= a_lead;
    b_drop_q <= a_drop & a_q.mask;
    for (int i = 0; i < int'(L); i++) begin
      for (int j = 0; j < int'(L); j++) begin
        b_wait_q[i][j] <= j < i && a_lead[j] && (a_bank_q[i][j] || a_atomic);
        b_word_q[i][j] <= a_word_q[i][j] && a_load;
      end
    end
  end

  // ------------------------------------------------------------------------------------------------ C: more than one pass?
  logic [L-1:0] c_lead_q, c_drop_q;
  pairs_t       c_wait_q, c_word_q;
  logic         c_many_q, c_atomic_q;   // an atomic with a lane
  always_ff @(posedge clk_i) if (step) begin
    c_q        <= b_q;
    c_lead_q   <= b_lead_q;
    c_drop_q   <= b_drop_q;
    c_wait_q   <= b_wait_q;
    c_word_q   <= b_word_q;
    c_atomic_q <= is_atomic(b_q.meta.access) && b_lead_q != '0;
    c_many_q   <= 1'b0;
    for (int i = 0; i < int'(L); i++) if (b_lead_q[i] && b_wait_q[i] != '0) c_many_q <= 1'b1;
  end

  // ------------------------------------------------------------------------------------------------ D: passes
  logic [L-1:0] pend_q, d_drop_q, lead, served, rest;
  pairs_t       wait_q, d_word_q;
  logic         many_q, more_q, first_q, d_atomic_q;
  logic [1:0]   settle_q;      // CSWAP: data2_i is not yet this beat's
  (* keep *) logic go_q;       // the way is free for D's beat
  (* keep *) logic go_ready_q; // the same, a copy for the way back to the queue
  logic         free_q;        // no atomic between D and the end of stage 4
  logic         give, go_next, go_same;

  always_comb begin
    for (int i = 0; i < int'(L); i++) lead[i] = pend_q[i] && wait_q[i] == '0;
    for (int i = 0; i < int'(L); i++) served[i] = lead[i] || (d_word_q[i] & lead) != '0;
  end
  assign rest = pend_q & ~lead;
  assign give = d_valid_q && go_q && more_q;
  assign step = !d_valid_q || (many_q ? !more_q : go_q);
  assign ready_o     = !d_valid_q || (many_q ? !more_q : go_ready_q);
  assign data2_pop_o = step && d_valid_q && d_q.meta.access == ACC_CSWAP;
  assign reserve_o   = give && (d_atomic_q || (first_q && (d_q.meta.access == ACC_LOAD || is_atomic(d_q.meta.access) || d_q.meta.last)));

  function automatic logic clear_way(input access_e access, input logic flt, input logic atomic);
    logic calm;
    calm = free_q && !busy_i;
    if (atomic) return room_i && free_q && !((adding_i || (access == ACC_ADD && flt)) && busy_i);
    return room_i && calm && !(access == ACC_STORE && fill_i);
  endfunction
  assign go_next = clear_way(c_q.meta.access, c_q.meta.flt, c_atomic_q) && c_q.meta.access != ACC_CSWAP;
  assign go_same = clear_way(d_q.meta.access, d_q.meta.flt, d_atomic_q) && settle_q == '0;

  always_ff @(posedge clk_i) begin
    if (step) begin
      a_valid_q  <= valid_i;
      b_valid_q  <= a_valid_q;
      c_valid_q  <= b_valid_q;
      d_valid_q  <= c_valid_q;
      d_q        <= c_q;
      pend_q     <= c_lead_q;
      wait_q     <= c_wait_q;
      d_word_q   <= c_word_q;
      d_drop_q   <= c_drop_q;
      many_q     <= c_many_q;
      d_atomic_q <= c_atomic_q;
    end else if (go_q) begin
      pend_q <= rest;
      for (int i = 0; i < int'(L); i++) wait_q[i] <= wait_q[i] & ~lead;
    end
    more_q   <= step || (go_q ? rest != '0 : more_q);
    first_q  <= step || (first_q && !go_q);
    if (step) settle_q <= c_q.meta.access == ACC_CSWAP ? 2'd3 : 2'd0;
    else if (settle_q != '0) settle_q <= settle_q - 1'b1;
    // after an atomic the next pass of either kind waits for passed_i
    go_q   <= (step ? go_next : go_same) && !(give && d_atomic_q);
    go_ready_q <= (step ? go_next : go_same) && !(give && d_atomic_q);
    free_q <= passed_i || (free_q && !(give && d_atomic_q));
    if (rst_i) begin
      a_valid_q <= 1'b0;
      b_valid_q <= 1'b0;
      c_valid_q <= 1'b0;
      d_valid_q <= 1'b0;
      free_q    <= 1'b1;
      go_q      <= 1'b0;
      go_ready_q <= 1'b0;
    end
  end

  // ------------------------------------------------------------------------------------------------ pass
  logic [31:0]   new_word;
  logic [IW-1:0] word;
  always_comb begin
    new_word = '0;
    word     = '0;
    for (int i = 0; i < int'(L); i++) begin
      new_word |= data2_i[i] & {32{lead[i]}};
      word     |= d_q.index[i] & {IW{lead[i]}};
    end
  end
  always_ff @(posedge clk_i) begin
    valid_o           <= give && !rst_i;
    pass_o.meta       <= d_q.meta;
    pass_o.first_pass <= first_q;
    pass_o.last_pass  <= rest == '0;
    pass_o.atomic     <= d_atomic_q;
    seq_o             <= d_q.seq;
    base_row_o        <= d_q.base_row;
    wmask_o           <= d_q.wmask & (d_atomic_q ? lead | (first_q ? ~d_q.mask : '0) : '1);
    index_o           <= d_q.index;
    data_o            <= d_q.data;
    new_o             <= new_word;
    word_o            <= word;
    done_o            <= served | (first_q ? d_drop_q : '0);
    served_o          <= served;
    for (int i = 0; i < int'(L); i++) begin
      for (int b = 0; b < int'(PB); b++) begin
        sel_o[b][i] <= lead[i] && (PB == 1 || d_q.index[i][BW-1:0] == BW'(b));
        hot_o[i][b] <= served[i] && (PB == 1 || d_q.index[i][BW-1:0] == BW'(b));
      end
    end
  end
  assign idle_o = !a_valid_q && !b_valid_q && !c_valid_q && !d_valid_q && !valid_o;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (!rst_i && valid_o)
    for (int b = 0; b < int'(PB); b++)
      a_one: assert ((sel_o[b] & (sel_o[b] - 1'b1)) == '0) else $error("two lanes lead one bank");
`endif
endmodule
