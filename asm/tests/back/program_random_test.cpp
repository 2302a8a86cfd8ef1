// Random programs: assembler and golden model together against the interpreter of the language.
#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <cstring>

#include "interpreter.hpp"
#include "maskwork/asm/assembler.hpp"
#include "maskwork/device.hpp"
#include "random_program.hpp"

namespace maskwork::test {
namespace {

constexpr uint32_t kGroups = 2;

/// Empty if equal, else what is not.
std::string compare(const std::string& text, const RandomOptions& options) {
  Diagnostics diagnostics;
  AssembleOptions assemble_options;
  const auto checked = parse(text, "random.nvcp", assemble_options.limits, diagnostics);
  if (!checked) return render(diagnostics, text);
  const auto program = assemble(text, "random.nvcp", assemble_options, diagnostics);
  if (!program) return render(diagnostics, text);
  for (const isa::Word& w : program->words)
    if (const auto bad = isa::bad_word(w, program->full_flow)) return "bad word " + std::string(bad.rule) + ": " + disassemble_word(w, true);
  const uint32_t bytes = kGroups * options.group_x * 256;
  Inputs in;
  in.groups = {kGroups, 1, 1};
  in.local[0] = {0x3f800000u, 7, 0xc0000000u, 0x80000000u};
  in.local[1] = {0xffffffffu, 0x7f7fffffu, 3, 0x40490fdbu};
  in.local[2] = {12, 0x80000001u, 0xff800000u, 0x00800000u};
  in.storage.resize(3);
  for (auto& buffer : in.storage) buffer.assign(bytes, 0);
  in.constant.resize(4);
  for (uint32_t n = 0; n < 4; ++n)
    for (uint32_t i = 0; i < 64; ++i) {
      // Small numbers, floats, and all bits.
      const uint32_t hash = (n * 64 + i) * 2654435761u;
      const uint32_t word = i % 4 == 0 ? i : i % 4 == 1 ? std::bit_cast<uint32_t>(static_cast<float>(i) * 0.375f - 8.0f) : hash;
      for (unsigned byte = 0; byte < 4; ++byte) in.constant[n].push_back(static_cast<uint8_t>(word >> 8 * byte));
    }
  in.subroutines = {5, 0};
  auto device = make_model(*isa::find_config("base"));
  std::array<uint32_t, 3> address{};
  for (uint32_t& a : address) a = device->memory().allocate(bytes);
  in.global_address = address[0];
  in.local[3] = {address[0], 0, 0, 0};
  if (!interpret(*checked, in)) return "the interpreter does not end";
  device->load(*program);
  for (uint32_t n = 0; n < 3; ++n) device->bind_storage(n, address[n], bytes);
  for (uint32_t n = 0; n < 4; ++n) {
    const uint32_t at = device->memory().allocate(256);
    for (uint32_t i = 0; i < 256; i += 4) {
      uint32_t word;
      std::memcpy(&word, in.constant[n].data() + i, 4);
      device->memory().store32(at + i, word);
    }
    device->bind_constant(n, at, 256);
    device->set_local(n, in.local[n]);
  }
  if (!program->subroutines.empty())
    for (uint32_t n = 0; n < 2; ++n) device->set_subroutine(n, in.subroutines[n]);
  const DispatchResult result = device->dispatch(kGroups, 1, 1);
  if (!result.ok()) return "fault " + std::string(isa::to_string(result.fault.code)) + " at pc " + std::to_string(result.fault.pc);
  for (uint32_t at = 0; at < 3 * bytes; at += 4) {
    const uint32_t n = at / bytes, i = at % bytes;
    uint32_t want;
    std::memcpy(&want, in.storage[n].data() + i, 4);
    const uint32_t got = device->memory().load32(address[n] + i);
    if (got != want)
      return "buffer " + std::to_string(n) + " thread " + std::to_string(i / 256) + " byte " + std::to_string(i % 256) + ": " + std::to_string(got) + " instead of " + std::to_string(want);
  }
  return {};
}

/// MASKWORK_SEEDS: how many programs of each kind (nightly runs take more).
void many(uint64_t first, const RandomOptions& options) {
  const char* wanted = std::getenv("MASKWORK_SEEDS");
  const uint64_t count = wanted ? std::strtoull(wanted, nullptr, 10) : 600;
  int failures = 0;
  for (uint64_t seed = first; seed < first + count && failures < 3; ++seed) {
    const std::string text = random_program(seed, options);
    const std::string difference = compare(text, options);
    if (difference.empty()) continue;
    ++failures;
    ADD_FAILURE() << "seed " << seed << ": " << difference << (failures == 1 ? "\n" + text : "");
  }
}

TEST(RandomPrograms, StraightLine) {
  RandomOptions options;
  options.flow = false;
  options.calls = false;
  many(1, options);
}

TEST(RandomPrograms, Blocks) {
  RandomOptions options;
  options.calls = false;
  many(1000000, options);
}

TEST(RandomPrograms, UseEveryInstruction) {
  std::string all;
  for (uint64_t seed = 0; seed < 300; ++seed) all += random_program(seed, {});
  for (const char* name : {"ABS", "ADD", "AND", "BFE", "BFI", "BFR", "BTC", "BTFL", "BTFM", "CEIL", "CMP", "COS", "CVT", "DIV", "DP2", "DP2A", "DP3", "DP4", "DPH", "DST",
                           "EX2", "FLR", "FRC", "I2F", "LG2", "LIT", "LRP", "MAD", "MAX", "MIN", "MOD", "MOV", "MUL", "NOT", "NRM", "OR", "PK2H", "PK2US", "PK4B", "PK4UB",
                           "PK64", "POW", "RCC", "RCP", "RFL", "ROUND", "RSQ", "SAD", "SCS", "SEQ", "SFL", "SGE", "SGT", "SHL", "SHR", "SIN", "SLE", "SLT", "SNE", "SSG", "STR",
                           "SUB", "SWZ", "TRUNC", "UP2H", "UP2US", "UP4B", "UP4UB", "UP64", "X2D", "XOR", "XPD", "LDB", "STB", "LDS", "STS", "ATOMB", "ATOMS", "LDC", "LOAD", "STORE", "ATOM"})
    EXPECT_NE(all.find("\n" + std::string(name) + "."), std::string::npos) << name;
}

TEST(RandomPrograms, Calls) { many(2000000, {}); }

}  // namespace
}  // namespace maskwork::test
