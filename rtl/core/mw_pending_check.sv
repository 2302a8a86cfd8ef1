// Simulation only: a register that a load will write must not be used before a WAIT (semantics.md, "Memory words"). Looks at every word that issues.
// A register is pending from the load; an ACQUIRE on the load's semaphore at or after it makes it coverable; a WAIT on that semaphore then frees it.
// Registers with a relative index are left to the model, which faults on them in lockstep.
`ifndef SYNTHESIS
module mw_pending_check
  import mw_isa_pkg::*;
  import mw_core_pkg::*;
#(
  parameter cfg_t C = CFG_BASE,
  localparam int unsigned NW = C.waves_partial,
  localparam int unsigned WW = $clog2(NW)
) (
  input logic          clk_i,
  input logic          rst_i,
  input logic          launch_i,
  input logic [WW-1:0] launch_wave_i,
  input logic          fire_i,
  input logic [WW-1:0] fire_wave_i,
  /* verilator lint_off UNUSEDSIGNAL */  // travels whole, a part is needed here
  input fetched_t      fire_word_i
  /* verilator lint_on UNUSEDSIGNAL */
);
  typedef logic [REGISTERS-1:0] set_t;
  set_t          pending_q [2*NW];   // {wave, semaphore}
  set_t          covered_q [2*NW];
  logic [NW-1:0] any_q;

  // registers first .. first + 3, those of `mask`
  function automatic set_t some(input logic [9:0] first, input logic [3:0] mask);
    return set_t'(mask) << first;
  endfunction
  // whether one of them is in the set
  function automatic logic hit(input set_t s, input logic [9:0] first, input logic [3:0] mask);
    return (mask[0] && s[first]) || (mask[1] && s[first + 10'd1]) || (mask[2] && s[first + 10'd2]) || (mask[3] && s[first + 10'd3]);
  endfunction

  /* verilator lint_off UNUSEDSIGNAL */
  word_alu_t a;
  word_mem_t m;
  class_t    info;
  /* verilator lint_on UNUSEDSIGNAL */
  assign a    = word_alu_t'(fire_word_i.word);
  assign m    = word_mem_t'(fire_word_i.word);
  assign info = fire_word_i.info;

  function automatic logic uses(input set_t s);
    logic u;
    u = 1'b0;
    if (info.format == FORMAT_ALU) begin
      if (info.src_a && a.a_file == FILE_GPR) u |= s[a.a_idx];
      if (info.src_b && a.b_file == FILE_GPR) u |= s[a.b_idx];
      if (info.src_c && a.c_file == FILE_GPR) u |= s[a.c_idx];
      if (a.dst_en && !a.dst_rel) u |= s[a.dst];
    end else if (info.format == FORMAT_MEM) begin
      if (info.src_a && m.a_file == FILE_GPR) u |= s[m.a_idx];
      if (info.kind == KIND_STORE || info.kind == KIND_ATOMIC) u |= hit(s, m.b_idx, m.mem_mask);
      if (info.kind == KIND_ATOMIC && m.atom_op == ATOM_CSWAP) u |= s[m.b_idx + 10'd1];
      if (m.dst_en) u |= hit(s, m.dst, m.mem_mask);
    end
    return u;
  endfunction

  always_ff @(posedge clk_i) begin
    if (launch_i) begin
      any_q[launch_wave_i]           <= 1'b0;
      pending_q[{launch_wave_i, 1'b0}] <= '0;
      pending_q[{launch_wave_i, 1'b1}] <= '0;
      covered_q[{launch_wave_i, 1'b0}] <= '0;
      covered_q[{launch_wave_i, 1'b1}] <= '0;
    end
    if (fire_i && (any_q[fire_wave_i] || (info.format == FORMAT_MEM && m.dst_en))) begin
      set_t p0, p1, c0, c1;
      p0 = pending_q[{fire_wave_i, 1'b0}];
      p1 = pending_q[{fire_wave_i, 1'b1}];
      c0 = covered_q[{fire_wave_i, 1'b0}];
      c1 = covered_q[{fire_wave_i, 1'b1}];
      if (m.sem_wait[0]) begin
        p0 &= ~c0;
        c0 = '0;
      end
      if (m.sem_wait[1]) begin
        p1 &= ~c1;
        c1 = '0;
      end
      assert (!(uses(p0) || uses(p1)) || rst_i) else $error("wave %0d, pc %0d: use of a pending register before WAIT", fire_wave_i, fire_word_i.pc);
      if (info.format == FORMAT_MEM) begin
        if (m.dst_en && info.unit == UNIT_AXI) p0 |= some(m.dst, m.mem_mask);
        if (m.dst_en && info.unit == UNIT_SHARED) p1 |= some(m.dst, m.mem_mask);
        if (m.sem_acquire && info.unit == UNIT_AXI) c0 = p0;
        if (m.sem_acquire && info.unit == UNIT_SHARED) c1 = p1;
      end
      pending_q[{fire_wave_i, 1'b0}] <= p0;
      pending_q[{fire_wave_i, 1'b1}] <= p1;
      covered_q[{fire_wave_i, 1'b0}] <= c0;
      covered_q[{fire_wave_i, 1'b1}] <= c1;
      any_q[fire_wave_i]             <= (p0 | p1) != '0;
    end
    if (rst_i) any_q <= '0;
  end
endmodule
`endif
