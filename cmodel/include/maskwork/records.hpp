#pragma once
// Records: what the RTL tells of each retired word and each memory access, and what lockstep compares (docs/architecture.md).
#include <array>
#include <cstdint>
#include <string>

#include "maskwork/isa.hpp"

namespace maskwork {

using Lanes32 = std::array<uint32_t, 32>;  ///< one value per thread of a wave

/// R: one beat of a retired ALU or memory word. Threads of the beat: beat * lanes .. + lanes - 1.
struct RetireRecord {
  uint32_t wave = 0;       ///< wave slot of the unit
  uint32_t seq = 0;        ///< number of the word in the wave, from 0
  uint32_t pc = 0;
  uint32_t beat = 0;
  bool first = false, last = false;  ///< first and last record of this word
  uint32_t active = 0;     ///< threads that execute (bit = thread of the wave); the beat's only
  uint32_t executed = 0;   ///< active and predicate true
  bool dst_en = false;     ///< destination written (by the executed threads inside the register window)
  bool cc_en = false;
  Lanes32 data{};          ///< results of ALU words, by thread
  std::array<uint8_t, 32> flags{};  ///< flags nibble, by thread (valid if cc_en)
};

/// F: one retired flow word, with the state of the wave after it.
struct FlowRecord {
  uint32_t wave = 0, seq = 0, pc = 0;
  bool jump = false;
  uint32_t next_pc = 0;
  uint32_t db = 0, dl = 0, dc = 0;
  std::array<uint8_t, 32> state{};   ///< isa::LaneState
  std::array<uint16_t, 32> level{};  ///< 0 for A and X
  // Frame pushed or popped by this word.
  enum class Frame : uint8_t { None, PushLoop, PopLoop, PushCall, PopCall };
  Frame frame = Frame::None;
  uint32_t frame_a = 0;  ///< loop: count left (after push; before pop); call: return address
  uint32_t frame_b = 0;  ///< loop: db; call: db
  uint32_t frame_c = 0;  ///< loop: {kind LOOP, endless, aL (10 bits)}; call: {inc, lsp (9 bits)}
};

/// M: (part of) a memory word performed. The order of the `first` records of one unit is the memory order.
struct MemoryRecord {
  uint32_t wave = 0, seq = 0;
  bool shared = false;     ///< shared memory (address = byte offset in the group's memory) or AXI (physical address)
  bool first = false;      ///< first record of this word; every word gives at least one, perhaps with mask 0
  uint32_t component = 0;
  uint32_t mask = 0;       ///< threads performed by this record (in bounds)
  Lanes32 address{};
  Lanes32 data{};          ///< stores: the word stored; atomics: the new memory value
  Lanes32 old_value{};     ///< atomics: the old memory value
};

/// W: load results (or old values of atomics) written to registers.
struct LoadRecord {
  uint32_t wave = 0, seq = 0;
  uint32_t component = 0;
  uint32_t mask = 0;       ///< threads whose register is written
  uint32_t reg = 0;        ///< register number in the thread's window
  Lanes32 data{};
};

struct Fault {
  isa::Fault code = isa::Fault::NONE;
  std::array<uint32_t, 3> group{};
  uint32_t wave = 0;   ///< wave inside its group
  uint32_t pc = 0;
  uint32_t lanes = 0;  ///< threads that caused it; 0 where none is to blame
  friend bool operator==(const Fault&, const Fault&) = default;
};

/// E: a group became resident. Wave slot of its wave i: slot * waves_per_group + i.
struct LaunchEvent {
  uint32_t slot = 0;
  std::array<uint32_t, 3> group{};
  uint32_t number = 0;  ///< launch number of the group, modulo 2^32: x fastest, then y, z
};

}  // namespace maskwork
