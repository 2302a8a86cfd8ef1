// Walks over the entries of a word in the AXI memory unit: component by component of comps_i, all beats of each, in increasing order.
// start_i sets the first entry; step_i goes on. Each user has one of its own.
module mw_axi_entries
  import mw_isa_pkg::*;
#(
  parameter  cfg_t C = CFG_BASE,
  localparam int unsigned BEATS = WAVE_THREADS / C.lanes
) (
  input  logic       clk_i,
  input  logic       start_i,
  input  logic [3:0] comps_i,    // not 0
  input  logic       step_i,
  output logic [1:0] comp_o,
  output logic [4:0] beat_o,
  output logic       last_o      // no entry behind this one
);
  logic [3:0] rest_q;
  logic       last_beat;

  always_comb begin
    comp_o = '0;
    for (int k = 3; k >= 0; k--) if (rest_q[k]) comp_o = 2'(k);
  end
  assign last_beat = 32'(beat_o) == BEATS - 1;
  assign last_o    = last_beat && (rest_q & (rest_q - 4'd1)) == '0;

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      rest_q <= comps_i;
      beat_o <= '0;
    end else if (step_i) begin
      beat_o <= last_beat ? '0 : beat_o + 1'b1;
      if (last_beat) rest_q <= rest_q & (rest_q - 4'd1);
    end
  end
endmodule
