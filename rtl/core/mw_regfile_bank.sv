// One bank of one lane's registers: one write port, three read ports that give 0 after a clock with miss_i (the block RAM's own reset of its output).
module mw_regfile_bank #(
  parameter int unsigned DEPTH = 1024,
  localparam int unsigned AW = $clog2(DEPTH)
) (
  input  logic          clk_i,
  input  logic [2:0]    miss_i,
  input  logic [AW-1:0] ra_i,
  input  logic [AW-1:0] rb_i,
  input  logic [AW-1:0] rc_i,
  output logic [31:0]   a_o,
  output logic [31:0]   b_o,
  output logic [31:0]   c_o,
  input  logic          we_i,
  input  logic [AW-1:0] wa_i,
  input  logic [31:0]   wd_i
);
  (* no_rw_check *) logic [31:0] mem_q [DEPTH];
  always_ff @(posedge clk_i) begin
    if (we_i) mem_q[wa_i] <= wd_i;
    if (miss_i[0]) a_o <= '0;
    else a_o <= mem_q[ra_i];
    if (miss_i[1]) b_o <= '0;
    else b_o <= mem_q[rb_i];
    if (miss_i[2]) c_o <= '0;
    else c_o <= mem_q[rc_i];
  end
endmodule
