#include "random_program.hpp"

#include <random>
#include <vector>

namespace maskwork::test {
namespace {

class Generator {
 public:
  Generator(uint64_t seed, const RandomOptions& options) : random_(seed), options_(options) {}

  std::string run() {
    text_ = "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nGROUP_SIZE " + std::to_string(options_.group_x) + ";\nSHARED_MEMORY " +
            std::to_string(options_.group_x * 64) +
            ";\nSHARED sm[] = { program.sharedmem };\nSTORAGE out[] = { program.storage[0] };\n"
            "PARAM l0 = program.local[0];\nPARAM l1 = program.local[1];\nINT PARAM k = { 3, -7, 65536, 0 };\n"
            "PARAM table[] = { program.local[0..1], { 0.5, -2.0, 3.0, 1e10 }, program.local[2] };\n"
            "TEMP R0, R1, R2, R3, R4, A[4], B[3], I, OUT, SH, L0, L1, L2;\n";
    const bool routines = options_.calls && chance(50);
    if (routines) text_ += "main:\n";
    line("MUL.U OUT.x, invocation.globalid.x, 256");
    line("MUL.U SH.x, invocation.localindex.x, 64");
    for (int at = 0; at < 64; at += 16) line("STS.U32X4 {0,0,0,0}, sm[SH.x + " + std::to_string(at) + "]");
    line("MOV.U L0, 0");
    line("MOV.U L1, 0");
    line("MOV.U L2, 0");
    line("MOV.U I, 0");
    for (const char* name : {"R0", "R1", "R2", "R3", "R4", "A[0]", "A[1]", "A[2]", "A[3]", "B[0]", "B[1]", "B[2]"}) {
      line(std::string("MUL.U ") + name + ", invocation.globalid.x, {" + number() + "," + number() + "," + number() + "," + number() + "}");
      if (chance(50)) line(std::string("I2F.S ") + name + ", " + name);
    }
    line("ADD.S.CC0 R0, R0, R1");
    line("ADD.F.CC1 R1, R1, R2");
    calls_ = routines;
    block(0, 0, 6 + below(20));
    store_all();
    if (routines) {
      if (chance(50)) line("RET");
      // Routine g may call itself: L2.x counts down.
      calls_ = false;
      for (const char* name : {"f", "g"}) {
        text_ += std::string(name) + ":\n";
        in_routine_ = true;
        block(0, 1, 3 + below(6));
        if (name[0] == 'g') {
          line("SUB.S.CC L2.x, L2.x, 1");
          line("RET (LT.x)");
          if (chance(50)) {
            line("REP.S 2");
            line("SUB.S.CC L2.x, L2.x, 1");
            line("CAL g (GE.x)");
            line("ADD.U R0.x, R0.x, 1");
            line("ENDREP");
          } else if (chance(50)) {
            line("AND.U R3.y, R3.y, 3");
            line("REP.U R3.y");
            line("ADD.U R2.x, R2.x, 5");
            line("SUB.S.CC L2.x, L2.x, 1");
            line("MOV.U R3.y, 7");
            line("CAL g (GE.x)");
            line("ENDREP");
          } else {
            line("CAL g");
          }
        }
        block(0, 1, 1 + below(4));
        if (chance(50)) line("RET");
      }
    }
    return text_ + "END\n";
  }

 private:
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <size_t N>
  const char* pick(const char* const (&list)[N]) {
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
  std::string operand(char type, bool signs) {
    std::string base;
    switch (below(14)) {
      case 0: base = literal(type); break;
      case 1:
        if (type != 'F') {
          base = "{1,2,0x7fffffff,4}" + swizzle();
        } else {
          base = "{1.0,-0.5,3e8,2}" + swizzle();
        }
        break;
      case 2: base = std::string(pick({"l0", "l1"})) + swizzle(); break;
      case 3: base = type == 'S' ? "k" + swizzle() : "l1" + swizzle(); break;
      case 4: base = std::string(pick({"invocation.localid", "invocation.globalid", "invocation.groupid", "invocation.groupsize", "invocation.localindex", "invocation.groupcount"})) + swizzle(); break;
      case 5: base = relative("A") + swizzle(); break;
      case 6: base = relative("table") + swizzle(); break;
      default: base = temp() + swizzle(); break;
    }
    if (!signs || base[0] == '-') return base;
    if (chance(15)) base = chance(50) ? "|" + base + "|" : "|-" + base + "|";
    if (chance(25)) base = "-" + base;
    return base;
  }
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

  void alu() {
    const char types[] = {'F', 'S', 'U'};
    char t = types[below(3)];
    const auto emit = [&](const std::string& op, int operands, const std::string& mods, bool signs = true) {
      std::string s;
      // Operands first: they may print statements that compute indices. Two run-time indices of one statement use different components.
      const std::string d = destination();
      std::string list;
      for (int i = 0; i < operands; ++i) list += ", " + operand(t, signs);
      line(op + mods + " " + d + list);
    };
    const std::string type = std::string(".") + t;
    const std::string sat = t == 'F' ? pick({"", "", "", ".SAT", ".SSAT"}) : "";
    switch (below(12)) {
      case 0:
      case 1: emit(pick({"ADD", "SUB", "MUL", "MIN", "MAX"}), 2, type + cc() + sat); break;
      case 2: emit("MAD", 3, type + cc() + sat); break;
      case 3: emit(pick({"SEQ", "SNE", "SLT", "SLE", "SGT", "SGE"}), 2, type + cc()); break;
      case 4: emit("CMP", 3, type + cc()); break;
      case 5:
        if (t == 'F') t = 'U';
        emit(pick({"AND", "OR", "XOR"}), 2, std::string(".") + t + cc());
        break;
      case 6: {
        if (t == 'F') t = 'S';
        const std::string d = destination(), a = operand(t, true);
        line(std::string(pick({"SHL.", "SHR."})) + t + cc() + " " + d + ", " + a + ", " + scalar_operand());
        break;
      }
      case 7: {
        const std::string result = std::string(".") + t;
        const char keep = t;
        t = 'F';
        const char* op = keep == 'F' && chance(20) ? "FRC" : pick({"FLR", "CEIL", "TRUNC", "ROUND"});
        emit(op, 1, result + cc() + (keep == 'F' ? sat : ""));
        break;
      }
      case 8:
        if (t == 'F') t = 'S';
        if (chance(50)) emit("I2F", 1, std::string(".") + t + cc());
        else if (chance(50)) emit("NOT", 1, std::string(".") + t + cc());
        else emit("MUL", 2, std::string(".HI.") + t + cc());
        break;
      case 9: {
        const std::string dst = pick({"F32", "S32", "U32"}), src = pick({"F32", "S32", "U32"});
        t = src[0];
        // No signs: the language has none on CVT.
        std::string o;
        const std::string d = destination();
        o = temp() + swizzle();
        line("CVT." + dst + "." + src + pick({"", ".CEIL", ".FLR", ".TRUNC", ".ROUND"}) + cc() + pick({"", ".SAT"}) + " " + d + ", " + o);
        break;
      }
      case 10:
        t = 'F';
        emit(pick({"DP3", "DP4"}), 2, ".F" + cc() + sat);
        break;
      default: emit(pick({"MOV", "ABS", "MOV"}), 1, type + cc() + sat); break;
    }
  }

  void memory() {
    const bool shared = chance(50);
    const std::string base = shared ? "sm[SH.x + " : "out[OUT.x + ";
    const uint32_t size = shared ? 64 : 256;
    const std::string unit = shared ? "S" : "B";
    static const char* const kCounts[] = {"", "X2", "X4"};
    const uint32_t n = below(3), bytes = 4u << n;
    const std::string at = base + std::to_string(below(size / bytes) * bytes) + "]";
    const std::string type = std::string(pick({"U32", "S32", "F32"}));
    switch (below(3)) {
      case 0: line("ST" + unit + "." + type + kCounts[n] + " " + operand(type[0], true) + ", " + at); break;
      case 1: {
        const std::string d = destination();
        line("LD" + unit + "." + type + kCounts[n] + cc() + (type == "F32" ? pick({"", "", ".SAT"}) : "") + " " + d + ", " + at);
        break;
      }
      default: {
        const std::string integer = chance(50) ? "U32" : "S32";
        std::string op = pick({"ADD", "MIN", "MAX", "AND", "OR", "XOR", "EXCH", "CSWAP", "IWRAP", "DWRAP"});
        const std::string t = op.ends_with("WRAP") ? "U32" : integer;
        const std::string a = base + std::to_string(below(size / 4) * 4) + "]";
        const std::string d = destination();
        line("ATOM" + unit + "." + op + "." + t + cc() + " " + d + ", " + operand(t[0], true) + ", " + a);
      }
    }
  }

  void store_all() {
    int at = 0;
    for (const char* name : {"R0", "R1", "R2", "R3", "R4", "A[0]", "A[1]", "A[2]", "A[3]", "B[0]"}) {
      if (chance(60)) line(std::string("STB.U32X4 ") + name + ", out[OUT.x + " + std::to_string(at) + "]");
      at += 16;
    }
    // The conditions, as values.
    line("MOV.U R0, 0");
    line("MOV.U R0 (GT0), 1");
    line("MOV.U R1, 0");
    line("MOV.U R1 (OF1), 1");
    line("STB.U32X4 R0, out[OUT.x + 160]");
    line("STB.U32X4 R1, out[OUT.x + 176]");
  }

  void block(int ifs, int loops, uint32_t statements) {
    for (uint32_t i = 0; i < statements; ++i) {
      const uint32_t what = below(100);
      if (what < 55) {
        alu();
      } else if (what < 68) {
        memory();
      } else if (!options_.flow) {
        alu();
      } else if (what < 82 && ifs < 5) {
        line("IF " + condition());
        block(ifs + 1, loops, below(chance(25) ? 9 : 4));
        if (chance(50)) {
          line("ELSE");
          block(ifs + 1, loops, below(chance(25) ? 9 : 4));
        }
        line("ENDIF");
      } else if (what < 90 && loops < 2) {
        loop(ifs, loops);
      } else if (what < 94 && loop_depth_ > 0) {
        line(std::string(pick({"BRK", "CONT"})) + (chance(75) ? " (" + condition() + ")" : ""));
      } else if (what < 96 && (in_routine_ || chance(20))) {
        line("RET (" + condition() + ")");
      } else if (what < 99 && calls_) {
        if (chance(50)) {
          line(std::string("CAL f") + (chance(50) ? " (" + condition() + ")" : ""));
        } else {
          line("AND.U L2.x, " + temp() + "." + component() + ", 3");
          line(std::string("CAL g") + (chance(50) ? " (" + condition() + ")" : ""));
        }
      } else {
        alu();
      }
    }
  }

  void loop(int ifs, int loops) {
    const std::string counter = std::string("L") + (loops == 0 ? "0" : "1") + "." + component();
    const bool keep = in_routine_;
    ++loop_depth_;
    switch (below(4)) {
      case 0: line("REP.S " + std::string(pick({"3", "0", "-1", "1", "2"}))); break;
      case 1: line("AND.U I.w, " + temp() + "." + component() + ", 3"); line("SUB.S I.w, I.w, 1"); line("REP.S I.w"); break;
      case 2: line("AND.U I.w, " + temp() + "." + component() + ", 3"); line("I2F.U I.w, I.w"); line("SUB.F I.w, I.w, 0.25"); line("REP.F I.w"); break;
      default: {
        // Endless, with a counter of its own that CONT cannot pass.
        line("MOV.U " + counter + ", " + std::to_string(1 + below(4)));
        line("REP");
        line("SUB.S.CC " + counter + ", " + counter + ", 1");
        line(std::string("BRK (LT") + counter.substr(2) + ")");
        break;
      }
    }
    block(ifs, loops + 1, 1 + below(chance(25) ? 8 : 4));
    line("ENDREP");
    --loop_depth_;
    in_routine_ = keep;
  }

  std::mt19937_64 random_;
  RandomOptions options_;
  std::string text_;
  bool calls_ = false, in_routine_ = false;
  int loop_depth_ = 0;
};

}  // namespace

std::string random_program(uint64_t seed, const RandomOptions& options) { return Generator(seed, options).run(); }

}  // namespace maskwork::test
