// Operand stage: from a beat to the values at the lanes' inputs.
//
//   s1  A0 is read; register numbers, rows of the wave  s4  memory output; condition codes and ALU bits are addressed
//   s2  relative index added, window check              s5  register output; local ids; flags come out
//   s3  register file is addressed                      s6  operands, predicate: at the lanes and the memory words' pass
//
// Files: registers (window check gives 0), literal / constant / uniform value (in the beat), per-thread values (local ids, index, thread id).
// Memory words: port A the address register, B the data of this component, C the second operand of CSWAP.
// Timing: out_o six clocks after beat_i. Registers are read at the end of s3: what is written at the end of an earlier clock is seen.
module mw_operand
  import mw_isa_pkg::*;
  import mw_core_pkg::*;
  import mw_lane_pkg::*;
#(
  parameter cfg_t C = CFG_BASE,
  localparam int unsigned L = C.lanes,
  localparam int unsigned BEATS = WAVE_THREADS / L,
  localparam int unsigned WW = $clog2(C.waves_partial)
) (
  input  logic            clk_i,
  input  logic            rst_i,
  input  logic            clear_i,
  /* verilator lint_off UNUSEDSIGNAL */  // travels whole, a part is needed here
  input  csr_t            csr_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  beat_t           beat_i,
  input  logic [L-1:0]    lanes_i,

  output beat_t           out_o,
  output logic [L-1:0]    lanes_o,      // executing threads
  output logic [L-1:0]    exec_o,       // of those, predicate true
  output logic [L-1:0]    pred_o,       // predicate of every lane (flow words: this component's test)
  output logic [L-1:0]    alu_bits_o,
  output logic [L*32-1:0] a_o,
  output logic [L*32-1:0] b_o,
  output logic [L*32-1:0] c_o,
  output logic [L-1:0]    chain_cf_o,
  output logic [L-1:0]    chain_zf_o,
  output lane_ctl_t       ctl_o,
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
  word_alu_t    w4, w5;
  /* verilator lint_on UNUSEDSIGNAL */
  assign s1 = beat_i;
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
    if (rst_i || clear_i) begin
      s2_q.valid <= 1'b0;
      s3_q.valid <= 1'b0;
      s4_q.valid <= 1'b0;
      s5_q.valid <= 1'b0;
      s6_q.valid <= 1'b0;
    end
  end
  assign busy_o = s1.valid || s2_q.valid || s3_q.valid || s4_q.valid || s5_q.valid || s6_q.valid;

  // ---------------------------------------------------------------------------------------------------------- s1: A0
  localparam int unsigned AROWS = C.waves_partial * BEATS;
  localparam int unsigned AW = $clog2(AROWS);
  logic [L*12-1:0] a0_q [AROWS];
  logic [L*12-1:0] rel_q;               // relative index of every lane
  /* verilator lint_off UNUSEDSIGNAL */  // travels whole, a part is needed here
  word_alu_t       w1;
  /* verilator lint_on UNUSEDSIGNAL */
  logic            w1_rel;
  assign w1     = word_alu_t'(s1.word);
  assign w1_rel = s1.alu && (w1.a_file == FILE_GPR_REL || w1.b_file == FILE_GPR_REL || w1.c_file == FILE_GPR_REL || w1.dst_rel);
  always_ff @(posedge clk_i) begin
    if (a0_we_i)
      for (int l = 0; l < int'(L); l++)
        if (a0_mask_i[l]) a0_q[AW'(32'(a0_wave_i) * BEATS + 32'(a0_beat_i))][l*12 +: 12] <= a0_data_i[l*12 +: 12];
    if (s1.valid && w1_rel)
      rel_q <= w1.rel_sel == REL_A0 ? a0_q[AW'(32'(s1.wave) * BEATS + 32'(s1.beat))] : {L{s1.rel}};
  end

  // Register numbers before the relative index, alone (for the window) and with the wave's first register (the row).
  typedef struct packed {
    logic        used;
    logic        rel;
    logic [10:0] number;
    logic [11:0] row;
  } place_t;
  function automatic place_t place(input logic used, input logic rel, input logic [10:0] number, input logic [11:0] regbase);
    return '{used, rel, number, regbase + {1'b0, number}};
  endfunction
  place_t    pa_q, pb_q, pc_q, pd_q;
  /* verilator lint_off UNUSEDSIGNAL */  // travels whole, a part is needed here
  word_mem_t m1;
  /* verilator lint_on UNUSEDSIGNAL */
  assign m1 = word_mem_t'(s1.word);
  always_ff @(posedge clk_i) begin
    if (s1.valid) begin
      if (s1.mem) begin
        pa_q <= place(s1.info.src_a && !w1.a_file[1], 1'b0, {1'b0, m1.a_idx}, s1.regbase);
        pb_q <= place(s1.info.src_b, 1'b0, {1'b0, m1.b_idx} + {9'd0, s1.comp}, s1.regbase);
        pc_q <= place(s1.info.kind == KIND_ATOMIC, 1'b0, {1'b0, m1.b_idx} + 11'd1, s1.regbase);
        pd_q <= place(1'b0, 1'b0, {1'b0, m1.dst} + {9'd0, s1.comp}, s1.regbase);
      end else begin
        pa_q <= place(s1.info.src_a && !w1.a_file[1], w1.a_file == FILE_GPR_REL, {1'b0, w1.a_idx}, s1.regbase);
        pb_q <= place(s1.info.src_b && !w1.b_file[1], w1.b_file == FILE_GPR_REL, {1'b0, w1.b_idx}, s1.regbase);
        pc_q <= place(s1.info.src_c && !w1.c_file[1], w1.c_file == FILE_GPR_REL, {1'b0, w1.c_idx}, s1.regbase);
        pd_q <= place(1'b0, w1.dst_rel, {1'b0, w1.dst}, s1.regbase);
      end
    end
  end

  // ---------------------------------------------------------------------------------------------------------- s2: rows
  // number + relative index: below 0 or from NREGS on is outside the window
  logic [11:0]     row_a_q [L], row_b_q [L], row_c_q [L];
  logic [L*12-1:0] row_d_q;
  logic [L-1:0]    win_a_q, win_b_q, win_c_q, win_d_q;
  logic [2:0]      re_q;

  /* verilator lint_off UNUSEDSIGNAL */  // travels whole, a part is needed here
  function automatic logic inside_window(input place_t p, input logic [11:0] rel, input logic [10:0] nregs);
  /* verilator lint_on UNUSEDSIGNAL */
    logic [13:0] n;
    n = {3'd0, p.number} + (p.rel ? {{2{rel[11]}}, rel} : 14'd0);
    return !n[13] && n[12:0] < {2'd0, nregs};
  endfunction

  always_ff @(posedge clk_i) begin
    re_q <= '0;
    if (s2_q.valid && !s2_q.flow) begin
      re_q <= {pc_q.used, pb_q.used, pa_q.used};
      for (int l = 0; l < int'(L); l++) begin
        logic [11:0] rel;
        rel = rel_q[l*12 +: 12];
        row_a_q[l] <= pa_q.row + (pa_q.rel ? rel : 12'd0);
        row_b_q[l] <= pb_q.row + (pb_q.rel ? rel : 12'd0);
        row_c_q[l] <= pc_q.row + (pc_q.rel ? rel : 12'd0);
        row_d_q[l*12 +: 12] <= pd_q.row + (pd_q.rel ? rel : 12'd0);
        win_a_q[l] <= inside_window(pa_q, rel, csr_i.nregs);
        win_b_q[l] <= inside_window(pb_q, rel, csr_i.nregs);
        win_c_q[l] <= inside_window(pc_q, rel, csr_i.nregs);
        win_d_q[l] <= inside_window(pd_q, rel, csr_i.nregs);
      end
    end
    if (rst_i) re_q <= '0;
  end

  // ---------------------------------------------------------------------------------------------------------- s3: register file
  assign rf_re_o    = re_q;
  assign rf_bank_o  = BEATS > 1 ? s3_q.beat[0] : s3_q.wave[0];
  assign rf_beat_o  = s3_q.beat;
  assign rf_row_a_o = row_a_q;
  assign rf_row_b_o = row_b_q;
  assign rf_row_c_o = row_c_q;
  assign rf_win_a_o = win_a_q;
  assign rf_win_b_o = win_b_q;
  assign rf_win_c_o = win_c_q;

  // the destination goes along to s6
  logic [L*12-1:0] row_d4_q, row_d5_q, row_d6_q;
  logic [L-1:0]    win_d4_q, win_d5_q, win_d6_q;
  always_ff @(posedge clk_i) begin
    if (s3_q.valid) begin
      row_d4_q <= row_d_q;
      win_d4_q <= win_d_q;
    end
    if (s4_q.valid) begin
      row_d5_q <= row_d4_q;
      win_d5_q <= win_d4_q;
    end
    if (s5_q.valid) begin
      row_d6_q <= row_d5_q;
      win_d6_q <= win_d5_q;
    end
  end

  // ---------------------------------------------------------------------------------------------------------- s4: flags, ids
  logic [1:0] pred_comp;
  assign pred_comp        = s4_q.flow ? s4_q.comp
                          : w4.pred_mask[0] ? 2'd0 : w4.pred_mask[1] ? 2'd1 : w4.pred_mask[2] ? 2'd2 : 2'd3;
  assign cc_wave_o        = s4_q.wave;
  assign cc_beat_o        = s4_q.beat;
  assign cc_pred_re_o     = s4_q.valid && w4.pred_mask != '0;
  assign cc_pred_index_o  = {w4.pred_cc, pred_comp};
  assign cc_chain_re_o    = s4_q.valid && s4_q.alu && (w4.chain_carry || w4.chain_zero);
  assign cc_chain_index_o = {2'd2, w4.chain_comp};
  assign cc_alu_re_o      = s4_q.valid && s4_q.flow;
  assign id_re_o          = s4_q.valid && s4_q.alu && (w4.a_file == FILE_SPECIAL || w4.b_file == FILE_SPECIAL || w4.c_file == FILE_SPECIAL);
  assign id_widx_o        = s4_q.widx;
  assign id_beat_o        = s4_q.beat;

  // ---------------------------------------------------------------------------------------------------------- s5 -> s6: operands
  function automatic logic [9:0] special(input logic [2:0] which, input logic [25:0] id, input logic [9:0] index);
    case (which)
      SP_LOCALID_X:  return id[9:0];
      SP_LOCALID_Y:  return id[19:10];
      SP_LOCALID_Z:  return {4'd0, id[25:20]};
      SP_LOCALINDEX: return index;
      default:       return {5'd0, index[4:0]};
    endcase
  endfunction
  function automatic logic [31:0] choose(input logic [1:0] file, input logic [31:0] register, input logic [31:0] imm, input logic [9:0] spec);
    case (file)
      FILE_IMM:     return imm;
      FILE_SPECIAL: return {22'd0, spec};
      default:      return register;
    endcase
  endfunction

  lane_ctl_t ctl_q;                      // decoded a stage ahead
  always_ff @(posedge clk_i) if (s4_q.valid) ctl_q <= mw_lane_decode(w4);
  logic a_none;                          // memory word without address register
  assign a_none = s5_q.mem && w5.a_file == FILE_IMM;
  always_ff @(posedge clk_i) begin
    if (s5_q.valid) begin
      ctl_o <= ctl_q;
      for (int l = 0; l < int'(L); l++) begin
        logic [9:0] index;
        index = {s5_q.widx, 5'(32'(s5_q.beat) * L + 32'(l))};
        if (s5_q.alu) begin
          a_o[l*32 +: 32] <= choose(w5.a_file, rf_a_i[l*32 +: 32], s5_q.imm, special(w5.a_idx[2:0], id_i[l*26 +: 26], index));
          b_o[l*32 +: 32] <= choose(w5.b_file, rf_b_i[l*32 +: 32], s5_q.imm, special(w5.b_idx[2:0], id_i[l*26 +: 26], index));
          c_o[l*32 +: 32] <= choose(w5.c_file, rf_c_i[l*32 +: 32], s5_q.imm, special(w5.c_idx[2:0], id_i[l*26 +: 26], index));
        end else if (s5_q.mem) begin
          a_o[l*32 +: 32] <= a_none ? '0 : rf_a_i[l*32 +: 32];
          b_o[l*32 +: 32] <= rf_b_i[l*32 +: 32];
          c_o[l*32 +: 32] <= rf_c_i[l*32 +: 32];
        end
        pred_o[l] <= test_holds(w5.pred_test, flags_t'(cc_pred_i[l*4 +: 4]));
      end
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

  assign out_o     = s6_q;
  assign lanes_o   = s6_lanes_q;
  assign exec_o    = s6_lanes_q & pred_o;
  assign dst_row_o = row_d6_q;
  assign dst_win_o = win_d6_q;
endmodule
