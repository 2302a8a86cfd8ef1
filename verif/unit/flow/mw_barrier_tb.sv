// mw_barrier with its configuration chosen by number.
module mw_barrier_tb
  import mw_isa_pkg::*;
#(
  parameter int unsigned CFG = 2,
  localparam cfg_t C = cfg_of(CFG),
  localparam int unsigned NW = C.waves_partial,
  localparam int unsigned WW = $clog2(NW),
  localparam int unsigned GW = $clog2(C.group_slots),
  localparam int unsigned CW = $clog2(NW + 1)
) (
  input  logic          clk_i,
  input  logic          rst_i,
  input  logic          launch_valid_i,
  input  logic [GW-1:0] launch_slot_i,
  input  logic [CW-1:0] launch_waves_i,
  input  logic          arrive_valid_i,
  input  logic [GW-1:0] arrive_slot_i,
  input  logic [WW-1:0] arrive_wave_i,
  input  logic [23:0]   arrive_pc_i,
  output logic          mismatch_o,
  output logic          arrived_o,
  input  logic          end_valid_i,
  input  logic [GW-1:0] end_slot_i,
  output logic          release_valid_o,
  output logic [GW-1:0] release_slot_o,
  output logic [NW-1:0] release_mask_o,
  output logic [NW-1:0] waiting_o,
  output logic          group_done_valid_o,
  output logic [GW-1:0] group_done_slot_o
);
  mw_barrier #(.C(C)) u_barrier (.*);
endmodule
