// Object files: what is written reads back; anything else is refused with a reason.
#include <cstring>
#include <fstream>

#include "helpers.hpp"
#include "maskwork/object_file.hpp"

namespace maskwork::test {
namespace {

std::string reason(std::span<const uint8_t> bytes) {
  try {
    read_object(bytes);
  } catch (const ObjectError& e) {
    return e.what();
  }
  return {};
}

Program small_object() {
  return assemble_body("MOV.U R0.x, invocation.localindex;\nSHL.U R1.x, R0.x, 2;\nSTB.U32 R0, buf[R1.x];");
}

TEST(ObjectFile, RandomProgramsRoundTrip) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 300; ++i) {
    const Program p = random_object(random);
    EXPECT_EQ(read_object(write_object(p)), p);
  }
}

Program object_with_subroutines() {
  Program p = small_object();
  p.subroutines = {{3, {7, 0, 255}}, {1023, {12}}};
  p.constants = {{ConstantSource::Kind::Subroutine, 0, 3, 0}, {ConstantSource::Kind::Literal, 9, 0, 0}, {ConstantSource::Kind::Subroutine, 0, 1023, 0}};
  p.slots.push_back({SlotSource::Kind::Constant, 15, 64, 0xffffffffu});
  return p;
}

TEST(ObjectFile, SubroutinesAndConstantBuffersRoundTrip) {
  const Program p = object_with_subroutines();
  EXPECT_EQ(read_object(write_object(p)), p);
}

TEST(ObjectFile, EveryTruncationIsRefused) {
  const auto bytes = write_object(small_object());
  for (size_t n = 0; n < bytes.size(); ++n) EXPECT_FALSE(reason(std::span(bytes).first(n)).empty()) << n;
}

TEST(ObjectFile, EveryBitFlipIsRefused) {
  auto bytes = write_object(small_object());
  for (size_t i = 0; i < bytes.size() * 8; ++i) {
    bytes[i / 8] ^= static_cast<uint8_t>(1u << (i % 8));
    EXPECT_FALSE(reason(bytes).empty()) << "bit " << i;
    bytes[i / 8] ^= static_cast<uint8_t>(1u << (i % 8));
  }
  EXPECT_TRUE(reason(bytes).empty());
}

TEST(ObjectFile, ForeignFilesAreNamed) {
  EXPECT_NE(reason({}).find("empty"), std::string::npos);
  const std::string text = "!!NVcp5.0\nEND\n";
  EXPECT_NE(reason(std::span(reinterpret_cast<const uint8_t*>(text.data()), text.size())).find("not a Maskwork object"), std::string::npos);
  // This test itself is an ELF file for another machine.
  std::ifstream self("/proc/self/exe", std::ios::binary);
  std::vector<uint8_t> bytes(65536);
  self.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  EXPECT_NE(reason(bytes).find("another machine"), std::string::npos);
}

/// CRC-64/XZ, bit by bit.
uint64_t checksum(std::span<const uint8_t> bytes) {
  uint64_t c = ~0ull;
  for (uint8_t b : bytes)
    for (int k = 0; k < 8; ++k) {
      const bool bit = ((c ^ (b >> k)) & 1) != 0;
      c = (c >> 1) ^ (bit ? 0xc96c5795d7870f42ull : 0);
    }
  return ~c;
}

TEST(ObjectFile, ChecksumIsTheKnownOne) {
  const std::string digits = "123456789";
  EXPECT_EQ(checksum(std::span(reinterpret_cast<const uint8_t*>(digits.data()), digits.size())), 0x995dc9bbdf1939faull);
}

void repair(std::vector<uint8_t>& bytes) {
  const uint64_t c = checksum(std::span(bytes).first(bytes.size() - 8));
  for (int i = 0; i < 8; ++i) bytes[bytes.size() - 8 + static_cast<size_t>(i)] = static_cast<uint8_t>(c >> (8 * i));
}

TEST(ObjectFile, ContentsAreCheckedBehindTheChecksum) {
  // Files with a right checksum and wrong contents: never a crash, and what loads is a program within the limits.
  const auto bytes = write_object(object_with_subroutines());
  size_t refused = 0;
  for (size_t i = 0; i + 8 < bytes.size(); ++i)
    for (uint8_t change : {0x01, 0x80, 0xff}) {
      auto copy = bytes;
      copy[i] ^= change;
      repair(copy);
      try {
        const Program p = read_object(copy);
        EXPECT_LT(p.entry, p.words.size());
        EXPECT_LE(p.registers, isa::limit::registers);
        for (const SubroutineUniform& u : p.subroutines) {
          EXPECT_LT(u.index, isa::limit::subroutine_uniforms);
          EXPECT_FALSE(u.numbers.empty());
        }
      } catch (const ObjectError&) {
        ++refused;
      }
    }
  EXPECT_GT(refused, 100u);
}

TEST(ObjectFile, RandomBytesNeverCrash) {
  std::mt19937_64 random(7);
  const auto good = write_object(small_object());
  for (int i = 0; i < 3000; ++i) {
    auto copy = good;
    for (int k = 0; k < 8; ++k) copy[random() % (copy.size() - 24)] = static_cast<uint8_t>(random());
    repair(copy);
    reason(copy);
  }
}

TEST(ObjectFile, InconsistentProgramsAreNotWritten) {
  Program p = small_object();
  p.entry = static_cast<uint32_t>(p.words.size());
  EXPECT_THROW(write_object(p), ObjectError);
  p = small_object();
  p.lines.pop_back();
  EXPECT_THROW(write_object(p), ObjectError);
  p = small_object();
  p.registers = 1025;
  EXPECT_THROW(write_object(p), ObjectError);
  const auto refused = [](void (*change)(Program&)) {
    Program q = object_with_subroutines();
    change(q);
    EXPECT_THROW(write_object(q), ObjectError);
  };
  refused([](Program& q) { q.subroutines[1].index = 1024; });
  refused([](Program& q) { std::swap(q.subroutines[0], q.subroutines[1]); });
  refused([](Program& q) { q.subroutines[1].index = 3; });
  refused([](Program& q) { q.subroutines[0].numbers.clear(); });
  refused([](Program& q) { q.subroutines[0].numbers[1] = 256; });
  refused([](Program& q) { q.constants[0].index = 4; });
  refused([](Program& q) { q.param_table = {{ConstantSource::Kind::Subroutine, 0, 5, 0}}; });
  refused([](Program& q) { q.slots.back().binding = 16; });
}

}  // namespace
}  // namespace maskwork::test
