// The lanes of a beat of shared memory against each other: who leads, who waits for whom.
//
// Loads: lanes with one word are served together, by the lowest of them, their leader; leaders of one bank take turns in lane
// order. Stores: of several lanes with one word only the highest stores, the lower ones are dropped. Atomics: one lane per pass, in lane order.
// Nothing stops here: the findings go into a memory beside that of the beats (mw_shared_queue), one beat per clock, STAGES clocks after the beat.
// Of what it says about two lanes, row i tells about the lanes below i.
module mw_shared_conflict
  import mw_mem_pkg::*;
#(
  parameter  int unsigned L  = 8,
  parameter  int unsigned IW = 12,     // index of a word
  parameter  int unsigned BW = 3       // its bank: the low bits
) (
  input  logic                  clk_i,
  input  logic                  rst_i,
  input  logic                  valid_i,
  input  access_e               access_i,
  input  logic [L-1:0]          mask_i,
  input  logic [L-1:0][IW-1:0]  index_i,

  output logic                  valid_o,
  output logic [L-1:0]          lead_o,    // leaders that wait for nobody: the first pass
  output logic [L-1:0]          left_o,    // the other leaders
  output logic                  some_o,    // there is a leader
  output logic                  many_o,    // there are others
  output logic [L-1:0]          drop_o,    // stores that a higher lane overwrites
  output logic [L-1:0][L-1:0]   wait_o,    // [i][j]: i waits until j is done
  output logic [L-1:0][L-1:0]   word_o,    // [i][j]: i loads the word of j
  output logic                  busy_o     // a beat is on its way
);
  typedef logic [L-1:0][L-1:0] pairs_t;

  // A: same bank, same word
  logic         a_valid_q, a_load_q, a_store_q, a_atomic_q;
  logic [L-1:0] a_mask_q;
  pairs_t       a_bank_q, a_word_q;
  always_ff @(posedge clk_i) begin
    a_valid_q <= valid_i;
    if (valid_i) begin
      a_load_q   <= access_i == ACC_LOAD;
      a_store_q  <= access_i == ACC_STORE;
      a_atomic_q <= is_atomic(access_i);
      a_mask_q   <= mask_i;
      for (int i = 0; i < int'(L); i++) begin
        for (int j = 0; j < int'(L); j++) begin
          a_bank_q[i][j] <= j < i && mask_i[i] && mask_i[j] && index_i[i][BW-1:0] == index_i[j][BW-1:0];
          a_word_q[i][j] <= j < i && mask_i[i] && mask_i[j] && index_i[i] == index_i[j];
        end
      end
    end
    if (rst_i) a_valid_q <= 1'b0;
  end

  // B: leaders, and whom they wait for
  logic         b_valid_q;
  logic [L-1:0] b_lead_q, b_drop_q;
  pairs_t       b_wait_q, b_word_q;
  always_ff @(posedge clk_i) begin
    b_valid_q <= a_valid_q;
    if (a_valid_q) begin
      logic [L-1:0] same, drop, lead;
      drop = '0;                                  // a higher lane has the word
      for (int i = 0; i < int'(L); i++) begin
        same[i] = a_word_q[i] != '0;              // a lower one
        drop |= a_word_q[i];
      end
      lead = a_mask_q & ~(same & {L{a_load_q}}) & ~(drop & {L{a_store_q}});
      b_lead_q <= lead;
      b_drop_q <= drop & {L{a_store_q}};
      for (int i = 0; i < int'(L); i++) begin
        b_wait_q[i] <= L'((1 << i) - 1) & lead & (a_bank_q[i] | {L{a_atomic_q}});
        b_word_q[i] <= a_word_q[i] & {L{a_load_q}};
      end
    end
    if (rst_i) b_valid_q <= 1'b0;
  end

  // C: the first pass
  logic [L-1:0] waits;
  always_comb for (int i = 0; i < int'(L); i++) waits[i] = b_wait_q[i] != '0;
  always_ff @(posedge clk_i) begin
    valid_o <= b_valid_q;
    if (b_valid_q) begin
      lead_o <= b_lead_q & ~waits;
      left_o <= b_lead_q & waits;
      some_o <= b_lead_q != '0;     // one of them waits for nobody
      many_o <= (b_lead_q & waits) != '0;
      drop_o <= b_drop_q;
      wait_o <= b_wait_q;
      word_o <= b_word_q;
    end
    if (rst_i) valid_o <= 1'b0;
  end
  assign busy_o = a_valid_q || b_valid_q || valid_o;
endmodule
