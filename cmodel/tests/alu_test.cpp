// Every ALU operation, type, modifier, clamp and chain bit against the reference, on every instruction set of this machine.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "alu_reference.hpp"
#include "maskwork/lane.hpp"
#include "maskwork/word_builder.hpp"
#include "operands.hpp"
#include "rows.hpp"
#include "soft_float.hpp"

namespace maskwork::test {
namespace {

using namespace build;
using isa::Op;
using isa::Type;

std::string describe(const isa::Word& w, uint32_t a, uint32_t b, uint32_t c) {
  char text[200];
  std::snprintf(text, sizeof text, "%s type %u word %016llx:%016llx on %08x %08x %08x", std::string(isa::info(w).name).c_str(),
                isa::get(w, isa::field::type), static_cast<unsigned long long>(w.hi), static_cast<unsigned long long>(w.lo), a, b, c);
  return text;
}

/// Collects operand sets and compares them 32 at a time.
class Checker {
 public:
  explicit Checker(const isa::Word& w) : word_(w) { EXPECT_FALSE(isa::bad_word(w, true)) << isa::bad_word(w, true).rule; }
  ~Checker() { flush(); }
  Checker(const Checker&) = delete;
  Checker& operator=(const Checker&) = delete;
  void check(uint32_t a, uint32_t b, uint32_t c, uint8_t chain = 0) {
    batch_.a[n_] = a;
    batch_.b[n_] = b;
    batch_.c[n_] = c;
    batch_.chain_flags[n_] = chain;
    if (++n_ == 32) flush();
  }

 private:
  void flush() {
    if (n_ == 0) return;
    lane_execute(word_, batch_);
    for (unsigned i = 0; i < n_; ++i) {
      const AluExpected want = alu_expected(word_, batch_.a[i], batch_.b[i], batch_.c[i], batch_.chain_flags[i]);
      if (batch_.value[i] == want.value && batch_.flags[i] == want.flags) continue;
      ADD_FAILURE() << describe(word_, batch_.a[i], batch_.b[i], batch_.c[i]) << ": got " << std::hex << batch_.value[i] << " flags "
                    << int{batch_.flags[i]} << ", want " << want.value << " flags " << int{want.flags};
      if (++failures_ > 5) break;
    }
    n_ = 0;
  }
  isa::Word word_;
  LaneBatch batch_;
  unsigned n_ = 0, failures_ = 0;
};

std::vector<uint32_t> corners(bool floats) {
  std::vector<uint32_t> v(int_corners.begin(), int_corners.end());
  if (floats) v.assign(float_corners.begin(), float_corners.end());
  return v;
}

/// All forms of an operation: types, modifiers, clamps, chain bits, conversions.
std::vector<isa::Word> all_forms() {
  std::vector<isa::Word> forms;
  for (unsigned code = 0; code < 32; ++code) {
    const auto op = static_cast<Op>(code);
    const isa::OpInfo& info = isa::info(op);
    if (!info.valid || info.nodst) continue;
    for (uint32_t t = 0; t < 3; ++t) {
      if (((info.types >> t) & 1) == 0) continue;
      for (uint32_t mods = 0; mods < 64; ++mods)
        for (uint32_t clamp = 0; clamp < 3; ++clamp)
          for (uint32_t chain = 0; chain < 4; ++chain)
            for (uint32_t conversion = 0; conversion < (info.cvt ? 12u : info.rnd ? 4u : 1u); ++conversion) {
              W w = alu(op, static_cast<Type>(t)).dst(1).cc(0, 0).set(isa::field::clamp, clamp);
              const isa::Field fields[6] = {isa::field::a_neg, isa::field::a_abs, isa::field::b_neg, isa::field::b_abs, isa::field::c_neg, isa::field::c_abs};
              for (unsigned n = 0; n < 6; ++n)
                if (((mods >> n) & 1) != 0) w.set(fields[n], 1);
              w.set(isa::field::chain_carry, chain & 1).set(isa::field::chain_zero, chain >> 1);
              if (info.cvt || info.rnd) w.cvt(static_cast<Type>(conversion / 4), static_cast<isa::Round>(conversion % 4));
              if (!isa::bad_word(w, true)) forms.push_back(w);
            }
    }
  }
  return forms;
}

TEST(Alu, EveryFormOnCornerPairs) {
  const auto forms = all_forms();
  ASSERT_GT(forms.size(), 1000u);
  Random r(3);
  for (const auto& w : forms) {
    const isa::OpInfo& info = isa::info(w);
    const uint32_t source = info.cvt ? isa::get(w, isa::field::cvt_src) : isa::get(w, isa::field::type);
    const auto values = corners(source == 0);
    const bool chained = isa::get(w, isa::field::chain_carry) != 0 || isa::get(w, isa::field::chain_zero) != 0;
    Checker check(w);
    for (const uint32_t a : values)
      for (const uint32_t b : info.srcs_b ? values : std::vector<uint32_t>{0})
        for (uint32_t n = 0; n < (info.srcs_c ? 3u : 1u); ++n)
          check.check(a, b, values[r.below(static_cast<uint32_t>(values.size()))], chained ? static_cast<uint8_t>(r.below(16)) : 0);
  }
}

TEST(Alu, EveryFormOnRandomOperands) {
  Random r(4);
  for (const auto& w : all_forms()) {
    Checker check(w);
    for (int n = 0; n < 64; ++n) {
      const auto [a, b, c] = fma_operands(r);
      check.check(r.below(4) == 0 ? r.below(64) : a, r.below(4) == 0 ? r.below(64) : b, c, static_cast<uint8_t>(r.below(16)));
    }
  }
}

TEST(Alu, FmaOnAllCornerTriples) {
  Checker check(alu(Op::MAD, Type::F32).dst(1).cc(0, 0));
  for (const uint32_t a : float_corners)
    for (const uint32_t b : float_corners)
      for (const uint32_t c : float_corners) check.check(a, b, c);
}

TEST(Alu, FmaOnTenMillionRandomTriples) {
  const isa::Word w = alu(Op::MAD, Type::F32).dst(1);
  Random r(5);
  LaneBatch batch;
  for (int n = 0; n < 10'000'000 / 32; ++n) {
    for (unsigned i = 0; i < 32; ++i) {
      const auto [a, b, c] = fma_operands(r);
      batch.a[i] = a;
      batch.b[i] = b;
      batch.c[i] = c;
    }
    lane_execute(w, batch);
    for (unsigned i = 0; i < 32; ++i)
      ASSERT_EQ(batch.value[i], soft::fma(batch.a[i], batch.b[i], batch.c[i])) << describe(w, batch.a[i], batch.b[i], batch.c[i]);
  }
}

TEST(Alu, AddAndMultiplyOnTenMillionRandomPairs) {
  const isa::Word sum = alu(Op::ADD, Type::F32).dst(1), product = alu(Op::MUL, Type::F32).dst(1);
  Random r(6);
  LaneBatch batch;
  for (int n = 0; n < 10'000'000 / 32; ++n) {
    for (unsigned i = 0; i < 32; ++i) {
      const auto [a, b] = add_operands(r);
      batch.a[i] = a;
      batch.b[i] = b;
    }
    lane_execute(sum, batch);
    for (unsigned i = 0; i < 32; ++i) ASSERT_EQ(batch.value[i], soft::add(batch.a[i], batch.b[i])) << describe(sum, batch.a[i], batch.b[i], 0);
    for (unsigned i = 0; i < 32; ++i) {
      const auto [a, b, c] = fma_operands(r);
      batch.a[i] = a;
      batch.b[i] = b;
    }
    lane_execute(product, batch);
    for (unsigned i = 0; i < 32; ++i) ASSERT_EQ(batch.value[i], soft::mul(batch.a[i], batch.b[i])) << describe(product, batch.a[i], batch.b[i], 0);
  }
}

TEST(Alu, ConversionsOnTenMillionRandomOperands) {
  Random r(7);
  std::vector<isa::Word> forms = all_forms();
  std::erase_if(forms, [](const isa::Word& w) { return !isa::info(w).cvt && !isa::info(w).rnd; });
  for (const auto& w : forms) {
    Checker check(w);
    for (size_t n = 0; n < 10'000'000 / forms.size(); ++n) {
      // Floats around the integers' limits and around halves; integers that need rounding.
      const uint32_t a = r.below(3) == 0 ? r.next() >> r.below(32) : make_float(r, 100 + static_cast<int>(r.below(64)));
      check.check(r.below(2) ? a : 0 - a, 0, 0, 0);
    }
  }
}

TEST(Alu, TheNamedSumOfTheLaneReport) { EXPECT_EQ(lane_execute(alu(Op::ADD, Type::F32), 0x41000001, 0xbf800004, 0).value, 0x40e00001u); }

TEST(Alu, MadIsFused) {
  // (1 + 2^-23)^2 - (1 + 2^-22) = 2^-46; rounded after the product it would be 0.
  EXPECT_EQ(lane_execute(alu(Op::MAD, Type::F32), 0x3f800001, 0x3f800001, 0xbf800002).value, 0x28800000u);
}

TEST(Alu, ClampCorners) {
  const auto clamped = [](isa::Clamp how, uint32_t v) { return lane_execute(alu(Op::MOV, Type::F32).clamp(how), v, 0, 0).value; };
  EXPECT_EQ(clamped(isa::Clamp::SAT, 0x7fc00000), 0u);
  EXPECT_EQ(clamped(isa::Clamp::SAT, 0x80000000), 0u);
  EXPECT_EQ(clamped(isa::Clamp::SAT, 0x00000001), 1u);
  EXPECT_EQ(clamped(isa::Clamp::SAT, 0x7f800000), 0x3f800000u);
  EXPECT_EQ(clamped(isa::Clamp::SAT, 0xff800000), 0u);
  EXPECT_EQ(clamped(isa::Clamp::SSAT, 0xffc00001), 0u);
  EXPECT_EQ(clamped(isa::Clamp::SSAT, 0x80000000), 0x80000000u);
  EXPECT_EQ(clamped(isa::Clamp::SSAT, 0xff800000), 0xbf800000u);
  EXPECT_EQ(clamped(isa::Clamp::SSAT, 0x40000000), 0x3f800000u);
}

TEST(Alu, AllInstructionSetsGiveTheSame) {
  Random r(8);
  alignas(64) uint32_t a[32], b[32], c[32], x[32], y[32];
  uint8_t f[32], g[32];
  const rows::Table& base = *rows::choices[rows::choice_count - 1].table;
  for (unsigned which = 0; which + 1 < rows::choice_count; ++which) {
    if (!rows::choices[which].usable) continue;
    const rows::Table& other = *rows::choices[which].table;
    for (int n = 0; n < 200; ++n) {
      for (unsigned i = 0; i < 32; ++i) {
        const auto v = fma_operands(r);
        a[i] = v[0];
        b[i] = r.below(3) == 0 ? r.below(40) : v[1];
        c[i] = v[2];
      }
      for (unsigned op = 0; op < rows::ops; ++op)
        for (unsigned t = 0; t < rows::types; ++t) {
          if (base.alu[op][t] == nullptr) continue;
          base.alu[op][t](a, b, c, x);
          other.alu[op][t](a, b, c, y);
          ASSERT_EQ(std::memcmp(x, y, sizeof x), 0) << other.name << " op " << op << " type " << t;
        }
      for (unsigned to = 0; to < 3; ++to)
        for (unsigned from = 0; from < 3; ++from)
          for (unsigned mode = 0; mode < 8; ++mode) {
            base.cvt[to][from][mode / 2][mode % 2](a, b, c, x);
            other.cvt[to][from][mode / 2][mode % 2](a, b, c, y);
            ASSERT_EQ(std::memcmp(x, y, sizeof x), 0) << other.name << " cvt " << to << from << mode;
          }
      base.add_flags(a, b, r.next(), 0x12345678, x, f);
      base.flags_f32(a, f);
      other.flags_f32(a, g);
      ASSERT_EQ(std::memcmp(f, g, 32), 0) << other.name;
      ASSERT_EQ(base.test(f, 0xa5a5), other.test(f, 0xa5a5)) << other.name;
      ASSERT_EQ(base.nonzero(b), other.nonzero(b)) << other.name;
      const uint32_t mask = r.next();
      std::memcpy(x, c, sizeof x);
      std::memcpy(y, c, sizeof y);
      base.blend(x, a, mask);
      other.blend(y, a, mask);
      ASSERT_EQ(std::memcmp(x, y, sizeof x), 0) << other.name;
    }
  }
}

}  // namespace
}  // namespace maskwork::test
