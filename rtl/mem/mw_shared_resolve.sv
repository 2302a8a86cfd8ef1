// Conflict resolution of shared memory: splits a beat into passes, each with at most one word per bank.
//
// Per pass and bank the lowest waiting lane leads. Loads: every waiting lane with the leader's word is served with it
// (broadcast). Stores: of several lanes with one word only the highest stores, the lower ones are dropped beforehand. Atomics:
// one lane per bank and pass, so that equal words are served in lane order. A beat without lanes is one empty pass.
// Stage R holds the beat and its lane-against-lane relations, computed on entry; stage P holds the pass for the crossbar. One pass a
// cycle; a CSWAP pass takes two, the second with the new values (they use the same crossbar).
// credit_i: there is room for one more beat in the return queue; taken (credit_take_o) when a beat that returns something enters.
module mw_shared_resolve
  import mw_isa_pkg::*;
  import mw_mem_pkg::*;
#(
  parameter  cfg_t C = CFG_BASE,
  localparam int unsigned L  = C.lanes,
  localparam int unsigned NB = C.banks,
  localparam int unsigned BW = $clog2(NB),
  localparam int unsigned IW = $clog2(C.shared_bytes / 4),
  localparam int unsigned RW = IW - BW
) (
  input  logic                  clk_i,
  input  logic                  rst_i,

  input  logic                  valid_i,
  output logic                  ready_o,
  input  meta_t                 meta_i,
  input  logic [RW-1:0]         base_row_i,
  input  logic [L-1:0]          mask_i,
  input  logic [L-1:0]          wmask_i,
  input  logic [L-1:0][IW-1:0]  index_i,
  input  logic [L-1:0][31:0]    data_i,
  input  logic [L-1:0][31:0]    data2_i,
  output logic                  data2_pop_o,
  input  logic                  credit_i,
  output logic                  credit_take_o,

  output logic                  valid_o,
  input  logic                  ready_i,
  output pass_t                 pass_o,
  output logic [RW-1:0]         base_row_o,
  output logic [L-1:0]          done_o,    // lanes that this pass performs (dropped stores in the first one)
  output logic [L-1:0]          served_o,  // lanes that get the word of their bank
  output logic [NB-1:0][L-1:0]  sel_o,     // per bank: the lane that leads, one-hot, or none
  output logic [L-1:0]          wmask_o,
  output logic [L-1:0][IW-1:0]  index_o,
  output logic [L-1:0][31:0]    data_o,    // the second slot of a CSWAP: new values
  output logic                  idle_o
);
  // ------------------------------------------------------------------------------------------------ stage R
  logic                  valid_q, cswap_q, second_q, first_pass_q, load_q;
  meta_t                 meta_q;
  logic [RW-1:0]         base_row_q;
  logic [L-1:0]          pend_q, drop_q, wmask_q;
  logic [L-1:0][IW-1:0]  index_q;
  logic [L-1:0][31:0]    data_q;
  logic [L-1:0][NB-1:0]  bank_hot_q;
  logic [L-1:0][L-1:0]   bank_eq_q;   // [i][j], j < i: same bank
  logic [L-1:0][L-1:0]   apart_q;     // [i][j], j < i: j leading keeps i out of the pass

  logic [L-1:0] leader, served;
  logic         last_pass, step, enter, pushes;
  logic         p_ready;

  always_comb begin
    for (int i = 0; i < int'(L); i++) leader[i] = pend_q[i] && (bank_eq_q[i] & pend_q) == '0;
    for (int i = 0; i < int'(L); i++) served[i] = pend_q[i] && (apart_q[i] & leader) == '0;
  end
  assign last_pass = (pend_q & ~served) == '0;
  assign step      = valid_q && p_ready;
  assign pushes    = meta_i.last || meta_i.kind == KIND_LOAD || meta_i.kind == KIND_ATOMIC;
  assign ready_o   = (!valid_q || (step && last_pass && (!cswap_q || second_q))) && (credit_i || !pushes);
  assign enter     = valid_i && ready_o;
  assign credit_take_o = enter && pushes;
  assign data2_pop_o   = step && cswap_q && second_q && last_pass;

  always_ff @(posedge clk_i) begin
    if (step) begin
      first_pass_q <= 1'b0;
      second_q     <= cswap_q && !second_q;
      if (!cswap_q || second_q) pend_q <= pend_q & ~served;
    end
    if (!valid_q || ready_o) valid_q <= enter;
    else if (step && last_pass && (!cswap_q || second_q)) valid_q <= 1'b0;
    if (enter) begin
      meta_q       <= meta_i;
      base_row_q   <= base_row_i;
      load_q       <= meta_i.kind == KIND_LOAD;
      cswap_q      <= meta_i.kind == KIND_ATOMIC && meta_i.op == ATOM_CSWAP;
      second_q     <= 1'b0;
      first_pass_q <= 1'b1;
      wmask_q      <= wmask_i;
      index_q      <= index_i;
      data_q       <= data_i;
      // Relations between lanes.
      begin
        logic [L-1:0][L-1:0] bank_eq, apart;
        logic [L-1:0]        drop;
        bank_eq = '0;
        apart   = '0;
        drop    = '0;
        for (int i = 1; i < int'(L); i++) begin
          for (int j = 0; j < i; j++) begin
            logic same_bank, same_row;
            same_bank = mask_i[i] && mask_i[j] && index_i[i][BW-1:0] == index_i[j][BW-1:0];
            same_row  = index_i[i][IW-1:BW] == index_i[j][IW-1:BW];
            bank_eq[i][j] = same_bank;
            apart[i][j]   = same_bank && !(same_row && meta_i.kind == KIND_LOAD);
            if (same_bank && same_row && meta_i.kind == KIND_STORE) drop[j] = 1'b1;
          end
        end
        bank_eq_q <= bank_eq;
        apart_q   <= apart;
        pend_q    <= mask_i & ~drop;
        drop_q    <= mask_i & drop;
      end
      for (int i = 0; i < int'(L); i++) bank_hot_q[i] <= NB'(1) << index_i[i][BW-1:0];
    end
    if (rst_i) valid_q <= 1'b0;
  end

  // ------------------------------------------------------------------------------------------------ stage P
  logic p_valid_q;
  assign p_ready = !p_valid_q || ready_i;

  always_ff @(posedge clk_i) begin
    if (p_ready) p_valid_q <= valid_q;
    if (step) begin
      pass_o.meta       <= meta_q;
      pass_o.first_pass <= first_pass_q;
      pass_o.last_pass  <= last_pass;
      pass_o.second     <= second_q;
      base_row_o        <= base_row_q;
      wmask_o           <= wmask_q;
      index_o           <= index_q;
      data_o            <= second_q ? data2_i : data_q;
      done_o            <= served | (first_pass_q ? drop_q : '0);
      served_o          <= served;
      for (int b = 0; b < int'(NB); b++)
        for (int i = 0; i < int'(L); i++)
          sel_o[b][i] <= (load_q ? leader[i] : served[i]) && bank_hot_q[i][b];
    end
    if (rst_i) p_valid_q <= 1'b0;
  end
  assign valid_o = p_valid_q;
  assign idle_o  = !valid_q && !p_valid_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (!rst_i && p_valid_q)
    for (int b = 0; b < int'(NB); b++)
      a_one: assert ((sel_o[b] & (sel_o[b] - 1'b1)) == '0) else $error("two lanes lead one bank");
`endif
endmodule
