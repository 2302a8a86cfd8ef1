// Records (architecture.md, "Records"): what the record ports say, put together from the places where it happens. Records of memory accesses come from
// the memory units themselves. With RECORD = 0 all ports are constant 0.
// Timing: in the clock in which it happens; F records two clocks behind the flow unit's response, when a BAR's comparison is known.
module mw_records
  import mw_isa_pkg::*;
  import mw_core_pkg::*;
#(
  parameter cfg_t C = CFG_BASE,
  parameter bit RECORD = 1'b1,
  localparam int unsigned L = C.lanes,
  localparam int unsigned WW = $clog2(C.waves_partial),
  localparam int unsigned GW = $clog2(C.group_slots)
) (
  input  logic            clk_i,
  /* verilator lint_off UNUSEDSIGNAL */  // travels whole, a part is needed here
  input  logic            group_valid_i,   // launch of a group
  input  logic [GW-1:0]   group_slot_i,
  input  logic [15:0]     group_x_i,
  input  logic [15:0]     group_y_i,
  input  logic [15:0]     group_z_i,
  input  logic [31:0]     group_number_i,
  input  logic            wb_valid_i,   // ALU beat at write-back
  input  wb_ctl_t         wb_i,
  input  logic [31:0]     wb_seq_i,
  input  logic [23:0]     wb_pc_i,
  input  logic            wb_first_i,
  input  logic [L-1:0]    wb_active_i,
  input  logic [L-1:0]    wb_exec_i,
  input  logic [L*32-1:0] wb_result_i,
  input  logic [L*4-1:0]  wb_flags_i,
  input  beat_t           beat_i,   // operand stage s6: words whose result comes late or never
  input  logic [L-1:0]    lanes_i,
  input  logic [L-1:0]    exec_i,
  input  logic            late_i,   // late result
  input  logic [WW-1:0]   late_wave_i,
  input  logic [31:0]     late_seq_i,
  input  logic [1:0]      late_comp_i,
  input  logic [4:0]      late_beat_i,
  input  logic [L-1:0]    late_mask_i,
  input  logic [9:0]      late_dst_i,
  input  logic [L*32-1:0] late_data_i,
  input  logic            raw_valid_i,   // response of mw_flow
  input  logic [10:0]     raw_db_i,
  input  logic [8:0]      raw_dl_i,
  input  logic [5:0]      raw_dc_i,
  input  logic [95:0]     raw_state_i,
  input  logic [351:0]    raw_level_i,
  input  logic [2:0]      raw_frame_i,
  input  logic [31:0]     raw_frame_a_i,
  input  logic [31:0]     raw_frame_b_i,
  input  logic [31:0]     raw_frame_c_i,
  input  logic            rsp_valid_i,   // ... a clock later
  input  logic            rsp_jump_i,
  input  logic [23:0]     rsp_pc_i,
  input  logic            flow_retired_i,   // ... and three: the word has retired
  input  logic [WW-1:0]   flow_wave_i,
  input  logic [31:0]     flow_seq_i,
  input  logic [23:0]     flow_pc_i,
  input  logic            release_valid_i,   // barrier opened
  input  logic [GW-1:0]   release_slot_i,
  input  logic            group_end_i,
  input  logic [GW-1:0]   group_end_slot_i,
  input  logic            fault_i,   // the dispatch's fault
  input  fault_e          fault_code_i,
  input  logic [WW-1:0]   fault_wave_i,
  input  logic [23:0]     fault_pc_i,
  input  logic [31:0]     fault_lanes_i,
  /* verilator lint_on UNUSEDSIGNAL */

  output logic            rec_launch_valid_o,
  output logic [GW-1:0]   rec_launch_slot_o,
  output logic [15:0]     rec_launch_x_o,
  output logic [15:0]     rec_launch_y_o,
  output logic [15:0]     rec_launch_z_o,
  output logic [31:0]     rec_launch_number_o,
  output logic            rec_r_valid_o,
  output logic [WW-1:0]   rec_r_wave_o,
  output logic [31:0]     rec_r_seq_o,
  output logic [23:0]     rec_r_pc_o,
  output logic [4:0]      rec_r_beat_o,
  output logic            rec_r_first_o,
  output logic            rec_r_last_o,
  output logic [L-1:0]    rec_r_active_o,
  output logic [L-1:0]    rec_r_exec_o,
  output logic            rec_r_dst_en_o,
  output logic            rec_r_cc_en_o,
  output logic [L*32-1:0] rec_r_data_o,
  output logic [L*4-1:0]  rec_r_flags_o,
  output logic            rec_rm_valid_o,
  output logic [WW-1:0]   rec_rm_wave_o,
  output logic [31:0]     rec_rm_seq_o,
  output logic [23:0]     rec_rm_pc_o,
  output logic [4:0]      rec_rm_beat_o,
  output logic            rec_rm_first_o,
  output logic            rec_rm_last_o,
  output logic [L-1:0]    rec_rm_active_o,
  output logic [L-1:0]    rec_rm_exec_o,
  output logic            rec_f_valid_o,
  output logic [WW-1:0]   rec_f_wave_o,
  output logic [31:0]     rec_f_seq_o,
  output logic [23:0]     rec_f_pc_o,
  output logic            rec_f_jump_o,
  output logic [23:0]     rec_f_next_o,
  output logic [10:0]     rec_f_db_o,
  output logic [8:0]      rec_f_dl_o,
  output logic [5:0]      rec_f_dc_o,
  output logic [95:0]     rec_f_state_o,
  output logic [351:0]    rec_f_level_o,
  output logic [2:0]      rec_f_frame_o,
  output logic [31:0]     rec_f_frame_a_o,
  output logic [31:0]     rec_f_frame_b_o,
  output logic [31:0]     rec_f_frame_c_o,
  output logic            rec_w_valid_o,
  output logic [WW-1:0]   rec_w_wave_o,
  output logic [31:0]     rec_w_seq_o,
  output logic [1:0]      rec_w_comp_o,
  output logic [4:0]      rec_w_beat_o,
  output logic [L-1:0]    rec_w_mask_o,
  output logic [9:0]      rec_w_reg_o,
  output logic [L*32-1:0] rec_w_data_o,
  output logic            rec_bar_valid_o,
  output logic [GW-1:0]   rec_bar_slot_o,
  output logic            rec_gend_valid_o,
  output logic [GW-1:0]   rec_gend_slot_o,
  output logic            rec_fault_valid_o,
  output logic [3:0]      rec_fault_code_o,
  output logic [WW-1:0]   rec_fault_wave_o,
  output logic [23:0]     rec_fault_pc_o,
  output logic [31:0]     rec_fault_lanes_o
);
  if (RECORD) begin : g_record
    // the flow unit's record waits until the word has retired
    typedef struct packed {
      logic [10:0]  db;
      logic [8:0]   dl;
      logic [5:0]   dc;
      logic [95:0]  state;
      logic [351:0] level;
      logic [2:0]   frame;
      logic [31:0]  frame_a;
      logic [31:0]  frame_b;
      logic [31:0]  frame_c;
    } flow_t;
    flow_t       rsp_q, end_q;
    logic        jump_q;
    logic [23:0] next_q;
    always_ff @(posedge clk_i) begin
      if (raw_valid_i)
        rsp_q <= '{raw_db_i, raw_dl_i, raw_dc_i, raw_state_i, raw_level_i, raw_frame_i, raw_frame_a_i, raw_frame_b_i, raw_frame_c_i};
      if (rsp_valid_i) begin
        end_q  <= rsp_q;
        jump_q <= rsp_jump_i;
        next_q <= rsp_pc_i;
      end
    end

    assign rec_launch_valid_o   = group_valid_i;
    assign rec_launch_slot_o    = group_slot_i;
    assign rec_launch_x_o       = group_x_i;
    assign rec_launch_y_o       = group_y_i;
    assign rec_launch_z_o       = group_z_i;
    assign rec_launch_number_o  = group_number_i;
    assign rec_r_valid_o        = wb_valid_i;
    assign rec_r_wave_o         = wb_i.wave[WW-1:0];
    assign rec_r_seq_o          = wb_seq_i;
    assign rec_r_pc_o           = wb_pc_i;
    assign rec_r_beat_o         = wb_i.beat;
    assign rec_r_first_o        = wb_first_i;
    assign rec_r_last_o         = wb_i.last;
    assign rec_r_active_o       = wb_active_i;
    assign rec_r_exec_o         = wb_exec_i;
    assign rec_r_dst_en_o       = wb_i.dst_en;
    assign rec_r_cc_en_o        = wb_i.cc_en;
    assign rec_r_data_o         = wb_result_i;
    assign rec_r_flags_o        = wb_flags_i;
    assign rec_rm_valid_o       = beat_i.valid && (beat_i.mem || beat_i.special) && beat_i.pass0;
    assign rec_rm_wave_o        = beat_i.wave[WW-1:0];
    assign rec_rm_seq_o         = beat_i.seq;
    assign rec_rm_pc_o          = beat_i.pc;
    assign rec_rm_beat_o        = beat_i.beat;
    assign rec_rm_first_o       = beat_i.first;
    assign rec_rm_last_o        = beat_i.pass0_last;
    assign rec_rm_active_o      = lanes_i;
    assign rec_rm_exec_o        = exec_i;
    assign rec_f_valid_o        = flow_retired_i;
    assign rec_f_wave_o         = flow_wave_i;
    assign rec_f_seq_o          = flow_seq_i;
    assign rec_f_pc_o           = flow_pc_i;
    assign rec_f_jump_o         = jump_q;
    assign rec_f_next_o         = next_q;
    assign rec_f_db_o           = end_q.db;
    assign rec_f_dl_o           = end_q.dl;
    assign rec_f_dc_o           = end_q.dc;
    assign rec_f_state_o        = end_q.state;
    assign rec_f_level_o        = end_q.level;
    assign rec_f_frame_o        = end_q.frame;
    assign rec_f_frame_a_o      = end_q.frame_a;
    assign rec_f_frame_b_o      = end_q.frame_b;
    assign rec_f_frame_c_o      = end_q.frame_c;
    assign rec_w_valid_o        = late_i;
    assign rec_w_wave_o         = late_wave_i;
    assign rec_w_seq_o          = late_seq_i;
    assign rec_w_comp_o         = late_comp_i;
    assign rec_w_beat_o         = late_beat_i;
    assign rec_w_mask_o         = late_mask_i;
    assign rec_w_reg_o          = late_dst_i;
    assign rec_w_data_o         = late_data_i;
    assign rec_bar_valid_o      = release_valid_i;
    assign rec_bar_slot_o       = release_slot_i;
    assign rec_gend_valid_o     = group_end_i;
    assign rec_gend_slot_o      = group_end_slot_i;
    assign rec_fault_valid_o    = fault_i;
    assign rec_fault_code_o     = fault_code_i;
    assign rec_fault_wave_o     = fault_wave_i;
    assign rec_fault_pc_o       = fault_pc_i;
    assign rec_fault_lanes_o    = fault_lanes_i;
  end else begin : g_record
    assign {rec_launch_valid_o, rec_launch_slot_o, rec_launch_x_o, rec_launch_y_o, rec_launch_z_o, rec_launch_number_o} = '0;
    assign {rec_r_valid_o, rec_r_wave_o, rec_r_seq_o, rec_r_pc_o, rec_r_beat_o, rec_r_first_o, rec_r_last_o, rec_r_active_o, rec_r_exec_o,
            rec_r_dst_en_o, rec_r_cc_en_o, rec_r_data_o, rec_r_flags_o} = '0;
    assign {rec_rm_valid_o, rec_rm_wave_o, rec_rm_seq_o, rec_rm_pc_o, rec_rm_beat_o, rec_rm_first_o, rec_rm_last_o, rec_rm_active_o,
            rec_rm_exec_o} = '0;
    assign {rec_f_valid_o, rec_f_wave_o, rec_f_seq_o, rec_f_pc_o, rec_f_jump_o, rec_f_next_o, rec_f_db_o, rec_f_dl_o, rec_f_dc_o, rec_f_state_o,
            rec_f_level_o, rec_f_frame_o, rec_f_frame_a_o, rec_f_frame_b_o, rec_f_frame_c_o} = '0;
    assign {rec_w_valid_o, rec_w_wave_o, rec_w_seq_o, rec_w_comp_o, rec_w_beat_o, rec_w_mask_o, rec_w_reg_o, rec_w_data_o} = '0;
    assign {rec_bar_valid_o, rec_bar_slot_o, rec_gend_valid_o, rec_gend_slot_o} = '0;
    assign {rec_fault_valid_o, rec_fault_code_o, rec_fault_wave_o, rec_fault_pc_o, rec_fault_lanes_o} = '0;
  end
endmodule
