// Work-group dispatcher: walks the groups of a dispatch in x, y, z order, gives each a free group slot, has it filled, and makes its
// waves ready (architecture.md, "Launch"). Everything is counters; nothing is divided or multiplied.
// Promises: a group is launched as a whole; a group slot is used again only after group_end_i; group_valid_o comes before the first
// wave of the group, after its fill and uniform values. After stop_i no further group is launched. done_o comes when nothing of the
// dispatch is left anywhere (idle_i) and the counters have settled.
module mw_dispatch
  import mw_isa_pkg::*;
  import mw_core_pkg::*;
#(
  parameter cfg_t C = CFG_BASE,
  localparam int unsigned NW = C.waves_partial,
  localparam int unsigned WW = $clog2(NW),
  localparam int unsigned NG = C.group_slots,
  localparam int unsigned GW = $clog2(NG)
) (
  input  logic          clk_i,
  input  logic          rst_i,
  /* verilator lint_off UNUSEDSIGNAL */  // travels whole, a part is needed here
  input  csr_t          csr_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic          start_i,
  input  logic          stop_i,         // a fault: launch nothing more
  input  logic          idle_i,         // nothing under way in the unit
  output logic          clear_o,        // start of a dispatch: forget the previous one
  output logic          busy_o,
  output logic          run_o,          // groups may be launched or resident
  output logic          done_o,

  // static tables, written once per dispatch
  output logic          setup_valid_o,
  output logic [WW-1:0] setup_wave_o,
  output logic [11:0]   setup_regbase_o,
  output logic [GW-1:0] setup_gslot_o,
  output logic [4:0]    setup_widx_o,
  output logic [15:0]   setup_shared_o,  // first word of the group's shared memory
  input  logic          setup_wait_i,    // local ids are not ready

  // launch fill of one group
  output logic          fill_start_o,
  output logic [WW-1:0] fill_wave_o,     // first wave of the group
  output logic [15:0]   fill_shared_o,
  output logic [31:0]   fill_number_o,
  input  logic          fill_busy_i,

  output logic          uniform_we_o,
  output logic [3:0]    uniform_code_o,  // uniform_e; of group_slot_o
  output logic [31:0]   uniform_data_o,

  output logic          group_valid_o,
  output logic [GW-1:0] group_slot_o,
  output logic [15:0]   group_x_o,
  output logic [15:0]   group_y_o,
  output logic [15:0]   group_z_o,
  output logic [31:0]   group_number_o,

  output logic          wave_hold_o,     // no word may issue in the next clock: from two clocks before the first wave is ready
  output logic          wave_valid_o,
  input  logic          wave_ready_i,
  output logic [WW-1:0] wave_o,
  output logic [31:0]   wave_live_o,

  input  logic          group_end_i,
  input  logic [GW-1:0] group_end_slot_i
);
  typedef enum logic [3:0] {IDLE, CLEAR, SETUP, SEEK, FILL, UNIFORM, GROUP, WAVES, NEXT, DRAIN, SETTLE} state_e;
  state_e state_q;

  localparam int unsigned SETTLE_CYCLES = 4 * NUM_COUNTERS + 80;  // the counter unit goes round all counters in less, even when it begins with clearing

  logic [5:0]    step_q;                       // wave of the group or uniform value
  logic [7:0]    settle_q;
  logic [4:0]    slot_q;                       // group slot being set up or launched
  logic [WW:0]   wave_q;                       // wave slot being set up or launched
  logic [11:0]   regbase_q;
  logic [15:0]   shared_q;
  logic [15:0]   x_q, y_q, z_q;
  logic [31:0]   base_x_q, base_y_q, base_z_q, number_q;
  logic          all_launched_q, waves_q;      // waves_q: in state WAVES
  logic [NG-1:0] taken_q;
  logic [5:0]    last_step_q;                  // wave of a group, slot: the last one
  logic [4:0]    last_slot_q;
  logic [31:0]   rest_q;                       // threads of a group's last wave

  // where each group slot begins
  typedef struct packed {
    logic [WW-1:0] wave;
    logic [15:0]   shared;
  } place_t;
  place_t place_q [NG];
  place_t place;
  assign place = place_q[slot_q[GW-1:0]];

  // lowest free slot among the resident ones, a clock old
  logic          free_found, free_found_q;
  logic [4:0]    free_slot, free_slot_q;
  always_comb begin
    free_found = 1'b0;
    free_slot  = '0;
    for (int g = int'(NG) - 1; g >= 0; g--)
      if (!taken_q[g] && 5'(g) < csr_i.resident) begin
        free_found = 1'b1;
        free_slot  = 5'(g);
      end
  end

  logic last_wave, last_wave_q, last_x_q, last_y_q, last_z_q, empty;  // last_wave_q: the wave being launched is the group's last
  logic next_q, last_xy_q, last_xyz_q;   // next_q: in state NEXT
  assign last_wave = step_q == last_step_q;
  assign empty     = csr_i.groups_x == '0 || csr_i.groups_y == '0 || csr_i.groups_z == '0;

  always_ff @(posedge clk_i) begin
    done_o       <= 1'b0;
    free_found_q <= free_found;
    free_slot_q  <= free_slot;
    last_x_q     <= x_q + 16'd1 == csr_i.groups_x;
    last_y_q     <= y_q + 16'd1 == csr_i.groups_y;
    last_z_q     <= z_q + 16'd1 == csr_i.groups_z;
    last_step_q  <= csr_i.waves - 6'd1;
    last_slot_q  <= csr_i.resident - 5'd1;
    last_xy_q    <= last_x_q && last_y_q;
    last_xyz_q   <= last_xy_q && last_z_q;
    wave_hold_o  <= (state_q inside {GROUP, WAVES} || (state_q == UNIFORM && step_q == 6'(UV_WAVES_MAX))) && !rst_i;
    rest_q       <= csr_i.threads[4:0] != '0 ? ~(32'hffff_ffff << csr_i.threads[4:0]) : 32'hffff_ffff;
    next_q       <= 1'b0;
    group_valid_o <= 1'b0;
    fill_start_o <= 1'b0;
    clear_o      <= 1'b0;
    if (group_end_i) taken_q[group_end_slot_i] <= 1'b0;
    case (state_q)
      IDLE:
        if (start_i) begin
          state_q <= CLEAR;
          clear_o <= 1'b1;
          busy_o  <= 1'b1;
        end
      CLEAR: begin
        state_q        <= empty ? SETTLE : SETUP;
        step_q         <= '0;
        slot_q         <= '0;
        wave_q         <= '0;
        regbase_q      <= '0;
        shared_q       <= '0;
        x_q            <= '0;
        y_q            <= '0;
        z_q            <= '0;
        base_x_q       <= '0;
        base_y_q       <= '0;
        base_z_q       <= '0;
        number_q       <= '0;
        all_launched_q <= 1'b0;
        taken_q        <= '0;
      end
      SETUP: begin
        if (step_q == '0) place_q[slot_q[GW-1:0]] <= '{wave_q[WW-1:0], shared_q};
        wave_q    <= wave_q + 1'b1;
        regbase_q <= regbase_q + {1'b0, csr_i.nregs};
        step_q    <= step_q + 6'd1;
        if (last_wave) begin
          step_q   <= '0;
          slot_q   <= slot_q + 5'd1;
          shared_q <= shared_q + csr_i.shared_alloc;
          if (slot_q == last_slot_q) state_q <= SEEK;
        end
      end
      SEEK: begin
        slot_q <= free_slot_q;
        step_q <= '0;
        if (stop_i || all_launched_q) begin
          if (stop_i || taken_q == '0) state_q <= DRAIN;
        end else if (free_found_q) begin
          state_q                         <= csr_i.fill_mode == 2'd0 ? UNIFORM : FILL;
          fill_start_o                    <= csr_i.fill_mode != 2'd0;
          taken_q[free_slot_q[GW-1:0]]    <= 1'b1;
        end
      end
      FILL:
        if (!fill_busy_i && !fill_start_o) state_q <= UNIFORM;
      UNIFORM: begin
        step_q <= step_q + 6'd1;
        if (step_q == 6'(UV_WAVES_MAX)) state_q <= GROUP;
      end
      GROUP: begin
        step_q      <= '0;
        wave_q      <= {1'b0, place.wave};
        last_wave_q <= csr_i.waves == 6'd1;
        if (stop_i) state_q <= SEEK;
        else if (!setup_wait_i) begin
          state_q       <= WAVES;
          waves_q       <= 1'b1;
          group_valid_o <= 1'b1;
        end
      end
      WAVES:
        if (stop_i) begin
          state_q <= SEEK;
          waves_q <= 1'b0;
        end else if (wave_ready_i) begin
          step_q <= step_q + 6'd1;
          wave_q <= wave_q + 1'b1;
          last_wave_q <= step_q + 6'd2 == csr_i.waves;
          if (last_wave_q) begin
            state_q <= NEXT;
            next_q  <= 1'b1;
            waves_q <= 1'b0;
          end
        end
      NEXT: state_q <= SEEK;
      DRAIN:
        if (idle_i) state_q <= SETTLE;
      SETTLE: begin
        settle_q <= settle_q + 8'd1;
        if (settle_q == 8'(SETTLE_CYCLES)) begin
          state_q <= IDLE;
          done_o  <= 1'b1;
        end
      end
      default: state_q <= IDLE;
    endcase
    // the next group; last_* have been right for some clocks
    if (next_q) begin
      number_q <= number_q + 32'd1;
      x_q      <= last_x_q ? '0 : x_q + 16'd1;
      base_x_q <= last_x_q ? '0 : base_x_q + {21'd0, csr_i.size_x};
      if (last_x_q) begin
        y_q      <= last_xy_q ? '0 : y_q + 16'd1;
        base_y_q <= last_xy_q ? '0 : base_y_q + {21'd0, csr_i.size_y};
      end
      if (last_xy_q) begin
        z_q      <= z_q + 16'd1;
        base_z_q <= base_z_q + {21'd0, csr_i.size_z};
      end
      if (last_xyz_q) all_launched_q <= 1'b1;
    end
    if (done_o) busy_o <= 1'b0;
    if (state_q != SETTLE) settle_q <= '0;
    if (rst_i) begin
      state_q <= IDLE;
      busy_o  <= 1'b0;
      next_q  <= 1'b0;
      waves_q <= 1'b0;
      taken_q <= '0;
    end
  end

  assign run_o  = state_q inside {SETUP, SEEK, FILL, UNIFORM, GROUP, WAVES, NEXT, DRAIN};

  assign setup_valid_o   = state_q == SETUP;
  assign setup_wave_o    = wave_q[WW-1:0];
  assign setup_regbase_o = regbase_q;
  assign setup_gslot_o   = slot_q[GW-1:0];
  assign setup_widx_o    = step_q[4:0];
  assign setup_shared_o  = shared_q;

  assign fill_wave_o    = place.wave;
  assign fill_shared_o  = place.shared;
  assign fill_number_o  = number_q;

  // A clock late: the group's waves start later.
  logic [31:0] uniform;
  always_ff @(posedge clk_i) begin
    uniform_we_o   <= state_q == UNIFORM;
    uniform_code_o <= step_q[3:0];
    uniform_data_o <= uniform;
  end
  always_comb begin
    case (step_q[3:0])
      UV_GROUPID_X:    uniform = {16'd0, x_q};
      UV_GROUPID_Y:    uniform = {16'd0, y_q};
      UV_GROUPID_Z:    uniform = {16'd0, z_q};
      UV_GROUPCOUNT_X: uniform = {16'd0, csr_i.groups_x};
      UV_GROUPCOUNT_Y: uniform = {16'd0, csr_i.groups_y};
      UV_GROUPCOUNT_Z: uniform = {16'd0, csr_i.groups_z};
      UV_GROUPSIZE_X:  uniform = {21'd0, csr_i.size_x};
      UV_GROUPSIZE_Y:  uniform = {21'd0, csr_i.size_y};
      UV_GROUPSIZE_Z:  uniform = {21'd0, csr_i.size_z};
      UV_GROUPBASE_X:  uniform = base_x_q;
      UV_GROUPBASE_Y:  uniform = base_y_q;
      UV_GROUPBASE_Z:  uniform = base_z_q;
      default:         uniform = csr_i.full ? C.waves_full : C.waves_partial;
    endcase
  end

  assign group_slot_o   = slot_q[GW-1:0];
  assign group_x_o      = x_q;
  assign group_y_o      = y_q;
  assign group_z_o      = z_q;
  assign group_number_o = number_q;

  assign wave_valid_o = waves_q && !stop_i;
  assign wave_o       = wave_q[WW-1:0];
  // the last wave of a group has the threads that are left
  assign wave_live_o = last_wave_q ? rest_q : 32'hffff_ffff;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i && group_end_i) assert (taken_q[group_end_slot_i]) else $error("group slot %0d ended twice", group_end_slot_i);
    if (!rst_i && state_q == SETUP) assert (wave_q < (WW + 1)'(NW)) else $error("more resident waves than wave slots");
  end
`endif
endmodule
