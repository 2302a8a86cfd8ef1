// Votes, ballots and shuffles on the golden model: whole waves, waves with missing threads, threads masked off by IF. Expected values follow from
// the language's rules.
#include <gtest/gtest.h>

#include <bit>
#include <functional>

#include "helpers.hpp"
#include "maskwork/device.hpp"

namespace maskwork::test {
namespace {

constexpr uint32_t kThreads = 44;  // a whole wave and 12 threads of one

uint32_t hash(uint32_t i) {
  i *= 0x9e3779b9u;
  i ^= i >> 15;
  return i * 0x85ebca6bu;
}
/// Inputs of thread t: word 0 random, 1 mostly 0, 2 an index, 3 clamp and segment.
uint32_t input(uint32_t t, uint32_t k) {
  const uint32_t h = hash(t * 4 + k + 1);
  switch (k) {
    case 1: return h % 7 == 0 ? 0x80000000u : h % 3 == 0 ? h : 0;
    case 2: return h % 5 == 0 ? h : (h >> 8) % 34;
    case 3: {
      static constexpr uint32_t kMasks[] = {31, 0, 0x1f1f, 0x181f, 0x1c03, 0x1e01, 0x100f, 0xffffff00u};
      return h % 2 ? kMasks[(h >> 4) % 8] : h;
    }
    default: return h;
  }
}

std::vector<uint32_t> run(const std::string& body) {
  const std::string text = "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nOPTION NV_shader_thread_group;\nOPTION NV_shader_thread_shuffle;\nGROUP_SIZE " +
                           std::to_string(kThreads) +
                           ";\nSTORAGE in[] = { program.storage[0] };\nSTORAGE out[] = { program.storage[1] };\nTEMP R0, R1, R2, X[3], P;\n"
                           "MUL.U P.x, invocation.localindex.x, 16;\nMOV.U P.y, 1;\nLDB.U32X4 R0, in[P.x];\nMOV.U R1, {11, 12, 13, 14};\n" +
                           body + "\nSTB.U32X4 R1, out[P.x];\nEND\n";
  const Program program = assemble_text(text);
  auto device = make_model(*isa::find_config("base"));
  const uint32_t in = device->memory().allocate(kThreads * 16), out = device->memory().allocate(kThreads * 16);
  for (uint32_t t = 0; t < kThreads; ++t)
    for (uint32_t k = 0; k < 4; ++k) device->memory().store32(in + t * 16 + k * 4, input(t, k));
  device->load(program);
  device->bind_storage(0, in, kThreads * 16);
  device->bind_storage(1, out, kThreads * 16);
  EXPECT_TRUE(device->dispatch(1, 1, 1).ok()) << body;
  std::vector<uint32_t> words;
  for (uint32_t i = 0; i < kThreads * 4; ++i) words.push_back(device->memory().load32(out + i * 4));
  return words;
}

using Active = std::function<bool(uint32_t thread)>;

struct Region {
  const char* before;
  const char* after;
  Active active;
};
const Region kRegions[] = {
    {"", "", [](uint32_t) { return true; }},
    {"AND.U.CC R2.x, invocation.localindex.x, 3;\nIF NE.x;\n", "\nENDIF;", [](uint32_t t) { return t % 4 != 0; }},
    {"SLT.U.CC R2.x, invocation.localindex.x, 35;\nIF EQ.x;\n", "\nENDIF;", [](uint32_t t) { return t >= 35; }},
};

bool not_zero(uint32_t v, char type) { return type == 'F' ? (v & 0x7fffffffu) != 0 : v != 0; }

TEST(Waves, VotesAndBallot) {
  for (const Region& region : kRegions)
    for (char type : {'F', 'S', 'U'})
      for (const char* name : {"TGALL", "TGANY", "TGEQ", "TGBALLOT"}) {
        const std::string op = std::string(name) + "." + type;
        const uint32_t truth = type == 'F' ? std::bit_cast<uint32_t>(1.0f) : 0xffffffffu;
        // Component k looks at word 1, 0, 2, 1: once with a sign, which changes no zero.
        for (const std::string& body : {op + " R1, R0.yxzy;", op + " R1, -R0.yxzy;", op + ".CC R1, R0.yxzy;\nMOV.U R1 (EQ), 0;"}) {
          const auto got = run(region.before + body + region.after);
          for (uint32_t t = 0; t < kThreads; ++t)
            for (uint32_t c = 0; c < 4; ++c) {
              static constexpr uint32_t kWord[] = {1, 0, 2, 1};
              uint32_t ballot = 0, members = 0;
              for (uint32_t other = t / 32 * 32; other < std::min(kThreads, t / 32 * 32 + 32); ++other)
                if (region.active(other)) {
                  members |= 1u << (other % 32);
                  if (not_zero(input(other, kWord[c]), type)) ballot |= 1u << (other % 32);
                }
              uint32_t want = 11 + c;
              if (region.active(t)) {
                const std::string n = name;
                want = n == "TGBALLOT" ? ballot
                       : (n == "TGALL" ? ballot == members : n == "TGANY" ? ballot != 0 : ballot == 0 || ballot == members) ? truth
                                                                                                                              : 0;
              }
              ASSERT_EQ(got[t * 4 + c], want) << body << " thread " << t << " component " << c;
            }
        }
      }
}

TEST(Waves, MaskedVotesCountEveryThread) {
  // The write mask's condition keeps results back, not threads out of the vote.
  const auto got = run("MOV.S.CC R2.x, R0.x;\nTGBALLOT.U R1 (LT.x), R0.y;\nTGALL.U.CC X[P.y].x (GE.x), 1;\nMOV.U R1.w, X[1].x;");
  for (uint32_t t = 0; t < kThreads; ++t) {
    uint32_t ballot = 0;
    for (uint32_t other = t / 32 * 32; other < std::min(kThreads, t / 32 * 32 + 32); ++other)
      if (input(other, 1) != 0) ballot |= 1u << (other % 32);
    const bool below = static_cast<int32_t>(input(t, 0)) < 0;
    ASSERT_EQ(got[t * 4], below ? ballot : 11);
    if (!below) {
      ASSERT_EQ(got[t * 4 + 3], 0xffffffffu);
    }
  }
}

TEST(Waves, Shuffles) {
  for (const Region& region : kRegions)
    for (const char* name : {"IDX", "UP", "DOWN", "XOR"})
      for (char type : {'F', 'S', 'U'}) {
        const uint32_t truth = type == 'F' ? std::bit_cast<uint32_t>(1.0f) : 0xffffffffu;
        const std::string op = std::string("SHF") + name + "." + type;
        struct Case {
          std::string body;
          std::function<uint32_t(uint32_t)> index, mask, value;
        };
        const auto word = [](uint32_t k) { return [k](uint32_t t) { return input(t, k); }; };
        const auto fixed = [](uint32_t v) { return [v](uint32_t) { return v; }; };
        const std::string xy = " R1.xy, ";
        const uint32_t flip = type == 'F' ? 0x80000000u : 0;
        const Case cases[] = {
            {op + xy + "R0.x, R0.z, R0.w;", word(2), word(3), word(0)},
            {op + xy + "R0.y, R0.z, {31};", word(2), fixed(31), word(1)},
            {op + xy + "R0.x, {3}, {0};", fixed(3), fixed(0), word(0)},
            {op + xy + "R0.x, 1, {0x181f};", fixed(1), fixed(0x181f), word(0)},
            {op + xy + "-R0.x, -R0.z, R0.w;", [](uint32_t t) { return 0u - input(t, 2); }, word(3), [=](uint32_t t) { return flip ? input(t, 0) ^ flip : 0u - input(t, 0); }},
            // Source and destination overlap.
            {"MOV.U R1.xy, R0;\nMOV.U R1.z, R0.w;\n" + op + xy + "R1.y, R0.z, R1.z;\nMOV.U R1.z, 13;", word(2), word(3), word(1)},
            {"MOV.U R1.x, R0.z;\nMOV.U R1.y, R0.x;\n" + op + xy + "R1.y, R1.x, R0.w;", word(2), word(3), word(0)},
        };
        for (const Case& c : cases) {
          const auto got = run(region.before + c.body + region.after);
          for (uint32_t t = 0; t < kThreads; ++t) {
            if (!region.active(t)) continue;
            const uint32_t id = t % 32, wave = t - id, mask = c.mask(t), clamp = mask & 31, segment = (mask >> 8) & 31, b = c.index(t) & 31;
            const uint32_t low = id & segment, high = low | (clamp & ~segment);
            int64_t source = 0;
            bool in_range = false;
            const std::string n = name;
            if (n == "IDX") source = (b & ~segment) | low;
            if (n == "UP") source = int64_t{id} - b;
            if (n == "DOWN") source = int64_t{id} + b;
            if (n == "XOR") source = id ^ b;
            in_range = n == "UP" ? source >= int64_t{low} : source <= int64_t{high};
            const bool given = in_range && wave + source < kThreads && source < 32 && region.active(static_cast<uint32_t>(wave + source));
            ASSERT_EQ(got[t * 4], given ? truth : 0) << c.body << " thread " << t;
            ASSERT_EQ(got[t * 4 + 1], c.value(given ? static_cast<uint32_t>(wave + source) : t)) << c.body << " thread " << t;
            ASSERT_EQ(got[t * 4 + 2], 13u);  // not written
          }
        }
      }
}

TEST(Waves, UnpackedQuotientsOfEveryOperand) {
  // 65536 halves, each as the upper and as the lower one: half / 65535 and byte / 255, (byte - 128) / 127, correctly rounded.
  const std::string text =
      "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nGROUP_SIZE 1024;\nSTORAGE out[] = { program.storage[0] };\nTEMP R0, R1, R2, R3, P;\n"
      "MOV.U P.x, invocation.globalid.x;\nMUL.U P.y, P.x, 48;\nNOT.U P.z, P.x;\nSHL.U P.z, P.z, 16;\nOR.U R0.x, P.x, P.z;\n"
      "UP2US.U R1, R0.x;\nUP4UB.U R2, R0.x;\nUP4B.U R3, R0.x;\nSTB.U32X4 R1, out[P.y];\nSTB.U32X4 R2, out[P.y + 16];\nSTB.U32X4 R3, out[P.y + 32];\nEND\n";
  auto device = make_model(*isa::find_config("base"));
  const uint32_t bytes = 65536 * 48, out = device->memory().allocate(bytes);
  device->load(assemble_text(text));
  device->bind_storage(0, out, bytes);
  ASSERT_TRUE(device->dispatch(64, 1, 1).ok());
  for (uint32_t i = 0; i < 65536; ++i) {
    const uint32_t word = i | (~i << 16);
    for (uint32_t c = 0; c < 4; ++c) {
      const auto got = [&](uint32_t vector) { return std::bit_cast<float>(device->memory().load32(out + i * 48 + vector * 16 + c * 4)); };
      const uint32_t half = (word >> (16 * (c & 1))) & 0xffff, byte = (word >> (8 * c)) & 0xff;
      ASSERT_EQ(got(0), static_cast<float>(half) / 65535.0f) << i;
      ASSERT_EQ(got(1), static_cast<float>(byte) / 255.0f) << i;
      ASSERT_EQ(got(2), static_cast<float>(static_cast<int32_t>(byte) - 128) / 127.0f) << i;
    }
  }
}

}  // namespace
}  // namespace maskwork::test
