// Memory words under way: the two semaphores of each wave and whether it has words that are not complete.
// Each memory unit completes its words in the order in which they issued. So words are numbered per unit: a wave is free of words of a unit when
// the word that completes is the last one it issued. Nothing is counted per wave.
// Promises: set in the clock after fire_i, free in the clock after done_i.
module mw_semaphores
  import mw_isa_pkg::*;
#(
  parameter cfg_t C = CFG_BASE,
  localparam int unsigned NW = C.waves_partial,
  localparam int unsigned WW = $clog2(NW)
) (
  input  logic          clk_i,
  input  logic          rst_i,
  input  logic          fire_i,         // a memory word issues
  input  logic [WW-1:0] fire_wave_i,
  input  logic          fire_shared_i,
  input  logic          fire_acquire_i,
  input  logic [1:0]    done_i,         // bit 0 AXI, bit 1 shared memory
  input  logic [WW-1:0] done_axi_wave_i,
  input  logic [WW-1:0] done_shared_wave_i,
  input  logic [1:0]    done_acquire_i,
  output logic [NW-1:0] sem_axi_o,      // busy
  output logic [NW-1:0] sem_shared_o,
  output logic [NW-1:0] memory_busy_o
);
  localparam int unsigned TW = 9;       // more words than both units together can hold
  logic [TW-1:0] last_axi_q [NW];
  logic [TW-1:0] last_shared_q [NW];
  logic [TW-1:0] issued_axi_q, issued_shared_q, done_axi_q, done_shared_q;
  logic [NW-1:0] busy_axi_q, busy_shared_q, sem_axi_q, sem_shared_q;

  always_ff @(posedge clk_i) begin
    if (done_i[0]) begin
      done_axi_q <= done_axi_q + 1'b1;
      if (last_axi_q[done_axi_wave_i] == done_axi_q) busy_axi_q[done_axi_wave_i] <= 1'b0;
      if (done_acquire_i[0]) sem_axi_q[done_axi_wave_i] <= 1'b0;
    end
    if (done_i[1]) begin
      done_shared_q <= done_shared_q + 1'b1;
      if (last_shared_q[done_shared_wave_i] == done_shared_q) busy_shared_q[done_shared_wave_i] <= 1'b0;
      if (done_acquire_i[1]) sem_shared_q[done_shared_wave_i] <= 1'b0;
    end
    if (fire_i && !fire_shared_i) begin
      issued_axi_q            <= issued_axi_q + 1'b1;
      last_axi_q[fire_wave_i] <= issued_axi_q;
      busy_axi_q[fire_wave_i] <= 1'b1;
      if (fire_acquire_i) sem_axi_q[fire_wave_i] <= 1'b1;
    end
    if (fire_i && fire_shared_i) begin
      issued_shared_q            <= issued_shared_q + 1'b1;
      last_shared_q[fire_wave_i] <= issued_shared_q;
      busy_shared_q[fire_wave_i] <= 1'b1;
      if (fire_acquire_i) sem_shared_q[fire_wave_i] <= 1'b1;
    end
    if (rst_i) begin
      issued_axi_q    <= '0;
      issued_shared_q <= '0;
      done_axi_q      <= '0;
      done_shared_q   <= '0;
      busy_axi_q      <= '0;
      busy_shared_q   <= '0;
      sem_axi_q       <= '0;
      sem_shared_q    <= '0;
    end
  end
  assign sem_axi_o     = sem_axi_q;
  assign sem_shared_o  = sem_shared_q;
  assign memory_busy_o = busy_axi_q | busy_shared_q;

`ifndef SYNTHESIS
  // Completion in issue order is what the numbering rests on.
  logic [WW-1:0] order_axi_q [1 << TW];
  logic [WW-1:0] order_shared_q [1 << TW];
  always_ff @(posedge clk_i) begin
    if (fire_i && !fire_shared_i) order_axi_q[issued_axi_q] <= fire_wave_i;
    if (fire_i && fire_shared_i) order_shared_q[issued_shared_q] <= fire_wave_i;
    if (!rst_i) begin
      if (done_i[0]) assert (done_axi_q != issued_axi_q && order_axi_q[done_axi_q] == done_axi_wave_i) else $error("AXI memory word completed out of order");
      if (done_i[1]) assert (done_shared_q != issued_shared_q && order_shared_q[done_shared_q] == done_shared_wave_i) else $error("shared memory word completed out of order");
      if (fire_i && fire_acquire_i) assert (!(fire_shared_i ? sem_shared_q[fire_wave_i] : sem_axi_q[fire_wave_i])) else $error("acquire of a busy semaphore");
    end
  end
`endif
endmodule
