// The arithmetic of atomics, one for both memory units: client 0 shared memory, which goes first, client 1 AXI memory.
//
// A request brings the old value of the word and the operands, the answer the new value. Integer operations and EXCH answer INTEGER clocks
// after they were taken, F32 ADD after FLOAT clocks. A client gets its answers in order as long as it does not mix the two; one request
// per clock. An integer answer and a sum may come in one clock, for different clients.
module mw_atomic_unit
  import mw_isa_pkg::*;
(
  input  logic             clk_i,
  input  logic             rst_i,
  input  logic [1:0]       req_valid_i,
  output logic             req_ready_o,     // of client 1; client 0 need not wait
  input  atom_e            req_op_i [2],
  input  logic [1:0]       req_signed_i,
  input  logic [1:0]       req_float_i,
  input  logic [1:0][31:0] req_old_i,
  input  logic [1:0][31:0] req_x_i,
  input  logic [1:0][31:0] req_y_i,         // CSWAP's new value
  output logic [1:0]       rsp_soon_o,      // rsp_valid_o of the next clock
  output logic [1:0]       rsp_valid_o,
  output logic [1:0]       rsp_store_o,     // 0: the word keeps its old value (and rsp_new_o is 0)
  output logic [1:0][31:0] rsp_new_o
);
  localparam int unsigned INTEGER = 3;
  localparam int unsigned FLOAT   = 11;

  logic [1:0]            adds, take;     // an F32 ADD
  logic [INTEGER:1][1:0] integer_q;      // whose answer comes
  logic [FLOAT:1][1:0]   float_q;
  for (genvar c = 0; c < 2; c++) begin : g_client
    assign adds[c] = req_float_i[c] && req_op_i[c] == ATOM_ADD;
  end
  assign req_ready_o = !req_valid_i[0];
  assign take        = req_valid_i & {req_ready_o, 1'b1};

  atom_e       op_q;
  logic        sgn_q;
  logic [31:0] m_q, x_q, y_q;
  always_ff @(posedge clk_i) begin
    op_q      <= req_valid_i[0] ? req_op_i[0] : req_op_i[1];
    sgn_q     <= req_valid_i[0] ? req_signed_i[0] : req_signed_i[1];
    m_q       <= req_valid_i[0] ? req_old_i[0] : req_old_i[1];
    x_q       <= req_valid_i[0] ? req_x_i[0] : req_x_i[1];
    y_q       <= req_valid_i[0] ? req_y_i[0] : req_y_i[1];
    integer_q <= {integer_q[INTEGER-1:1], take & ~adds};
    float_q   <= {float_q[FLOAT-1:1], take & adds};
    if (rst_i) begin
      integer_q <= '0;
      float_q   <= '0;
    end
  end

  logic [31:0] new_word, sum;
  logic        store;
  mw_atomic_alu u_alu (.clk_i, .op_i(op_q), .sgn_i(sgn_q), .m_i(m_q), .x_i(x_q), .y_i(y_q), .new_o(new_word), .store_o(store));
  mw_atomic_fadd u_fadd (.clk_i, .a_i(m_q), .b_i(x_q), .sum_o(sum));

  for (genvar c = 0; c < 2; c++) begin : g_answer
    assign rsp_soon_o[c]  = integer_q[INTEGER-1][c] || float_q[FLOAT-1][c];
    assign rsp_valid_o[c] = integer_q[INTEGER][c] || float_q[FLOAT][c];
    assign rsp_new_o[c]   = float_q[FLOAT][c] ? sum : new_word;
    assign rsp_store_o[c] = float_q[FLOAT][c] || store;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (!rst_i) begin
    a_one: assert ((integer_q[INTEGER] & float_q[FLOAT]) == '0) else $error("a client has mixed sums with other operations");
  end
`endif
endmodule
