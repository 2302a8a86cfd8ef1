// Entry of the AXI memory unit: takes the beats of a word into one of four word slots.
//
// Per component: bounds test (address + 4 <= bound without wrap, exact for any base) and physical address = base + address. What is kept, by the number of
// the beat in its component pass (every pass of a word has the same beats):
//   address memory  [slot, beat]        beat number, lanes that access, word address of each lane (of the vector; component k: low bits or'ed with k)
//   data memory     [slot, comp, beat]  operand, in bounds, register written; of each lane
//   data2 memory    [slot, beat]        CSWAP's new value
//   tables          [slot]              what front, return and error report must know of the word
// A slot is offered (commit_o) when its last beat has come without bad_i and is in the memories. After a bad beat nothing more is.
module mw_axi_collect
  import mw_isa_pkg::*;
  import mw_mem_pkg::*;
  import mw_axi_mem_pkg::*;
#(
  parameter  cfg_t C = CFG_BASE,
  parameter  bit   RECORD = 1'b1,
  localparam int unsigned L  = C.lanes,
  localparam int unsigned WW = $clog2(C.waves_partial),
  localparam int unsigned BEATS = WAVE_THREADS / L,
  localparam int unsigned BB = BEATS > 1 ? $clog2(BEATS) : 1,
  localparam int unsigned BA = $clog2(NS * BEATS),
  localparam int unsigned EA = $clog2(NS * 4 * BEATS)
) (
  input  logic                clk_i,
  input  logic                rst_i,

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
  output logic                empty_o,       // no slot in use

  // Tables, read in the same cycle
  input  logic [SA-1:0]       fe_slot_i,
  output plan_t               plan_o,
  input  logic [SA-1:0]       x_slot_i,
  output atom_e               op_o,
  output logic                sgn_o,
  output logic                flt_o,
  output logic [WW-1:0]       x_wave_o,      // for records
  output logic [31:0]         x_seq_o,
  input  logic [SA-1:0]       rt_slot_i,
  output logic [WW-1:0]       wave_o,
  output logic [31:0]         seq_o,
  output logic [9:0]          dst_o,         // register of component 0
  output logic                acq_o,
  input  logic [SA-1:0]       er_slot_i,
  output logic [WW-1:0]       er_wave_o,
  output logic [23:0]         er_pc_o,

  // Memories, data one cycle later
  input  logic                ad_re_i,
  input  logic [SA-1:0]       ad_slot_i,
  input  logic [4:0]          ad_ord_i,
  output logic [4:0]          ad_beat_o,
  output logic [L-1:0]        ad_mask_o,
  output logic [L-1:0][29:0]  ad_word_o,
  input  logic                da_re_i,
  input  logic [SA-1:0]       da_slot_i,
  input  logic [1:0]          da_comp_i,
  input  logic [4:0]          da_ord_i,
  output logic [L-1:0]        da_inb_o,
  output logic [L-1:0]        da_wmask_o,
  output logic [L-1:0][31:0]  da_data_o,
  input  logic                d2_re_i,
  input  logic [SA-1:0]       d2_slot_i,
  input  logic [4:0]          d2_ord_i,
  output logic [L-1:0][31:0]  d2_data_o
);
  // ------------------------------------------------------------------------------------------------ slots
  logic [SA:0]   used_q;
  logic          keep, start, free_q;   // free_i comes late: it counts a clock later

  assign ready_o = used_q != (SA + 1)'(NS);
  assign keep    = valid_i && !kill_o && !bad_i;
  assign start   = valid_i && meta_i.first && !kill_o;
  assign empty_o = used_q == '0;
  always_ff @(posedge clk_i) begin
    free_q <= free_i && !rst_i;
    used_q <= used_q + (SA + 1)'(start) - (SA + 1)'(free_q);
    if (valid_i && bad_i) kill_o <= 1'b1;
    if (rst_i) begin
      used_q  <= '0;
      kill_o  <= 1'b0;
    end
  end

  // ------------------------------------------------------------------------------------------------ the beat: bounds, address, place
  logic               valid_q, last_q, cswap_q;
  logic [SA-1:0]      slot_q;
  logic [1:0]         comp_q;
  logic [4:0]         ord_q, beat_q, ord;
  logic [3:0]         comps_q;
  logic [L-1:0]       inb_q, mask_q, wmask_q;
  logic [L-1:0][29:0] word_q;
  logic [L-1:0][31:0] data_q, second_q, physical;
  way_e               way_q;
  meta_t              meta_q;
  logic [23:0]        pc_q;
  logic               access;
  assign access = meta_i.kind != KIND_FENCE && meta_i.kind != KIND_CHECK;
  always_comb for (int i = 0; i < int'(L); i++) physical[i] = addr_i[i] + base_i;
  assign ord = meta_i.first || meta_i.comp != comp_q ? 5'd0 : ord_q + 5'd1;
  always_ff @(posedge clk_i) begin
    valid_q <= keep && !rst_i;
    cswap_q <= meta_i.kind == KIND_ATOMIC && meta_i.op == ATOM_CSWAP;
    if (valid_i) begin   // whether it is kept comes late; behind one that is not, none is
      slot_q  <= slot_q + SA'(meta_i.first);
      last_q  <= meta_i.last;
      comp_q  <= meta_i.comp;
      ord_q   <= ord;
      beat_q  <= meta_i.beat;
      comps_q <= (meta_i.first ? 4'd0 : comps_q) | (4'd1 << meta_i.comp);
      meta_q  <= meta_i;
      pc_q    <= pc_i;
      case (meta_i.kind)
        KIND_LOAD:   way_q <= W_LOAD;
        KIND_STORE:  way_q <= W_STORE;
        KIND_ATOMIC: way_q <= W_ATOMIC;
        default:     way_q <= W_NONE;
      endcase
    end
    {mask_q, wmask_q, data_q, second_q, inb_q, word_q} <= 'x;   // without a beat nobody looks
    if (valid_i) begin
      mask_q   <= mask_i & {L{access}};
      wmask_q  <= wmask_i;
      data_q   <= data_i;
      second_q <= data2_i;
      for (int i = 0; i < int'(L); i++) begin
        inb_q[i]  <= mask_i[i] && access && {1'b0, addr_i[i][31:2]} < bound_i[32:2];   // addresses are multiples of 4 here
        word_q[i] <= physical[i][31:2] & ~{28'd0, size_i[1], |size_i};
      end
    end
    commit_o <= valid_q && last_q && !rst_i;
    if (rst_i) slot_q <= '1;
  end

  // ------------------------------------------------------------------------------------------------ memories
  typedef struct packed {
    logic [31:0] data;
    logic        inb;
    logic        wmask;
  } lane_t;
  typedef struct packed {
    logic [BB-1:0]      beat;
    logic [L-1:0]       mask;
    logic [L-1:0][29:0] word;
  } address_t;
  address_t       address;
  lane_t [L-1:0]  lanes_in, lanes;
  function automatic logic [BA-1:0] beat_at(input logic [SA-1:0] slot, input logic [4:0] number);
    return BA'(32'(slot) * BEATS + 32'(number));
  endfunction
  function automatic logic [EA-1:0] entry_at(input logic [SA-1:0] slot, input logic [1:0] comp, input logic [4:0] number);
    return EA'((32'(slot) * 4 + 32'(comp)) * BEATS + 32'(number));
  endfunction
  mw_mem_ram #(.WIDTH($bits(address_t)), .DEPTH(NS * BEATS), .BLOCK(L <= 16)) u_address (
    .clk_i, .we_i(valid_q), .waddr_i(beat_at(slot_q, ord_q)), .wdata_i({beat_q[BB-1:0], mask_q, word_q}),
    .re_i(ad_re_i), .raddr_i(beat_at(ad_slot_i, ad_ord_i)), .rdata_o(address)
  );
  assign ad_beat_o = 5'(address.beat);
  assign ad_mask_o = address.mask;
  assign ad_word_o = address.word;
  mw_mem_ram #(.WIDTH($bits(lanes)), .DEPTH(NS * 4 * BEATS), .BLOCK(L <= 16)) u_data (
    .clk_i, .we_i(valid_q), .waddr_i(entry_at(slot_q, comp_q, ord_q)), .wdata_i(lanes_in),
    .re_i(da_re_i), .raddr_i(entry_at(da_slot_i, da_comp_i, da_ord_i)), .rdata_o(lanes)
  );
  for (genvar i = 0; i < int'(L); i++) begin : g_lane
    assign lanes_in[i]   = '{data_q[i], inb_q[i], wmask_q[i]};
    assign da_data_o[i]  = lanes[i].data;
    assign da_inb_o[i]   = lanes[i].inb;
    assign da_wmask_o[i] = lanes[i].wmask;
  end
  mw_mem_ram #(.WIDTH(L * 32), .DEPTH(NS * BEATS), .BLOCK(L <= 16)) u_data2 (
    .clk_i, .we_i(valid_q && cswap_q), .waddr_i(beat_at(slot_q, ord_q)), .wdata_i(second_q),
    .re_i(d2_re_i), .raddr_i(beat_at(d2_slot_i, d2_ord_i)), .rdata_o(d2_data_o)
  );

  // ------------------------------------------------------------------------------------------------ tables, written with the last beat
  logic we;
  assign we = valid_q && last_q;
  mw_mem_lutram #(.WIDTH($bits(plan_t)), .DEPTH(NS)) u_plan (
    .clk_i, .we_i(we), .waddr_i(slot_q), .wdata_i({way_q, comps_q, ord_q}), .raddr_i(fe_slot_i), .rdata_o(plan_o)
  );
  logic [5:0] op_bits;
  mw_mem_lutram #(.WIDTH(6), .DEPTH(NS)) u_op (
    .clk_i, .we_i(we), .waddr_i(slot_q), .wdata_i({meta_q.op, meta_q.sgn, meta_q.flt}), .raddr_i(x_slot_i), .rdata_o(op_bits)
  );
  assign {op_o, sgn_o, flt_o} = {atom_e'(op_bits[5:2]), op_bits[1:0]};
  mw_mem_lutram #(.WIDTH(WW + 11), .DEPTH(NS)) u_return (
    .clk_i, .we_i(we), .waddr_i(slot_q), .wdata_i({meta_q.wave[WW-1:0], meta_q.dst - 10'(meta_q.comp), meta_q.acq}),
    .raddr_i(rt_slot_i), .rdata_o({wave_o, dst_o, acq_o})
  );
  mw_mem_lutram #(.WIDTH(WW + 24), .DEPTH(NS)) u_error (
    .clk_i, .we_i(we), .waddr_i(slot_q), .wdata_i({meta_q.wave[WW-1:0], pc_q}), .raddr_i(er_slot_i), .rdata_o({er_wave_o, er_pc_o})
  );
  if (RECORD) begin : g_record
    mw_mem_lutram #(.WIDTH(WW + 32), .DEPTH(NS)) u_x (
      .clk_i, .we_i(we), .waddr_i(slot_q), .wdata_i({meta_q.wave[WW-1:0], meta_q.seq}), .raddr_i(x_slot_i), .rdata_o({x_wave_o, x_seq_o})
    );
    mw_mem_lutram #(.WIDTH(32), .DEPTH(NS)) u_seq (
      .clk_i, .we_i(we), .waddr_i(slot_q), .wdata_i(meta_q.seq), .raddr_i(rt_slot_i), .rdata_o(seq_o)
    );
  end else begin : g_no_record
    assign x_wave_o = '0;
    assign x_seq_o  = '0;
    assign seq_o    = '0;
  end

  logic unused;
  assign unused = &{1'b0, meta_i, bound_i[1:0], meta_q, physical, beat_q};

`ifndef SYNTHESIS
  logic open_q;
  always_ff @(posedge clk_i) begin
    if (rst_i) open_q <= 1'b0;
    else if (valid_i) open_q <= !meta_i.last;
    if (!rst_i && valid_i) a_first: assert (meta_i.first == !open_q) else $error("a word's beats must be contiguous");
    if (!rst_i && start) a_room: assert (ready_o) else $error("no place for a word");
  end
`endif
endmodule
