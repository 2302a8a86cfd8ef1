// Launch fill of one group: writes a pattern (or zeros) into the registers, condition codes and A0 of its waves and into its shared memory
// (semantics.md, "Launch fill"). One row of LANES values per clock while the write port that it needs is free.
// Promises: busy_o from the clock after start_i until the last value is written.
module mw_launch_fill
  import mw_isa_pkg::*;
  import mw_core_pkg::*;
#(
  parameter cfg_t C = CFG_BASE,
  localparam int unsigned L = C.lanes,
  localparam int unsigned BEATS = WAVE_THREADS / L,
  localparam int unsigned NW = C.waves_partial,
  localparam int unsigned WW = $clog2(NW),
  localparam int unsigned FW = L == 1 ? 1 : C.banks   // words of a row of shared memory
) (
  input  logic                  clk_i,
  input  logic                  rst_i,
  /* verilator lint_off UNUSEDSIGNAL */  // travels whole, a part is needed here
  input  csr_t                  csr_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic                  start_i,
  input  logic [WW-1:0]         wave_i,
  input  logic [15:0]           shared_i,   // first word of the group's shared memory
  input  logic [31:0]           number_i,
  output logic                  busy_o,

  output logic                  reg_valid_o,
  output logic                  cc_valid_o,
  output logic                  a0_valid_o,
  input  logic                  reg_ready_i,
  input  logic                  cc_ready_i,
  input  logic                  a0_ready_i,
  output logic [WW-1:0]         wave_o,
  output logic [4:0]            beat_o,
  output logic [9:0]            index_o,    // register; condition codes: 4 * register + component
  output logic [L*32-1:0]       data_o,

  output logic                  shared_valid_o,
  input  logic                  shared_ready_i,
  output logic [15:0]           shared_row_o,
  output logic [FW*32-1:0]      shared_data_o
);
  localparam int unsigned BANK_BITS = $clog2(FW);
  typedef enum logic [2:0] {IDLE, SEED, REGS, CCS, A0S, SHARED} state_e;
  state_e state_q;

  logic [31:0]   seed_q;               // xs(seed + number)
  logic [5:0]    widx_q;
  logic [4:0]    beat_q;
  logic [10:0]   index_q;
  logic [WW-1:0] wave_q;
  logic [15:0]   row_q, words_q;
  logic          zero;
  assign zero = csr_i.fill_mode == 2'd1;

  logic [7:0] space;
  always_comb begin
    case (state_q)
      REGS:    space = FILL_SPACE_REG;
      CCS:     space = FILL_SPACE_CC;
      default: space = FILL_SPACE_A0;
    endcase
  end

  // stage 1: the part of the hash that all threads share. Two registers, so that the write port's answer ends here.
  typedef enum logic [1:0] {NONE, TO_REG, TO_CC, TO_A0} target_e;
  typedef struct packed {
    target_e       target;
    logic [31:0]   mix;
    logic [4:0]    widx;
    logic [4:0]    beat;
    logic [WW-1:0] wave;
    logic [9:0]    index;
  } row_t;
  row_t out_q, next_q, made;
  logic blocked, taken;
  assign blocked = next_q.target != NONE;
  assign taken   = out_q.target == NONE || (out_q.target == TO_REG && reg_ready_i) || (out_q.target == TO_CC && cc_ready_i)
                || (out_q.target == TO_A0 && a0_ready_i);
  always_comb begin
    made = '{NONE, xs(seed_q ^ {space, 24'd0} ^ {21'd0, index_q}), widx_q[4:0], beat_q, wave_q, index_q[9:0]};
    case (state_q)
      REGS:    made.target = TO_REG;
      CCS:     made.target = TO_CC;
      A0S:     made.target = TO_A0;
      default: ;
    endcase
    if (blocked) made.target = NONE;
  end

  logic shared_go;
  assign shared_go = !shared_valid_o || shared_ready_i;
  logic last_beat, last_index, last_wave;
  logic [10:0] last_reg_q;             // of the wave; constant during a dispatch, like last_widx_q
  logic [5:0]  last_widx_q;
  assign last_beat = beat_q == 5'(BEATS - 1);
  assign last_wave = widx_q == last_widx_q;
  always_comb begin
    case (state_q)
      REGS:    last_index = index_q == last_reg_q;
      CCS:     last_index = index_q == 11'd11;
      default: last_index = 1'b1;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (taken) begin
      out_q         <= blocked ? next_q : made;
      next_q.target <= NONE;
    end else if (!blocked) begin
      next_q <= made;
    end
    last_reg_q  <= csr_i.nregs - 11'd1;
    last_widx_q <= csr_i.waves - 6'd1;
    if (shared_ready_i) shared_valid_o <= 1'b0;
    case (state_q)
      IDLE:
        if (start_i) begin
          seed_q    <= csr_i.fill_seed + number_i;
          widx_q    <= '0;
          beat_q    <= '0;
          index_q   <= '0;
          wave_q    <= wave_i;
          row_q     <= shared_i >> BANK_BITS;
          words_q   <= '0;
          state_q   <= SEED;
        end
      SEED: begin
        seed_q  <= xs(seed_q);
        state_q <= csr_i.nregs == '0 ? CCS : REGS;
      end
      REGS, CCS, A0S:
        if (!blocked) begin
          beat_q  <= last_beat ? '0 : beat_q + 5'd1;
          if (last_beat) begin
            index_q <= last_index ? '0 : index_q + 11'd1;
            if (last_index) begin
              case (state_q)
                REGS: state_q <= CCS;
                CCS:  state_q <= A0S;
                default: begin
                  widx_q    <= widx_q + 6'd1;
                  wave_q    <= wave_q + 1'b1;
                  if (!last_wave) state_q <= csr_i.nregs == '0 ? CCS : REGS;
                  else state_q <= csr_i.shared_alloc == '0 ? IDLE : SHARED;
                end
              endcase
            end
          end
        end
      SHARED:
        if (shared_go) begin
          shared_valid_o <= 1'b1;
          shared_row_o   <= row_q;
          row_q          <= row_q + 16'd1;
          words_q        <= words_q + 16'(FW);
          if (words_q + 16'(FW) >= csr_i.shared_alloc) state_q <= IDLE;
        end
      default: state_q <= IDLE;
    endcase
    if (state_q == SHARED && shared_go)
      for (int b = 0; b < int'(FW); b++)
        shared_data_o[b*32 +: 32] <= zero ? '0 : xs(seed_q ^ {FILL_SPACE_SHARED, 24'd0} ^ ({16'd0, words_q} + 32'(b)));
    if (rst_i) begin
      state_q        <= IDLE;
      out_q.target   <= NONE;
      next_q.target  <= NONE;
      shared_valid_o <= 1'b0;
    end
  end

  // stage 2: the part of each thread
  function automatic logic [31:0] spread(input logic [31:0] thread);
    return thread ^ (thread << 11) ^ (thread << 22);
  endfunction
  always_comb begin
    data_o = '0;
    if (out_q.target != NONE && !zero)
      for (int l = 0; l < int'(L); l++)
        data_o[l*32 +: 32] = out_q.mix ^ spread({22'd0, out_q.widx, 5'd0} + 32'(out_q.beat) * L + 32'(l));
  end
  assign reg_valid_o = out_q.target == TO_REG;
  assign cc_valid_o  = out_q.target == TO_CC;
  assign a0_valid_o  = out_q.target == TO_A0;
  assign wave_o      = out_q.wave;
  assign beat_o      = out_q.beat;
  assign index_o     = out_q.index;
  assign busy_o      = state_q != IDLE || out_q.target != NONE || next_q.target != NONE || shared_valid_o;
endmodule
