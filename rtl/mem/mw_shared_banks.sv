// The banks of shared memory, with the crossbars to and from them, and the way of atomics.
//
// Stages of a pass: 4 row, operand and enable of each bank, behind the lane-to-bank crossbar; 5 read address; 6 inside the bank's memory; 7 word
// read; 8 lanes' words, behind the bank-to-lane crossbar, on their way into the return queue. Stores go from 4 into the write register at once. Nothing
// stops here, but an atomic pass in stage 4: its word was compared with those of the atomics under way, and on a hit it waits until none is. mw_shared_resolve
// sends nothing before it is gone (passed_o), and loads and stores only when no atomic is under way (busy_o).
// From stage 8 the old value of an atomic goes to the atomic unit (at_*), and the answer into the write register.
// One lane (L = 1) has one bank: PB = 1.
// fill_*: one row of all banks; waits while something else is written.
module mw_shared_banks
  import mw_isa_pkg::*;
  import mw_mem_pkg::*;
#(
  parameter  cfg_t C = CFG_BASE,
  parameter  bit   RECORD = 1'b1,
  localparam int unsigned L  = C.lanes,
  localparam int unsigned NB = C.banks,
  localparam int unsigned PB = L == 1 ? 1 : NB,
  localparam int unsigned PW = $clog2(PB),
  localparam int unsigned BW = PB == 1 ? 1 : PW,
  localparam int unsigned LW = L == 1 ? 1 : $clog2(L),
  localparam int unsigned IW = $clog2(C.shared_bytes / 4),
  localparam int unsigned RW = IW - $clog2(NB),
  localparam int unsigned AW = IW - PW                 // row of a bank's memory
) (
  input  logic                  clk_i,
  input  logic                  rst_i,

  input  logic                  valid_i,
  input  logic                  atomic_i,    // and it is an atomic with a lane
  output logic                  passed_o,    // an atomic leaves stage 4, or will in the next clock
  output logic                  busy_o,      // an atomic is here, without answer
  output logic                  adding_o,    // an F32 ADD is under way, whose answer takes longer
  input  pass_t                 pass_i,
  input  logic [31:0]           seq_i,
  input  logic [RW-1:0]         base_row_i,
  input  logic [L-1:0]          done_i,
  input  logic [L-1:0]          served_i,
  input  logic [PB-1:0]         en_i,
  input  logic [PB-1:0][LW-1:0] from_i,
  input  logic [L-1:0]          wmask_i,
  input  logic [L-1:0][IW-1:0]  index_i,
  input  logic [L-1:0][31:0]    data_i,
  input  logic [31:0]           new_i,
  input  logic [IW-1:0]         word_i,

  input  logic                  fill_valid_i,
  output logic                  fill_ready_o,
  input  logic [AW-1:0]         fill_row_i,
  input  logic [PB-1:0][31:0]   fill_data_i,

  output logic                  at_valid_o,
  output access_e               at_op_o,
  output logic                  at_signed_o,
  output logic                  at_float_o,
  output logic [31:0]           at_old_o,
  output logic [31:0]           at_x_o,
  output logic [31:0]           at_y_o,
  input  logic                  at_soon_i,    // the answer comes in the next clock
  input  logic                  at_store_i,
  input  logic [31:0]           at_new_i,
  output logic                  answer_o,     // it is there

  output logic                  valid_o,      // stage 8
  output pass_t                 pass_o,
  output logic [31:0]           seq_o,
  output logic [L-1:0]          served_o,
  output logic [L-1:0]          wmask_o,
  output logic [L-1:0][31:0]    data_o,       // lanes that are not served: 0

  output logic                  rec_valid_o,
  output beat_meta_t            rec_meta_o,
  output logic                  rec_first_o,
  output logic [31:0]           rec_seq_o,
  output logic [L-1:0]          rec_mask_o,
  output logic [L-1:0][31:0]    rec_addr_o,   // byte offset in the group's memory
  output logic [L-1:0][31:0]    rec_data_o,
  output logic [L-1:0][31:0]    rec_old_o,
  output logic                  idle_o
);
  localparam int unsigned ROWS = 1 << AW;

  // What follows a pass through stages 4 to 8.
  typedef struct packed {
    pass_t                pass;
    logic [L-1:0]         served;
    logic [L-1:0][BW-1:0] bank;
    logic [L-1:0]         wmask;
  } tag_t;

  // The answer is announced: copies of its valid bit for what hangs on it.
  (* keep *) logic at_valid_q, at_data_q;
  always_ff @(posedge clk_i) begin
    at_valid_q <= at_soon_i && !rst_i;
    at_data_q  <= at_soon_i && !rst_i;
  end
  assign answer_o = at_valid_q;

  // ------------------------------------------------------------------------------------------------ stage 4
  logic                  v4_q, hit4_q;
  tag_t                  t4_q;
  logic [PB-1:0]         en4_q;
  logic [PB-1:0][AW-1:0] row4_q;
  logic [PB-1:0][31:0]   x4_q;
  logic [31:0]           y4_q;
  logic [IW-1:0]         word4_q;     // an atomic's
  logic                  go4, hit, store4_q;
  logic                  flight_q;    // atomics behind stage 4

  // Atomics under way: stages 5 to 8, and two cycles in the atomic unit; one that is further has written before a new one reads.
  logic [8:5]            v_q, atomic_q;
  logic [10:9]           unit_q;
  logic [IW-1:0]         word5_q, word6_q, word7_q, word8_q, word9_q, word10_q;
  logic [2:0]            open_q;      // requests without answer

  // The one before came at least three clocks ago, or has waited in stage 4 until nothing was under way.
  assign hit = (atomic_q[6] && word6_q == word_i) || (atomic_q[7] && word7_q == word_i) || (atomic_q[8] && word8_q == word_i) ||
               (unit_q[9] && word9_q == word_i) || (unit_q[10] && word10_q == word_i);
  assign go4       = v4_q && !(t4_q.pass.atomic && hit4_q && flight_q);
  // without a hit it is certain a clock earlier
  assign passed_o  = (atomic_i && !hit) || (go4 && t4_q.pass.atomic && hit4_q);

  always_ff @(posedge clk_i) begin
    v4_q     <= valid_i || (v4_q && !go4);
    store4_q <= valid_i && pass_i.meta.access == ACC_STORE;
    if (valid_i) begin
      t4_q    <= '{pass: pass_i, served: served_i, bank: '0, wmask: wmask_i};
      for (int i = 0; i < int'(L); i++) t4_q.bank[i] <= index_i[i][BW-1:0];
      y4_q    <= new_i;
      word4_q <= word_i;
      hit4_q  <= hit;
      en4_q   <= en_i;
      for (int b = 0; b < int'(PB); b++) begin
        row4_q[b] <= index_i[from_i[b]][IW-1:PW];
        x4_q[b]   <= data_i[from_i[b]];
        if (!en_i[b]) x4_q[b] <= '0;
      end
    end
    // until the answer is in the write register
    flight_q <= (go4 && t4_q.pass.atomic) || atomic_q != '0 || open_q != '0;
    busy_o   <= atomic_i || (v4_q && t4_q.pass.atomic) || atomic_q != '0 || open_q != '0;
    adding_o <= (atomic_i && pass_i.meta.access == ACC_ADD && pass_i.meta.flt) || (adding_o && busy_o);
    if (rst_i) begin
      v4_q     <= 1'b0;
      store4_q <= 1'b0;
      busy_o   <= 1'b0;
      flight_q <= 1'b0;
      adding_o <= 1'b0;
    end
  end

  // ------------------------------------------------------------------------------------------------ stages 5 to 8
  tag_t                  t5_q, t6_q, t7_q, t8_q;
  logic [PB-1:0]         en5_q, en6_q;
  logic [PB-1:0][AW-1:0] row5_q;
  logic [PB-1:0][31:0]   m6, m7_q;     // words read; 0 in stage 7 if the bank was not read
  logic [31:0]           m8_q, x5_q, x6_q, x7_q, x8_q, y5_q, y6_q, y7_q, y8_q;

  always_ff @(posedge clk_i) begin
    v_q      <= {v_q[7:5], go4};
    atomic_q <= {atomic_q[7:5], go4 && t4_q.pass.atomic};
    en5_q    <= en4_q & {PB{go4}};
    en6_q    <= en5_q;
    if (v4_q) begin
      t5_q   <= t4_q;
      row5_q <= row4_q;
    end
    if (v_q[5]) t6_q <= t5_q;
    if (v_q[6]) begin
      t7_q <= t6_q;
      for (int b = 0; b < int'(PB); b++) begin
        m7_q[b] <= m6[b];
        if (!en6_q[b]) m7_q[b] <= '0;
      end
    end
    if (v_q[7]) begin
      t8_q <= t7_q;
      for (int i = 0; i < int'(L); i++) begin
        data_o[i] <= PB == 1 ? m7_q[0] : m7_q[t7_q.bank[i]];
        if (!t7_q.served[i]) data_o[i] <= '0;
      end
    end
    // an atomic's
    if (v4_q && t4_q.pass.atomic) begin
      logic [31:0] x4;   // that of the one bank in use, the others' are 0
      x4 = '0;
      for (int b = 0; b < int'(PB); b++) x4 |= x4_q[b];
      x5_q    <= x4;
      y5_q    <= y4_q;
      word5_q <= word4_q;
    end
    if (atomic_q[5]) begin
      x6_q    <= x5_q;
      y6_q    <= y5_q;
      word6_q <= word5_q;
    end
    if (atomic_q[6]) begin
      x7_q    <= x6_q;
      y7_q    <= y6_q;
      word7_q <= word6_q;
    end
    if (atomic_q[7]) begin
      logic [31:0] m7;   // likewise
      m7 = '0;
      for (int b = 0; b < int'(PB); b++) m7 |= m7_q[b];
      x8_q    <= x7_q;
      y8_q    <= y7_q;
      word8_q <= word7_q;
      m8_q    <= m7;
    end
    if (atomic_q[8]) word9_q <= word8_q;
    word10_q <= word9_q;
    unit_q   <= {unit_q[9], at_valid_o};
    open_q   <= open_q + 3'(at_valid_o) - 3'(at_valid_q);
    if (rst_i) begin
      v_q      <= '0;
      atomic_q <= '0;
      unit_q   <= '0;
      open_q   <= '0;
    end
  end
  assign at_valid_o  = atomic_q[8];
  assign at_op_o     = t8_q.pass.meta.access;
  assign at_signed_o = t8_q.pass.meta.sgn;
  assign at_float_o  = t8_q.pass.meta.flt;
  assign at_old_o    = m8_q;
  assign at_x_o      = x8_q;
  assign at_y_o      = y8_q;
  assign valid_o     = v_q[8];
  assign pass_o      = t8_q.pass;
  assign served_o    = t8_q.served;
  assign wmask_o     = t8_q.wmask;

  // Words of the requests without answer.
  logic [1:0]    put_q, get_q;
  logic [IW-1:0] answer_word;
  mw_mem_lutram #(.WIDTH(IW), .DEPTH(4)) u_words (
    .clk_i, .we_i(at_valid_o), .waddr_i(put_q), .wdata_i(word8_q), .raddr_i(get_q), .rdata_o(answer_word)
  );
  always_ff @(posedge clk_i) begin
    if (at_valid_o) put_q <= put_q + 1'b1;
    if (at_valid_q) get_q <= get_q + 1'b1;
    if (rst_i) begin
      put_q <= '0;
      get_q <= '0;
    end
  end

  // ------------------------------------------------------------------------------------------------ write register and banks
  logic [PB-1:0]         we_q;
  logic [PB-1:0][AW-1:0] wrow_q;
  logic [PB-1:0][31:0]   wdata_q;
  assign fill_ready_o = !store4_q && !at_valid_q;
  always_ff @(posedge clk_i) begin
    we_q    <= (en4_q & {PB{store4_q}}) | {PB{fill_valid_i && fill_ready_o}};
    wrow_q  <= 'x;   // without we_q nobody looks
    wdata_q <= 'x;
    if (at_data_q) begin
      for (int b = 0; b < int'(PB); b++) begin
        if (at_store_i && (PB == 1 || 32'(answer_word) % PB == b)) we_q[b] <= 1'b1;
        wrow_q[b]  <= answer_word[IW-1:PW];
        wdata_q[b] <= at_new_i;
      end
    end else if (store4_q) begin
      wrow_q  <= row4_q;
      wdata_q <= x4_q;
    end else if (fill_valid_i) begin
      for (int b = 0; b < int'(PB); b++) wrow_q[b] <= fill_row_i;
      wdata_q <= fill_data_i;
    end
    if (rst_i) we_q <= '0;
  end

  for (genvar b = 0; b < int'(PB); b++) begin : g_bank
    mw_mem_ram #(.WIDTH(32), .DEPTH(ROWS), .BLOCK(1'b1)) u_bank (
      .clk_i, .we_i(we_q[b]), .waddr_i(wrow_q[b]), .wdata_i(wdata_q[b]), .re_i(en5_q[b]), .raddr_i(row5_q[b]), .rdata_o(m6[b])
    );
  end
  assign idle_o = !v4_q && v_q == '0 && we_q == '0 && !busy_o && !rec_valid_o;

  // ------------------------------------------------------------------------------------------------ records
  // Loads and stores give theirs behind stage 8, atomics with their answer.
  if (RECORD) begin : g_record
    typedef struct packed {
      logic [31:0]          seq;
      logic [RW-1:0]        base_row;
      logic [L-1:0]         done;
      logic [L-1:0][IW-1:0] index;
      logic [L-1:0][31:0]   data;
    } rec_t;
    typedef struct packed {
      rec_t               rec;
      pass_t              pass;
      logic [L-1:0][31:0] old;
    } out_t;
    rec_t       r4_q, r5_q, r6_q, r7_q, r8_q;
    out_t       now, open_rec [4];
    out_t       out_q;
    logic       plain;

    always_ff @(posedge clk_i) begin
      if (valid_i) r4_q <= '{seq_i, base_row_i, done_i, index_i, data_i};
      if (v4_q) r5_q <= r4_q;
      if (v_q[5]) r6_q <= r5_q;
      if (v_q[6]) r7_q <= r6_q;
      if (v_q[7]) r8_q <= r7_q;
    end
    assign now   = '{r8_q, t8_q.pass, data_o};
    assign plain = v_q[8] && !atomic_q[8];

    always_ff @(posedge clk_i) begin
      if (at_valid_o) open_rec[put_q] <= now;
      rec_valid_o <= (plain || at_valid_q) && !rst_i;
      if (at_valid_q) begin
        out_q <= open_rec[get_q];
        for (int i = 0; i < int'(L); i++) out_q.rec.data[i] <= at_store_i ? at_new_i : open_rec[get_q].old[i];
      end else if (plain) out_q <= now;
      if (!rst_i) a_record: assert (!(plain && at_valid_q)) else $error("two records in one clock");
    end
    assign rec_meta_o  = out_q.pass.meta;
    assign rec_first_o = out_q.pass.meta.first && out_q.pass.first_pass;
    assign rec_seq_o   = out_q.rec.seq;
    assign rec_mask_o  = out_q.rec.done;
    assign rec_old_o   = out_q.old;
    assign rec_data_o  = out_q.rec.data;
    always_comb begin
      rec_addr_o = 'x;
      if (rec_valid_o) for (int i = 0; i < int'(L); i++)
        rec_addr_o[i] = 32'({out_q.rec.index[i] - IW'({out_q.rec.base_row, {(IW-RW){1'b0}}}), 2'b00});
    end
    assign seq_o = r8_q.seq;
    logic unused;
    assign unused = &{1'b0, out_q};
  end else begin : g_no_record
    logic unused;
    assign rec_valid_o = 1'b0;
    assign rec_meta_o  = '0;
    assign rec_first_o = 1'b0;
    assign rec_seq_o   = '0;
    assign rec_mask_o  = '0;
    assign rec_addr_o  = '0;
    assign rec_data_o  = '0;
    assign rec_old_o   = '0;
    assign seq_o       = '0;
    assign unused = &{1'b0, done_i, base_row_i, seq_i};
  end

  logic unused_bits;
  assign unused_bits = &{1'b0, index_i, t8_q};

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (!rst_i) begin
    a_way: assert (!(valid_i && v4_q && !go4)) else $error("a pass runs into the atomic in stage 4");
    a_calm: assert (!(v4_q && !t4_q.pass.atomic && busy_o)) else $error("a load or store while atomics are under way");
  end
`endif
endmodule
