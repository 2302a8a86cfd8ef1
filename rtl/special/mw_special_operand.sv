// Unpacks an operand for the function units (docs/functions.md, step 1): sign, exponent, mantissa and class of a float, absolute
// value of an integer. A binary16 becomes a float; a denormal one stays unnormalized. A denormal that must be normalized is shifted
// by one bit per clock: it is rare, and a shifter is not small.
// Operands wait in a queue, so that the sequencer need not know in the same clock whether there is room: it stops when go_o falls, and what it has sent
// until then finds room.
// Timing: two clocks, plus one for each leading zero of a denormal.
module mw_special_operand
  import mw_special_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_i,
  /* verilator lint_off UNUSEDSIGNAL */  // each unit needs a part
  input  ctl_t        ctl_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic        valid_i,
  output logic        go_o,
  input  logic        pass_i,
  input  logic [31:0] x_i,
  output logic        valid_o,
  input  logic        ready_i,
  output logic        last_o,     // the thread has no other operand (DIV, MOD)
  output operand_t    operand_o
);
  // ---- queue: at most four operands are on their way when go_o falls
  localparam int unsigned QUEUE = 16, QA = $clog2(QUEUE);
  logic        push, some, ready, pass, held_q;
  logic [QA:0] write_q, read_q, level;
  logic [31:0] x;
  assign push  = valid_i && (ctl_i.poly || ctl_i.divide);
  assign some  = write_q != read_q;
  assign level = write_q - read_q;
  mw_mem_lutram #(.WIDTH(33), .DEPTH(QUEUE)) u_queue (
    .clk_i, .we_i(push), .waddr_i(write_q[QA-1:0]), .wdata_i({pass_i, x_i}), .raddr_i(read_q[QA-1:0]), .rdata_o({pass, x})
  );
  always_ff @(posedge clk_i) begin
    if (push) write_q <= write_q + 1'b1;
    if (ready && some) read_q <= read_q + 1'b1;
    go_o <= level < (QA + 1)'(QUEUE / 2);
    if (rst_i) begin
      write_q <= '0;
      read_q  <= '0;
    end
  end

  // ---- unpacked
  logic        shift_q, negative, exp_zero, exp_ones, rest_zero;
  operand_t    in, u_q;
  logic [15:0] h;
  logic [7:0]  e;
  logic [22:0] fraction;
  logic [31:0] word;
  always_comb begin
    h        = ctl_i.half_high ? x[31:16] : x[15:0];
    fraction = ctl_i.half_in ? {h[9:0], 13'd0} : x[22:0];
    // binary16: + 112
    e        = ctl_i.half_in ? {h[14], {3{!h[14]}}, h[13:10]} : x[30:23];
    exp_zero = ctl_i.half_in ? h[14:10] == '0 : x[30:23] == '0;
    exp_ones = ctl_i.half_in ? h[14:10] == '1 : x[30:23] == '1;
    rest_zero = fraction == '0;
    negative = ctl_i.is_signed && x[31];
    word     = {x[31:24] & {8{!ctl_i.is_float}}, ctl_i.is_float ? !exp_zero : x[23], fraction};
    in.sign  = ctl_i.half_in ? h[15] : ctl_i.is_float ? x[31] : negative;
    in.zero  = exp_zero && rest_zero && (ctl_i.is_float || !x[31]);
    in.inf   = exp_ones && rest_zero;
    in.nan   = exp_ones && !rest_zero;
    in.exp   = {2'b00, e[7:1], e[0] || exp_zero};
    in.x     = (word ^ {32{negative}}) + 32'(negative);
  end

  assign ready = !held_q || (!shift_q && ready_i);
  always_ff @(posedge clk_i) begin
    if (ready) begin
      held_q <= some;
      last_o <= pass || ctl_i.rcp;
      u_q    <= in;
      shift_q <= some && ctl_i.normalize && exp_zero && !rest_zero;
    end else if (shift_q) begin
      shift_q     <= !u_q.x[22];
      u_q.x[23:0] <= {u_q.x[22:0], 1'b0};
      u_q.exp     <= u_q.exp - 1'b1;
    end
    if (rst_i) {held_q, shift_q} <= '0;
  end
  assign valid_o   = held_q && !shift_q;
  assign operand_o = u_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (!rst_i) a_room: assert (!push || level < (QA + 1)'(QUEUE)) else $error("more operands than the queue holds");
`endif
endmodule
