// Front of the AXI memory unit: walks over the beats of one word after the other and makes items of them: one component of the lanes of a
// beat that access one line.
//
// Loads and stores: the lanes in the line of the item before come first, then those in the line of the lowest lane left, and so on. So a line is
// left when no lane of the beat is in it. Atomics go over the word once (in fact twice, see item_t.dry) for each line, that of the lowest thread left,
// and what is in other lines waits; pass_done_i is the end of a pass.
// Stages: A address memory, E line comparison, D choice of lanes, G component by component through the data memory. One lane: one beat per clock.
// More: the comparison is that of the clock in which E is loaded; a stage takes the next when it is empty, so that no answer travels over stages; a beat
// takes two clocks, and two more for each change of the line, a component two clocks.
module mw_axi_front
  import mw_isa_pkg::*;
  import mw_axi_mem_pkg::*;
#(
  parameter  cfg_t C = CFG_BASE,
  localparam int unsigned L  = C.lanes,
  localparam int unsigned COLS = C.axi_bits / 32,
  localparam int unsigned CW = $clog2(COLS),
  localparam int unsigned LA = L == WAVE_THREADS ? 1 : $clog2(WAVE_THREADS / L)
) (
  input  logic                clk_i,
  input  logic                rst_i,

  input  logic                word_valid_i,
  input  logic [SA-1:0]       slot_i,
  input  plan_t               plan_i,
  output logic                start_o,       // the word begins
  output logic                idle_o,

  output logic                ad_re_o,
  output logic [SA-1:0]       ad_slot_o,
  output logic [4:0]          ad_ord_o,
  input  logic [4:0]          ad_beat_i,
  input  logic [L-1:0]        ad_mask_i,
  input  logic [L-1:0][29:0]  ad_word_i,
  output logic                da_re_o,
  output logic [SA-1:0]       da_slot_o,
  output logic [1:0]          da_comp_o,
  output logic [4:0]          da_ord_o,
  input  logic [L-1:0]        da_inb_i,
  input  logic [L-1:0]        da_wmask_i,
  input  logic [L-1:0][31:0]  da_data_i,

  // Items
  output logic                valid_o,
  input  logic                ready_i,
  output item_t               item_o,
  output logic [L-1:0]        sel_o,         // lanes of the item
  output logic [L-1:0]        ok_o,          // of these, in bounds
  output logic [L-1:0]        wmask_o,       // of sel: register written
  output logic [L-1:0][4:0]   word_o,        // in the line
  output logic [L-1:0][31:0]  data_o,
  output logic [4:0]          first_o,       // bus beats of the lanes
  output logic [4:0]          last_o,

  input  logic                rest_idle_i,   // everything behind the front is idle, with what it gives in this clock
  input  logic                pass_done_i,
  output logic                more_o         // of an atomic: a line is left after this pass
);
  // ------------------------------------------------------------------------------------------------ words and passes
  typedef enum logic [1:0] { NEXT, WALK, WAIT } state_e;
  state_e        state_q;
  logic [SA-1:0] slot_q;
  plan_t         plan_q;
  logic [4:0]    ord_q;
  logic          dry_q, virgin_q, more_q;
  logic          begin_w, issue, atomic, r_ready, pipe_idle, all_idle_q;

  assign atomic  = plan_q.way == W_ATOMIC;
  assign start_o = state_q == NEXT && word_valid_i && r_ready && (plan_i.way != W_ATOMIC || all_idle_q);
  assign issue   = state_q == WALK && r_ready;
  assign begin_w = ord_q == '0;
  assign more_o  = more_q;
  always_ff @(posedge clk_i) begin
    case (state_q)
      NEXT: if (start_o) begin
        slot_q   <= slot_i;
        plan_q   <= plan_i;
        ord_q    <= '0;
        dry_q    <= plan_i.way == W_ATOMIC;
        virgin_q <= 1'b1;
        state_q  <= WALK;
      end
      WALK: if (issue) begin
        ord_q <= ord_q + 5'd1;
        if (ord_q == plan_q.ends) state_q <= atomic ? WAIT : NEXT;
      end
      default: if (pass_done_i) begin
        ord_q    <= '0;
        dry_q    <= !dry_q;
        virgin_q <= virgin_q && dry_q;
        state_q  <= dry_q || more_q ? WALK : NEXT;
      end
    endcase
    all_idle_q <= state_q == NEXT && !start_o && pipe_idle && rest_idle_i;
    if (rst_i) begin
      state_q    <= NEXT;
      all_idle_q <= 1'b0;
    end
  end

  // ------------------------------------------------------------------------------------------------ A: address memory
  typedef struct packed {
    logic [SA-1:0] slot;
    way_e          way;
    logic [3:0]    comps;
    logic [4:0]    ord;
    logic          last;
    logic          dry;
  } step_t;
  logic         r_valid_q, r_begin_q, e_valid_q, e_begin_q, d_valid_q, d_begin_q;
  logic         carry_q, e_begin;   // the pass has no line yet: its beats so far had no lanes
  step_t        r_q, e_q, d_q;
  logic         e_load;
  logic [L-1:0] left;         // lanes that no line of this atomic has had
  // With more lanes a beat takes two clocks anyway.
  assign r_ready   = !r_valid_q || (L == 1 && e_load);
  assign ad_re_o   = issue;
  assign ad_slot_o = slot_q;
  assign ad_ord_o  = ord_q;
  always_ff @(posedge clk_i) begin
    if (r_ready) r_valid_q <= issue;
    else if (e_load) r_valid_q <= 1'b0;
    if (issue) begin
      r_begin_q <= begin_w;
      r_q       <= '{slot_q, plan_q.way, plan_q.comps, ord_q, ord_q == plan_q.ends, dry_q};
    end
    if (rst_i) r_valid_q <= 1'b0;
  end

  // ------------------------------------------------------------------------------------------------ E: which lanes are in the line
  logic [L-1:0][29:0] e_word_q;
  logic [L-1:0]       e_pend_q;
  logic [4:0]         e_beat_q;
  line_t              line_q;
  logic               e_next, d_load, d_take, d_reline;
  function automatic line_t lowest_line(input logic [L-1:0] pend, input logic [L-1:0][29:0] word);
    logic above;
    lowest_line = '0;
    above       = 1'b0;
    for (int i = 0; i < int'(L); i++) begin
      lowest_line |= word[i][29:5] & {25{pend[i] && !above}};
      above       |= pend[i];
    end
  endfunction
  assign e_begin = e_begin_q || carry_q || (L == 1 && d_valid_q && d_begin_q);
  assign e_load = !e_valid_q || e_next;
  assign d_load = e_valid_q && (!d_valid_q || (L == 1 && d_take));

  // ------------------------------------------------------------------------------------------------ D: choice
  logic [L-1:0]      pick_q, rest_q;  // of the lanes that are left: those in the line, the others
  logic              some_q, none_q;  // pick_q is not 0, rest_q is
  logic [L-1:0]      in_line;
  logic [L-1:0][4:0] d_word_q;
  logic [4:0]        d_beat_q;
  line_t             d_cand_q;
  logic              hit, fresh_q, g_ready, done_d;
  assign hit      = some_q || none_q || (d_q.way == W_ATOMIC && !d_begin_q);
  assign d_take   = d_valid_q && hit && g_ready;
  assign d_reline = d_valid_q && !hit;
  assign done_d   = d_valid_q && g_ready && (none_q || (d_q.way == W_ATOMIC && (some_q || !d_begin_q)));   // d_take, and nothing is left
  assign e_next   = L == 1 ? d_load : done_d;
  if (L == 1) begin : g_compare
    assign in_line[0] = e_word_q[0][29:5] == line_q;
  end else begin : g_compare
    // A beat stays in E until D is done with it, so E's words and the line change one at a time, and what comes is known: compared in that clock, which
    // leaves D's own for its choice.
    logic [L-1:0] in_line_q;
    always_ff @(posedge clk_i)
      if (e_load || d_reline)
        for (int i = 0; i < int'(L); i++) in_line_q[i] <= d_reline ? e_word_q[i][29:5] == d_cand_q : ad_word_i[i][29:5] == line_q;
    assign in_line = in_line_q;
`ifndef SYNTHESIS
    for (genvar i = 0; i < int'(L); i++) begin : g_check
      always_ff @(posedge clk_i) if (!rst_i && e_valid_q)
        a_compared: assert (e_begin || in_line_q[i] == (e_word_q[i][29:5] == line_q)) else $error("lane compared with another line");
    end
`endif
  end
  always_ff @(posedge clk_i) begin
    if (e_load) e_valid_q <= r_valid_q;
    if (e_load && r_valid_q) begin
      e_begin_q <= r_begin_q;
      e_q       <= r_q;
      e_beat_q  <= ad_beat_i;
      e_word_q  <= ad_word_i;
      e_pend_q  <= r_q.way == W_ATOMIC && !virgin_q ? left : ad_mask_i;
    end else if (L > 1 && !e_load) begin
      if (d_reline) e_begin_q <= 1'b0;
      if (d_take) e_pend_q <= rest_q;
    end
    if (d_load) begin
      d_valid_q <= 1'b1;
      d_begin_q <= e_begin;
      d_q       <= e_q;
      d_beat_q  <= e_beat_q;
      for (int i = 0; i < int'(L); i++) d_word_q[i] <= e_word_q[i][4:0];
      // e_begin comes last: it goes to many places
      pick_q   <= e_begin ? '0 : e_pend_q & in_line;
      some_q   <= !e_begin && (e_pend_q & in_line) != '0;
      rest_q   <= e_begin ? e_pend_q : e_pend_q & ~in_line;
      none_q   <= e_begin ? e_pend_q == '0 : (e_pend_q & ~in_line) == '0;
      d_cand_q <= lowest_line(e_pend_q, e_word_q);
    end else if (d_take || (L > 1 && d_reline)) begin
      d_valid_q <= 1'b0;
    end else if (d_reline) begin
      pick_q    <= pick_q | rest_q;   // of its one lane
      some_q    <= 1'b1;
      rest_q    <= '0;
      none_q    <= 1'b1;
      d_begin_q <= 1'b0;
    end
    if (d_reline) line_q <= d_cand_q;
    carry_q <= (carry_q || (d_take && d_begin_q)) && !d_reline;
    fresh_q <= d_reline || (fresh_q && !d_take);
    if (d_take) more_q <= (more_q && !(d_q.ord == '0)) || !none_q;
    if (rst_i) begin
      e_valid_q <= 1'b0;
      d_valid_q <= 1'b0;
      fresh_q   <= 1'b0;
      carry_q   <= 1'b0;
    end
  end
  mw_mem_lutram #(.WIDTH(L), .DEPTH(WAVE_THREADS / L)) u_left (
    .clk_i, .we_i(d_take && !d_q.dry), .waddr_i(d_q.ord[LA-1:0]), .wdata_i(rest_q), .raddr_i(r_q.ord[LA-1:0]), .rdata_o(left)
  );

  // ------------------------------------------------------------------------------------------------ G: components
  // g0: a component and those that follow it; the data memory is read. g1: its output.
  logic              g0_valid_q, g1_valid_q, g1_ready, out_ready, g0_one, g0_last;
  item_t             g0, g0_q, g1_q;
  logic [3:0]        g0_rest_q, comps;
  logic [1:0]        comp;
  logic [L-1:0]      g0_sel_q, g1_sel_q;
  logic [L-1:0][4:0] g0_word_q, g1_word_q;
  assign g0_one  = g0_rest_q == '0;
  assign g_ready = !g0_valid_q || (L == 1 && g1_ready && g0_one);
  assign comps   = L == 1 ? (d_take ? d_q.comps : g0_rest_q) : g0_valid_q ? g0_rest_q : d_q.comps;
  always_comb begin
    comp = '0;
    for (int k = 3; k >= 0; k--) if (comps[k]) comp = 2'(k);
    g0      = g0_q;
    g0.last = g0_q.last && g0_one;
  end
  assign g0_last   = d_q.last && (L == 1 || none_q || d_q.way == W_ATOMIC);
  assign g1_ready  = !g1_valid_q || (L == 1 && out_ready);
  assign da_re_o   = g0_valid_q && g1_ready;
  assign da_slot_o = g0_q.slot;
  assign da_comp_o = g0_q.comp;
  assign da_ord_o  = g0_q.ord;

  // Lowest and highest bus beat of the lanes: neighbours in stage 0, the rest, as a tree, in stage 1.
  localparam int unsigned H = L == 1 ? 1 : L / 2;
  logic [H-1:0][4:0]     low1_q, high1_q;
  logic [2*H-1:1][4:0]   low1, high1;
  always_comb begin
    for (int h = 0; h < int'(H); h++) begin
      low1[int'(H)+h]  = low1_q[h];
      high1[int'(H)+h] = high1_q[h];
    end
    for (int n = int'(H) - 1; n > 0; n--) begin
      low1[n]  = low1[2*n] < low1[2*n+1] ? low1[2*n] : low1[2*n+1];
      high1[n] = high1[2*n] > high1[2*n+1] ? high1[2*n] : high1[2*n+1];
    end
  end

  always_ff @(posedge clk_i) begin
    if (d_take) begin
      g0_valid_q <= 1'b1;
      g0_q       <= '{slot: d_q.slot, way: d_q.way, ord: d_q.ord, beat: d_beat_q, comp: comp, newline: fresh_q, last: g0_last, dry: d_q.dry,
                      write: d_q.way == W_STORE || (d_q.way == W_ATOMIC && !d_q.dry), line: line_q};
      g0_rest_q  <= comps & (comps - 4'd1);
      g0_sel_q   <= pick_q;
      g0_word_q  <= d_word_q;
    end else if (g0_valid_q && g1_ready) begin
      g0_valid_q   <= !g0_one;
      g0_rest_q    <= comps & (comps - 4'd1);
      g0_q.comp    <= comp;
      g0_q.newline <= 1'b0;
    end
    if (g1_ready) g1_valid_q <= g0_valid_q;
    else if (out_ready) g1_valid_q <= 1'b0;
    if (da_re_o) begin
      g1_q      <= g0;
      g1_sel_q  <= g0_sel_q;
      for (int i = 0; i < int'(L); i++) g1_word_q[i] <= g0_word_q[i] | 5'(g0_q.comp);
      for (int h = 0; h < int'(H); h++) begin
        logic [1:0]      sel;
        logic [1:0][4:0] row;
        for (int n = 0; n < 2; n++) begin
          sel[n] = g0_sel_q[(2*h+n) % L];
          row[n] = (g0_word_q[(2*h+n) % L] | 5'(g0_q.comp)) >> CW;
        end
        low1_q[h]  <= sel == '0 ? 5'd31 : sel[0] && (!sel[1] || row[0] < row[1]) ? row[0] : row[1];
        high1_q[h] <= sel == '0 ? 5'd0 : sel[0] && (!sel[1] || row[0] > row[1]) ? row[0] : row[1];
      end
    end
    if (rst_i) begin
      g0_valid_q <= 1'b0;
      g1_valid_q <= 1'b0;
    end
  end

  if (L == 1) begin : g_out
    localparam int unsigned OUT = $bits(item_t) + 3 + 5 + 32 + 10;
    mw_axi_stage #(.WIDTH(OUT)) u_out (
      .clk_i, .rst_i, .valid_i(g1_valid_q), .ready_o(out_ready),
      .data_i({g1_q, g1_sel_q, g1_sel_q & da_inb_i, g1_sel_q & da_wmask_i, g1_word_q, da_data_i, low1[1], high1[1]}),
      .valid_o, .ready_i, .data_o({item_o, sel_o, ok_o, wmask_o, word_o, data_o, first_o, last_o})
    );
  end else begin : g_out
    assign out_ready = !valid_o;
    always_ff @(posedge clk_i) begin
      valid_o <= valid_o ? !ready_i : g1_valid_q;
      if (!valid_o && g1_valid_q) begin
        item_o  <= g1_q;
        sel_o   <= g1_sel_q;
        ok_o    <= g1_sel_q & da_inb_i;
        wmask_o <= g1_sel_q & da_wmask_i;
        word_o  <= g1_word_q;
        data_o  <= da_data_i;
        first_o <= low1[1];
        last_o  <= high1[1];
      end
      if (rst_i) valid_o <= 1'b0;
    end
  end
  assign pipe_idle = !r_valid_q && !e_valid_q && !d_valid_q && !g0_valid_q && !g1_valid_q && !valid_o;
  assign idle_o    = state_q == NEXT && pipe_idle;

  logic unused;
  assign unused = &{1'b0, d_q};
endmodule
