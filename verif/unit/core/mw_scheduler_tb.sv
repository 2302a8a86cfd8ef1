// mw_scheduler of one configuration; the vectors are as wide as C++ needs them at most.
module mw_scheduler_tb
  import mw_isa_pkg::*;
  import mw_core_pkg::*;
#(
  parameter int unsigned CFG = 2,
  localparam cfg_t C = cfg_of(CFG),
  localparam int unsigned NW = C.waves_partial,
  localparam int unsigned WW = $clog2(NW)
) (
  input  logic        clk_i,
  input  logic        rst_i,
  input  logic        stop_i,
  /* verilator lint_off UNUSEDSIGNAL */  // the small configuration has fewer waves
  input  logic [63:0] valid_i,
  input  logic [63:0] have_i,
  input  logic [63:0] need_wait_axi_i,
  input  logic [63:0] need_wait_shared_i,
  input  logic [63:0] need_axi_i,
  input  logic [63:0] need_shared_i,
  input  logic [63:0] need_wide_i,
  input  logic [63:0] need_flow_i,
  input  logic [63:0] need_fence_i,
  input  logic [63:0] need_special_i,
  input  logic [63:0] sem_axi_i,
  input  logic [63:0] sem_shared_i,
  input  logic [63:0] memory_busy_i,
  input  logic [63:0] free_mask_i,
  input  logic [5:0]  free_wave_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic        axi_done_i,
  input  logic        special_done_i,
  input  logic        shared_gone_i,
  input  logic        shared_gone_wide_i,
  input  logic        flow_retire_i,
  input  logic        free_a_i,
  output logic        sel_valid_o,
  output logic [5:0]  sel_wave_o,
  input  logic        sel_ready_i,
  output logic [6:0]  stall_semaphore_o,
  output logic [6:0]  stall_fetch_o,
  output logic [6:0]  stall_special_o,
  output logic [6:0]  stall_memory_o
);
  logic [WW-1:0] wave;
  logic          unused_rd;
  mw_scheduler #(.C(C)) u_dut (
    .clk_i, .rst_i, .stop_i, .valid_i(valid_i[NW-1:0]), .have_i(have_i[NW-1:0]),
    .need_wait_axi_i(need_wait_axi_i[NW-1:0]), .need_wait_shared_i(need_wait_shared_i[NW-1:0]), .need_axi_i(need_axi_i[NW-1:0]),
    .need_shared_i(need_shared_i[NW-1:0]), .need_wide_i(need_wide_i[NW-1:0]), .need_flow_i(need_flow_i[NW-1:0]),
    .need_fence_i(need_fence_i[NW-1:0]), .need_special_i(need_special_i[NW-1:0]), .sem_axi_i(sem_axi_i[NW-1:0]), .sem_shared_i(sem_shared_i[NW-1:0]),
    .memory_busy_i(memory_busy_i[NW-1:0]), .rd_i('0), .axi_done_i, .special_done_i, .shared_gone_i, .shared_gone_wide_i, .flow_retire_i,
    .launch_i(1'b0), .launch_wave_i('0), .free_a_i, .free_a_wave_i(free_wave_i[WW-1:0]), .free_b_i(1'b0), .free_b_wave_i('0),
    .free_f_i(1'b0), .free_f_wave_i('0), .free_s_i(1'b0), .free_s_wave_i('0), .free_mask_i(free_mask_i[NW-1:0]),
    .sel_valid_o, .sel_wave_o(wave), .sel_rd_o(unused_rd), .sel_ready_i, .stall_semaphore_o, .stall_fetch_o, .stall_special_o, .stall_memory_o
  );
  assign sel_wave_o = 6'(wave);
endmodule
