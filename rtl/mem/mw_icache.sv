// Instruction cache: direct mapped, lines of 128 bytes (8 words of microcode), C.icache_words words.
//
// Hits stream one word a cycle, 3 cycles after the request; answers keep the order of the requests and have no back-pressure. A miss
// stops the stream, reads the line by one AXI burst and goes on. rsp_error_o: the read had an error response; the line is not kept.
// invalidate_i forgets all lines (also one that is being read). base_i is the byte address of the program, a multiple of 128, constant
// between invalidations.
module mw_icache
  import mw_isa_pkg::*;
#(
  parameter  cfg_t C = CFG_BASE,
  localparam int unsigned WW = $clog2(C.waves_partial),
  localparam int unsigned DW = C.axi_bits
) (
  input  logic            clk_i,
  input  logic            rst_i,
  input  logic            invalidate_i,
  input  logic [31:0]     base_i,

  input  logic            req_valid_i,
  output logic            req_ready_o,
  input  logic [WW-1:0]   req_wave_i,
  input  logic [23:0]     req_pc_i,
  output logic            rsp_valid_o,
  output logic [WW-1:0]   rsp_wave_o,
  output logic [23:0]     rsp_pc_o,
  output logic [127:0]    rsp_word_o,
  output logic            rsp_error_o,

  output logic            axi_ar_valid_o,
  input  logic            axi_ar_ready_i,
  output logic [31:0]     axi_ar_addr_o,
  output logic [7:0]      axi_ar_len_o,
  input  logic            axi_r_valid_i,
  output logic            axi_r_ready_o,
  input  logic [DW-1:0]   axi_r_data_i,
  input  logic [1:0]      axi_r_resp_i,
  input  logic            axi_r_last_i,

  output logic            cnt_miss_o
);
  localparam int unsigned LINES = C.icache_words / 8;
  localparam int unsigned XA    = $clog2(LINES);
  localparam int unsigned TA    = 21 - XA;          // tag: line number above the index
  localparam int unsigned COLS  = 128 / DW;         // bus beats of a word
  localparam int unsigned ROWS  = 8 * COLS;         // bus beats of a line
  localparam int unsigned RA    = $clog2(ROWS);

  // ------------------------------------------------------------------------------------------------ 1: look up   2: answer or miss
  logic           v1_q, v2_q, hit2_q, error2_q;
  logic [WW-1:0]  wave1_q, wave2_q;
  logic [23:0]    pc1_q, pc2_q;
  logic [LINES-1:0] valid_q;
  logic [TA-1:0]  tag1;
  logic           hit1, miss;
  logic [COLS-1:0][DW-1:0] word2;

  typedef enum logic [1:0] { RUN, ASK, FILL, REPLAY } state_e;
  state_e        state_q;
  logic [RA-1:0] row_q;
  logic          fill, keep_q, error_q;

  assign miss = v2_q && !hit2_q;
  assign req_ready_o = !miss;
  assign hit1 = valid_q[pc1_q[3 +: XA]] && tag1 == pc1_q[23 -: TA];

  mw_mem_lutram #(.WIDTH(TA), .DEPTH(LINES)) u_tag (
    .clk_i, .we_i(state_q == ASK), .waddr_i(pc2_q[3 +: XA]), .wdata_i(pc2_q[23 -: TA]), .raddr_i(pc1_q[3 +: XA]), .rdata_o(tag1)
  );
  for (genvar c = 0; c < int'(COLS); c++) begin : g_col
    logic we;
    logic [2:0] word;
    if (COLS > 1) begin : g_part
      assign we = fill && 32'(row_q) % COLS == c;
    end else begin : g_whole
      assign we = fill;
    end
    assign word = 3'(row_q >> $clog2(COLS));
    mw_mem_ram #(.WIDTH(DW), .DEPTH(C.icache_words)) u_words (
      .clk_i, .we_i(we), .waddr_i({pc2_q[3 +: XA], word}), .wdata_i(axi_r_data_i),
      .re_i(!miss || state_q == REPLAY), .raddr_i(miss ? pc2_q[XA+2:0] : pc1_q[XA+2:0]), .rdata_o(word2[c])
    );
  end

  always_ff @(posedge clk_i) begin
    if (!miss) begin
      v1_q <= req_valid_i;
      if (req_valid_i) begin
        wave1_q <= req_wave_i;
        pc1_q   <= req_pc_i;
      end
      v2_q     <= v1_q;
      hit2_q   <= hit1;
      error2_q <= 1'b0;
      if (v1_q) begin
        wave2_q <= wave1_q;
        pc2_q   <= pc1_q;
      end
    end else if (state_q == REPLAY) begin
      hit2_q   <= 1'b1;
      error2_q <= error_q;
    end

    rsp_valid_o <= v2_q && hit2_q;
    if (v2_q && hit2_q) begin
      rsp_wave_o  <= wave2_q;
      rsp_pc_o    <= pc2_q;
      rsp_word_o  <= word2;
      rsp_error_o <= error2_q;
    end
    if (rst_i) begin
      v1_q        <= 1'b0;
      v2_q        <= 1'b0;
      rsp_valid_o <= 1'b0;
    end
  end

  // ------------------------------------------------------------------------------------------------ line fill
  assign axi_ar_valid_o = state_q == ASK;
  assign axi_ar_addr_o  = base_i + {4'b0, pc2_q[23:3], 7'b0};
  assign axi_ar_len_o   = 8'(ROWS - 1);
  assign axi_r_ready_o  = state_q == FILL;
  assign fill           = axi_r_valid_i && axi_r_ready_o;
  assign cnt_miss_o     = axi_ar_valid_o && axi_ar_ready_i;

  always_ff @(posedge clk_i) begin
    case (state_q)
      RUN: if (miss) begin
        state_q <= ASK;
        keep_q  <= 1'b1;
        valid_q[pc2_q[3 +: XA]] <= 1'b0;
      end
      ASK: if (axi_ar_ready_i) begin
        state_q <= FILL;
        row_q   <= '0;
        error_q <= 1'b0;
      end
      FILL: if (fill) begin
        row_q   <= row_q + 1'b1;
        error_q <= error_q || axi_r_resp_i[1];
        if (axi_r_last_i) begin
          state_q <= REPLAY;
          valid_q[pc2_q[3 +: XA]] <= keep_q && !error_q && !axi_r_resp_i[1];
        end
      end
      default: state_q <= RUN;
    endcase
    if (invalidate_i || rst_i) begin
      valid_q <= '0;
      keep_q  <= 1'b0;
    end
    if (rst_i) state_q <= RUN;
  end

  logic unused;
  assign unused = &{1'b0, axi_r_resp_i[0]};

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (!rst_i) begin
    a_last: assert (!fill || axi_r_last_i == (32'(row_q) == ROWS - 1)) else $error("RLAST is not on the line's last beat");
    a_base: assert (!axi_ar_valid_o || base_i[6:0] == '0) else $error("program base is not a multiple of 128");
  end
`endif
endmodule
