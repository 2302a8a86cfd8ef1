// Fault unit: the first fault wins, stops issue, and is reported when everything that had issued has drained. Also the watchdog, and the
// statement that nothing is under way (quiet_o), which ends a dispatch.
// Promises: stop_o from the clock after the fault until reset; report_o for one clock. A unit that never drains (a dead bus) is given up after
// another WATCHDOG clocks.
module mw_fault
  import mw_isa_pkg::*;
  import mw_core_pkg::*;
#(
  parameter cfg_t C = CFG_BASE,
  localparam int unsigned WW = $clog2(C.waves_partial),
  localparam int unsigned NG = C.group_slots,
  localparam int unsigned GW = $clog2(NG)
) (
  input  logic          clk_i,
  input  logic          rst_i,
  /* verilator lint_off UNUSEDSIGNAL */  // travels whole, a part is needed here
  input  csr_t          csr_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic          run_i,
  input  logic          activity_i,     // a record in this clock, or the launch fill at work
  input  logic          under_way_i,    // anything between issue and the end of write-back and memory

  input  logic          mem_i,          // MISALIGNED or ADDRESS
  input  fault_e        mem_code_i,
  input  logic [WW-1:0] mem_wave_i,
  input  logic [23:0]   mem_pc_i,
  input  logic [31:0]   mem_lanes_i,
  input  logic          flow_i,
  input  fault_e        flow_code_i,
  input  logic [WW-1:0] flow_wave_i,
  input  logic [23:0]   flow_pc_i,
  input  logic [31:0]   flow_lanes_i,
  input  logic          bus_i,          // BUS_ERROR of a memory word
  input  logic [WW-1:0] bus_wave_i,
  input  logic [23:0]   bus_pc_i,
  input  logic          issue_i,
  input  fault_e        issue_code_i,
  input  logic [WW-1:0] issue_wave_i,
  input  logic [23:0]   issue_pc_i,
  input  logic [31:0]   issue_lanes_i,

  input  logic          group_valid_i,  // launch of a group
  input  logic [GW-1:0] group_slot_i,
  input  logic [47:0]   group_i,
  output logic [WW-1:0] wave_o,         // the wave at fault; the wave table answers
  input  logic [GW-1:0] gslot_i,
  input  logic [4:0]    widx_i,

  output logic          stop_o,
  output logic          report_o,
  output logic          quiet_o,        // nothing under way for some clocks, or the fault has been reported
  output fault_e        code_o,
  output logic [23:0]   pc_o,
  output logic [31:0]   lanes_o,
  output logic [4:0]    widx_o,         // wave in its group
  output logic [47:0]   group_o
);
  localparam int unsigned QUIET = 8;    // longer than any way between two places that under_way_i sees
  logic [47:0]   group_q [NG];
  logic          stop_q, reported_q;
  fault_e        code_q;
  logic [WW-1:0] wave_q;
  logic [23:0]   pc_q;
  logic [31:0]   lanes_q, idle_q;
  logic [3:0]    quiet_q;
  logic          still_q;                   // nothing happens while the dispatch runs
  logic          late_q, under_way_q, first, stopped_q, drained;  // late_q: too long without a record

  assign first   = !stop_q && run_i && (mem_i || flow_i || bus_i || issue_i || late_q);
  assign drained = quiet_q == 4'(QUIET);

  always_ff @(posedge clk_i) begin
    report_o <= 1'b0;
    if (group_valid_i) group_q[group_slot_i] <= group_i;
    still_q     <= run_i && !activity_i && !rst_i;
    under_way_q <= under_way_i;
    late_q      <= csr_i.watchdog != '0 && idle_q >= csr_i.watchdog && still_q;
    quiet_q <= under_way_q ? '0 : drained ? quiet_q : quiet_q + 4'd1;
    idle_q  <= !still_q || (stop_q && !stopped_q) ? '0 : idle_q + 32'd1;
    if (first) begin
      stop_q  <= 1'b1;
      if (mem_i)        {code_q, wave_q, pc_q, lanes_q} <= {mem_code_i, mem_wave_i, mem_pc_i, mem_lanes_i};
      else if (flow_i)  {code_q, wave_q, pc_q, lanes_q} <= {flow_code_i, flow_wave_i, flow_pc_i, flow_lanes_i};
      else if (bus_i)   {code_q, wave_q, pc_q, lanes_q} <= {FAULT_BUS_ERROR, bus_wave_i, bus_pc_i, 32'd0};
      else if (issue_i) {code_q, wave_q, pc_q, lanes_q} <= {issue_code_i, issue_wave_i, issue_pc_i, issue_lanes_i};
      else              {code_q, wave_q, pc_q, lanes_q} <= {FAULT_DEADLOCK, WW'(0), 24'd0, 32'd0};
    end
    stopped_q <= stop_q;
    if (stop_q && !stopped_q) begin
      quiet_q <= '0;
      late_q  <= 1'b0;
    end
    if (stopped_q && !reported_q && (drained || late_q)) begin
      reported_q <= 1'b1;
      report_o   <= 1'b1;
      group_o    <= code_q == FAULT_DEADLOCK ? '0 : group_q[gslot_i];
      widx_o     <= code_q == FAULT_DEADLOCK ? '0 : widx_i;
    end
    if (rst_i) begin
      stop_q     <= 1'b0;
      stopped_q  <= 1'b0;
      reported_q <= 1'b0;
      report_o   <= 1'b0;
      code_q     <= FAULT_NONE;
      pc_q       <= '0;
      lanes_q    <= '0;
      quiet_q    <= '0;
      late_q     <= 1'b0;
      group_o    <= '0;
      widx_o     <= '0;
      wave_q     <= '0;
    end
  end
  assign stop_o  = stop_q;
  assign quiet_o = stop_q ? reported_q : drained;
  assign wave_o  = wave_q;
  assign code_o  = code_q;
  assign pc_o    = pc_q;
  assign lanes_o = lanes_q;
endmodule
