// Constant file, uniform values of the resident groups, and buffer slots: what is equal for all threads of a word.
// Uniform values (written by the dispatcher) and slot bases (written by the host between dispatches) share a memory: no word needs both.
// Promises: with read_i, the addressed entries stand at the outputs from the next clock until the next read_i.
module mw_constants
  import mw_isa_pkg::*;
#(
  parameter cfg_t C = CFG_BASE,
  localparam int unsigned GW = $clog2(C.group_slots)
) (
  input  logic          clk_i,
  input  logic          const_we_i,
  input  logic          slot_we_i,      // window address bit 0: 0 = base, 1 = size
  input  logic [9:0]    window_addr_i,
  input  logic [31:0]   window_data_i,
  input  logic          uniform_we_i,
  input  logic [GW-1:0] uniform_slot_i, // group slot
  input  logic [3:0]    uniform_code_i, // uniform_e
  input  logic [31:0]   uniform_data_i,

  input  logic          read_i,
  input  logic          read_slot_i,    // memory word: slot, else uniform value
  input  logic [9:0]    const_raddr_i,
  input  logic [GW-1:0] uniform_rslot_i,
  input  logic [5:0]    slot_raddr_i,
  output logic [31:0]   const_o,
  output logic [31:0]   shared_o,       // uniform value or base of the slot
  output logic [31:0]   size_o
);
  localparam int unsigned AW = GW + 5 > 7 ? GW + 5 : 7;
  (* no_rw_check *) logic [31:0] const_q  [CONSTANTS];
  (* no_rw_check *) logic [31:0] shared_q [1 << AW];
  (* no_rw_check, ram_style = "distributed" *) logic [31:0] size_q [SLOTS];  // too small for a block RAM of its own

  logic [AW-1:0] waddr, raddr;
  logic          we;
  assign we    = uniform_we_i || (slot_we_i && !window_addr_i[0]);
  assign waddr = uniform_we_i ? {1'b0, (AW-1)'({uniform_slot_i, uniform_code_i})} : {1'b1, (AW-1)'(window_addr_i[6:1])};
  assign raddr = !read_slot_i ? {1'b0, (AW-1)'({uniform_rslot_i, const_raddr_i[3:0]})} : {1'b1, (AW-1)'(slot_raddr_i)};

  always_ff @(posedge clk_i) begin
    if (const_we_i) const_q[window_addr_i] <= window_data_i;
    if (we) shared_q[waddr] <= uniform_we_i ? uniform_data_i : window_data_i;
    if (slot_we_i && window_addr_i[0]) size_q[window_addr_i[6:1]] <= window_data_i;
    if (read_i) begin
      const_o  <= const_q[const_raddr_i];
      shared_o <= shared_q[raddr];
      size_o   <= size_q[slot_raddr_i];
    end
  end
endmodule
