// mw_icache: every request is answered once and in order; one line is asked for at a time, that of the oldest request, with AXI's stability; of its
// burst all beats are taken, and nothing without one.
// Assumed of memory: after an accepted address it sends the line's beats, the last of them marked, whenever it likes. base_i is a multiple of 128 that stays.
// Not looked at: which word comes out (lockstep sees that). Parameters: 2 lines, 64-bit bus; the module's own assertions are proved too.
// Source: header of rtl/mem/mw_icache.sv; docs/architecture.md, "Modules", mw_icache.
module mw_icache_props
  import mw_isa_pkg::*;
#(
  parameter  int unsigned LINES = 2,
  localparam int unsigned DW    = 64,
  localparam int unsigned ROWS  = 1024 / DW     // bus beats of a line
) (
  input logic          clk_i,
  input logic          rst_i,
  input logic          invalidate_i,
  input logic [31:0]   base_i,
  input logic          req_valid_i,
  input logic [1:0]    req_wave_i,
  input logic [23:0]   req_pc_i,
  input logic          ar_ready_i, r_valid_i,
  input logic [DW-1:0] r_data_i,
  input logic [1:0]    r_resp_i
);
  function automatic cfg_t config_of();
    cfg_t c;
    c = CFG_TINY;
    c.axi_bits     = DW;
    c.icache_words = 8 * LINES;
    return c;
  endfunction
  logic        req_ready, rsp_valid, rsp_error, ar_valid, r_ready, r_last, miss;
  logic [1:0]  rsp_wave;
  logic [23:0] rsp_pc;
  logic [31:0] ar_addr;
  logic [7:0]  ar_len;
  mw_icache #(.C(config_of())) u_cache (
    .clk_i, .rst_i, .invalidate_i, .base_i, .req_valid_i, .req_ready_o(req_ready), .req_wave_i, .req_pc_i,
    .rsp_valid_o(rsp_valid), .rsp_wave_o(rsp_wave), .rsp_pc_o(rsp_pc), .rsp_word_o(), .rsp_error_o(rsp_error),
    .axi_ar_valid_o(ar_valid), .axi_ar_ready_i(ar_ready_i), .axi_ar_addr_o(ar_addr), .axi_ar_len_o(ar_len),
    .axi_r_valid_i(r_valid_i), .axi_r_ready_o(r_ready), .axi_r_data_i(r_data_i), .axi_r_resp_i(r_resp_i), .axi_r_last_i(r_last), .cnt_miss_o(miss)
  );

  typedef struct packed {
    logic [1:0]  wave;
    logic [23:0] pc;
  } request_t;
  logic           begun_q = 1'b0, rst_q;
  request_t [3:0] list_q, list_d;        // requests without an answer, the oldest first
  logic [2:0]     count_q, count_d;
  logic           ar_wait_q, filling_q;  // a burst is under way,
  logic [4:0]     row_q;                 // its next beat
  logic           error_q;               // it had an error, or the last one that ended had
  logic           replay_q;              // it has just ended
  logic [31:0]    ar_addr_q, base_q;
  assign r_last = row_q == 5'(ROWS - 1);
  always_comb begin
    {list_d, count_d} = {list_q, count_q};
    if (rsp_valid) begin
      list_d >>= $bits(request_t);
      count_d -= 3'd1;
    end
    if (req_valid_i && req_ready) begin
      for (int i = 0; i < 4; i++) if (count_d == 3'(i)) list_d[i] = '{req_wave_i, req_pc_i};
      count_d += 3'd1;
    end
  end
  always_ff @(posedge clk_i) begin
    begun_q   <= 1'b1;
    rst_q     <= rst_i;
    list_q    <= list_d;
    count_q   <= count_d;
    base_q    <= base_i;
    ar_wait_q <= ar_valid && !ar_ready_i;
    ar_addr_q <= ar_addr;
    replay_q  <= 1'b0;
    if (r_valid_i && filling_q) begin
      row_q <= row_q + 5'd1;
      if (r_resp_i[1]) error_q <= 1'b1;
      if (r_last) {filling_q, replay_q} <= 2'b01;
    end
    if (ar_valid && ar_ready_i) begin
      filling_q <= 1'b1;
      row_q     <= '0;
      error_q   <= 1'b0;
    end
    if (rst_i) {count_q, filling_q, replay_q, row_q} <= '0;
  end

  // ---- the pipeline as the list tells it: no promise, but what makes the proof a step
  logic       order;
  logic [1:0] before1, before2;     // answers and requests ahead of stage 1, of stage 2
  localparam int unsigned RUN = 0, ASK = 1, FILL = 2, REPLAY = 3;
  always_comb begin
    before2 = 2'(rsp_valid);
    before1 = before2 + 2'(u_cache.v2_q);
    order   = count_q == 3'(before1) + 3'(u_cache.v1_q);
    if (u_cache.v2_q && list_q[before2] != {u_cache.wave2_q, u_cache.pc2_q}) order = 1'b0;
    if (u_cache.v1_q && list_q[before1] != {u_cache.wave1_q, u_cache.pc1_q}) order = 1'b0;
    if (32'(u_cache.state_q) != RUN && !u_cache.miss) order = 1'b0;
    if (filling_q != (32'(u_cache.state_q) == FILL) || replay_q != (32'(u_cache.state_q) == REPLAY)) order = 1'b0;
    if (filling_q && (row_q != 5'(u_cache.row_q) || row_q > 5'(ROWS - 1))) order = 1'b0;
    if ((filling_q || replay_q) && u_cache.error_q != error_q) order = 1'b0;
  end

  always_comb begin
    if (!begun_q) assume (rst_i);
    assume (base_i[6:0] == '0);
    if (begun_q) assume (base_i == base_q);
    if (!filling_q) assume (!r_valid_i);
    if (begun_q && !rst_i) begin
      a_answer: assert (!rsp_valid || (count_q != '0 && {rsp_wave, rsp_pc} == list_q[0]));
      a_room:   assert (count_q <= 3'd3);
      a_stable: assert (rst_q || !ar_wait_q || (ar_valid && ar_addr == ar_addr_q));
      a_line:   assert (!ar_valid || (ar_addr[6:0] == '0 && 32'(ar_len) + 32'd1 == ROWS));
      a_oldest: assert (!ar_valid || rsp_valid || ar_addr == base_i + {4'b0, list_q[0].pc[23:3], 7'b0});
      a_single: assert (!(ar_valid && filling_q));
      a_beats:  assert (r_ready == filling_q);
      a_miss:   assert (miss == (ar_valid && ar_ready_i));
      i_inner:  assert (order);
    end
  end
endmodule
