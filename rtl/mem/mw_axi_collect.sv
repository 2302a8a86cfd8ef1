// Entry of the AXI memory unit: takes the beats of a word into one of four word slots.
//
// Per component: bounds test (address + 4 <= bound without wrap, exact for any base) and physical address = base + address. What is kept:
//   address memory  [slot, beat]        word address of component 0 of each thread (component k: low bits or'ed with k)
//   bounds memory   [slot, comp, beat]  threads in bounds; two read ports (front, distribution)
//   wmask memory    [slot, comp, beat]  threads whose register is written
//   data memory     [slot, comp, beat]  operands, 0 for loads and out of bounds; results replace them
//   data2 memory    [slot, beat]        CSWAP's new value
// A slot is offered (commit_o) when its last beat has come without bad_i and its data are in the memories. After a bad beat nothing more is.
module mw_axi_collect
  import mw_isa_pkg::*;
  import mw_mem_pkg::*;
  import mw_axi_mem_pkg::*;
#(
  parameter  cfg_t C = CFG_BASE,
  localparam int unsigned L  = C.lanes,
  localparam int unsigned BEATS = WAVE_THREADS / L,
  localparam int unsigned BA = $clog2(NS * BEATS),
  localparam int unsigned EA = $clog2(NS * 4 * BEATS),
  localparam int unsigned CA = BEATS > 1 ? $clog2(BEATS) : 1
) (
  input  logic                clk_i,
  input  logic                rst_i,
  input  logic                clear_i,

  input  logic                valid_i,
  input  meta_t               meta_i,
  input  logic [23:0]         pc_i,
  input  logic [1:0]          size_i,
  input  logic                bad_i,
  input  logic [L-1:0]        mask_i,
  input  logic [L-1:0]        wmask_i,
  input  logic [L-1:0][31:0]  addr_i,
  input  logic [L-1:0][31:0]  data_i,
  input  logic [L-1:0][31:0]  data2_i,
  input  logic [31:0]         base_i,
  input  logic [32:0]         bound_i,       // at most 2^32

  output logic                ready_o,
  input  logic                free_i,        // the oldest slot is free again
  output logic                commit_o,      // the next slot is complete
  output logic                kill_o,
  output logic                empty_o,       // no slot in use, apart from doomed ones
  output slot_t [NS-1:0]      slot_o,
  output logic [NS-1:0][BEATS-1:0]        came_o,  // beats that came

  // Read ports; data one cycle later
  input  logic                fe_re_i,
  input  logic [BA-1:0]       fe_addr_beat_i,
  output logic [L-1:0][29:0]  fe_addr_o,
  input  logic [EA-1:0]       fe_entry_i,
  output logic [L-1:0]        fe_inb_o,
  output logic [L-1:0][31:0]  fe_data2_o,
  input  logic                di_re_i,
  input  logic [BA-1:0]       di_beat_i,
  output logic [L-1:0][4:0]   di_word_o,     // word of the line
  input  logic [EA-1:0]       di_entry_i,
  output logic [L-1:0]        di_inb_o,
  input  logic                rt_re_i,
  input  logic [EA-1:0]       rt_entry_i,
  output logic [L-1:0]        rt_wmask_o,
  input  logic                data_re_i,
  input  logic [EA-1:0]       data_entry_i,
  output logic [L-1:0][31:0]  data_o,

  // Results into the data memory; waits while a beat comes in
  input  logic [L-1:0]        res_we_i,
  output logic                res_ready_o,
  input  logic [EA-1:0]       res_entry_i,
  input  logic [L-1:0][31:0]  res_data_i
);
  // ------------------------------------------------------------------------------------------------ slots
  logic [SA:0]   alloc_q;       // behind the newest slot
  logic [SA:0]   used_q;
  logic [SA-1:0] slot_in;
  logic          take, keep;

  assign ready_o = used_q != (SA + 1)'(NS);
  assign take    = valid_i && (ready_o || !meta_i.first);
  assign keep    = take && !kill_o && !bad_i;
  assign slot_in = meta_i.first ? alloc_q[SA-1:0] : SA'(alloc_q - 1'b1);
  assign empty_o = used_q == '0;

  always_ff @(posedge clk_i) begin
    if (take && meta_i.first && !kill_o) alloc_q <= alloc_q + 1'b1;
    used_q <= used_q + (SA + 1)'(take && meta_i.first && !kill_o) - (SA + 1)'(free_i);
    if (take && bad_i) kill_o <= 1'b1;
    if (rst_i || clear_i) begin
      alloc_q <= '0;
      used_q  <= '0;
      kill_o  <= 1'b0;
    end
  end

  // ------------------------------------------------------------------------------------------------ stage 1: bounds and address
  logic               valid1_q, write1_q, cswap1_q;
  logic [SA-1:0]      slot1_q;
  logic               last1_q;
  logic [4:0]         beat1_q;
  logic [1:0]         comp1_q;
  logic [L-1:0]       inb1_q, wmask1_q;
  logic [L-1:0][29:0] addr1_q;
  logic [L-1:0][31:0] data1_q, data21_q;
  logic [31:0]        top;
  logic               fits;

  logic [L-1:0][31:0] physical;
  always_comb for (int i = 0; i < int'(L); i++) physical[i] = addr_i[i] + base_i;
  assign top  = 32'(bound_i - 33'd4);
  assign fits = bound_i >= 33'd4 && meta_i.kind != KIND_FENCE && meta_i.kind != KIND_CHECK;

  always_ff @(posedge clk_i) begin
    valid1_q <= keep;
    if (keep) begin
      slot1_q  <= slot_in;
      last1_q  <= meta_i.last;
      beat1_q  <= meta_i.beat;
      comp1_q  <= meta_i.comp;
      wmask1_q <= wmask_i;
      write1_q <= meta_i.kind == KIND_STORE || meta_i.kind == KIND_ATOMIC;
      cswap1_q <= meta_i.kind == KIND_ATOMIC && meta_i.op == ATOM_CSWAP;
      for (int i = 0; i < int'(L); i++) begin
        inb1_q[i]  <= mask_i[i] && fits && addr_i[i] <= top;
        addr1_q[i] <= physical[i][31:2] & ~{28'd0, size_i[1], |size_i};
      end
      if (meta_i.kind != KIND_LOAD) data1_q <= data_i;
      if (meta_i.op == ATOM_CSWAP) data21_q <= data2_i;

      if (meta_i.first) begin
        slot_o[slot_in].meta  <= meta_i;
        slot_o[slot_in].pc    <= pc_i;
        slot_o[slot_in].dst   <= meta_i.dst - 10'(meta_i.comp);
        slot_o[slot_in].comps <= 4'b0001 << meta_i.comp;
      end else begin
        slot_o[slot_in].comps <= slot_o[slot_in].comps | 4'b0001 << meta_i.comp;
      end
    end
    if (rst_i || clear_i) valid1_q <= 1'b0;
  end

  // Beats of the slot. The first one clears what the slot's last user left.
  logic first1_q;
  always_ff @(posedge clk_i) begin
    if (keep) first1_q <= meta_i.first;
    if (valid1_q) begin
      if (first1_q) came_o[slot1_q] <= '0;
      came_o[slot1_q][beat1_q[CA-1:0]] <= 1'b1;
    end
  end

  // ------------------------------------------------------------------------------------------------ memories
  logic [BA-1:0] beat_at1;
  logic [EA-1:0] entry_at1;
  assign beat_at1  = BA'(32'(slot1_q) * BEATS + 32'(beat1_q));
  assign entry_at1 = EA'((32'(slot1_q) * 4 + 32'(comp1_q)) * BEATS + 32'(beat1_q));

  mw_mem_ram #(.WIDTH(L * 30), .DEPTH(NS * BEATS)) u_addr (
    .clk_i, .we_i(valid1_q), .waddr_i(beat_at1), .wdata_i(addr1_q), .re_i(fe_re_i), .raddr_i(fe_addr_beat_i), .rdata_o(fe_addr_o)
  );
  logic [L-1:0][4:0] word1;
  for (genvar i = 0; i < int'(L); i++) begin : g_word
    assign word1[i] = addr1_q[i][4:0];
  end
  mw_mem_ram #(.WIDTH(L * 5), .DEPTH(NS * BEATS)) u_word (
    .clk_i, .we_i(valid1_q), .waddr_i(beat_at1), .wdata_i(word1), .re_i(di_re_i), .raddr_i(di_beat_i), .rdata_o(di_word_o)
  );
  mw_mem_ram #(.WIDTH(L), .DEPTH(NS * 4 * BEATS)) u_inb_fe (
    .clk_i, .we_i(valid1_q), .waddr_i(entry_at1), .wdata_i(inb1_q), .re_i(fe_re_i), .raddr_i(fe_entry_i), .rdata_o(fe_inb_o)
  );
  mw_mem_ram #(.WIDTH(L), .DEPTH(NS * 4 * BEATS)) u_inb_di (
    .clk_i, .we_i(valid1_q), .waddr_i(entry_at1), .wdata_i(inb1_q), .re_i(di_re_i), .raddr_i(di_entry_i), .rdata_o(di_inb_o)
  );
  mw_mem_ram #(.WIDTH(L), .DEPTH(NS * 4 * BEATS), .SMALL(L == 1)) u_wmask (
    .clk_i, .we_i(valid1_q), .waddr_i(entry_at1), .wdata_i(wmask1_q), .re_i(rt_re_i), .raddr_i(rt_entry_i), .rdata_o(rt_wmask_o)
  );
  mw_mem_ram #(.WIDTH(L * 32), .DEPTH(NS * BEATS)) u_data2 (
    .clk_i, .we_i(valid1_q && cswap1_q), .waddr_i(beat_at1), .wdata_i(data21_q), .re_i(fe_re_i), .raddr_i(fe_addr_beat_i), .rdata_o(fe_data2_o)
  );

  // Stage 2: data, zeroed where nothing is loaded.
  logic               valid2_q, last2_q;
  logic [EA-1:0]      entry2_q;
  logic [L-1:0][31:0] data2_q;
  always_ff @(posedge clk_i) begin
    valid2_q <= valid1_q;
    if (valid1_q) begin
      last2_q  <= last1_q;
      entry2_q <= entry_at1;
      for (int i = 0; i < int'(L); i++) begin
        data2_q[i] <= data1_q[i];
        if (!inb1_q[i] || !write1_q) data2_q[i] <= '0;
      end
    end
    if (rst_i || clear_i) valid2_q <= 1'b0;
  end
  assign res_ready_o = !valid2_q;
  for (genvar i = 0; i < int'(L); i++) begin : g_data
    mw_mem_ram #(.WIDTH(32), .DEPTH(NS * 4 * BEATS)) u_data (
      .clk_i, .we_i(valid2_q || res_we_i[i]), .waddr_i(valid2_q ? entry2_q : res_entry_i),
      .wdata_i(valid2_q ? data2_q[i] : res_data_i[i]), .re_i(data_re_i), .raddr_i(data_entry_i), .rdata_o(data_o[i])
    );
  end

  always_ff @(posedge clk_i) begin
    commit_o <= valid2_q && last2_q;
    if (rst_i || clear_i) commit_o <= 1'b0;
  end

  logic unused;
  assign unused = &{1'b0, alloc_q[SA], physical};

`ifndef SYNTHESIS
  logic open_q;
  always_ff @(posedge clk_i) begin
    if (rst_i || clear_i) open_q <= 1'b0;
    else if (take) open_q <= !meta_i.last;
    if (!rst_i && !clear_i && take) a_first: assert (meta_i.first == !open_q) else $error("a word's beats must be contiguous");
  end
`endif
endmodule
