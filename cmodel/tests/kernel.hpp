#pragma once
// A program under test on the model: words written by hand, an epilogue that stores registers, and what came out.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "maskwork/device.hpp"
#include "maskwork/word_builder.hpp"

namespace maskwork::test {

/// Result of a run: the observed registers of group 0's threads, and the dispatch's outcome.
struct Outcome {
  DispatchResult result;
  std::vector<std::vector<uint32_t>> out;  ///< [observed register][thread]
  std::unique_ptr<Device> device;
  uint32_t buffer = 0;                     ///< address of the buffer in slot 1 (binding 1)
};

class Kernel {
 public:
  /// Register that the epilogue uses for addresses; the window ends behind it.
  static constexpr uint32_t address_register = 15;
  /// Address of the buffer in slot 1 when `observed` registers of 32 threads are observed and the program has at most 16 words with
  /// its epilogue: memory begins with the program, then the observed registers.
  static constexpr uint32_t buffer_address(uint32_t observed) {
    const uint32_t out = observed * 128 < 256 ? 256 : (observed * 128 + 255) / 256 * 256;
    return Memory::first_address + 256 + out;
  }
  explicit Kernel(uint32_t threads = 32) { program.group_size = {threads, 1, 1}; }

  Kernel& add(const isa::Word& w) {
    program.words.push_back(w);
    return *this;
  }
  uint32_t here() const { return static_cast<uint32_t>(program.words.size()); }
  /// Registers to observe.
  Kernel& observe(std::vector<uint32_t> registers) {
    observed_ = std::move(registers);
    return *this;
  }
  /// Bytes of the buffer in slot 1, and its contents as words.
  Kernel& buffer(uint32_t bytes, std::vector<uint32_t> words = {}) {
    buffer_bytes_ = bytes;
    buffer_words_ = std::move(words);
    return *this;
  }

  Outcome run(const DispatchOptions& given = {}, const char* config = "base", std::array<uint32_t, 3> groups = {1, 1, 1}) const {
    using namespace build;
    Outcome o;
    Program p = program;
    const uint32_t threads = p.threads();
    if (p.registers == 0) p.registers = address_register + 1;
    p.slots = {{SlotSource::Kind::Storage, 0, 0, 0xffffffffu}, {SlotSource::Kind::Storage, 1, 0, 0xffffffffu}};
    if (!observed_.empty()) {
      p.words.push_back(alu(isa::Op::SHL).dst(address_register).a(isa::Special::LOCALINDEX).b_imm(2).wait(3));
      for (size_t n = 0; n < observed_.size(); ++n)
        p.words.push_back(mem(isa::Op::STB).a(address_register).offset(static_cast<uint32_t>(n) * threads * 4).data(observed_[n]));
    }
    if (append_end) p.words.push_back(end());
    o.device = make_model(*isa::find_config(config));
    o.device->load(p);
    Memory& m = o.device->memory();
    const uint32_t out = m.allocate(std::max<uint64_t>(256, observed_.size() * threads * 4));
    o.buffer = m.allocate(std::max<uint32_t>(256, buffer_bytes_));
    o.device->bind_storage(0, out, std::max<uint32_t>(4, static_cast<uint32_t>(observed_.size()) * threads * 4));
    o.device->bind_storage(1, o.buffer, buffer_bytes_);
    for (size_t n = 0; n < buffer_words_.size(); ++n) m.store32(o.buffer + static_cast<uint32_t>(n) * 4, buffer_words_[n]);
    o.result = o.device->dispatch(groups[0], groups[1], groups[2], given);
    for (size_t n = 0; n < observed_.size(); ++n) {
      o.out.emplace_back();
      for (uint32_t t = 0; t < threads; ++t) o.out.back().push_back(m.load32(out + (static_cast<uint32_t>(n) * threads + t) * 4));
    }
    return o;
  }
  /// Runs and expects the fault.
  Fault fault(isa::Fault code, const DispatchOptions& options = {}) const {
    const Outcome o = run(options);
    EXPECT_EQ(isa::to_string(o.result.fault.code), isa::to_string(code));
    return o.result.fault;
  }

  Program program;
  bool append_end = true;

 private:
  std::vector<uint32_t> observed_;
  uint32_t buffer_bytes_ = 256;
  std::vector<uint32_t> buffer_words_;
};

inline DispatchOptions filled(FillMode mode, uint32_t seed = 1) {
  DispatchOptions o;
  o.fill = mode;
  o.fill_seed = seed;
  return o;
}
inline isa::Word mov(uint32_t dst, uint32_t literal) { return build::alu(isa::Op::MOV).dst(dst).a_imm(literal); }
inline isa::Word index_to(uint32_t dst) { return build::alu(isa::Op::MOV).dst(dst).a(isa::Special::LOCALINDEX); }

}  // namespace maskwork::test
