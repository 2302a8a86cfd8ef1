#pragma once
// The generator of random programs: random_program.cpp has their frame and flow, random_instructions.cpp their instructions.
#include <random>
#include <string>

#include "random_program.hpp"

namespace maskwork::test {

class Generator {
 public:
  Generator(uint64_t seed, const RandomOptions& options) : random_(seed), options_(options) {}

  std::string run();

 private:
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <size_t N>
  std::string pick(const char* const (&list)[N]) {
    return list[below(N)];
  }
  void line(const std::string& s) { text_ += s + ";\n"; }
  std::string number() {
    switch (below(5)) {
      case 0: return std::to_string(below(4));
      case 1: return std::to_string(below(100000));
      case 2: return std::to_string(0x7ffffff0u + below(16));
      case 3: return std::to_string(1u << below(31));
      default: return std::to_string(static_cast<uint32_t>(random_()) & 0x7fffffffu);
    }
  }
  char component() { return "xyzw"[below(4)]; }
  std::string swizzle() {
    if (chance(30)) return "";
    if (chance(30)) return std::string(".") + component();
    std::string s = ".";
    for (int i = 0; i < 4; ++i) s += component();
    return s;
  }
  std::string write_mask() {
    if (chance(30)) return "";
    const uint32_t m = 1 + below(15);
    if (m == 15) return "";
    std::string s = ".";
    for (unsigned c = 0; c < 4; ++c)
      if ((m >> c) & 1) s += "xyzw"[c];
    return s;
  }
  std::string temp() { return pick({"R0", "R1", "R2", "R3", "R4", "R0", "R1", "R2", "B[0]", "B[1]", "B[2]", "A[0]", "A[1]", "A[3]"}); }
  std::string relative(const char* array) {
    const char c = "xyzw"[below(2)];
    line(std::string("AND.U I.") + c + ", " + temp() + "." + component() + ", 1");
    return std::string(array) + "[I." + c + " + " + std::to_string(below(3)) + "]";
  }
  std::string literal(char type) {
    if (type == 'F') return pick({"1.0", "0.5", "-2.25", "0", "1e20", "-1e-20", "3.0", "16777217.0", "1e-42"});
    if (type == 'U') return pick({"1", "0", "7", "0xffffffff", "0x80000000", "31", "12345678"});
    return pick({"1", "0", "-7", "0x7fffffff", "-2147483647", "31", "12345678"});
  }
  std::string operand(char type, bool signs);
  std::string scalar_operand() {
    if (chance(40)) return std::to_string(below(40));
    std::string base = temp() + "." + component();
    return base;
  }
  std::string rule() {
    return pick({"EQ", "NE", "LT", "LE", "GT", "GE", "NAN", "LEG", "CF", "NCF", "OF", "NOF", "SF", "NSF", "AB", "BLE", "TR", "FL", "NE", "GT", "LT"});
  }
  std::string condition() { return rule() + pick({"", "0", "1"}) + swizzle(); }
  std::string destination() {
    std::string d = chance(10) ? relative("A") : temp();
    d += write_mask();
    if (chance(25)) d += " (" + condition() + ")";
    return d;
  }
  std::string cc() { return pick({"", "", "", ".CC", ".CC0", ".CC1"}); }

  void alu();

  std::string scalar(char type) {
    std::string base = chance(15) ? literal(type) : temp() + "." + component();
    if (base[0] == '-') return base;
    if (chance(15)) base = "|" + base + "|";
    return chance(15) ? "-" + base : base;
  }
  std::string sat() { return pick({"", "", "", ".SAT", ".SSAT"}); }

  void functions();

  void bits();

  void packing();

  std::string long_operand(bool is_signed);
  void wide();

  void memory();

  /// Parameter buffers, a storage buffer chosen at run time, global memory.
  void more_memory();

  void store_all();

  void block(int ifs, int loops, uint32_t statements);

  void loop(int ifs, int loops);

  std::mt19937_64 random_;
  RandomOptions options_;
  std::string text_;
  bool calls_ = false, in_routine_ = false;
  int loop_depth_ = 0;
};

}  // namespace maskwork::test
