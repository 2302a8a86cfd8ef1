// Last stage of the AXI memory unit: returns the results of words in order, then their done pulses.
//
// A word is taken when `complete_i` says that the oldest slot has nothing more to wait for. One entry (component, beat) a cycle while the
// front leaves the data memory's read port alone (data_wait_i = it does not). The read entry is held in the memory's output register until the
// output register is free.
module mw_axi_return
  import mw_isa_pkg::*;
  import mw_axi_mem_pkg::*;
#(
  parameter  cfg_t C = CFG_BASE,
  localparam int unsigned L  = C.lanes,
  localparam int unsigned WW = $clog2(C.waves_partial),
  localparam int unsigned BEATS = WAVE_THREADS / L,
  localparam int unsigned EA = $clog2(NS * 4 * BEATS),
  localparam int unsigned CA = BEATS > 1 ? $clog2(BEATS) : 1
) (
  input  logic                clk_i,
  input  logic                rst_i,

  input  logic                complete_i,
  input  logic [SA-1:0]       slot_i,        // number and contents of the oldest slot
  input  slot_t               word_i,
  input  logic [BEATS-1:0]    came_i,
  output logic                free_o,        // it is free now

  input  logic                data_wait_i,
  output logic                data_re_o,
  output logic [EA-1:0]       entry_o,
  output logic                data_held_o,   // the memories' output registers must not change
  input  logic [L-1:0][31:0]  data_i,
  input  logic [L-1:0]        wmask_i,

  output logic                ret_valid_o,
  input  logic                ret_ready_i,
  output logic [WW-1:0]       ret_wave_o,
  output logic [31:0]         ret_seq_o,
  output logic [1:0]          ret_comp_o,
  output logic [4:0]          ret_beat_o,
  output logic [L-1:0]        ret_mask_o,
  output logic [9:0]          ret_dst_o,
  output logic [L-1:0][31:0]  ret_data_o,
  output logic                done_valid_o,
  output logic [WW-1:0]       done_wave_o,
  output logic                done_acq_o
);
  logic             run_q, all_issued_q;
  logic [1:0]       comp, comp1_q;
  logic [4:0]       beat, beat1_q;
  logic             issue, step, last, came, v1_q, go1, out_free, returns;

  assign returns    = word_i.meta.kind == KIND_LOAD || word_i.meta.kind == KIND_ATOMIC;
  // All entries of the word's components, in order; beats that did not come are passed over.
  mw_axi_entries #(.C(C)) u_entries (
    .clk_i, .start_i(!run_q), .comps_i(word_i.comps), .step_i(step), .comp_o(comp), .beat_o(beat), .last_o(last)
  );
  assign came = came_i[CA'(beat)];

  assign out_free    = !ret_valid_o || ret_ready_i;
  assign go1         = v1_q && (out_free || wmask_i == '0);
  assign data_held_o = v1_q && !go1;
  assign step        = run_q && !all_issued_q && !data_wait_i && !data_held_o;
  assign issue       = step && came;
  assign data_re_o   = issue;
  assign entry_o     = EA'((32'(slot_i) * 4 + 32'(comp)) * BEATS + 32'(beat));

  // The last result leaves in the cycle in which nothing is behind it.
  assign free_o       = run_q && all_issued_q && !v1_q && out_free;
  assign done_valid_o = free_o;
  assign done_wave_o  = word_i.meta.wave[WW-1:0];
  assign done_acq_o   = word_i.meta.acq;

  always_ff @(posedge clk_i) begin
    if (!run_q || free_o) begin
      run_q        <= complete_i && !run_q;
      all_issued_q <= !returns;
    end else if (step && last) begin
      all_issued_q <= 1'b1;
    end
    if (issue) begin
      comp1_q <= comp;
      beat1_q <= beat;
    end
    v1_q <= issue || data_held_o;
    if (out_free) ret_valid_o <= v1_q && wmask_i != '0;
    if (v1_q && out_free) begin
      ret_wave_o <= word_i.meta.wave[WW-1:0];
      ret_seq_o  <= word_i.meta.seq;
      ret_dst_o  <= word_i.dst + 10'(comp1_q);
      ret_comp_o <= comp1_q;
      ret_beat_o <= beat1_q;
      ret_mask_o <= wmask_i;
      ret_data_o <= data_i;
    end
    if (rst_i) begin
      run_q       <= 1'b0;
      v1_q        <= 1'b0;
      ret_valid_o <= 1'b0;
    end
  end

  logic unused;
  assign unused = &{1'b0, word_i};
endmodule
