// The banks of shared memory, with crossbars and an atomic unit at each bank.
//
// Stages of a pass, counted from its entry:
//   4 row, operand and enable of each bank, behind the lane-to-bank crossbar    5 read address
//   6 inside the bank's memory    7 word read; atomic unit, first half    8 lanes' words, behind the bank-to-lane crossbar;
//   atomic unit, second half    9 write register of atomics. Stores go from 4 into the write register at once.
// Loads and stores follow each other every cycle in any order. An atomic pass stays two cycles in stage 4 (CSWAP: three), where its rows are
// compared with the atomic passes in flight; on a hit, and before a load or store, stage 4 waits until none is in flight.
// Results come out in stage 8 and must be taken.
// One lane (L = 1) needs one operand path and one atomic unit for all banks: NA = 1.
// fill_*: one row of all banks; goes ahead of stores, waits for a write that is under way.
module mw_shared_banks
  import mw_isa_pkg::*;
  import mw_mem_pkg::*;
#(
  parameter  cfg_t C = CFG_BASE,
  parameter  bit   RECORD = 1'b1,
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
  input  pass_t                 pass_i,
  input  logic [RW-1:0]         base_row_i,
  input  logic [L-1:0]          done_i,
  input  logic [L-1:0]          served_i,
  input  logic [NB-1:0][L-1:0]  sel_i,
  input  logic [L-1:0]          wmask_i,
  input  logic [L-1:0][IW-1:0]  index_i,
  input  logic [L-1:0][31:0]    data_i,

  input  logic                  fill_valid_i,
  output logic                  fill_ready_o,
  input  logic [RW-1:0]         fill_row_i,
  input  logic [NB-1:0][31:0]   fill_data_i,

  output logic                  valid_o,     // stage 8
  output pass_t                 pass_o,
  output logic [L-1:0]          served_o,
  output logic [L-1:0]          wmask_o,
  output logic [L-1:0][31:0]    word_o,      // lanes that are not served: 0

  output logic                  rec_valid_o, // stage 9
  output pass_t                 rec_pass_o,
  output logic [L-1:0]          rec_mask_o,
  output logic [L-1:0][31:0]    rec_addr_o,  // byte offset in the group's memory
  output logic [L-1:0][31:0]    rec_data_o,
  output logic [L-1:0][31:0]    rec_old_o,
  output logic                  idle_o
);
  localparam int unsigned ROWS = C.shared_bytes / 4 / NB;
  localparam int unsigned NA = L == 1 ? 1 : NB;

  // What follows a pass through stages 4 to 8.
  typedef struct packed {
    pass_t                pass;
    logic [L-1:0]         served;
    logic [L-1:0]         wmask;
    logic [L-1:0][BW-1:0] bank;
  } tag_t;

  // ------------------------------------------------------------------------------------------------ stage 4
  logic                 v4_q, atomic4_q, checked4_q, hit4_q, write4_q;
  tag_t                 t4_q;
  logic [NB-1:0]        en4_q;
  logic [NB-1:0][RW-1:0] row4_q;
  logic [NA-1:0][31:0]  x4_q;
  logic                 go4, take, flight, hit;

  // Atomic passes in flight: stages 5 to 8.
  logic [8:5]            v_q, atomic_q;
  logic [NB-1:0]         en5_q, en6_q, en7_q, en8_q;
  logic [NB-1:0][RW-1:0] row5_q, row6_q, row7_q, row8_q;

  assign flight = |atomic_q;
  always_comb begin
    hit = 1'b0;
    for (int b = 0; b < int'(NB); b++)
      hit |= en4_q[b] && ((atomic_q[5] && en5_q[b] && row5_q[b] == row4_q[b]) ||
                          (atomic_q[6] && en6_q[b] && row6_q[b] == row4_q[b]) ||
                          (atomic_q[7] && en7_q[b] && row7_q[b] == row4_q[b]));
  end
  always_comb begin
    if (t4_q.pass.second) go4 = v4_q;
    else if (atomic4_q)   go4 = v4_q && checked4_q && !(hit4_q && flight);
    else                  go4 = v4_q && !flight && !(write4_q && fill_valid_i);
  end
  assign take    = valid_i && ready_o;
  assign ready_o = !v4_q || go4;

  always_ff @(posedge clk_i) begin
    if (ready_o) v4_q <= valid_i;
    if (v4_q && atomic4_q) begin
      checked4_q <= 1'b1;
      if (!checked4_q) hit4_q <= hit;
    end
    if (take) begin
      t4_q.pass   <= pass_i;
      t4_q.served <= served_i;
      t4_q.wmask  <= wmask_i;
      for (int i = 0; i < int'(L); i++) t4_q.bank[i] <= index_i[i][BW-1:0];
      atomic4_q  <= pass_i.meta.kind == KIND_ATOMIC;
      write4_q   <= pass_i.meta.kind == KIND_STORE;
      checked4_q <= 1'b0;
      hit4_q     <= 1'b0;
      for (int b = 0; b < int'(NB); b++) begin
        logic [RW-1:0] row;
        row = '0;
        for (int i = 0; i < int'(L); i++) row |= index_i[i][IW-1:BW] & {RW{sel_i[b][i] || L == 1}};
        en4_q[b]  <= |sel_i[b];
        row4_q[b] <= row;
      end
      if (pass_i.meta.kind != KIND_LOAD) begin
        for (int a = 0; a < int'(NA); a++) begin
          logic [31:0] x;
          x = '0;
          for (int i = 0; i < int'(L); i++) x |= data_i[i] & {32{sel_i[a][i] || L == 1}};
          x4_q[a] <= x;
        end
      end
    end
    if (rst_i) v4_q <= 1'b0;
  end

  // ------------------------------------------------------------------------------------------------ stages 5 to 8
  tag_t                t5_q, t6_q, t7_q, t8_q;
  logic [NA-1:0][31:0] x5_q, x6_q, x7_q;
  logic [L-1:0][31:0]  word7;
  logic [NB-1:0][31:0] m6, m7_q;     // words read
  logic [L-1:0][31:0]  word8_q;
  logic                second5_q, second6_q, any_atomic;

  assign any_atomic = (v4_q && atomic4_q) || flight || second5_q || second6_q;

  always_ff @(posedge clk_i) begin
    v_q      <= {v_q[7:5], go4 && !t4_q.pass.second};
    atomic_q <= {atomic_q[7:5], go4 && atomic4_q && !t4_q.pass.second};
    second5_q <= go4 && t4_q.pass.second;
    second6_q <= second5_q;
    if (go4) begin
      t5_q   <= t4_q;
      row5_q <= row4_q;
      en5_q  <= en4_q;
    end
    if (v_q[5]) begin
      t6_q   <= t5_q;
      row6_q <= row5_q;
      en6_q  <= en5_q;
    end
    if (v_q[6]) begin
      t7_q   <= t6_q;
      row7_q <= row6_q;
      en7_q  <= en6_q;
      m7_q   <= m6;
    end
    if (v_q[7]) begin
      t8_q   <= t7_q;
      row8_q <= row7_q;
      en8_q  <= en7_q;
      for (int i = 0; i < int'(L); i++) word8_q[i] <= t7_q.served[i] ? word7[i] : '0;
    end
    // Operands: x in the pass's own slot, CSWAP's new value in the slot behind it.
    if (any_atomic) begin
      x5_q <= x4_q;
      x6_q <= x5_q;
      x7_q <= x6_q;
    end
    if (rst_i) begin
      v_q       <= '0;
      atomic_q  <= '0;
      second5_q <= 1'b0;
      second6_q <= 1'b0;
    end
  end

  for (genvar i = 0; i < int'(L); i++) begin : g_word
    assign word7[i] = m7_q[t7_q.bank[i]];
  end

  logic [NA-1:0][31:0] new8;
  logic [NA-1:0]       store8;
  for (genvar a = 0; a < int'(NA); a++) begin : g_alu
    mw_atomic_alu u_alu (
      .clk_i, .en_i(atomic_q[7]), .op_i(t7_q.pass.meta.op), .sgn_i(t7_q.pass.meta.sgn),
      .m_i(NA == 1 ? word7[0] : m7_q[a]), .x_i(x7_q[a]), .y_i(x7_q[a]), .new_o(new8[a]), .store_o(store8[a])
    );
  end

  // ------------------------------------------------------------------------------------------------ write register and banks
  logic [NB-1:0]         we_q;
  logic [NB-1:0][RW-1:0] wrow_q;
  logic [NA-1:0][31:0]   wdata_q;
  logic                  fill;

  assign fill_ready_o = we_q == '0;
  assign fill         = fill_valid_i && fill_ready_o;
  always_ff @(posedge clk_i) begin
    we_q <= '0;
    if (atomic_q[8]) begin
      we_q    <= en8_q & (NA == 1 ? {NB{store8[0]}} : NB'(store8));
      wrow_q  <= row8_q;
      wdata_q <= new8;
    end else if (go4 && write4_q) begin
      we_q    <= en4_q;
      wrow_q  <= row4_q;
      wdata_q <= x4_q;
    end
    if (rst_i) we_q <= '0;
  end

  for (genvar b = 0; b < int'(NB); b++) begin : g_bank
    mw_mem_ram #(.WIDTH(32), .DEPTH(ROWS), .BLOCK(1'b1)) u_bank (
      .clk_i, .we_i(we_q[b] || fill), .waddr_i(fill_ready_o ? fill_row_i : wrow_q[b]),
      .wdata_i(fill_ready_o ? fill_data_i[b] : wdata_q[b % NA]),
      .re_i(v_q[5] && en5_q[b]), .raddr_i(row5_q[b]), .rdata_o(m6[b])
    );
  end

  assign valid_o  = v_q[8];
  assign pass_o   = t8_q.pass;
  assign served_o = t8_q.served;
  assign wmask_o  = t8_q.wmask;
  assign word_o   = word8_q;
  assign idle_o   = !v4_q && v_q == '0 && we_q == '0 && !rec_valid_o;

  // ------------------------------------------------------------------------------------------------ records
  if (RECORD) begin : g_record
    typedef struct packed {
      logic [RW-1:0]        base_row;
      logic [L-1:0]         done;
      logic [L-1:0][IW-1:0] index;
      logic [L-1:0][31:0]   data;
    } rec_t;
    rec_t                 r4_q, r5_q, r6_q, r7_q, r8_q, r9_q;
    pass_t                p9_q;
    logic [L-1:0][BW-1:0] bank9_q;
    logic                 v9_q;
    logic [L-1:0][31:0]   word9_q;
    logic [NA-1:0][31:0]  new9_q;

    always_ff @(posedge clk_i) begin
      if (take) begin
        r4_q.base_row <= base_row_i;
        r4_q.done     <= done_i;
        r4_q.index    <= index_i;
        r4_q.data     <= data_i;
      end
      if (go4) r5_q <= r4_q;
      if (v_q[5]) r6_q <= r5_q;
      if (v_q[6]) r7_q <= r6_q;
      if (v_q[7]) r8_q <= r7_q;
      v9_q <= v_q[8];
      if (v_q[8]) begin
        r9_q    <= r8_q;
        p9_q    <= t8_q.pass;
        bank9_q <= t8_q.bank;
        word9_q <= word8_q;
        if (atomic_q[8]) new9_q <= new8;
      end
      if (rst_i) v9_q <= 1'b0;
    end

    assign rec_valid_o = v9_q;
    assign rec_pass_o  = p9_q;
    assign rec_mask_o  = r9_q.done;
    assign rec_old_o   = word9_q;
    always_comb begin
      for (int i = 0; i < int'(L); i++) begin
        logic [RW-1:0] row;
        row = r9_q.index[i][IW-1:BW] - r9_q.base_row;
        rec_addr_o[i] = 32'({row, r9_q.index[i][BW-1:0], 2'b00});
        rec_data_o[i] = p9_q.meta.kind == KIND_ATOMIC ? (NA == 1 ? new9_q[0] : new9_q[bank9_q[i]]) : r9_q.data[i];
      end
    end
  end else begin : g_no_record
    logic unused;
    assign rec_valid_o = 1'b0;
    assign rec_pass_o  = '0;
    assign rec_mask_o  = '0;
    assign rec_addr_o  = '0;
    assign rec_data_o  = '0;
    assign rec_old_o   = '0;
    assign unused = &{1'b0, done_i, base_row_i};
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (!rst_i) begin
    a_second: assert (!(v4_q && t4_q.pass.second) || atomic_q[5]) else $error("new value of a CSWAP apart from its pass");
    a_write: assert (!(go4 && write4_q && (fill_valid_i || atomic_q[8]))) else $error("two writers of the banks");
  end
`endif
endmodule
