// Resident waves: which wave slots are taken, their threads, the sequence number of their next word, and where their registers and
// their group are. Vectors with one bit per wave are flip-flops; everything wider is a small memory indexed by the wave.
// Needs: no launch in a clock in which the flow unit answers or a word issues. Promises: a wave that
// has ended keeps its slot until its memory words are complete; then end_valid_o tells the barrier unit, one wave per clock.
module mw_wave_table
  import mw_isa_pkg::*;
  import mw_core_pkg::*;
#(
  parameter cfg_t C = CFG_BASE,
  localparam int unsigned NW = C.waves_partial,
  localparam int unsigned WW = $clog2(NW),
  localparam int unsigned GW = $clog2(C.group_slots)
) (
  input  logic          clk_i,
  input  logic          rst_i,

  // static tables of a dispatch
  input  logic          setup_valid_i,
  input  logic [WW-1:0] setup_wave_i,
  input  logic [11:0]   setup_regbase_i,
  input  logic [GW-1:0] setup_gslot_i,
  input  logic [4:0]    setup_widx_i,
  input  logic [15:0]   setup_shared_i,

  input  logic          launch_valid_i,
  input  logic [WW-1:0] launch_wave_i,
  input  logic [31:0]   launch_live_i,

  // issue: reads everything of one wave, counts its words
  input  logic [WW-1:0] issue_wave_i,
  output logic [31:0]   issue_active_o,
  output logic [31:0]   issue_live_o,
  output logic [9:0]    issue_al_o,
  output logic [5:0]    issue_depth_o,
  output logic [31:0]   issue_seq_o,
  output logic [11:0]   issue_regbase_o,
  output logic [GW-1:0] issue_gslot_o,
  output logic [4:0]    issue_widx_o,
  output logic [15:0]   issue_shared_o,
  input  logic          fire_i,
  input  logic [WW-1:0] fire_wave_i,
  input  logic [31:0]   fire_seq_i,
  input  logic          fire_alu_we_i,  // the word writes ALU bits

  // flow unit's response (not after a fault)
  input  logic          rsp_valid_i,
  input  logic [WW-1:0] rsp_wave_i,
  input  logic [31:0]   rsp_active_i,
  input  logic [31:0]   rsp_live_i,
  input  logic [9:0]    rsp_al_i,
  input  logic [5:0]    rsp_depth_i,
  input  logic          rsp_ended_i,
  input  logic [WW-1:0] flow_wave_i,    // the wave in the flow unit
  output logic [31:0]   flow_active_o,  // its active threads before the word
  output logic [GW-1:0] flow_gslot_o,

  // other readers
  input  logic [WW-1:0] late_wave_i,    // of a late result
  output logic [11:0]   late_regbase_o,
  input  logic [WW-1:0] fault_wave_i,
  output logic [GW-1:0] fault_gslot_o,
  output logic [4:0]    fault_widx_o,

  input  logic [NW-1:0] memory_busy_i,  // memory words under way
  output logic [NW-1:0] valid_o,
  output logic [NW-1:0] alu_valid_o,
  output logic          end_valid_o,
  output logic [GW-1:0] end_slot_o
);
  typedef struct packed {
    logic [31:0] active;
    logic [31:0] live;
    logic [9:0]  al;
    logic [5:0]  depth;
  } threads_t;
  typedef struct packed {
    logic [11:0]   regbase;
    logic [GW-1:0] gslot;
    logic [4:0]    widx;
    logic [15:0]   shared;
  } place_t;

  threads_t    threads_q [NW];
  place_t      place_q   [NW];
  logic [31:0] seq_q     [NW];
  logic [NW-1:0] valid_q, ending_q, alu_valid_q;

  logic launch;
  assign launch = launch_valid_i;

  // memories
  logic          threads_we, seq_we;
  logic [WW-1:0] threads_waddr, seq_waddr;
  threads_t      threads_d;
  logic [31:0]   seq_d;
  assign threads_we    = rsp_valid_i || launch;
  assign threads_waddr = rsp_valid_i ? rsp_wave_i : launch_wave_i;
  assign threads_d     = rsp_valid_i ? '{rsp_active_i, rsp_live_i, rsp_al_i, rsp_depth_i}
                                     : '{launch_live_i, launch_live_i, 10'd0, 6'd0};
  assign seq_we        = fire_i || launch;
  assign seq_waddr     = fire_i ? fire_wave_i : launch_wave_i;
  assign seq_d         = fire_i ? fire_seq_i + 32'd1 : 32'd0;
  always_ff @(posedge clk_i) begin
    if (threads_we) threads_q[threads_waddr] <= threads_d;
    if (seq_we) seq_q[seq_waddr] <= seq_d;
    if (setup_valid_i) place_q[setup_wave_i] <= '{setup_regbase_i, setup_gslot_i, setup_widx_i, setup_shared_i};
  end

  threads_t issue_threads;
  place_t   issue_place;
  assign issue_threads   = threads_q[issue_wave_i];
  assign issue_place     = place_q[issue_wave_i];
  assign issue_active_o  = issue_threads.active;
  assign issue_live_o    = issue_threads.live;
  assign issue_al_o      = issue_threads.al;
  assign issue_depth_o   = issue_threads.depth;
  assign issue_seq_o     = seq_q[issue_wave_i];
  assign issue_regbase_o = issue_place.regbase;
  assign issue_gslot_o   = issue_place.gslot;
  assign issue_widx_o    = issue_place.widx;
  assign issue_shared_o  = issue_place.shared;
  assign flow_active_o   = threads_q[flow_wave_i].active;
  assign flow_gslot_o    = place_q[flow_wave_i].gslot;
  assign late_regbase_o  = place_q[late_wave_i].regbase;
  assign fault_gslot_o   = place_q[fault_wave_i].gslot;
  assign fault_widx_o    = place_q[fault_wave_i].widx;

  // waves that have ended and whose memory words are complete: one at a time, found in one clock, reported in the next
  logic [NW-1:0] endable, lowest;
  logic          end_found_q;
  logic [WW-1:0] end_wave, end_wave_q;
  assign endable = ending_q & ~memory_busy_i;
  assign lowest  = endable & (~endable + NW'(1));
  always_comb begin
    end_wave = 'x;   // without a wave nobody looks
    if (endable != '0) begin
      end_wave = '0;
      for (int w = 0; w < int'(NW); w++)
        if (lowest[w]) end_wave |= WW'(w);
    end
  end

  always_ff @(posedge clk_i) begin
    end_valid_o <= 1'b0;
    end_found_q <= endable != '0 && !end_found_q;
    end_wave_q  <= end_wave;
    if (end_found_q) begin
      end_valid_o          <= 1'b1;
      end_slot_o           <= place_q[end_wave_q].gslot;
      ending_q[end_wave_q] <= 1'b0;
    end
    if (rsp_valid_i) begin
      alu_valid_q[rsp_wave_i] <= 1'b0;
      if (rsp_ended_i) begin
        valid_q[rsp_wave_i]  <= 1'b0;
        ending_q[rsp_wave_i] <= 1'b1;
      end
    end
    if (fire_i && fire_alu_we_i) alu_valid_q[fire_wave_i] <= 1'b1;
    if (launch) begin
      valid_q[launch_wave_i]     <= 1'b1;
      alu_valid_q[launch_wave_i] <= 1'b0;
    end
    if (rst_i) begin
      valid_q     <= '0;
      ending_q    <= '0;
      alu_valid_q <= '0;
      end_valid_o <= 1'b0;
      end_found_q <= 1'b0;
    end
  end
  assign valid_o     = valid_q;
  assign alu_valid_o = alu_valid_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (!rst_i) begin
    if (launch) assert (!valid_q[launch_wave_i] && !ending_q[launch_wave_i]) else $error("wave slot %0d launched while in use", launch_wave_i);
    if (fire_i) assert (valid_q[fire_wave_i]) else $error("word of a wave that is not there: %0d", fire_wave_i);
    assert (!(rsp_valid_i && launch_valid_i)) else $error("a launch in the clock of a response");
    assert (!(fire_i && launch_valid_i)) else $error("a word issued during a launch");
  end
`endif
endmodule
