// mw_shared_conflict for every mask and every set of addresses of L lanes: who leads, who waits for whom, who is dropped; and what passes need of it:
// two lanes of the first pass are never in one bank, of two other leaders of a bank the higher waits for the lower, and each lane that accesses leads, is
// dropped, or finds its word at exactly one leader.
// Assumed: a word without a kind of access (a fence) has no lanes (docs/architecture.md, "Memory beats").
// Source: header of rtl/mem/mw_shared_conflict.sv; docs/semantics.md, "Memory words" (the highest thread's store stays).
module mw_shared_conflict_props
  import mw_mem_pkg::*;
#(
  parameter int unsigned L  = 4,
  parameter int unsigned IW = 5,
  parameter int unsigned BW = 2
) (
  input logic                 clk_i,
  input logic                 rst_i,
  input logic                 valid_i,
  input access_e              access_i,
  input logic [L-1:0]         mask_i,
  input logic [L-1:0][IW-1:0] index_i
);
  logic                valid, some, many, busy;
  logic [L-1:0]        lead, left, drop;
  logic [L-1:0][L-1:0] waits, word;
  mw_shared_conflict #(.L(L), .IW(IW), .BW(BW)) u_conflict (
    .clk_i, .rst_i, .valid_i, .access_i, .mask_i, .index_i,
    .valid_o(valid), .lead_o(lead), .left_o(left), .some_o(some), .many_o(many), .drop_o(drop), .wait_o(waits), .word_o(word), .busy_o(busy)
  );

  localparam int unsigned CLOCKS = 3;
  typedef struct packed {
    access_e              access;
    logic [L-1:0]         mask;
    logic [L-1:0][IW-1:0] index;
  } beat_t;
  logic               begun_q = 1'b0;
  logic  [CLOCKS-1:0] valid_q;
  beat_t [CLOCKS-1:0] beat_q;
  always_ff @(posedge clk_i) begin
    begun_q <= 1'b1;
    valid_q <= rst_i ? '0 : CLOCKS'({valid_q, valid_i});
    beat_q  <= {beat_q[CLOCKS-2:0], beat_t'{access_i, mask_i, index_i}};
  end

  beat_t               b;
  logic                load, store, atomic;
  logic [L-1:0]        leads, dropped, found;
  logic [L-1:0][L-1:0] same_word, same_bank, turns;
  logic                apart, in_turn, served;
  always_comb begin
    b      = beat_q[CLOCKS-1];
    load   = b.access == ACC_LOAD;
    store  = b.access == ACC_STORE;
    atomic = b.access inside {ACC_ADD, ACC_MIN, ACC_MAX, ACC_AND, ACC_OR, ACC_XOR, ACC_IWRAP, ACC_DWRAP, ACC_EXCH, ACC_CSWAP};
    for (int i = 0; i < int'(L); i++)
      for (int j = 0; j < int'(L); j++) begin
        same_word[i][j] = i != j && b.mask[i] && b.mask[j] && b.index[i] == b.index[j];
        same_bank[i][j] = i != j && b.mask[i] && b.mask[j] && b.index[i][BW-1:0] == b.index[j][BW-1:0];
      end
    for (int i = 0; i < int'(L); i++) begin
      leads[i]   = b.mask[i];
      dropped[i] = 1'b0;
      for (int j = 0; j < int'(L); j++) begin
        if (load && j < i && same_word[i][j]) leads[i] = 1'b0;
        if (store && j > i && same_word[i][j]) {leads[i], dropped[i]} = 2'b01;
      end
    end
    for (int i = 0; i < int'(L); i++)
      for (int j = 0; j < int'(L); j++) turns[i][j] = j < i && leads[i] && leads[j] && (atomic || same_bank[i][j]);

    apart   = 1'b1;
    in_turn = 1'b1;
    served  = 1'b1;
    for (int i = 0; i < int'(L); i++) begin
      found[i] = 1'b0;
      for (int j = 0; j < int'(L); j++) begin
        if (lead[i] && lead[j] && (same_bank[i][j] || (i != j && atomic))) apart = 1'b0;
        if (leads[i] && waits[i][j] != turns[i][j]) in_turn = 1'b0;
        // a lane that does not lead finds its word at one leader, a lower lane
        if (b.mask[i] && word[i][j] && (lead[j] || left[j])) begin
          if (found[i] || !load || !same_word[i][j] || j >= i) served = 1'b0;
          found[i] = 1'b1;
        end
      end
      if (b.mask[i] && 2'(lead[i] || left[i]) + 2'(drop[i]) + 2'(found[i]) != 2'd1) served = 1'b0;
      if (!b.mask[i] && (lead[i] || left[i] || drop[i] || word[i] != '0)) served = 1'b0;
    end

    if (!begun_q) assume (rst_i);
    assume (access_i inside {ACC_LOAD, ACC_STORE, ACC_NONE} || access_i <= ACC_CSWAP);
    assume (access_i != ACC_NONE || mask_i == '0);
    if (begun_q) begin
      a_valid: assert (valid == valid_q[CLOCKS-1]);
      a_busy:  assert (busy == (valid_q != '0));
    end
    if (begun_q && valid) begin
      a_leads:  assert ((lead | left) == leads && (lead & left) == '0);
      a_drop:   assert (drop == dropped);
      a_some:   assert (some == (lead != '0) && some == (b.mask != '0) && many == (left != '0));
      a_apart:  assert (apart);
      a_turns:  assert (in_turn);
      a_served: assert (served);
    end
  end
endmodule
