// The whole compute unit: CSR slave, dispatcher, waves, pipeline, flow unit, memory units, AXI master, records (docs/architecture.md).
// CFG chooses a named configuration (isa/isa.toml). With RECORD = 0 the record ports are constant 0.
module mw_top
  import mw_isa_pkg::*;
  import mw_core_pkg::*;
  import mw_lane_pkg::*;
#(
  parameter int unsigned CFG = 2,
  parameter bit RECORD = 1'b1,
  localparam cfg_t C = cfg_of(CFG),
  localparam int unsigned L = C.lanes,
  localparam int unsigned NW = C.waves_partial,
  localparam int unsigned WW = $clog2(NW),
  localparam int unsigned GW = $clog2(C.group_slots),
  localparam int unsigned D = C.axi_bits,
  localparam int unsigned FILL_WORDS = L == 1 ? 1 : C.banks   // of a row of shared memory
) (
  input  logic            clk_i,
  input  logic            rst_i,
  output logic            done_o,       // interrupt: the last dispatch has ended

  input  logic            csr_awvalid_i,
  output logic            csr_awready_o,
  input  logic [12:0]     csr_awaddr_i,
  input  logic            csr_wvalid_i,
  output logic            csr_wready_o,
  input  logic [31:0]     csr_wdata_i,
  input  logic [3:0]      csr_wstrb_i,
  output logic            csr_bvalid_o,
  input  logic            csr_bready_i,
  output logic [1:0]      csr_bresp_o,
  input  logic            csr_arvalid_i,
  output logic            csr_arready_o,
  input  logic [12:0]     csr_araddr_i,
  output logic            csr_rvalid_o,
  input  logic            csr_rready_i,
  output logic [31:0]     csr_rdata_o,
  output logic [1:0]      csr_rresp_o,

  output logic            axi_awvalid_o,
  input  logic            axi_awready_i,
  output logic            axi_awid_o,
  output logic [31:0]     axi_awaddr_o,
  output logic [7:0]      axi_awlen_o,
  output logic [2:0]      axi_awsize_o,
  output logic [1:0]      axi_awburst_o,
  output logic            axi_wvalid_o,
  input  logic            axi_wready_i,
  output logic [D-1:0]    axi_wdata_o,
  output logic [D/8-1:0]  axi_wstrb_o,
  output logic            axi_wlast_o,
  input  logic            axi_bvalid_i,
  output logic            axi_bready_o,
  /* verilator lint_off UNUSEDSIGNAL */  // all writes have one id
  input  logic            axi_bid_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic [1:0]      axi_bresp_i,
  output logic            axi_arvalid_o,
  input  logic            axi_arready_i,
  output logic            axi_arid_o,
  output logic [31:0]     axi_araddr_o,
  output logic [7:0]      axi_arlen_o,
  output logic [2:0]      axi_arsize_o,
  output logic [1:0]      axi_arburst_o,
  input  logic            axi_rvalid_i,
  output logic            axi_rready_o,
  input  logic            axi_rid_i,
  input  logic [D-1:0]    axi_rdata_i,
  input  logic [1:0]      axi_rresp_i,
  input  logic            axi_rlast_i,

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
  output logic            rec_ms_valid_o,
  output logic [WW-1:0]   rec_ms_wave_o,
  output logic [31:0]     rec_ms_seq_o,
  output logic            rec_ms_first_o,
  output logic [1:0]      rec_ms_comp_o,
  output logic [4:0]      rec_ms_beat_o,
  output logic [L-1:0]    rec_ms_mask_o,
  output logic [L*32-1:0] rec_ms_addr_o,
  output logic [L*32-1:0] rec_ms_data_o,
  output logic [L*32-1:0] rec_ms_old_o,
  output logic            rec_mg_valid_o,
  output logic [WW-1:0]   rec_mg_wave_o,
  output logic [31:0]     rec_mg_seq_o,
  output logic            rec_mg_first_o,
  output logic [1:0]      rec_mg_comp_o,
  output logic [4:0]      rec_mg_beat_o,
  output logic [L-1:0]    rec_mg_mask_o,
  output logic [L*32-1:0] rec_mg_addr_o,
  output logic [L*32-1:0] rec_mg_data_o,
  output logic [L*32-1:0] rec_mg_old_o,
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
  // Reset goes everywhere from registers, of which the parts of the pipeline that also forget the last dispatch have their own; the CSR slave, which may
  // be asked in the clock after it, takes it as it comes.
  logic            clear;
  logic            rst;
  (* keep *) logic rst_issue, rst_data, rst_late, rst_shared, rst_axi, rst_special;
  always_ff @(posedge clk_i) begin
    rst <= rst_i;
    {rst_issue, rst_data, rst_late, rst_shared, rst_axi, rst_special} <= {6{rst_i || clear}};
  end

  // ------------------------------------------------------------------------------------------------------------------ CSR
  csr_t        csr;
  logic        start, invalidate, busy, done, run, stop, quiet;
  logic        const_we, slot_we;
  logic [9:0]  window_addr;
  logic [31:0] window_data;
  logic [5:0]  counter_addr;
  logic [31:0] counter_data;
  logic        counter_valid;
  fault_e      fault_code;
  logic [23:0] fault_pc;
  logic [31:0] fault_lanes;
  logic [4:0]  fault_widx, fault_widx_table;
  logic [47:0] fault_group;

  mw_csr #(.C(C)) u_csr (
    .clk_i, .rst_i,
    .awvalid_i(csr_awvalid_i), .awready_o(csr_awready_o), .awaddr_i(csr_awaddr_i),
    .wvalid_i(csr_wvalid_i), .wready_o(csr_wready_o), .wdata_i(csr_wdata_i), .wstrb_i(csr_wstrb_i),
    .bvalid_o(csr_bvalid_o), .bready_i(csr_bready_i), .bresp_o(csr_bresp_o),
    .arvalid_i(csr_arvalid_i), .arready_o(csr_arready_o), .araddr_i(csr_araddr_i),
    .rvalid_o(csr_rvalid_o), .rready_i(csr_rready_i), .rdata_o(csr_rdata_o), .rresp_o(csr_rresp_o),
    .csr_o(csr), .start_o(start), .invalidate_o(invalidate), .busy_i(busy), .done_i(done), .irq_o(done_o),
    .const_we_o(const_we), .slot_we_o(slot_we), .window_addr_o(window_addr), .window_data_o(window_data),
    .counter_addr_o(counter_addr), .counter_data_i(counter_data), .counter_valid_i(counter_valid),
    .fault_code_i(fault_code), .fault_pc_i(fault_pc), .fault_wave_i(fault_widx), .fault_lanes_i(fault_lanes), .fault_group_i(fault_group)
  );

  // ------------------------------------------------------------------------------------------------------------- dispatch
  logic          setup_valid, setup_wait;
  logic [WW-1:0] setup_wave;
  logic [11:0]   setup_regbase;
  logic [9:0]    fill_index;
  logic [GW-1:0] setup_gslot;
  logic [4:0]    setup_widx, fill_beat;
  /* verilator lint_off UNUSEDSIGNAL */  // travels whole, a part is needed here
  logic [15:0]   setup_shared, fill_shared, fill_srow;
  /* verilator lint_on UNUSEDSIGNAL */
  logic          fill_start, fill_busy, fill_making, fill_way, fill_reg, fill_cc, fill_a0, fill_sh, fill_reg_ready, fill_cc_ready, fill_a0_ready, fill_sh_ready;
  logic [WW-1:0] fill_first, fill_wave;
  logic [31:0]   fill_number;
  assign fill_busy = fill_making || fill_way;
  logic [L*32-1:0] fill_data;
  logic [FILL_WORDS*32-1:0] fill_sdata;
  logic          uniform_we;
  logic [3:0]    uniform_code;
  logic [31:0]   uniform_wdata;
  logic          group_valid;
  logic [GW-1:0] group_slot;
  logic [15:0]   group_x, group_y, group_z;
  logic [31:0]   group_number;
  logic          wave_valid, wave_ready, launch_hold;
  logic [WW-1:0] launch_wave;
  logic [31:0]   launch_live;
  logic          group_end;
  logic [GW-1:0] group_end_slot;
  logic          launch, rsp_valid;
  assign wave_ready = !rsp_valid;      // the flow unit's response has the wave table's port
  assign launch     = wave_valid && wave_ready;

  mw_dispatch #(.C(C)) u_dispatch (
    .clk_i, .rst_i(rst), .csr_i(csr), .start_i(start), .stop_i(stop), .idle_i(quiet), .clear_o(clear), .busy_o(busy), .run_o(run), .done_o(done),
    .setup_valid_o(setup_valid), .setup_wave_o(setup_wave), .setup_regbase_o(setup_regbase), .setup_gslot_o(setup_gslot),
    .setup_widx_o(setup_widx), .setup_shared_o(setup_shared), .setup_wait_i(setup_wait),
    .fill_start_o(fill_start), .fill_wave_o(fill_first), .fill_shared_o(fill_shared),
    .fill_number_o(fill_number), .fill_busy_i(fill_busy),
    .uniform_we_o(uniform_we), .uniform_code_o(uniform_code), .uniform_data_o(uniform_wdata),
    .group_valid_o(group_valid), .group_slot_o(group_slot), .group_x_o(group_x), .group_y_o(group_y), .group_z_o(group_z),
    .group_number_o(group_number),
    .wave_hold_o(launch_hold), .wave_valid_o(wave_valid), .wave_ready_i(wave_ready), .wave_o(launch_wave), .wave_live_o(launch_live),
    .group_end_i(group_end), .group_end_slot_i(group_end_slot)
  );

  mw_launch_fill #(.C(C)) u_fill (
    .clk_i, .rst_i(rst), .csr_i(csr), .start_i(fill_start), .wave_i(fill_first), .shared_i(fill_shared),
    .number_i(fill_number), .busy_o(fill_making),
    .reg_valid_o(fill_reg), .cc_valid_o(fill_cc), .a0_valid_o(fill_a0),
    .reg_ready_i(fill_reg_ready), .cc_ready_i(fill_cc_ready), .a0_ready_i(fill_a0_ready),
    .wave_o(fill_wave), .beat_o(fill_beat), .index_o(fill_index), .data_o(fill_data),
    .shared_valid_o(fill_sh), .shared_ready_i(fill_sh_ready), .shared_row_o(fill_srow), .shared_data_o(fill_sdata)
  );

  logic            id_re;
  logic [4:0]      id_widx, id_beat;
  logic [L*26-1:0] id_data;
  mw_localid #(.C(C)) u_localid (
    .clk_i, .rst_i(rst), .csr_i(csr), .start_i(clear), .busy_o(setup_wait),
    .re_i(id_re), .widx_i(id_widx), .beat_i(id_beat), .data_o(id_data)
  );

  // ---------------------------------------------------------------------------------------------------------------- waves
  logic [WW-1:0] sel_wave, fire_wave, rsp_wave, flow_wave, fault_wave;
  logic [WW-1:0] late_wave;
  logic [11:0]   late_regbase;
  logic [31:0]   w_active, w_live, w_seq, fire_seq, rsp_active, rsp_live, flow_active;
  logic [9:0]    w_al, rsp_al;
  logic [5:0]    w_depth, rsp_depth;
  logic [11:0]   w_regbase;
  logic [GW-1:0] w_gslot, flow_gslot, fault_gslot, end_slot;
  logic [4:0]    w_widx;
  logic [15:0]   w_shared;
  /* verilator lint_off UNUSEDSIGNAL */  // for assertions
  fetched_t      fire_word;
  /* verilator lint_on UNUSEDSIGNAL */
  logic          fire, fire_alu, fire_alu_we, fire_special, fire_mem, fire_shared, fire_acquire;
  logic          update, rsp_ended, end_valid;
  logic [NW-1:0] valid, alu_valid, memory_busy, sem_axi, sem_shared;

  mw_wave_table #(.C(C)) u_waves (
    .clk_i, .rst_i(rst_issue),
    .setup_valid_i(setup_valid), .setup_wave_i(setup_wave), .setup_regbase_i(setup_regbase), .setup_gslot_i(setup_gslot),
    .setup_widx_i(setup_widx), .setup_shared_i(setup_shared),
    .launch_valid_i(launch), .launch_wave_i(launch_wave),
    .launch_live_i(launch_live),
    .issue_wave_i(sel_wave), .issue_active_o(w_active), .issue_live_o(w_live), .issue_al_o(w_al), .issue_depth_o(w_depth),
    .issue_seq_o(w_seq), .issue_regbase_o(w_regbase), .issue_gslot_o(w_gslot), .issue_widx_o(w_widx), .issue_shared_o(w_shared),
    .fire_i(fire), .fire_wave_i(fire_wave), .fire_seq_i(fire_seq), .fire_alu_we_i(fire_alu_we),
    .rsp_valid_i(update), .rsp_wave_i(rsp_wave), .rsp_active_i(rsp_active), .rsp_live_i(rsp_live), .rsp_al_i(rsp_al),
    .rsp_depth_i(rsp_depth), .rsp_ended_i(rsp_ended), .flow_wave_i(flow_wave), .flow_active_o(flow_active), .flow_gslot_o(flow_gslot),
    .late_wave_i(late_wave), .late_regbase_o(late_regbase),
    .fault_wave_i(fault_wave), .fault_gslot_o(fault_gslot), .fault_widx_o(fault_widx_table),
    .memory_busy_i(memory_busy), .valid_o(valid), .alu_valid_o(alu_valid), .end_valid_o(end_valid), .end_slot_o(end_slot)
  );

  logic [RETURNS-1:0] in_done, unit_done;  // as the units say it, and when the results are written
  /* verilator lint_off UNUSEDSIGNAL */  // words of the special unit acquire nothing
  logic [RETURNS-1:0] unit_done_acq;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [WW-1:0] unit_done_waves [RETURNS];
  mw_semaphores #(.C(C)) u_semaphores (
    .clk_i, .rst_i(rst_issue),
    .fire_i(fire && fire_mem), .fire_wave_i(fire_wave), .fire_shared_i(fire_shared), .fire_acquire_i(fire_acquire),
    .done_i(unit_done[1:0]), .done_axi_wave_i(unit_done_waves[0]), .done_shared_wave_i(unit_done_waves[1]), .done_acquire_i(unit_done_acq[1:0]),
    .sem_axi_o(sem_axi), .sem_shared_o(sem_shared), .memory_busy_o(memory_busy)
  );

  // ---------------------------------------------------------------------------------------------------------------- fetch
  logic          redirect, flow_free, sel_rd;
  logic [23:0]   rsp_pc;
  logic          ic_req, ic_ready, ic_rsp, ic_error, fetch_busy, pop;
  logic [WW-1:0] ic_req_wave, ic_rsp_wave;
  logic [23:0]   ic_req_pc, ic_rsp_pc;
  word_t         ic_word;
  logic [NW-1:0] have, need_wait_axi, need_wait_shared, need_axi, need_shared, need_wide, need_flow, need_fence, need_special, head_rd;
  fetched_t      head;
  // A wave may be chosen from the clock in which its buffer has been emptied.
  logic          redirect_q, flow_free_q, launch_q;
  logic [WW-1:0] redirect_wave_q, flow_free_wave_q, launch_wave_q;
  logic [23:0]   redirect_pc_q;
  always_ff @(posedge clk_i) begin
    redirect_q       <= (redirect || launch) && !rst;
    redirect_wave_q  <= redirect ? rsp_wave : launch_wave;
    redirect_pc_q    <= redirect ? rsp_pc : csr.entry;
    flow_free_q      <= flow_free && !rst;
    flow_free_wave_q <= rsp_wave;
    launch_q         <= launch && !rst;
    launch_wave_q    <= launch_wave;
  end
  mw_fetch #(.C(C)) u_fetch (
    .clk_i, .rst_i(rst_issue), .csr_i(csr), .valid_i(valid), .stop_i(stop),
    .redirect_valid_i(redirect_q), .redirect_wave_i(redirect_wave_q), .redirect_pc_i(redirect_pc_q),
    .req_valid_o(ic_req), .req_ready_i(ic_ready), .req_wave_o(ic_req_wave), .req_pc_o(ic_req_pc),
    .rsp_valid_i(ic_rsp), .rsp_wave_i(ic_rsp_wave), .rsp_pc_i(ic_rsp_pc), .rsp_word_i(ic_word), .rsp_error_i(ic_error),
    .have_o(have), .need_wait_axi_o(need_wait_axi), .need_wait_shared_o(need_wait_shared), .need_axi_o(need_axi),
    .need_shared_o(need_shared), .need_wide_o(need_wide), .need_flow_o(need_flow), .need_fence_o(need_fence), .need_special_o(need_special),
    .rd_o(head_rd), .head_wave_i(sel_wave), .head_rd_i(sel_rd), .head_o(head), .pop_i(pop), .busy_o(fetch_busy)
  );

  // ------------------------------------------------------------------------------------------------------- schedule, issue
  logic          sel_valid, sel_ready, shared_gone, shared_gone_wide, mem_wide;
  logic          flow_retire, free_a, free_b, free_a_late, free_b_late;
  logic [WW-1:0] free_wave, free_a_wave, free_b_wave;
  logic [NW-1:0] release_mask;
  logic          release_valid;
  logic [6:0]    stall_semaphore, stall_fetch, stall_special, stall_memory;
  mw_scheduler #(.C(C)) u_scheduler (
    .clk_i, .rst_i(rst_issue), .stop_i(stop),
    .valid_i(valid), .have_i(have), .need_wait_axi_i(need_wait_axi), .need_wait_shared_i(need_wait_shared), .need_axi_i(need_axi),
    .need_shared_i(need_shared), .need_wide_i(need_wide), .need_flow_i(need_flow), .need_fence_i(need_fence), .need_special_i(need_special),
    .sem_axi_i(sem_axi), .sem_shared_i(sem_shared), .memory_busy_i(memory_busy), .rd_i(head_rd),
    .axi_done_i(unit_done[0]), .special_done_i(in_done[2]), .shared_gone_i(shared_gone), .shared_gone_wide_i(shared_gone_wide),
    .flow_retire_i(flow_retire),
    .launch_i(launch_q), .launch_wave_i(launch_wave_q),
    .free_a_i(free_a_late), .free_a_wave_i(free_a_wave), .free_b_i(free_b_late), .free_b_wave_i(free_b_wave),
    .free_f_i(flow_free_q), .free_f_wave_i(flow_free_wave_q), .free_s_i(unit_done[2]), .free_s_wave_i(unit_done_waves[2]),
    .free_mask_i(release_valid ? release_mask : '0),
    .sel_valid_o(sel_valid), .sel_wave_o(sel_wave), .sel_rd_o(sel_rd), .sel_ready_i(sel_ready),
    .stall_semaphore_o(stall_semaphore), .stall_fetch_o(stall_fetch), .stall_special_o(stall_special), .stall_memory_o(stall_memory)
  );

  logic          const_read, skip_beat, issue_fault, issue_busy;
  logic [9:0]    const_addr;
  logic          const_slot;
  logic [GW-1:0] uniform_slot;
  logic [5:0]    slot_addr;
  logic [31:0]   const_value, uniform_value, slot_size, issue_fault_lanes;
  fault_e        issue_fault_code;
  logic [WW-1:0] issue_fault_wave;
  logic [23:0]   issue_fault_pc;
  beat_t         s1;
  logic [L-1:0]  s1_lanes;
  mw_issue #(.C(C)) u_issue (
    .clk_i, .rst_i(rst_issue), .csr_i(csr), .stop_i(stop), .hold_i(launch_hold), .skip_beat_i(skip_beat),
    .sel_valid_i(sel_valid), .sel_wave_i(sel_wave), .sel_ready_o(sel_ready), .head_i(head), .pop_o(pop),
    .active_i(w_active), .live_i(w_live), .al_i(w_al), .depth_i(w_depth), .seq_i(w_seq), .regbase_i(w_regbase), .gslot_i(w_gslot),
    .widx_i(w_widx), .shared_i(w_shared),
    .const_read_o(const_read), .const_addr_o(const_addr), .const_slot_o(const_slot), .uniform_slot_o(uniform_slot), .slot_addr_o(slot_addr),
    .const_i(const_value), .uniform_i(uniform_value), .slot_size_i(slot_size),
    .fire_o(fire), .fire_wave_o(fire_wave), .fire_seq_o(fire_seq), .fire_alu_o(fire_alu), .fire_word_o(fire_word), .fire_alu_we_o(fire_alu_we),
    .fire_special_o(fire_special), .fire_mem_o(fire_mem), .fire_shared_o(fire_shared), .fire_acquire_o(fire_acquire),
    .fault_o(issue_fault), .fault_code_o(issue_fault_code), .fault_wave_o(issue_fault_wave), .fault_pc_o(issue_fault_pc),
    .fault_lanes_o(issue_fault_lanes),
    .beat_o(s1), .lanes_o(s1_lanes), .free_a_o(free_a), .free_b_o(free_b), .free_wave_o(free_wave), .busy_o(issue_busy)
  );

  mw_constants #(.C(C)) u_constants (
    .clk_i, .const_we_i(const_we), .slot_we_i(slot_we), .window_addr_i(window_addr), .window_data_i(window_data),
    .uniform_we_i(uniform_we), .uniform_slot_i(group_slot), .uniform_code_i(uniform_code), .uniform_data_i(uniform_wdata),
    .read_i(const_read), .read_slot_i(const_slot), .const_raddr_i(const_addr), .uniform_rslot_i(uniform_slot), .slot_raddr_i(slot_addr),
    .const_o(const_value), .shared_o(uniform_value), .size_o(slot_size)
  );

  // when the next word of a wave may be chosen (mw_issue)
  logic free_a_way, free_b_way;
  mw_delay #(.WIDTH(WW), .DEPTH(RESULT_CLOCKS - CHOICE_CLOCKS)) u_free_a (
    .clk_i, .rst_i(rst_issue), .valid_i(free_a), .data_i(free_wave), .valid_o(free_a_late), .data_o(free_a_wave), .busy_o(free_a_way)
  );
  mw_delay #(.WIDTH(WW), .DEPTH(A0_CLOCKS - CHOICE_CLOCKS)) u_free_b (
    .clk_i, .rst_i(rst_issue), .valid_i(free_b), .data_i(free_wave), .valid_o(free_b_late), .data_o(free_b_wave), .busy_o(free_b_way)
  );

  // ------------------------------------------------------------------------------------------------------------- operands
  beat_t           s6;
  logic [1:0]      s6_far;
  logic [L-1:0]    s6_lanes, s6_exec, s6_pred, s6_alu_bits, chain_cf, chain_zf, dst_win;
  logic [L*32-1:0] op_a, op_b, op_c;
  lane_ctl_t       lane_ctl [lane_ctl_copies(C.lanes)];
  logic [L*12-1:0] dst_row;
  logic            operand_busy;
  logic            a0_we;
  logic [WW-1:0]   a0_wave;
  logic [4:0]      a0_beat;
  logic [L-1:0]    a0_mask;
  logic [L*12-1:0] a0_data;
  logic [2:0]      rf_re;
  logic            rf_bank;
  logic [4:0]      rf_beat;
  logic [11:0]     rf_row_a [L], rf_row_b [L], rf_row_c [L];
  logic [L-1:0]    rf_win_a, rf_win_b, rf_win_c;
  logic [L*32-1:0] rf_a, rf_b, rf_c;
  logic [5:0]      cc_rwave;
  logic [4:0]      cc_rbeat;
  logic            cc_pred_re, cc_chain_re, cc_alu_re;
  logic [3:0]      cc_pred_index, cc_chain_index;
  logic [L*4-1:0]  cc_pred, cc_chain;
  logic [L-1:0]    cc_alu;
  mw_operand #(.C(C)) u_operand (
    .clk_i, .rst_i(rst_data), .csr_i(csr), .beat_i(s1), .lanes_i(s1_lanes),
    .out_o(s6), .far_o(s6_far), .lanes_o(s6_lanes), .exec_o(s6_exec), .pred_o(s6_pred), .alu_bits_o(s6_alu_bits),
    .a_o(op_a), .b_o(op_b), .c_o(op_c), .chain_cf_o(chain_cf), .chain_zf_o(chain_zf), .ctl_o(lane_ctl),
    .dst_row_o(dst_row), .dst_win_o(dst_win), .busy_o(operand_busy),
    .a0_we_i(a0_we), .a0_wave_i(a0_wave), .a0_beat_i(a0_beat), .a0_mask_i(a0_mask), .a0_data_i(a0_data),
    .rf_re_o(rf_re), .rf_bank_o(rf_bank), .rf_beat_o(rf_beat), .rf_row_a_o(rf_row_a), .rf_row_b_o(rf_row_b), .rf_row_c_o(rf_row_c),
    .rf_win_a_o(rf_win_a), .rf_win_b_o(rf_win_b), .rf_win_c_o(rf_win_c), .rf_a_i(rf_a), .rf_b_i(rf_b), .rf_c_i(rf_c),
    .cc_wave_o(cc_rwave), .cc_beat_o(cc_rbeat), .cc_pred_re_o(cc_pred_re), .cc_pred_index_o(cc_pred_index),
    .cc_chain_re_o(cc_chain_re), .cc_chain_index_o(cc_chain_index), .cc_alu_re_o(cc_alu_re),
    .cc_pred_i(cc_pred), .cc_chain_i(cc_chain), .cc_alu_i(cc_alu),
    .id_re_o(id_re), .id_widx_o(id_widx), .id_beat_o(id_beat), .id_i(id_data)
  );

  logic [1:0]      rf_we;
  logic [4:0]      rf_wbeat0, rf_wbeat1;
  logic [L*12-1:0] rf_wrow0, rf_wrow1;
  logic [L-1:0]    rf_wmask0, rf_wmask1;
  logic [L*32-1:0] rf_wdata0, rf_wdata1;
  mw_regfile #(.C(C)) u_regfile (
    .clk_i, .re_i(rf_re), .rbank_i(rf_bank), .rbeat_i(rf_beat), .row_a_i(rf_row_a), .row_b_i(rf_row_b), .row_c_i(rf_row_c),
    .win_a_i(rf_win_a), .win_b_i(rf_win_b), .win_c_i(rf_win_c), .a_o(rf_a), .b_o(rf_b), .c_o(rf_c),
    .we_i(rf_we), .wbeat0_i(rf_wbeat0), .wrow0_i(rf_wrow0), .wmask0_i(rf_wmask0), .wdata0_i(rf_wdata0),
    .wbeat1_i(rf_wbeat1), .wrow1_i(rf_wrow1), .wmask1_i(rf_wmask1), .wdata1_i(rf_wdata1)
  );

  logic            wb_valid, cc_we, alu_we;
  wb_ctl_t         wb;
  logic [5:0]      cc_wwave;
  logic [4:0]      cc_wbeat;
  logic [3:0]      cc_windex;
  logic [L-1:0]    cc_wmask, wb_exec, wb_win, wb_alu_bit;
  logic [L*4-1:0]  cc_wdata, wb_flags;
  logic [L*12-1:0] wb_row;
  logic [L*32-1:0] wb_result;
  mw_ccfile #(.C(C)) u_ccfile (
    .clk_i, .rwave_i(cc_rwave), .rbeat_i(cc_rbeat), .pred_re_i(cc_pred_re), .pred_index_i(cc_pred_index), .pred_o(cc_pred),
    .chain_re_i(cc_chain_re), .chain_index_i(cc_chain_index), .chain_o(cc_chain), .alu_re_i(cc_alu_re), .alu_o(cc_alu),
    .wwave_i(cc_wwave), .wbeat_i(cc_wbeat), .cc_we_i(cc_we), .cc_index_i(cc_windex), .cc_mask_i(cc_wmask), .cc_data_i(cc_wdata),
    .alu_we_i(alu_we), .alu_wave_i(wb.wave), .alu_beat_i(wb.beat), .alu_mask_i(wb_exec), .alu_data_i(wb_alu_bit)
  );

  // ------------------------------------------------------------------------------------------------ execution, write-back
  logic          exec_busy;
  logic [1:0]    wb_reg, wb_reg_late;
  logic [31:0]   wb_seq;
  logic [23:0]   wb_pc;
  logic          wb_first;
  logic [L-1:0]  wb_active;
  mw_exec #(.C(C), .RECORD(RECORD)) u_exec (
    .clk_i, .rst_i(rst_data), .beat_i(s6), .lanes_i(s6_lanes), .exec_i(s6_exec), .a_i(op_a), .b_i(op_b), .c_i(op_c),
    .chain_cf_i(chain_cf), .chain_zf_i(chain_zf), .ctl_i(lane_ctl), .dst_row_i(dst_row), .dst_win_i(dst_win),
    .valid_o(wb_valid), .reg_o(wb_reg), .reg_late_o(wb_reg_late), .wb_o(wb), .exec_o(wb_exec), .dst_win_o(wb_win), .dst_row_o(wb_row),
    .result_o(wb_result), .flags_o(wb_flags), .alu_bit_o(wb_alu_bit), .busy_o(exec_busy),
    .rec_seq_o(wb_seq), .rec_pc_o(wb_pc), .rec_first_o(wb_first), .rec_active_o(wb_active)
  );

  logic [RETURNS-1:0] ret_valid, ret_ready, ret_second;
  logic [1:0][WW-1:0] ret_waves [RETURNS];
  logic [1:0][4:0] ret_beats [RETURNS];
  logic [1:0][L-1:0] ret_masks [RETURNS];
  logic [1:0][9:0] ret_dsts [RETURNS];
  logic [1:0][L*32-1:0] ret_datas [RETURNS];
  logic [1:0][31:0] ret_seqs [RETURNS];
  logic [1:0][1:0] ret_comps [RETURNS];
  logic [RETURNS-1:0] ret_written;
  logic            load;
  logic [4:0]      late_beat;
  logic [L-1:0]    late_mask;
  logic [9:0]      late_dst;
  logic [L*32-1:0] late_data;
  logic [31:0]     late_seq;
  logic [1:0]      late_comp;
  mw_writeback #(.C(C)) u_writeback (
    .clk_i, .rst_i(rst_late), .valid_i(wb_valid), .reg_i(wb_reg), .reg_late_i(wb_reg_late), .wb_i(wb), .exec_i(wb_exec), .dst_win_i(wb_win), .dst_row_i(wb_row),
    .result_i(wb_result), .flags_i(wb_flags),
    .ret_valid_i(ret_valid), .ret_ready_o(ret_ready), .ret_second_i(ret_second), .ret_wave_i(ret_waves), .ret_seq_i(ret_seqs), .ret_comp_i(ret_comps), .ret_beat_i(ret_beats),
    .ret_mask_i(ret_masks), .ret_dst_i(ret_dsts), .ret_data_i(ret_datas), .ret_written_o(ret_written),
    .late_o(load), .late_wave_o(late_wave), .late_seq_o(late_seq), .late_comp_o(late_comp), .late_beat_o(late_beat), .late_mask_o(late_mask),
    .late_dst_o(late_dst), .late_data_o(late_data), .late_regbase_i(late_regbase),
    .fill_reg_i(fill_reg), .fill_cc_i(fill_cc), .fill_a0_i(fill_a0), .fill_reg_ready_o(fill_reg_ready), .fill_cc_ready_o(fill_cc_ready),
    .fill_a0_ready_o(fill_a0_ready), .fill_busy_o(fill_way), .fill_wave_i(fill_wave), .fill_beat_i(fill_beat), .fill_index_i(fill_index), .fill_data_i(fill_data),
    .rf_we_o(rf_we), .rf_beat0_o(rf_wbeat0), .rf_row0_o(rf_wrow0), .rf_mask0_o(rf_wmask0), .rf_data0_o(rf_wdata0),
    .rf_beat1_o(rf_wbeat1), .rf_row1_o(rf_wrow1), .rf_mask1_o(rf_wmask1), .rf_data1_o(rf_wdata1),
    .cc_we_o(cc_we), .cc_wave_o(cc_wwave), .cc_beat_o(cc_wbeat), .cc_index_o(cc_windex), .cc_mask_o(cc_wmask), .cc_data_o(cc_wdata),
    .alu_we_o(alu_we),
    .a0_we_o(a0_we), .a0_wave_o(a0_wave), .a0_beat_o(a0_beat), .a0_mask_o(a0_mask), .a0_data_o(a0_data),
    .skip_beat_o(skip_beat)
  );

  // late results on their way from their units
  logic [RETURNS-1:0] in_valid, in_ready, in_done_acq, port_busy;
  logic [WW-1:0]   in_waves [RETURNS];
  logic [4:0]      in_beats [RETURNS];
  logic [L-1:0]    in_masks [RETURNS];
  logic [9:0]      in_dsts  [RETURNS];
  logic [L*32-1:0] in_datas [RETURNS];
  logic [31:0]     in_seqs  [RETURNS];
  logic [1:0]      in_comps [RETURNS];
  logic [WW-1:0]   in_done_waves [RETURNS];
  for (genvar u = 0; u < int'(RETURNS); u++) begin : g_port
    mw_load_port #(.C(C), .DEPTH(u == 2 ? SPECIAL_WORDS : L >= 16 ? 64 : 16), .FULL_RATE(u == 1)) u_port (
      .clk_i, .rst_i(rst_late), .nregs_i(csr.nregs),
      .valid_i(in_valid[u]), .ready_o(in_ready[u]), .wave_i(in_waves[u]), .seq_i(in_seqs[u]), .comp_i(in_comps[u]), .beat_i(in_beats[u]),
      .mask_i(in_masks[u]), .dst_i(in_dsts[u]), .data_i(in_datas[u]),
      .done_valid_i(in_done[u]), .done_wave_i(in_done_waves[u]), .done_acq_i(in_done_acq[u]),
      .valid_o(ret_valid[u]), .ready_i(ret_ready[u]), .second_o(ret_second[u]), .wave_o(ret_waves[u]), .seq_o(ret_seqs[u]), .comp_o(ret_comps[u]), .beat_o(ret_beats[u]),
      .mask_o(ret_masks[u]), .dst_o(ret_dsts[u]), .data_o(ret_datas[u]), .written_i(ret_written[u]),
      .done_valid_o(unit_done[u]), .done_wave_o(unit_done_waves[u]), .done_acq_o(unit_done_acq[u]), .busy_o(port_busy[u])
    );
  end

  // ----------------------------------------------------------------------------------------------------- flow and barrier
  logic          fq_valid, fq_ready, fq_alu_valid, raw_valid, rsp_jump, flow_retired, arrive, arrived, mismatch, flow_fault, flow_busy;
  logic [WW-1:0] fq_wave, arrive_wave, flow_end_wave;
  logic [23:0]   fq_pc, arrive_pc, flow_pc;
  word_flow_t    fq_word;
  logic [31:0]   fq_pred, fq_alu, flow_seq, flow_lanes;
  fault_e        rsp_fault, flow_code;
  logic [GW-1:0] arrive_slot, release_slot;
  logic [NW-1:0] waiting;
  mw_flow_queue #(.C(C)) u_flow_queue (
    .clk_i, .rst_i(rst_data), .beat_i(s6), .lanes_i(s6_lanes), .pred_i(s6_pred), .alu_bits_i(s6_alu_bits), .alu_valid_i(alu_valid),
    .req_valid_o(fq_valid), .req_ready_i(fq_ready), .req_wave_o(fq_wave), .req_pc_o(fq_pc), .req_word_o(fq_word), .req_pred_o(fq_pred),
    .req_alu_o(fq_alu), .req_alu_valid_o(fq_alu_valid),
    .flow_wave_o(flow_wave), .flow_active_i(flow_active), .flow_gslot_i(flow_gslot),
    .raw_valid_i(raw_valid), .rsp_valid_i(rsp_valid), .rsp_wave_i(rsp_wave), .rsp_jump_i(rsp_jump), .rsp_active_i(rsp_active), .rsp_live_i(rsp_live),
    .rsp_ended_i(rsp_ended), .rsp_fault_i(rsp_fault),
    .arrive_o(arrive), .arrive_slot_o(arrive_slot), .arrive_wave_o(arrive_wave), .arrive_pc_o(arrive_pc), .mismatch_i(mismatch),
    .retire_o(flow_retired), .update_o(update), .redirect_o(redirect), .free_o(flow_free), .wave_o(flow_end_wave), .seq_o(flow_seq), .pc_o(flow_pc),
    .fault_o(flow_fault), .fault_code_o(flow_code), .fault_lanes_o(flow_lanes), .busy_o(flow_busy)
  );
  assign flow_retire = rsp_valid;

  // the response is registered before the core acts on it
  logic         raw_jump, raw_ended;
  logic [WW-1:0] raw_wave;
  logic [23:0]  raw_pc;
  logic [31:0]  raw_active, raw_live, raw_f_frame_a, raw_f_frame_b, raw_f_frame_c;
  fault_e       raw_fault;
  logic [9:0]   raw_al;
  logic [5:0]   raw_depth, raw_f_dc;
  logic [10:0]  raw_f_db;
  logic [8:0]   raw_f_dl;
  logic [95:0]  raw_f_state;
  logic [351:0] raw_f_level;
  logic [2:0]   raw_f_frame;
  always_ff @(posedge clk_i) begin
    rsp_valid <= raw_valid && !rst;
    if (raw_valid) begin
      {rsp_wave, rsp_pc, rsp_jump, rsp_active, rsp_live, rsp_ended, rsp_al, rsp_depth} <=
        {raw_wave, raw_pc, raw_jump, raw_active, raw_live, raw_ended, raw_al, raw_depth};
      rsp_fault <= raw_fault;
    end
  end
  mw_flow #(.C(C), .RECORD(RECORD)) u_flow (
    .clk_i, .rst_i(rst), .full_i(csr.full), .bools_i(csr.bools),
    .init_valid_i(launch), .init_wave_i(launch_wave), .init_live_i(launch_live),
    .req_valid_i(fq_valid), .req_ready_o(fq_ready), .req_wave_i(fq_wave), .req_pc_i(fq_pc), .req_word_i(fq_word), .req_pred_i(fq_pred),
    .req_alu_i(fq_alu), .req_alu_valid_i(fq_alu_valid),
    .rsp_valid_o(raw_valid), .rsp_wave_o(raw_wave), .rsp_pc_o(raw_pc), .rsp_jump_o(raw_jump), .rsp_active_o(raw_active),
    .rsp_live_o(raw_live), .rsp_ended_o(raw_ended), .rsp_fault_o(raw_fault), .rsp_al_o(raw_al), .rsp_depth_o(raw_depth),
    .rsp_db_o(raw_f_db), .rsp_dl_o(raw_f_dl), .rsp_dc_o(raw_f_dc), .rsp_state_o(raw_f_state), .rsp_level_o(raw_f_level), .rsp_frame_o(raw_f_frame),
    .rsp_frame_a_o(raw_f_frame_a), .rsp_frame_b_o(raw_f_frame_b), .rsp_frame_c_o(raw_f_frame_c)
  );
  mw_barrier #(.C(C)) u_barrier (
    .clk_i, .rst_i(rst_data),
    .launch_valid_i(group_valid), .launch_slot_i(group_slot), .launch_waves_i($clog2(NW + 1)'(csr.waves)),
    .arrive_valid_i(arrive), .arrive_slot_i(arrive_slot), .arrive_wave_i(arrive_wave), .arrive_pc_i(arrive_pc), .mismatch_o(mismatch), .arrived_o(arrived),
    .end_valid_i(end_valid), .end_slot_i(end_slot),
    .release_valid_o(release_valid), .release_slot_o(release_slot), .release_mask_o(release_mask), .waiting_o(waiting),
    .group_done_valid_o(group_end), .group_done_slot_o(group_end_slot)
  );

  // --------------------------------------------------------------------------------------------------------------- memory
  /* verilator lint_off UNUSEDSIGNAL */  // travels whole, a part is needed here
  beat_t           m;
  word_mem_t       m_word;
  /* verilator lint_on UNUSEDSIGNAL */
  logic            m_shared, m_axi, m_special, m_bad, m_shared_done, m_axi_done, m_fault;
  logic [L-1:0]    m_mask, m_wmask;
  logic [9:0]      m_dst;
  logic [5:0]      m_done_threads;
  kind_e           m_kind;
  logic [L*32-1:0] m_a, m_addr, m_data, m_data2;
  fault_e          m_fault_code;
  logic [WW-1:0]   m_fault_wave;
  logic [23:0]     m_fault_pc;
  logic [31:0]     m_fault_lanes;
  mw_mem_pass #(.C(C)) u_mem_pass (
    .clk_i, .rst_i(rst_data), .beat_i(s6), .take_i(s6_far), .lanes_i(s6_lanes), .exec_i(s6_exec), .dst_win_i(dst_win), .a_i(op_a), .b_i(op_b), .c_i(op_c),
    .shared_valid_o(m_shared), .axi_valid_o(m_axi), .special_valid_o(m_special), .beat_o(m), .mask_o(m_mask), .wmask_o(m_wmask), .dst_o(m_dst),
    .kind_o(m_kind), .wide_o(mem_wide), .a_o(m_a), .addr_o(m_addr), .data_o(m_data), .data2_o(m_data2), .bad_o(m_bad),
    .shared_done_o(m_shared_done), .axi_done_o(m_axi_done), .done_threads_o(m_done_threads),
    .fault_o(m_fault), .fault_code_o(m_fault_code), .fault_wave_o(m_fault_wave), .fault_pc_o(m_fault_pc), .fault_lanes_o(m_fault_lanes)
  );
  assign m_word = word_mem_t'(m.word);

  logic        shared_idle, axi_idle, axi_ready, bus_error;
  logic [WW-1:0] bus_error_wave;
  logic [23:0] bus_error_pc;
  logic        cnt_pass, cnt_conflict, cnt_read, cnt_write, cnt_miss;
  logic [5:0]  cnt_words;
  logic [7:0]  cnt_read_bytes, cnt_write_bytes;
  // the arithmetic of atomics: 0 shared memory, 1 AXI
  logic [1:0]       at_valid, at_signed, at_float, at_store;
  /* verilator lint_off UNUSEDSIGNAL */  // one unit wants to know early, the other in time
  logic [1:0]       at_soon, at_answer;
  /* verilator lint_on UNUSEDSIGNAL */
  logic             at_ready;
  atom_e            at_ops [2];
  logic [1:0][31:0] at_old, at_x, at_y, at_new;
  mw_atomic_unit u_atomic (
    .clk_i, .rst_i(rst), .req_valid_i(at_valid), .req_ready_o(at_ready), .req_op_i(at_ops), .req_signed_i(at_signed), .req_float_i(at_float),
    .req_old_i(at_old), .req_x_i(at_x), .req_y_i(at_y), .rsp_soon_o(at_soon), .rsp_valid_o(at_answer), .rsp_store_o(at_store), .rsp_new_o(at_new)
  );

  mw_shared #(.C(C), .RECORD(RECORD), .PASSES(mem_passes(C.lanes))) u_shared (
    .clk_i, .rst_i(rst_shared),
    .beat_valid_i(m_shared), .beat_wide_i(mem_wide), .gone_o(shared_gone), .gone_wide_o(shared_gone_wide), .beat_wave_i(m.wave[WW-1:0]), .beat_seq_i(m.seq), .beat_kind_i(m_kind),
    .beat_atom_op_i(atom_e'(m_word.atom_op)), .beat_signed_i(m_word.typ == T_S32), .beat_float_i(m_word.typ == T_F32), .beat_comp_i(m.comp), .beat_acq_i(m_word.sem_acquire),
    .beat_first_i(m.first), .beat_last_i(m.last), .beat_beat_i(m.beat), .beat_mask_i(m_mask), .beat_wmask_i(m_wmask), .beat_dst_i(m_dst),
    .beat_addr_i(m_addr), .beat_data_i(m_data), .beat_data2_i(m_data2), .beat_base_i(m.base), .beat_bound_i(m.bound[31:0]), .beat_bad_i(m_bad),
    .fill_valid_i(fill_sh), .fill_ready_o(fill_sh_ready), .fill_row_i(($clog2(C.shared_bytes / 4) - $clog2(FILL_WORDS))'(fill_srow)),
    .fill_data_i(fill_sdata),
    .at_valid_o(at_valid[0]), .at_op_o(at_ops[0]), .at_signed_o(at_signed[0]), .at_float_o(at_float[0]), .at_old_o(at_old[0]), .at_x_o(at_x[0]), .at_y_o(at_y[0]),
    .at_soon_i(at_soon[0]), .at_store_i(at_store[0]), .at_new_i(at_new[0]),
    .ret_valid_o(in_valid[1]), .ret_ready_i(in_ready[1]), .ret_wave_o(in_waves[1]), .ret_seq_o(in_seqs[1]), .ret_comp_o(in_comps[1]),
    .ret_beat_o(in_beats[1]), .ret_mask_o(in_masks[1]), .ret_dst_o(in_dsts[1]), .ret_data_o(in_datas[1]),
    .done_valid_o(in_done[1]), .done_wave_o(in_done_waves[1]), .done_acq_o(in_done_acq[1]),
    .idle_o(shared_idle),
    .rec_valid_o(rec_ms_valid_o), .rec_wave_o(rec_ms_wave_o), .rec_seq_o(rec_ms_seq_o), .rec_first_o(rec_ms_first_o),
    .rec_comp_o(rec_ms_comp_o), .rec_beat_o(rec_ms_beat_o), .rec_mask_o(rec_ms_mask_o), .rec_addr_o(rec_ms_addr_o),
    .rec_data_o(rec_ms_data_o), .rec_old_o(rec_ms_old_o),
    .cnt_pass_o(cnt_pass), .cnt_conflict_o(cnt_conflict), .cnt_words_o(cnt_words)
  );

  logic           maw_valid, maw_ready, mw_valid, mw_ready, mw_last, mb_valid, mb_ready, mar_valid, mar_ready, mr_valid, mr_ready;
  logic           iar_valid, iar_ready, ir_valid, ir_ready, r_last;
  logic [31:0]    maw_addr, mar_addr, iar_addr;
  logic [7:0]     maw_len, mar_len, iar_len;
  logic [D-1:0]   mw_data, r_data;
  logic [D/8-1:0] mw_strb;
  logic [1:0]     mb_resp, r_resp;
  mw_axi_mem #(.C(C), .RECORD(RECORD)) u_axi_mem (
    .clk_i, .rst_i(rst_axi),
    .beat_valid_i(m_axi), .beat_ready_o(axi_ready), .beat_wave_i(m.wave[WW-1:0]), .beat_seq_i(m.seq), .beat_pc_i(m.pc), .beat_kind_i(m_kind),
    .beat_atom_op_i(atom_e'(m_word.atom_op)), .beat_signed_i(m_word.typ == T_S32), .beat_float_i(m_word.typ == T_F32), .beat_size_i(m_word.mem_size), .beat_comp_i(m.comp),
    .beat_acq_i(m_word.sem_acquire), .beat_first_i(m.first), .beat_last_i(m.last), .beat_beat_i(m.beat), .beat_mask_i(m_mask),
    .beat_wmask_i(m_wmask), .beat_dst_i(m_dst), .beat_addr_i(m_addr), .beat_data_i(m_data), .beat_data2_i(m_data2), .beat_base_i(m.base),
    .beat_bound_i(m.bound), .beat_bad_i(m_bad),
    .at_valid_o(at_valid[1]), .at_ready_i(at_ready), .at_op_o(at_ops[1]), .at_signed_o(at_signed[1]), .at_float_o(at_float[1]), .at_old_o(at_old[1]),
    .at_x_o(at_x[1]), .at_y_o(at_y[1]), .at_valid_i(at_answer[1]), .at_store_i(at_store[1]), .at_new_i(at_new[1]),
    .ret_valid_o(in_valid[0]), .ret_ready_i(in_ready[0]), .ret_wave_o(in_waves[0]), .ret_seq_o(in_seqs[0]), .ret_comp_o(in_comps[0]),
    .ret_beat_o(in_beats[0]), .ret_mask_o(in_masks[0]), .ret_dst_o(in_dsts[0]), .ret_data_o(in_datas[0]),
    .done_valid_o(in_done[0]), .done_wave_o(in_done_waves[0]), .done_acq_o(in_done_acq[0]),
    .bus_error_o(bus_error), .bus_error_wave_o(bus_error_wave), .bus_error_pc_o(bus_error_pc), .idle_o(axi_idle),
    .axi_aw_valid_o(maw_valid), .axi_aw_ready_i(maw_ready), .axi_aw_addr_o(maw_addr), .axi_aw_len_o(maw_len),
    .axi_w_valid_o(mw_valid), .axi_w_ready_i(mw_ready), .axi_w_data_o(mw_data), .axi_w_strb_o(mw_strb), .axi_w_last_o(mw_last),
    .axi_b_valid_i(mb_valid), .axi_b_ready_o(mb_ready), .axi_b_resp_i(mb_resp),
    .axi_ar_valid_o(mar_valid), .axi_ar_ready_i(mar_ready), .axi_ar_addr_o(mar_addr), .axi_ar_len_o(mar_len),
    .axi_r_valid_i(mr_valid), .axi_r_ready_o(mr_ready), .axi_r_data_i(r_data), .axi_r_resp_i(r_resp), .axi_r_last_i(r_last),
    .rec_valid_o(rec_mg_valid_o), .rec_wave_o(rec_mg_wave_o), .rec_seq_o(rec_mg_seq_o), .rec_first_o(rec_mg_first_o),
    .rec_comp_o(rec_mg_comp_o), .rec_beat_o(rec_mg_beat_o), .rec_mask_o(rec_mg_mask_o), .rec_addr_o(rec_mg_addr_o),
    .rec_data_o(rec_mg_data_o), .rec_old_o(rec_mg_old_o),
    .cnt_read_o(cnt_read), .cnt_read_bytes_o(cnt_read_bytes), .cnt_write_o(cnt_write), .cnt_write_bytes_o(cnt_write_bytes)
  );

  mw_icache #(.C(C)) u_icache (
    .clk_i, .rst_i(rst), .invalidate_i(invalidate), .base_i(csr.prog_base),
    .req_valid_i(ic_req), .req_ready_o(ic_ready), .req_wave_i(ic_req_wave), .req_pc_i(ic_req_pc),
    .rsp_valid_o(ic_rsp), .rsp_wave_o(ic_rsp_wave), .rsp_pc_o(ic_rsp_pc), .rsp_word_o(ic_word), .rsp_error_o(ic_error),
    .axi_ar_valid_o(iar_valid), .axi_ar_ready_i(iar_ready), .axi_ar_addr_o(iar_addr), .axi_ar_len_o(iar_len),
    .axi_r_valid_i(ir_valid), .axi_r_ready_o(ir_ready), .axi_r_data_i(r_data), .axi_r_resp_i(r_resp), .axi_r_last_i(r_last),
    .cnt_miss_o(cnt_miss)
  );

  mw_axi_arb #(.C(C)) u_arb (
    .clk_i, .rst_i(rst),
    .mem_aw_valid_i(maw_valid), .mem_aw_ready_o(maw_ready), .mem_aw_addr_i(maw_addr), .mem_aw_len_i(maw_len),
    .mem_w_valid_i(mw_valid), .mem_w_ready_o(mw_ready), .mem_w_data_i(mw_data), .mem_w_strb_i(mw_strb), .mem_w_last_i(mw_last),
    .mem_b_valid_o(mb_valid), .mem_b_ready_i(mb_ready), .mem_b_resp_o(mb_resp),
    .mem_ar_valid_i(mar_valid), .mem_ar_ready_o(mar_ready), .mem_ar_addr_i(mar_addr), .mem_ar_len_i(mar_len),
    .mem_r_valid_o(mr_valid), .mem_r_ready_i(mr_ready),
    .ic_ar_valid_i(iar_valid), .ic_ar_ready_o(iar_ready), .ic_ar_addr_i(iar_addr), .ic_ar_len_i(iar_len),
    .ic_r_valid_o(ir_valid), .ic_r_ready_i(ir_ready), .r_data_o(r_data), .r_resp_o(r_resp), .r_last_o(r_last),
    .axi_awvalid_o, .axi_awready_i, .axi_awid_o, .axi_awaddr_o, .axi_awlen_o, .axi_awsize_o, .axi_awburst_o,
    .axi_wvalid_o, .axi_wready_i, .axi_wdata_o, .axi_wstrb_o, .axi_wlast_o, .axi_bvalid_i, .axi_bready_o, .axi_bresp_i,
    .axi_arvalid_o, .axi_arready_i, .axi_arid_o, .axi_araddr_o, .axi_arlen_o, .axi_arsize_o, .axi_arburst_o,
    .axi_rvalid_i, .axi_rready_o, .axi_rid_i, .axi_rdata_i, .axi_rresp_i, .axi_rlast_i
  );

  // --------------------------------------------------------------------------------------------------------- special unit
  /* verilator lint_off UNUSEDSIGNAL */  // travels whole, a part is needed here
  word_alu_t m_alu;
  /* verilator lint_on UNUSEDSIGNAL */
  logic      special_idle;
  assign m_alu = word_alu_t'(m.word);
  mw_special #(.C(C)) u_special (
    .clk_i, .rst_i(rst_special),
    .beat_valid_i(m_special), .beat_wave_i(m.wave[WW-1:0]), .beat_seq_i(m.seq), .beat_op_i(op_e'(m_alu.op)),
    .beat_type_i(type_e'(m_alu.typ)), .beat_first_i(m.first), .beat_last_i(m.last), .beat_beat_i(m.beat), .beat_mask_i(m_mask),
    .beat_wmask_i(m_wmask), .beat_dst_i(m_alu.dst), .beat_a_i(m_a), .beat_b_i(m_data), .beat_c_i(m_data2),
    .ret_valid_o(in_valid[2]), .ret_ready_i(in_ready[2]), .ret_wave_o(in_waves[2]), .ret_seq_o(in_seqs[2]), .ret_comp_o(in_comps[2]), .ret_beat_o(in_beats[2]),
    .ret_mask_o(in_masks[2]), .ret_dst_o(in_dsts[2]), .ret_data_o(in_datas[2]),
    .done_valid_o(in_done[2]), .done_wave_o(in_done_waves[2]), .done_acq_o(in_done_acq[2]), .idle_o(special_idle)
  );

  // -------------------------------------------------------------------------------------------------------------- faults
  logic       report, activity, under_way;
  assign activity  = launch || group_valid || fill_busy || setup_valid || setup_wait || wb_valid || (m_shared || m_axi || m_special) || rsp_valid || load
                   || unit_done != '0 || release_valid || group_end;
  logic [13:0] ways_q;   // each a clock old: their sum takes a clock
  always_ff @(posedge clk_i)
    ways_q <= {issue_busy, operand_busy, exec_busy, free_a_way, free_b_way, flow_busy, m.valid, !shared_idle, !axi_idle, !special_idle, port_busy != '0, fetch_busy,
               fill_busy, wave_valid};
  assign under_way = ways_q != '0;
  mw_fault #(.C(C)) u_fault (
    .clk_i, .rst_i(rst_late), .csr_i(csr), .run_i(run), .activity_i(activity), .under_way_i(under_way),
    .mem_i(m_fault), .mem_code_i(m_fault_code), .mem_wave_i(m_fault_wave), .mem_pc_i(m_fault_pc), .mem_lanes_i(m_fault_lanes),
    .flow_i(flow_fault), .flow_code_i(flow_code), .flow_wave_i(flow_end_wave), .flow_pc_i(flow_pc), .flow_lanes_i(flow_lanes),
    .bus_i(bus_error), .bus_wave_i(bus_error_wave), .bus_pc_i(bus_error_pc),
    .issue_i(issue_fault), .issue_code_i(issue_fault_code), .issue_wave_i(issue_fault_wave), .issue_pc_i(issue_fault_pc),
    .issue_lanes_i(issue_fault_lanes),
    .group_valid_i(group_valid), .group_slot_i(group_slot), .group_i({group_z, group_y, group_x}),
    .wave_o(fault_wave), .gslot_i(fault_gslot), .widx_i(fault_widx_table),
    .stop_o(stop), .report_o(report), .quiet_o(quiet), .code_o(fault_code), .pc_o(fault_pc), .lanes_o(fault_lanes), .widx_o(fault_widx),
    .group_o(fault_group)
  );

  // ------------------------------------------------------------------------------------------------------------- counters
  events_t events;
  always_comb begin
    events                 = '0;
    events.word_alu        = fire && fire_alu;
    events.word_flow       = flow_retired;
    events.word_shared     = m_shared_done;
    events.word_memory     = m_axi_done;
    events.word_special    = fire && fire_special;
    events.beat            = s1.valid;
    events.lane_ops_alu    = s1.valid && s1.alu && s1.first ? s1.threads : 6'd0;
    events.lane_ops_memory = m_shared_done || m_axi_done ? m_done_threads : 6'd0;
    events.shared_passes   = 6'(cnt_pass);
    events.bank_conflicts  = 6'(cnt_conflict);
    events.shared_words    = cnt_words;
    events.barrier_arrival = arrived;
    events.barrier_wait    = 7'($countones(waiting));
    events.stall_semaphore = stall_semaphore;
    events.stall_fetch     = stall_fetch;
    events.stall_special   = stall_special;
    events.stall_memory    = stall_memory;
    events.axi_read        = cnt_read;
    events.axi_write       = cnt_write;
    events.axi_read_bytes  = cnt_read ? cnt_read_bytes : '0;
    events.axi_write_bytes = cnt_write_bytes;  // of data beats, which come after their address
    events.fetch_miss      = cnt_miss;
    events.group           = group_end;
  end
  mw_counters u_counters (
    .clk_i, .rst_i(rst_late), .running_i(run), .issue_i(fire), .retire_i((wb_valid && wb.last) || flow_retired || m_shared_done || m_axi_done),
    .events_i(events), .addr_i(counter_addr), .data_o(counter_data), .valid_o(counter_valid)
  );

  // -------------------------------------------------------------------------------------------------------------- records
  mw_records #(.C(C), .RECORD(RECORD)) u_records (
    .clk_i,
    .group_valid_i(group_valid), .group_slot_i(group_slot), .group_x_i(group_x), .group_y_i(group_y), .group_z_i(group_z),
    .group_number_i(group_number), .wb_valid_i(wb_valid), .wb_i(wb), .wb_seq_i(wb_seq), .wb_pc_i(wb_pc), .wb_first_i(wb_first),
    .wb_active_i(wb_active), .wb_exec_i(wb_exec), .wb_result_i(wb_result), .wb_flags_i(wb_flags), .beat_i(s6), .lanes_i(s6_lanes), .exec_i(s6_exec),
    .late_i(load), .late_wave_i(late_wave), .late_seq_i(late_seq), .late_comp_i(late_comp), .late_beat_i(late_beat), .late_mask_i(late_mask),
    .late_dst_i(late_dst), .late_data_i(late_data), .raw_valid_i(raw_valid), .raw_db_i(raw_f_db), .raw_dl_i(raw_f_dl), .raw_dc_i(raw_f_dc),
    .raw_state_i(raw_f_state), .raw_level_i(raw_f_level), .raw_frame_i(raw_f_frame), .raw_frame_a_i(raw_f_frame_a), .raw_frame_b_i(raw_f_frame_b),
    .raw_frame_c_i(raw_f_frame_c), .rsp_valid_i(rsp_valid), .rsp_jump_i(rsp_jump), .rsp_pc_i(rsp_pc), .flow_retired_i(flow_retired),
    .flow_wave_i(flow_end_wave), .flow_seq_i(flow_seq), .flow_pc_i(flow_pc), .release_valid_i(release_valid), .release_slot_i(release_slot),
    .group_end_i(group_end), .group_end_slot_i(group_end_slot), .fault_i(report), .fault_code_i(fault_code), .fault_wave_i(fault_wave),
    .fault_pc_i(fault_pc), .fault_lanes_i(fault_lanes), .rec_launch_valid_o, .rec_launch_slot_o, .rec_launch_x_o, .rec_launch_y_o, .rec_launch_z_o,
    .rec_launch_number_o, .rec_r_valid_o, .rec_r_wave_o, .rec_r_seq_o, .rec_r_pc_o, .rec_r_beat_o, .rec_r_first_o, .rec_r_last_o, .rec_r_active_o,
    .rec_r_exec_o, .rec_r_dst_en_o, .rec_r_cc_en_o, .rec_r_data_o, .rec_r_flags_o, .rec_rm_valid_o, .rec_rm_wave_o, .rec_rm_seq_o, .rec_rm_pc_o,
    .rec_rm_beat_o, .rec_rm_first_o, .rec_rm_last_o, .rec_rm_active_o, .rec_rm_exec_o, .rec_f_valid_o, .rec_f_wave_o, .rec_f_seq_o, .rec_f_pc_o,
    .rec_f_jump_o, .rec_f_next_o, .rec_f_db_o, .rec_f_dl_o, .rec_f_dc_o, .rec_f_state_o, .rec_f_level_o, .rec_f_frame_o, .rec_f_frame_a_o,
    .rec_f_frame_b_o, .rec_f_frame_c_o, .rec_w_valid_o, .rec_w_wave_o, .rec_w_seq_o, .rec_w_comp_o, .rec_w_beat_o, .rec_w_mask_o, .rec_w_reg_o,
    .rec_w_data_o, .rec_bar_valid_o, .rec_bar_slot_o, .rec_gend_valid_o, .rec_gend_slot_o, .rec_fault_valid_o, .rec_fault_code_o, .rec_fault_wave_o,
    .rec_fault_pc_o, .rec_fault_lanes_o
  );

`ifndef SYNTHESIS
  mw_pending_check #(.C(C)) u_pending_check (
    .clk_i, .rst_i(rst_issue), .launch_i(launch), .launch_wave_i(launch_wave), .fire_i(fire), .fire_wave_i(fire_wave), .fire_word_i(fire_word)
  );
  always_ff @(posedge clk_i) if (!rst) begin
    if (m_axi && m.first && !stop) assert (axi_ready) else $error("AXI memory unit has no place for a word");
  end
`endif
endmodule
