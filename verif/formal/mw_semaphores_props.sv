// mw_semaphores against two lists of the memory words under way: a semaphore is busy while a word that acquired it is under way, and memory_busy_o
// while any word of the wave is. Both from the clock after the issue to the clock after done.
// Assumed: each unit completes its words in the order in which they issued, holds at most WORDS (which bounds the lists, not the module), and a busy
// semaphore is not acquired. The module's own assertions say the same.
// Source: docs/architecture.md, "Semaphores"; header of rtl/core/mw_semaphores.sv.
module mw_semaphores_props
  import mw_isa_pkg::*;
#(
  parameter  int unsigned CFG   = 0,
  parameter  int unsigned WORDS = 4,
  localparam cfg_t        C     = cfg_of(CFG),
  localparam int unsigned NW    = C.waves_partial,
  localparam int unsigned WW    = $clog2(NW)
) (
  input logic          clk_i,
  input logic          rst_i,
  input logic          fire_i,
  input logic [WW-1:0] fire_wave_i,
  input logic          fire_shared_i,
  input logic          fire_acquire_i,
  input logic [1:0]    done_i
);
  typedef struct packed {
    logic          acquire;
    logic [WW-1:0] wave;
  } entry_t;
  localparam int unsigned NB = $clog2(WORDS + 1);
  logic                          begun_q = 1'b0;
  entry_t [1:0][WORDS-1:0]       list_q, list_d;   // by unit (0 AXI, 1 shared memory), the oldest first
  logic   [1:0][NB-1:0]          count_q, count_d;
  logic   [1:0][NW-1:0]          busy, acquired;
  logic   [NW-1:0]               sem_axi, sem_shared, memory_busy;

  mw_semaphores #(.C(C)) u_sem (
    .clk_i, .rst_i, .fire_i, .fire_wave_i, .fire_shared_i, .fire_acquire_i, .done_i,
    .done_axi_wave_i(list_q[0][0].wave), .done_shared_wave_i(list_q[1][0].wave), .done_acquire_i({list_q[1][0].acquire, list_q[0][0].acquire}),
    .sem_axi_o(sem_axi), .sem_shared_o(sem_shared), .memory_busy_o(memory_busy)
  );

  always_comb begin
    {list_d, count_d} = {list_q, count_q};
    for (int u = 0; u < 2; u++) begin
      if (done_i[u]) begin
        list_d[u] >>= $bits(entry_t);
        count_d[u] -= NB'(1);
      end
      if (fire_i && fire_shared_i == 1'(u)) begin
        for (int unsigned i = 0; i < WORDS; i++) if (count_d[u] == NB'(i)) list_d[u][i] = '{fire_acquire_i, fire_wave_i};
        count_d[u] += NB'(1);
      end
    end
  end
  always_ff @(posedge clk_i) begin
    begun_q <= 1'b1;
    list_q  <= list_d;
    count_q <= rst_i ? '0 : count_d;
  end

  // Numbers, as the module counts: no promise, but what makes the proof a step.
  logic numbered;
  always_comb begin
    busy     = '0;
    acquired = '0;
    numbered = count_q[0] <= NB'(WORDS) && count_q[1] <= NB'(WORDS);
    numbered &= u_sem.issued_axi_q == u_sem.done_axi_q + 9'(count_q[0]) && u_sem.issued_shared_q == u_sem.done_shared_q + 9'(count_q[1]);
    numbered &= u_sem.busy_axi_q == '0 || count_q[0] != '0;
    for (int u = 0; u < 2; u++)
      for (int unsigned i = 0; i < WORDS; i++)
        if (i < 32'(count_q[u])) begin
          // nobody acquires what is held
          if (list_q[u][i].acquire && acquired[u][list_q[u][i].wave]) numbered = 1'b0;
          busy[u][list_q[u][i].wave] = 1'b1;
          if (list_q[u][i].acquire) acquired[u][list_q[u][i].wave] = 1'b1;
        end
    for (int unsigned w = 0; w < NW; w++) begin
      for (int unsigned i = 0; i < WORDS; i++) begin
        logic axi_last, shared_last;     // the wave's last word
        axi_last    = i < 32'(count_q[0]) && list_q[0][i].wave == WW'(w);
        shared_last = i < 32'(count_q[1]) && list_q[1][i].wave == WW'(w);
        for (int unsigned j = i + 1; j < WORDS; j++) begin
          if (j < 32'(count_q[0]) && list_q[0][j].wave == WW'(w)) axi_last = 1'b0;
          if (j < 32'(count_q[1]) && list_q[1][j].wave == WW'(w)) shared_last = 1'b0;
        end
        if (axi_last && u_sem.last_axi_q[w] != u_sem.done_axi_q + 9'(i)) numbered = 1'b0;
        if (shared_last && u_sem.last_shared_q[w] != u_sem.done_shared_q + 9'(i)) numbered = 1'b0;
      end
    end
    numbered &= u_sem.busy_axi_q == busy[0] && u_sem.busy_shared_q == busy[1];

    if (!begun_q) assume (rst_i);
    for (int u = 0; u < 2; u++) begin
      if (count_q[u] == '0) assume (!done_i[u]);
      if (count_q[u] == NB'(WORDS) && fire_shared_i == 1'(u)) assume (!fire_i);
    end
    if (fire_i && fire_acquire_i) assume (!acquired[fire_shared_i][fire_wave_i]);
    if (begun_q) begin
      a_axi:    assert (sem_axi == acquired[0]);
      a_shared: assert (sem_shared == acquired[1]);
      a_busy:   assert (memory_busy == (busy[0] | busy[1]));
      i_inner:  assert (numbered);
    end
  end
endmodule
