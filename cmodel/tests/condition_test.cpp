// The condition tests mean what their names say: on floats against 0, and on the flags of an integer subtraction.
#include <gtest/gtest.h>

#include "maskwork/lane.hpp"
#include "maskwork/word_builder.hpp"
#include "operands.hpp"
#include "soft_float.hpp"

namespace maskwork::test {
namespace {

using namespace build;
using isa::Op;
using Cond = isa::Test;  // gtest has a Test of its own
using isa::Type;

bool holds(Cond t, uint8_t flags) { return isa::test_holds(static_cast<uint32_t>(t), flags); }

TEST(Condition, FloatsAgainstZero) {
  for (const uint32_t v : float_corners) {
    const uint8_t f = lane_execute(alu(Op::MOV, Type::F32), v, 0, 0).flags;
    const bool nan = soft::is_nan(v), zero = soft::is_zero(v), negative = !nan && !zero && (v >> 31) != 0, positive = !nan && !zero && !negative;
    EXPECT_EQ(holds(Cond::EQ, f), zero) << std::hex << v;
    EXPECT_EQ(holds(Cond::NE, f), !zero) << std::hex << v;
    EXPECT_EQ(holds(Cond::LT, f), negative) << std::hex << v;
    EXPECT_EQ(holds(Cond::GE, f), zero || positive) << std::hex << v;
    EXPECT_EQ(holds(Cond::LE, f), zero || negative) << std::hex << v;
    EXPECT_EQ(holds(Cond::GT, f), positive) << std::hex << v;
    EXPECT_EQ(holds(Cond::NAN_, f), nan) << std::hex << v;
    EXPECT_EQ(holds(Cond::LEG, f), !nan) << std::hex << v;
    EXPECT_FALSE(holds(Cond::CF, f));
    EXPECT_FALSE(holds(Cond::OF, f));
  }
}

TEST(Condition, IntegersAfterSubtraction) {
  for (const uint32_t x : int_corners)
    for (const uint32_t y : int_corners) {
      const uint8_t f = lane_execute(alu(Op::ADD, Type::S32).neg_b(), x, y, 0).flags;
      const auto sx = static_cast<int32_t>(x), sy = static_cast<int32_t>(y);
      EXPECT_EQ(holds(Cond::LT, f), sx < sy) << x << " " << y;
      EXPECT_EQ(holds(Cond::GE, f), sx >= sy) << x << " " << y;
      EXPECT_EQ(holds(Cond::LE, f), sx <= sy) << x << " " << y;
      EXPECT_EQ(holds(Cond::GT, f), sx > sy) << x << " " << y;
      EXPECT_EQ(holds(Cond::EQ, f), x == y) << x << " " << y;
      EXPECT_EQ(holds(Cond::NE, f), x != y) << x << " " << y;
      EXPECT_EQ(holds(Cond::CF, f), x >= y) << x << " " << y;
      EXPECT_EQ(holds(Cond::NCF, f), x < y) << x << " " << y;
      EXPECT_EQ(holds(Cond::AB, f), x > y) << x << " " << y;
      EXPECT_EQ(holds(Cond::BLE, f), x <= y) << x << " " << y;
      const int64_t difference = int64_t{sx} - sy;
      EXPECT_EQ(holds(Cond::OF, f), difference != static_cast<int32_t>(difference)) << x << " " << y;
      EXPECT_EQ(holds(Cond::NOF, f), difference == static_cast<int32_t>(difference)) << x << " " << y;
      EXPECT_EQ(holds(Cond::SF, f), static_cast<int32_t>(x - y) < 0) << x << " " << y;
      EXPECT_EQ(holds(Cond::NSF, f), static_cast<int32_t>(x - y) >= 0) << x << " " << y;
    }
}

TEST(Condition, ConstantsAndUndefinedTests) {
  for (uint8_t f = 0; f < 16; ++f) {
    EXPECT_TRUE(holds(Cond::TR, f));
    EXPECT_FALSE(holds(Cond::FL, f));
    for (uint32_t t = 18; t < 32; ++t) EXPECT_FALSE(isa::test_holds(t, f));
  }
}

}  // namespace
}  // namespace maskwork::test
