// Constant file, uniform values of the resident groups, and buffer slots: what is equal for all threads of a word.
// Promises: with read_i, the addressed entries stand at the outputs from the next clock until the next read_i.
module mw_constants
  import mw_isa_pkg::*;
#(
  parameter cfg_t C = CFG_BASE,
  localparam int unsigned UNIFORMS = C.group_slots * 16
) (
  input  logic        clk_i,
  input  logic        const_we_i,
  input  logic        slot_we_i,      // window address bit 0: 0 = base, 1 = size
  input  logic [9:0]  window_addr_i,
  input  logic [31:0] window_data_i,
  input  logic        uniform_we_i,
  /* verilator lint_off UNUSEDSIGNAL */  // travels whole, a part is needed here
  input  logic [7:0]  uniform_addr_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic [31:0] uniform_data_i,

  input  logic        read_i,
  input  logic [9:0]  const_addr_i,
  /* verilator lint_off UNUSEDSIGNAL */  // travels whole, a part is needed here
  input  logic [7:0]  uniform_raddr_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic [5:0]  slot_addr_i,
  output logic [31:0] const_o,
  output logic [31:0] uniform_o,
  output logic [31:0] slot_base_o,
  output logic [31:0] slot_size_o
);
  (* no_rw_check *) logic [31:0] const_q   [CONSTANTS];
  (* no_rw_check *) logic [31:0] uniform_q [UNIFORMS];
  (* no_rw_check *) logic [31:0] base_q    [SLOTS];
  (* no_rw_check *) logic [31:0] size_q    [SLOTS];
  localparam int unsigned UW = $clog2(UNIFORMS);

  always_ff @(posedge clk_i) begin
    if (const_we_i) const_q[window_addr_i] <= window_data_i;
    if (uniform_we_i) uniform_q[uniform_addr_i[UW-1:0]] <= uniform_data_i;
    if (slot_we_i && !window_addr_i[0]) base_q[window_addr_i[6:1]] <= window_data_i;
    if (slot_we_i && window_addr_i[0]) size_q[window_addr_i[6:1]] <= window_data_i;
    if (read_i) begin
      const_o     <= const_q[const_addr_i];
      uniform_o   <= uniform_q[uniform_raddr_i[UW-1:0]];
      slot_base_o <= base_q[slot_addr_i];
      slot_size_o <= size_q[slot_addr_i];
    end
  end
endmodule
