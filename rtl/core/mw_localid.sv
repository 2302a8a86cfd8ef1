// Local ids of all threads of a group, as counters give them: written once per dispatch (all groups have the same shape), read by
// the operand stage. Row = wave in group * BEATS + beat; a thread's entry is {z, y, x}.
// Promises: busy_o from start_i until the table is complete (one thread per clock); data_o two clocks after the address (memory, register).
module mw_localid
  import mw_isa_pkg::*;
  import mw_core_pkg::*;
#(
  parameter cfg_t C = CFG_BASE,
  localparam int unsigned L = C.lanes,
  localparam int unsigned BEATS = WAVE_THREADS / L,
  localparam int unsigned ROWS = C.group_threads / L,
  localparam int unsigned RW = $clog2(ROWS),
  localparam int unsigned IDW = 26
) (
  input  logic             clk_i,
  input  logic             rst_i,
  /* verilator lint_off UNUSEDSIGNAL */  // travels whole, a part is needed here
  input  csr_t             csr_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic             start_i,
  output logic             busy_o,
  input  logic             re_i,
  input  logic [4:0]       widx_i,
  input  logic [4:0]       beat_i,
  output logic [L*IDW-1:0] data_o
);
  logic [L*IDW-1:0] read_q;

  logic [9:0]       x_q, y_q;
  logic [5:0]       z_q;
  logic [10:0]      thread_q;
  logic [10:0]      last_x_q, last_y_q, last_q;   // of a row, of a layer, of the group
  logic [L*IDW-1:0] row_q;
  logic             run_q, write_q;
  logic [RW-1:0]    waddr_q;

  always_ff @(posedge clk_i) begin
    write_q  <= 1'b0;
    last_x_q <= csr_i.size_x - 11'd1;
    last_y_q <= csr_i.size_y - 11'd1;
    last_q   <= csr_i.threads - 11'd1;
    if (run_q)   // apart from the rest: start_i, which comes late, is no part of these large enables
      for (int l = 0; l < int'(L); l++)
        if ((32'(thread_q) & (L - 1)) == 32'(l)) row_q[l*IDW +: IDW] <= {z_q, y_q, x_q};
    if (start_i) begin
      run_q    <= 1'b1;
      x_q      <= '0;
      y_q      <= '0;
      z_q      <= '0;
      thread_q <= '0;
    end else if (run_q) begin
      waddr_q  <= RW'(thread_q >> $clog2(L));
      write_q  <= 1'b1;
      thread_q <= thread_q + 11'd1;
      x_q      <= x_q + 10'd1;
      if ({1'b0, x_q} == last_x_q) begin
        x_q <= '0;
        y_q <= y_q + 10'd1;
        if ({1'b0, y_q} == last_y_q) begin
          y_q <= '0;
          z_q <= z_q + 6'd1;
        end
      end
      if (thread_q >= last_q) run_q <= 1'b0;
    end
    data_o <= read_q;
    if (rst_i) begin
      run_q   <= 1'b0;
      write_q <= 1'b0;
    end
  end
  assign busy_o = run_q || write_q;

  // block RAM also where there are only 32 rows: it is wide
  mw_mem_ram #(.WIDTH(L * IDW), .DEPTH(ROWS), .BLOCK(L >= 8), .LUT_ROWS(16)) u_table (
    .clk_i, .we_i(write_q), .waddr_i(waddr_q), .wdata_i(row_q), .re_i, .raddr_i(RW'(32'(widx_i) * BEATS + 32'(beat_i))), .rdata_o(read_q)
  );
endmodule
