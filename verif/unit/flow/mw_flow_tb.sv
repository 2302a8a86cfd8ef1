// mw_flow with its configuration chosen by number, so that one test can verilate it for several.
module mw_flow_tb
  import mw_isa_pkg::*;
#(
  parameter int unsigned CFG = 2,
  localparam cfg_t C = cfg_of(CFG),
  localparam int unsigned WW = $clog2(C.waves_partial)
) (
  input  logic          clk_i,
  input  logic          rst_i,
  input  logic          full_i,
  input  logic [31:0]   bools_i,
  input  logic          init_valid_i,
  input  logic [WW-1:0] init_wave_i,
  input  logic [31:0]   init_live_i,
  input  logic          req_valid_i,
  output logic          req_ready_o,
  input  logic [WW-1:0] req_wave_i,
  input  logic [23:0]   req_pc_i,
  input  word_flow_t    req_word_i,
  input  logic [31:0]   req_pred_i,
  input  logic [31:0]   req_alu_i,
  input  logic          req_alu_valid_i,
  output logic          rsp_valid_o,
  output logic [WW-1:0] rsp_wave_o,
  output logic [23:0]   rsp_pc_o,
  output logic          rsp_jump_o,
  output logic [31:0]   rsp_active_o,
  output logic [31:0]   rsp_live_o,
  output logic          rsp_ended_o,
  output fault_e        rsp_fault_o,
  output logic [9:0]    rsp_al_o,
  output logic [5:0]    rsp_depth_o,
  output logic [10:0]   rsp_db_o,
  output logic [8:0]    rsp_dl_o,
  output logic [5:0]    rsp_dc_o,
  output logic [95:0]   rsp_state_o,
  output logic [351:0]  rsp_level_o,
  output logic [2:0]    rsp_frame_o,
  output logic [31:0]   rsp_frame_a_o,
  output logic [31:0]   rsp_frame_b_o,
  output logic [31:0]   rsp_frame_c_o
);
  mw_flow #(.C(C)) u_flow (.*);
endmodule
