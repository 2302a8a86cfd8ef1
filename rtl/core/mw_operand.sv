// Operand stage: from a beat to the values at the lanes' inputs.
//
//   s1  A0 is addressed                                 s4  registers addressed; condition codes, ALU bits: memory outputs
//   s2  A0; register numbers, rows of the wave; local   s5  registers: memory outputs; condition codes: registers; literal or per-thread value
//       ids are addressed                               s6  operands, predicate: at the lanes
//   s3  relative index added, window check; condition
//       codes, ALU bits are addressed
//
// Files: registers (window check gives 0), literal / constant / uniform value (in the beat), per-thread values (local ids, index, thread id).
// Memory words: port A the address register, B the data of this component, C the second operand of CSWAP.
// Timing: out_o six clocks after beat_i. Registers are read at the end of s4: what is written at the end of an earlier clock is seen.
module mw_operand
  import mw_isa_pkg::*;
  import mw_core_pkg::*;
  import mw_lane_pkg::*;
#(
  parameter cfg_t C = CFG_BASE,
  localparam int unsigned L = C.lanes,
  localparam int unsigned BEATS = WAVE_THREADS / L,
  localparam int unsigned WW = $clog2(C.waves_partial),
  localparam int unsigned COPIES = lane_ctl_copies(L)
) (
  input  logic            clk_i,
  input  logic            rst_i,
  /* verilator lint_off UNUSEDSIGNAL */  // travels whole, a part is needed here
  input  csr_t            csr_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  beat_t           beat_i,
  input  logic [L-1:0]    lanes_i,

  output beat_t           out_o,
  output logic [1:0]      far_o,        // out_o is a beat of a memory word or of the special unit; two copies
  output logic [L-1:0]    lanes_o,      // executing threads
  output logic [L-1:0]    exec_o,       // of those, predicate true
  output logic [L-1:0]    pred_o,       // predicate of every lane (flow words: this component's test)
  output logic [L-1:0]    alu_bits_o,
  output logic [L*32-1:0] a_o,
  output logic [L*32-1:0] b_o,
  output logic [L*32-1:0] c_o,
  output logic [L-1:0]    chain_cf_o,
  output logic [L-1:0]    chain_zf_o,
  output lane_ctl_t       ctl_o [COPIES],   // one for two lanes
  output logic [L*12-1:0] dst_row_o,
  output logic [L-1:0]    dst_win_o,
  output logic            busy_o,

  // per-thread state that lives in this stage; write ports
  input  logic            a0_we_i,
  input  logic [WW-1:0]   a0_wave_i,
  input  logic [4:0]      a0_beat_i,
  input  logic [L-1:0]    a0_mask_i,
  input  logic [L*12-1:0] a0_data_i,
  // register file
  output logic [2:0]      rf_re_o,
  output logic            rf_bank_o,
  output logic [4:0]      rf_beat_o,
  output logic [11:0]     rf_row_a_o [L],
  output logic [11:0]     rf_row_b_o [L],
  output logic [11:0]     rf_row_c_o [L],
  output logic [L-1:0]    rf_win_a_o,
  output logic [L-1:0]    rf_win_b_o,
  output logic [L-1:0]    rf_win_c_o,
  input  logic [L*32-1:0] rf_a_i,
  input  logic [L*32-1:0] rf_b_i,
  input  logic [L*32-1:0] rf_c_i,
  // condition codes and ALU bits
  output logic [5:0]      cc_wave_o,
  output logic [4:0]      cc_beat_o,
  output logic            cc_pred_re_o,
  output logic [3:0]      cc_pred_index_o,
  output logic            cc_chain_re_o,
  output logic [3:0]      cc_chain_index_o,
  output logic            cc_alu_re_o,
  input  logic [L*4-1:0]  cc_pred_i,
  input  logic [L*4-1:0]  cc_chain_i,
  input  logic [L-1:0]    cc_alu_i,
  // local ids
  output logic            id_re_o,
  output logic [4:0]      id_widx_o,
  output logic [4:0]      id_beat_o,
  input  logic [L*26-1:0] id_i
);
  beat_t        s1, s2_q, s3_q, s4_q, s5_q, s6_q;
  logic [L-1:0] s2_lanes_q, s3_lanes_q, s4_lanes_q, s5_lanes_q, s6_lanes_q;
  /* verilator lint_off UNUSEDSIGNAL */  // travels whole, a part is needed here
  word_mem_t    m1, m2;
  word_alu_t    w3, w4, w5;
  /* verilator lint_on UNUSEDSIGNAL */
  assign s1 = beat_i;
  assign m1 = word_mem_t'(s1.word);
  assign m2 = word_mem_t'(s2_q.word);
  assign w3 = word_alu_t'(s3_q.word);
  assign w4 = word_alu_t'(s4_q.word);
  assign w5 = word_alu_t'(s5_q.word);

  always_ff @(posedge clk_i) begin
    s2_q.valid <= s1.valid;
    s3_q.valid <= s2_q.valid;
    s4_q.valid <= s3_q.valid;
    s5_q.valid <= s4_q.valid;
    s6_q.valid <= s5_q.valid;
    if (s1.valid) begin
      s2_q       <= s1;
      s2_q.low   <= m1.imm[3:0] + s1.base[3:0];
      s2_lanes_q <= lanes_i;
    end
    if (s2_q.valid) begin
      s3_q       <= s2_q;
      s3_lanes_q <= s2_lanes_q;
    end
    if (s3_q.valid) begin
      s4_q       <= s3_q;
      s4_lanes_q <= s3_lanes_q;
    end
    if (s4_q.valid) begin
      s5_q       <= s4_q;
      s5_lanes_q <= s4_lanes_q;
    end
    if (s5_q.valid) begin
      s6_q       <= s5_q;
      s6_lanes_q <= s5_lanes_q;
    end
    if (rst_i) begin
      s2_q.valid <= 1'b0;
      s3_q.valid <= 1'b0;
      s4_q.valid <= 1'b0;
      s5_q.valid <= 1'b0;
      s6_q.valid <= 1'b0;
    end
  end
  assign busy_o = s1.valid || s2_q.valid || s3_q.valid || s4_q.valid || s5_q.valid || s6_q.valid;

  // ---------------------------------------------------------------------------------------------------------- s1, s2: A0
  localparam int unsigned AROWS = C.waves_partial * BEATS;
  localparam int unsigned AW = $clog2(AROWS);
  (* no_rw_check, ram_style = "block" *) logic [L*12-1:0] a0_q [AROWS];
  logic [L*12-1:0] a0_read_q;
  logic [L*12-1:0] a0_s3_q;             // straight from block RAM, which leaves no time for logic
  logic [3:0]      uses_a0_q, uses_al_q; // operands a, b, c and destination: their relative index is A0, or aL
  logic [3:0]      relative;
  /* verilator lint_off UNUSEDSIGNAL */  // travels whole, a part is needed here
  word_alu_t       w2;
  /* verilator lint_on UNUSEDSIGNAL */
  assign w2       = word_alu_t'(s2_q.word);
  assign relative = {w2.dst_rel, w2.c_file == FILE_GPR_REL, w2.b_file == FILE_GPR_REL, w2.a_file == FILE_GPR_REL} & {4{s2_q.alu}};
  always_ff @(posedge clk_i) begin
    if (a0_we_i)
      for (int l = 0; l < int'(L); l++)
        if (a0_mask_i[l]) a0_q[AW'(32'(a0_wave_i) * BEATS + 32'(a0_beat_i))][l*12 +: 12] <= a0_data_i[l*12 +: 12];
    if (s1.valid) a0_read_q <= a0_q[AW'(32'(s1.wave) * BEATS + 32'(s1.beat))];
    a0_s3_q   <= a0_read_q;
    uses_a0_q <= relative & {4{w2.rel_sel == REL_A0}};
    uses_al_q <= relative & {4{w2.rel_sel != REL_A0}};
  end

  // Register numbers before the relative index: alone and less NREGS (for the window), and with the wave's first register (the row).
  typedef struct packed {
    logic        used;
    logic [10:0] number;
    logic [11:0] beyond;    // signed
    logic [11:0] row;
  } place_t;
  function automatic place_t place(input logic used, input logic [10:0] number, input logic [11:0] regbase, input logic [10:0] nregs);
    return '{used, number, {1'b0, number} - {1'b0, nregs}, regbase + {1'b0, number}};
  endfunction
  place_t    pa_q, pb_q, pc_q, pd_q;
  always_ff @(posedge clk_i) begin
    if (s2_q.valid) begin
      if (s2_q.mem) begin
        pa_q <= place(s2_q.info.src_a && !w2.a_file[1], {1'b0, m2.a_idx}, s2_q.regbase, csr_i.nregs);
        pb_q <= place(s2_q.info.src_b, {1'b0, m2.b_idx} + {9'd0, s2_q.comp}, s2_q.regbase, csr_i.nregs);
        pc_q <= place(s2_q.info.kind == KIND_ATOMIC, {1'b0, m2.b_idx} + 11'd1, s2_q.regbase, csr_i.nregs);
        pd_q <= place(1'b0, {1'b0, m2.dst} + {9'd0, s2_q.comp}, s2_q.regbase, csr_i.nregs);
      end else begin
        pa_q <= place(s2_q.info.src_a && !w2.a_file[1], {1'b0, w2.a_idx}, s2_q.regbase, csr_i.nregs);
        pb_q <= place(s2_q.info.src_b && !w2.b_file[1], {1'b0, w2.b_idx}, s2_q.regbase, csr_i.nregs);
        pc_q <= place(s2_q.info.src_c && !w2.c_file[1], {1'b0, w2.c_idx}, s2_q.regbase, csr_i.nregs);
        pd_q <= place(1'b0, {1'b0, w2.dst}, s2_q.regbase, csr_i.nregs);
      end
    end
  end

  // ---------------------------------------------------------------------------------------------------------- s3: rows
  // number + relative index: below 0 or from NREGS on is outside the window. Two sums side by side: a comparison behind a sum would be twice as long.
  logic [11:0]     row_a_q [L], row_b_q [L], row_c_q [L];
  logic [L*12-1:0] row_d_q;
  logic [L-1:0]    win_a_q, win_b_q, win_c_q, win_d_q;
  logic [2:0]      re_q;

  function automatic logic [11:0] offset(input logic [1:0] which, input int unsigned l);
    return (a0_s3_q[l*12 +: 12] & {12{uses_a0_q[which]}}) | (s3_q.rel & {12{uses_al_q[which]}});
  endfunction
  /* verilator lint_off UNUSEDSIGNAL */  // travels whole, a part is needed here
  function automatic logic inside_window(input place_t p, input logic [11:0] rel);
    logic [12:0] n, over;  // only their signs count
  /* verilator lint_on UNUSEDSIGNAL */
    n    = {2'd0, p.number} + {rel[11], rel};
    over = {p.beyond[11], p.beyond} + {rel[11], rel};
    return !n[12] && over[12];
  endfunction

  always_ff @(posedge clk_i) begin
    re_q <= s3_q.valid && !s3_q.flow ? {pc_q.used, pb_q.used, pa_q.used} : '0;
    for (int unsigned l = 0; l < L; l++) begin
      row_a_q[l] <= pa_q.row + offset(2'd0, l);
      row_b_q[l] <= pb_q.row + offset(2'd1, l);
      row_c_q[l] <= pc_q.row + offset(2'd2, l);
      row_d_q[l*12 +: 12] <= pd_q.row + offset(2'd3, l);
      win_a_q[l] <= inside_window(pa_q, offset(2'd0, l));
      win_b_q[l] <= inside_window(pb_q, offset(2'd1, l));
      win_c_q[l] <= inside_window(pc_q, offset(2'd2, l));
      win_d_q[l] <= inside_window(pd_q, offset(2'd3, l));
    end
    if (rst_i) re_q <= '0;
  end

  // ---------------------------------------------------------------------------------------------------------- s4: register file
  assign rf_re_o    = re_q;
  assign rf_bank_o  = BEATS > 1 ? s4_q.beat[0] : s4_q.wave[0];
  assign rf_beat_o  = s4_q.beat;
  assign rf_row_a_o = row_a_q;
  assign rf_row_b_o = row_b_q;
  assign rf_row_c_o = row_c_q;
  assign rf_win_a_o = win_a_q;
  assign rf_win_b_o = win_b_q;
  assign rf_win_c_o = win_c_q;

  // the destination goes along to s6
  logic [L*12-1:0] row_d5_q, row_d6_q;
  logic [L-1:0]    win_d5_q, win_d6_q;
  always_ff @(posedge clk_i) begin
    if (s4_q.valid) begin
      row_d5_q <= row_d_q;
      win_d5_q <= win_d_q;
    end
    if (s5_q.valid) begin
      row_d6_q <= row_d5_q;
      win_d6_q <= win_d5_q;
    end
  end

  // ---------------------------------------------------------------------------------------------------------- s2, s3: ids, flags
  assign id_re_o          = s2_q.valid;
  assign id_widx_o        = s2_q.widx;
  assign id_beat_o        = s2_q.beat;
  logic [1:0] pred_comp;
  assign pred_comp        = s3_q.flow ? s3_q.comp
                          : w3.pred_mask[0] ? 2'd0 : w3.pred_mask[1] ? 2'd1 : w3.pred_mask[2] ? 2'd2 : 2'd3;
  assign cc_wave_o        = s3_q.wave;
  assign cc_beat_o        = s3_q.beat;
  assign cc_pred_re_o     = s3_q.valid && w3.pred_mask != '0;
  assign cc_pred_index_o  = {w3.pred_cc, pred_comp};
  assign cc_chain_re_o    = s3_q.valid && s3_q.alu && (w3.chain_carry || w3.chain_zero);
  assign cc_chain_index_o = {2'd2, w3.chain_comp};
  assign cc_alu_re_o      = s3_q.valid && s3_q.flow;

  // ---------------------------------------------------------------------------------------------------------- s5 -> s6: operands
  // An operand is the OR of what a register gives (0 if it is none), of what all threads share (literal, constant, number of the thread without its
  // lane), and of what is the thread's own (local id, lane).
  typedef struct packed {
    logic x;
    logic y;
    logic z;
    logic lane;
  } own_t;
  function automatic own_t own(input logic alu, input logic [1:0] file, input logic [2:0] which);
    if (!alu || file != FILE_SPECIAL) return '0;
    return '{which == SP_LOCALID_X, which == SP_LOCALID_Y, which == SP_LOCALID_Z, which == SP_LOCALINDEX || which == SP_THREADID};
  endfunction
  function automatic logic [31:0] common(input logic alu, input logic [1:0] file, input logic [2:0] which, input logic [31:0] imm, input logic [9:0] index);
    if (!alu || !file[1]) return '0;
    if (file == FILE_IMM) return imm;
    return which == SP_LOCALINDEX ? {22'd0, index} : which == SP_THREADID ? {27'd0, index[4:0]} : '0;
  endfunction
  function automatic logic [9:0] thread_value(input own_t o, input logic [25:0] id, input logic [9:0] lane);
    return (o.x ? id[9:0] : '0) | (o.y ? id[19:10] : '0) | (o.z ? {4'd0, id[25:20]} : '0) | (o.lane ? lane : '0);
  endfunction
  own_t            own4_a_q, own4_b_q, own4_c_q;   // decoded a stage ahead: each chooses in all lanes
  logic [9:0]      index;
  logic [31:0]     common_a_q, common_b_q, common_c_q;
  logic [L*10-1:0] own_a_q, own_b_q, own_c_q;
  always_ff @(posedge clk_i) if (s3_q.valid) begin
    own4_a_q <= own(s3_q.alu, w3.a_file, w3.a_idx[2:0]);
    own4_b_q <= own(s3_q.alu, w3.b_file, w3.b_idx[2:0]);
    own4_c_q <= own(s3_q.alu, w3.c_file, w3.c_idx[2:0]);
  end
  assign index = {s4_q.widx, 5'(32'(s4_q.beat) * L)};
  always_ff @(posedge clk_i) begin
    common_a_q <= common(s4_q.alu, w4.a_file, w4.a_idx[2:0], s4_q.imm, index);
    common_b_q <= common(s4_q.alu, w4.b_file, w4.b_idx[2:0], s4_q.imm, index);
    common_c_q <= common(s4_q.alu, w4.c_file, w4.c_idx[2:0], s4_q.imm, index);
    for (int l = 0; l < int'(L); l++) begin
      own_a_q[l*10 +: 10] <= thread_value(own4_a_q, id_i[l*26 +: 26], 10'(l));
      own_b_q[l*10 +: 10] <= thread_value(own4_b_q, id_i[l*26 +: 26], 10'(l));
      own_c_q[l*10 +: 10] <= thread_value(own4_c_q, id_i[l*26 +: 26], 10'(l));
    end
  end

  // decoded a stage ahead; the lanes' operations have codes below 32
  lane_ctl_t ctl_q;
  word_alu_t lane_word;
  always_comb begin
    lane_word         = w4;
    lane_word.op[7:5] = '0;
  end
  always_ff @(posedge clk_i) if (s4_q.valid) ctl_q <= mw_lane_decode(lane_word);
  for (genvar k = 0; k < int'(COPIES); k++) begin : g_ctl
    (* keep *) lane_ctl_t copy_q;
    always_ff @(posedge clk_i) if (s5_q.valid) copy_q <= ctl_q;
    assign ctl_o[k] = copy_q;
  end

  always_ff @(posedge clk_i) begin
    for (int l = 0; l < int'(L); l++) begin
      a_o[l*32 +: 32] <= rf_a_i[l*32 +: 32] | common_a_q | {22'd0, own_a_q[l*10 +: 10]};
      b_o[l*32 +: 32] <= rf_b_i[l*32 +: 32] | common_b_q | {22'd0, own_b_q[l*10 +: 10]};
      c_o[l*32 +: 32] <= rf_c_i[l*32 +: 32] | common_c_q | {22'd0, own_c_q[l*10 +: 10]};
    end
    if (s5_q.valid) begin
      for (int l = 0; l < int'(L); l++)
        pred_o[l] <= test_holds(w5.pred_test, flags_t'(cc_pred_i[l*4 +: 4]));
    end
    if (s5_q.valid && s5_q.alu) begin
      for (int l = 0; l < int'(L); l++) begin
        /* verilator lint_off UNUSEDSIGNAL */  // travels whole, a part is needed here
        flags_t f;
        /* verilator lint_on UNUSEDSIGNAL */
        f = flags_t'(cc_chain_i[l*4 +: 4]);
        chain_cf_o[l] <= f.c;
        chain_zf_o[l] <= f.z;
      end
    end
    if (s5_q.valid && s5_q.flow) alu_bits_o <= cc_alu_i;
  end

  (* keep *) logic far0_q, far1_q;
  always_ff @(posedge clk_i) {far0_q, far1_q} <= {2{s5_q.valid && (s5_q.mem || s5_q.special) && !rst_i}};
  assign far_o     = {far1_q, far0_q};
  assign out_o     = s6_q;
  assign lanes_o   = s6_lanes_q;
  assign exec_o    = s6_lanes_q & pred_o;
  assign dst_row_o = row_d6_q;
  assign dst_win_o = win_d6_q;
endmodule
