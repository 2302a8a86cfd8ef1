// Types that the modules of the core share. Widths are those of the largest configuration; a smaller one leaves the upper
// bits constant and synthesis removes them.
package mw_core_pkg;
  import mw_isa_pkg::*;

  /* verilator lint_off UNUSEDPARAM */  // each user needs some
  localparam int unsigned FLOW_WORDS = 4;  // flow words that may be between the scheduler and the flow unit's response
  localparam int unsigned AXI_WORDS = 4;   // words that the AXI memory unit holds
  localparam int unsigned SPECIAL_WORDS = 2;  // words that mw_special holds, at most
  // With one lane it holds one: its threads start while others still come, and room for another would be the larger half of its front.
  function automatic int unsigned special_capacity(input int unsigned lanes);
    return lanes == 1 ? 1 : SPECIAL_WORDS;
  endfunction
  localparam int unsigned RETURNS = 3;     // units whose results come late: 0 AXI, 1 shared memory, 2 special unit
  // Copies of a beat's lane control: one register for two lanes.
  function automatic int unsigned lane_ctl_copies(input int unsigned lanes);
    return (lanes + 1) / 2;
  endfunction

  // Component passes that mw_shared's queue holds, one for each word from its choice on and WIDE_PASSES for a wide one: as many as it takes to keep the unit busy.
  function automatic int unsigned mem_passes(input int unsigned lanes);
    return lanes <= 8 ? 8 : lanes;
  endfunction
  localparam int unsigned WIDE_PASSES = 4;
  // Clocks between a beat in G and the same beat of the wave's next word there: what the first one writes, the next one reads.
  localparam int unsigned RESULT_CLOCKS = 14;   // registers and condition codes: LANE_LATENCY + 4
  localparam int unsigned A0_CLOCKS = 18;       // A0, which is read earlier and written a clock later
  localparam int unsigned CHOICE_CLOCKS = 8;    // from a free_* event at the scheduler to the word in G
  /* verilator lint_on UNUSEDPARAM */

  // Everything that the host sets by CSRs and that stays constant during a dispatch.
  typedef struct packed {
    logic [31:0] prog_base;
    logic [24:0] prog_words;
    logic [15:0] groups_x;
    logic [15:0] groups_y;
    logic [15:0] groups_z;
    logic [10:0] size_x;
    logic [10:0] size_y;
    logic [10:0] size_z;
    logic [10:0] threads;
    logic [5:0]  waves;
    logic [4:0]  resident;
    logic [10:0] nregs;
    logic [31:0] shared_bytes;
    logic [15:0] shared_alloc;
    logic        full;
    logic [31:0] budget;
    logic [31:0] watchdog;
    logic [31:0] bools;
    logic [1:0]  fill_mode;
    logic [31:0] fill_seed;
    logic [23:0] entry;
  } csr_t;

  // What the table says of an operation, as far as the pipeline needs it; found once, when the word is fetched.
  typedef struct packed {
    format_e format;
    unit_e   unit;
    kind_e   kind;
    logic    src_a;
    logic    src_b;
    logic    src_c;
    logic    global_address;
  } class_t;

  // One word on its way from the wave's fetch buffer to the beat generator.
  typedef struct packed {
    word_t       word;
    class_t      info;
    logic [23:0] pc;
    logic        bad;        // rules.toml
    logic        sem_bad;    // ACQUIRE without WAIT, END without both WAITs
    logic        out_range;  // pc beyond the program
    logic        bus_error;  // the fetch got an AXI error
  } fetched_t;

  // What the scheduler must know of a wave's next word.
  typedef struct packed {
    logic wait_axi;
    logic wait_shared;
    logic to_axi;
    logic to_shared;
    logic wide;        // memory word of more than one component, or an atomic
    logic to_flow;
    logic to_special;
    logic fence;       // BAR, MEMBAR, MEMBAR_CTA: earlier memory words complete
  } needs_t;

  // One beat in the operand pipeline: what is equal for all its threads.
  typedef struct packed {
    logic        valid;
    logic        alu;      // ALU format
    logic        special;  // of those, for mw_special
    logic        mem;
    logic        flow;
    logic [5:0]  wave;
    logic [3:0]  gslot;
    logic [4:0]  widx;     // wave inside its group
    logic [31:0] seq;
    logic [23:0] pc;
    logic [4:0]  beat;
    logic        first;    // of the word
    logic        last;
    logic        pass0;    // of the first component pass
    logic        pass0_last;
    logic [1:0]  comp;
    logic [5:0]  threads;  // executing threads of the whole word
    logic [31:0] imm;      // literal, constant or uniform; memory words: offset of this component
    logic [11:0] rel;      // aL or call depth
    logic [11:0] regbase;
    logic [3:0]  low;      // memory words, from s2 on: base + offset, as far as alignment asks
    logic [31:0] base;     // memory words: of the slot or the group's shared memory
    logic [32:0] bound;    // 2^32: global memory
    class_t      info;
    word_t       word;
  } beat_t;

  // Control of one ALU beat at write-back, beside the lane-wise parts.
  typedef struct packed {
    logic [5:0] wave;
    logic [4:0] beat;
    logic       dst_en;
    logic       cc_en;
    logic [3:0] cc_index;  // 4 * register + component
    logic       alu_we;
    logic       mova;
    logic       mova_unsigned;
    logic       last;
  } wb_ctl_t;

  // Increments of the performance counters that are not simple cycle counts.
  typedef struct packed {
    logic       word_alu;
    logic       word_flow;
    logic       word_shared;
    logic       word_memory;
    logic       word_special;
    logic       beat;
    logic [5:0] lane_ops_alu;
    logic [5:0] lane_ops_memory;
    logic [5:0] shared_passes;
    logic [5:0] bank_conflicts;
    logic [5:0] shared_words;
    logic       barrier_arrival;
    logic [6:0] barrier_wait;
    logic [6:0] stall_semaphore;
    logic [6:0] stall_fetch;
    logic [6:0] stall_special;
    logic [6:0] stall_memory;
    logic       axi_read;
    logic       axi_write;
    logic [7:0] axi_read_bytes;
    logic [7:0] axi_write_bytes;
    logic       fetch_miss;
    logic       group;
  } events_t;

  // Mixer of the launch fill (docs/semantics.md).
  function automatic logic [31:0] xs(input logic [31:0] v);
    logic [31:0] x;
    x = v;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return x;
  endfunction

  // The word that stands for NOP, BAR and fences in the flow unit: a JUMP that nobody takes.
  function automatic word_flow_t stay_word();
    word_flow_t w;
    w = '0;
    w.op = OP_JUMP;
    w.jump_any = 1'b1;
    return w;
  endfunction

endpackage
