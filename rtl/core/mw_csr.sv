// Control and status registers: an AXI4-Lite slave (isa.md, "CSR map").
// Promises: one write and one read at a time; what follows a write's answer sees its effect. Registers and windows keep their values while
// a dispatch runs (writes then are refused with SLVERR); only whole words are written. start_o is one clock.
// Timing: address and data are registered first; a write takes effect in the clock of its answer, a read answers three clocks after its address.
module mw_csr
  import mw_isa_pkg::*;
  import mw_core_pkg::*;
#(
  parameter cfg_t C = CFG_BASE
) (
  input  logic        clk_i,
  input  logic        rst_i,
  input  logic        awvalid_i,
  output logic        awready_o,
  input  logic [12:0] awaddr_i,
  input  logic        wvalid_i,
  output logic        wready_o,
  input  logic [31:0] wdata_i,
  input  logic [3:0]  wstrb_i,
  output logic        bvalid_o,
  input  logic        bready_i,
  output logic [1:0]  bresp_o,
  input  logic        arvalid_i,
  output logic        arready_o,
  input  logic [12:0] araddr_i,
  output logic        rvalid_o,
  input  logic        rready_i,
  output logic [31:0] rdata_o,
  output logic [1:0]  rresp_o,

  output csr_t        csr_o,
  output logic        start_o,
  output logic        invalidate_o,
  input  logic        busy_i,
  input  logic        done_i,        // one clock: the dispatch has ended
  output logic        irq_o,         // the last dispatch has ended; cleared by start

  output logic        const_we_o,    // constant window
  output logic        slot_we_o,     // slot window; address bit 0 = size
  output logic [9:0]  window_addr_o,
  output logic [31:0] window_data_o,

  output logic [5:0]  counter_addr_o,  // 32-bit half of a counter
  input  logic [31:0] counter_data_i,
  input  logic        counter_valid_i, // the data is of this address

  input  fault_e      fault_code_i,
  input  logic [23:0] fault_pc_i,
  input  logic [4:0]  fault_wave_i,
  input  logic [31:0] fault_lanes_i,
  input  logic [47:0] fault_group_i  // x in the low bits
);
  localparam logic [1:0] OKAY = 2'b00, SLVERR = 2'b10;

  csr_t csr_q;
  logic done_q;

  // ---- writes
  logic        write, write_q, control, refuse;   // write_q: the registered address and data are to be written
  logic [12:0] waddr_q;
  assign write     = awvalid_i && wvalid_i && !bvalid_o;
  assign awready_o = write;
  assign wready_o  = write;
  assign refuse    = busy_i || start_o || wstrb_i != 4'hf;

  logic in_const, in_slots;
  assign in_const      = waddr_q >= CSR_WINDOW_CONSTANTS;
  assign in_slots      = waddr_q >= CSR_WINDOW_SLOTS && waddr_q < CSR_WINDOW_SLOTS + 13'(8 * SLOTS);
  assign control       = write_q && waddr_q == CSR_CTRL;
  assign window_addr_o = waddr_q[11:2];

  always_ff @(posedge clk_i) begin
    start_o      <= control && window_data_o[0];
    invalidate_o <= control && window_data_o[1];
    const_we_o   <= write_q && in_const;
    slot_we_o    <= write_q && in_slots;
    write_q      <= write && !refuse;
    if (write) begin
      waddr_q       <= awaddr_i;
      window_data_o <= wdata_i;
      bresp_o       <= refuse ? SLVERR : OKAY;
    end
    if (write_q) begin
      case (waddr_q)
        CSR_PROG_BASE:    csr_q.prog_base    <= window_data_o;
        CSR_PROG_WORDS:   csr_q.prog_words   <= window_data_o[24:0];
        CSR_GROUPS_X:     csr_q.groups_x     <= window_data_o[15:0];
        CSR_GROUPS_Y:     csr_q.groups_y     <= window_data_o[15:0];
        CSR_GROUPS_Z:     csr_q.groups_z     <= window_data_o[15:0];
        CSR_SIZE_X:       csr_q.size_x       <= window_data_o[10:0];
        CSR_SIZE_Y:       csr_q.size_y       <= window_data_o[10:0];
        CSR_SIZE_Z:       csr_q.size_z       <= window_data_o[10:0];
        CSR_THREADS:      csr_q.threads      <= window_data_o[10:0];
        CSR_WAVES:        csr_q.waves        <= window_data_o[5:0];
        CSR_RESIDENT:     csr_q.resident     <= window_data_o[4:0];
        CSR_NREGS:        csr_q.nregs        <= window_data_o[10:0];
        CSR_SHARED_BYTES: csr_q.shared_bytes <= window_data_o;
        CSR_SHARED_ALLOC: csr_q.shared_alloc <= window_data_o[15:0];
        CSR_FLOW_FULL:    csr_q.full         <= window_data_o[0];
        CSR_BUDGET:       csr_q.budget       <= window_data_o;
        CSR_WATCHDOG:     csr_q.watchdog     <= window_data_o;
        CSR_BOOLS:        csr_q.bools        <= window_data_o;
        CSR_FILL_MODE:    csr_q.fill_mode    <= window_data_o[1:0];
        CSR_FILL_SEED:    csr_q.fill_seed    <= window_data_o;
        CSR_ENTRY:        csr_q.entry        <= window_data_o[23:0];
        default: ;
      endcase
    end
    if (control && window_data_o[0]) done_q <= 1'b0;
    if (write) bvalid_o <= 1'b1;
    else if (bready_i) bvalid_o <= 1'b0;
    if (done_i) done_q <= 1'b1;
    if (rst_i) begin
      bvalid_o     <= 1'b0;
      write_q      <= 1'b0;
      start_o      <= 1'b0;
      invalidate_o <= 1'b0;
      const_we_o   <= 1'b0;
      slot_we_o    <= 1'b0;
      done_q       <= 1'b0;
      csr_q        <= '0;
    end
  end
  assign csr_o = csr_q;
  assign irq_o = done_q;

  // ---- reads
  logic        asked_q, found_q, answer, of_counter;   // the registered address is to be read; hot_q belongs to it
  logic [12:0] raddr_q;
  assign of_counter     = raddr_q >= CSR_WINDOW_COUNTERS && raddr_q < CSR_WINDOW_COUNTERS + 13'(8 * NUM_COUNTERS);
  assign arready_o      = !asked_q && !rvalid_o;
  assign rresp_o        = OKAY;
  assign counter_addr_o = raddr_q[7:2];

  localparam int unsigned READABLE = 30;      // rdata_o names their values in the same order
  localparam logic [12:0] ADDRESS [READABLE] = '{CSR_ID, CSR_STATUS, CSR_FAULT_CODE, CSR_FAULT_PC,
    CSR_FAULT_WAVE, CSR_FAULT_LANES, CSR_FAULT_GROUP_X, CSR_FAULT_GROUP_Y, CSR_FAULT_GROUP_Z, CSR_PROG_BASE, CSR_PROG_WORDS, CSR_GROUPS_X,
    CSR_GROUPS_Y, CSR_GROUPS_Z, CSR_SIZE_X, CSR_SIZE_Y, CSR_SIZE_Z, CSR_THREADS, CSR_WAVES, CSR_RESIDENT, CSR_NREGS, CSR_SHARED_BYTES,
    CSR_SHARED_ALLOC, CSR_FLOW_FULL, CSR_BUDGET, CSR_WATCHDOG, CSR_BOOLS, CSR_FILL_MODE, CSR_FILL_SEED, CSR_ENTRY};
  logic [READABLE-1:0] hot_q;                 // which one is asked for
  logic                hot_counter_q;
  assign answer = found_q && (counter_valid_i || !hot_counter_q);
  function automatic logic [31:0] when(input logic hot, input logic [31:0] value);
    return hot ? value : '0;
  endfunction

  always_ff @(posedge clk_i) begin
    if (arvalid_i && arready_o) raddr_q <= araddr_i;
    if (asked_q) begin
      for (int i = 0; i < int'(READABLE); i++) hot_q[i] <= raddr_q == ADDRESS[i];
      hot_counter_q <= of_counter;
    end
    found_q <= asked_q && !answer;
    if (answer)
      rdata_o <= when(hot_counter_q, counter_data_i)
        | when(hot_q[0], {16'h4d57, 16'(C.number)})
        | when(hot_q[1], {29'd0, fault_code_i != FAULT_NONE, done_q, busy_i || start_o})
        | when(hot_q[2], {28'd0, fault_code_i})
        | when(hot_q[3], {8'd0, fault_pc_i})
        | when(hot_q[4], {27'd0, fault_wave_i})
        | when(hot_q[5], fault_lanes_i)
        | when(hot_q[6], {16'd0, fault_group_i[15:0]})
        | when(hot_q[7], {16'd0, fault_group_i[31:16]})
        | when(hot_q[8], {16'd0, fault_group_i[47:32]})
        | when(hot_q[9], csr_q.prog_base)
        | when(hot_q[10], {7'd0, csr_q.prog_words})
        | when(hot_q[11], {16'd0, csr_q.groups_x})
        | when(hot_q[12], {16'd0, csr_q.groups_y})
        | when(hot_q[13], {16'd0, csr_q.groups_z})
        | when(hot_q[14], {21'd0, csr_q.size_x})
        | when(hot_q[15], {21'd0, csr_q.size_y})
        | when(hot_q[16], {21'd0, csr_q.size_z})
        | when(hot_q[17], {21'd0, csr_q.threads})
        | when(hot_q[18], {26'd0, csr_q.waves})
        | when(hot_q[19], {27'd0, csr_q.resident})
        | when(hot_q[20], {21'd0, csr_q.nregs})
        | when(hot_q[21], csr_q.shared_bytes)
        | when(hot_q[22], {16'd0, csr_q.shared_alloc})
        | when(hot_q[23], {31'd0, csr_q.full})
        | when(hot_q[24], csr_q.budget)
        | when(hot_q[25], csr_q.watchdog)
        | when(hot_q[26], csr_q.bools)
        | when(hot_q[27], {30'd0, csr_q.fill_mode})
        | when(hot_q[28], csr_q.fill_seed)
        | when(hot_q[29], {8'd0, csr_q.entry});
    if (arvalid_i && arready_o) asked_q <= 1'b1;
    else if (answer) asked_q <= 1'b0;
    if (answer) rvalid_o <= 1'b1;
    else if (rready_i) rvalid_o <= 1'b0;
    if (rst_i) begin
      asked_q  <= 1'b0;
      found_q  <= 1'b0;
      rvalid_o <= 1'b0;
    end
  end
endmodule
