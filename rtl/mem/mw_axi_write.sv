// Write side of the AXI memory unit: two line buffers with word strobes, bursts, responses.
//
// The front fills buffer fill_buf_o word by word (a later write of a word replaces an earlier one) and then sends it with a burst
// whose beats cover all written words. Bursts go out in that order, AW before W; up to NW lines wait for their response, those still in a buffer included.
// free_o: the fill buffer is empty and may be used.
module mw_axi_write
  import mw_isa_pkg::*;
  import mw_axi_mem_pkg::*;
#(
  parameter  cfg_t C = CFG_BASE
) (
  input  logic                clk_i,
  input  logic                rst_i,

  output logic                free_o,
  input  logic                we_i,
  input  logic [4:0]          word_i,
  input  logic [31:0]         data_i,
  output logic                some_o,        // the fill buffer has a written word
  input  logic                send_valid_i,
  output logic                send_ready_o,
  input  burst_t              send_i,

  output logic                busy_o,
  output logic [NW-1:0]       line_valid_o,
  output line_t [NW-1:0]      line_o,
  output logic                end_valid_o,   // the oldest line's response
  output logic [SA-1:0]       end_slot_o,
  output logic                error_o,       // with end_valid_o

  // AXI write channels
  output logic                aw_valid_o,
  input  logic                aw_ready_i,
  output logic [31:0]         aw_addr_o,
  output logic [7:0]          aw_len_o,
  output logic                w_valid_o,
  input  logic                w_ready_i,
  output logic [C.axi_bits-1:0]   w_data_o,
  output logic [C.axi_bits/8-1:0] w_strb_o,
  output logic                w_last_o,
  input  logic                b_valid_i,
  output logic                b_ready_o,
  input  logic [1:0]          b_resp_i
);
  localparam int unsigned COLS = C.axi_bits / 32;
  localparam int unsigned ROWS = 32 / COLS;
  localparam int unsigned RA   = $clog2(ROWS);
  localparam int unsigned PA   = $clog2(NW);

  // ------------------------------------------------------------------------------------------------ lines without response
  burst_t        burst_q [NW];
  logic [NW-1:0] valid_q;
  logic [PA-1:0] put_q, out_q, head_q;   // next free, next to go out, next to be answered
  logic          send, sent;

  logic [1:0]       full_q;              // buffer is waiting to go out or going
  logic             fill_q, drain_q;     // buffer of the front, buffer of the bus
  logic [1:0][31:0] strobe_q;
  logic             some_q;              // the fill buffer has a written word

  assign free_o       = !full_q[fill_q];
  assign some_o       = some_q;
  assign send_ready_o = !valid_q[put_q] && !full_q[fill_q];
  assign send         = send_valid_i && send_ready_o;
  assign busy_o       = |valid_q;
  assign line_valid_o = valid_q;
  for (genvar i = 0; i < int'(NW); i++) begin : g_line
    assign line_o[i] = burst_q[i].line;
  end

  assign b_ready_o   = 1'b1;
  assign end_valid_o = b_valid_i;
  assign end_slot_o  = burst_q[head_q].slot;
  assign error_o     = b_resp_i[1];

  // ------------------------------------------------------------------------------------------------ burst
  typedef enum logic { ADDRESS, DATA } state_e;
  state_e        state_q;
  logic [RA-1:0] row_q;
  burst_t        out;
  assign out = burst_q[out_q];

  assign aw_valid_o = state_q == ADDRESS && full_q[drain_q];
  assign aw_addr_o  = {out.line, 7'b0} | 32'(out.first) << $clog2(C.axi_bits / 8);
  assign aw_len_o   = 8'(5'(out.last - out.first));
  assign w_valid_o  = state_q == DATA;
  assign w_last_o   = 5'(row_q) == out.last;
  assign sent       = w_valid_o && w_ready_i && w_last_o;

  always_ff @(posedge clk_i) begin
    if (we_i) strobe_q[fill_q][word_i] <= 1'b1;
    some_q <= (some_q || we_i) && !send;
    if (send) begin
      valid_q[put_q] <= 1'b1;
      burst_q[put_q] <= send_i;
      put_q          <= put_q + 1'b1;
      full_q[fill_q] <= 1'b1;
      fill_q         <= !fill_q;
    end
    if (aw_valid_o && aw_ready_i) begin
      state_q <= DATA;
      row_q   <= out.first[RA-1:0];
    end
    if (w_valid_o && w_ready_i) row_q <= row_q + 1'b1;
    if (sent) begin
      state_q           <= ADDRESS;
      full_q[drain_q]   <= 1'b0;
      strobe_q[drain_q] <= '0;
      drain_q           <= !drain_q;
      out_q             <= out_q + 1'b1;
    end
    if (end_valid_o) begin
      valid_q[head_q] <= 1'b0;
      head_q          <= head_q + 1'b1;
    end
    if (rst_i) begin
      valid_q  <= '0;
      put_q    <= '0;
      out_q    <= '0;
      head_q   <= '0;
      full_q   <= '0;
      fill_q   <= 1'b0;
      drain_q  <= 1'b0;
      strobe_q <= '0;
      some_q   <= 1'b0;
      state_q  <= ADDRESS;
    end
  end

  // ------------------------------------------------------------------------------------------------ buffers
  logic [4:0] word_row;
  assign word_row = word_i >> $clog2(COLS);
  for (genvar c = 0; c < int'(COLS); c++) begin : g_col
    mw_mem_lutram #(.WIDTH(32), .DEPTH(2 * ROWS)) u_line (
      .clk_i, .we_i(we_i && 32'(word_i) % COLS == c), .waddr_i({fill_q, word_row[RA-1:0]}), .wdata_i(data_i),
      .raddr_i({drain_q, row_q}), .rdata_o(w_data_o[c*32 +: 32])
    );
    assign w_strb_o[c*4 +: 4] = {4{strobe_q[drain_q][5'(32'(row_q) * COLS + c)]}};
  end

  logic unused;
  assign unused = &{1'b0, b_resp_i[0], word_row, burst_q[head_q], out};

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (!rst_i) begin
    a_response: assert (!b_valid_i || valid_q[head_q]) else $error("write response that nobody waits for");
    a_fill: assert (!we_i || free_o) else $error("write into a buffer that is on its way");
    a_some: assert (!send || some_o) else $error("burst without a written word");
  end
`endif
endmodule
