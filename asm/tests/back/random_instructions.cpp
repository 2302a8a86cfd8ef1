// Random instructions: operands, arithmetic of every kind, memory.
#include "random_generator.hpp"

namespace maskwork::test {

std::string Generator::operand(char type, bool signs) {
  std::string base;
  switch (below(17)) {
    case 14: {
      line("AND.U J.z, " + temp() + "." + component() + ", 7");
      base = pick({"b[J.z + 3]", "b[9]", "v[J.z + 1]", "v[2]"}) + swizzle();
      break;
    }
    case 15: {
      line("AND.U J.w, " + temp() + "." + component() + ", 3");
      base = pick({"bb[J.w][5]", "bb[J.w + 1][J.w + 8]", "bb[1][J.w]"}) + swizzle();
      break;
    }
    case 16: base = pick({"invocation.threadid", "invocation.threadeqmask", "invocation.threadltmask", "invocation.threadlemask", "invocation.threadgtmask", "invocation.threadgemask",
                          "invocation.warpid", "invocation.smid", "state.thread.warpsize"}) + swizzle(); break;
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

void Generator::alu() {
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
  switch (below(17)) {
    case 12: return functions();
    case 13: return bits();
    case 14: return packing();
    case 15:
    case 16: return wide();
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
      const std::string op = keep == 'F' && chance(20) ? "FRC" : pick({"FLR", "CEIL", "TRUNC", "ROUND"});
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

void Generator::functions() {
  const auto vectors = [&](const std::string& op, int operands, bool w = true) {
    const std::string d = w ? destination() : temp() + pick({".xyz", ".xz", ".y"});
    std::string list;
    for (int i = 0; i < operands; ++i) list += ", " + operand('F', true);
    line(op + ".F" + cc() + sat() + " " + d + list);
  };
  switch (below(6)) {
    case 0: return vectors(pick({"DP2", "DPH", "DST", "XPD"}), 2);
    case 1: return vectors(pick({"DP2A", "LRP", "X2D"}), 3);
    case 2: return vectors(pick({"LIT", "NRM", "SSG"}), 1);
    case 3: return vectors("RFL", 2, false);
    case 4: {
      const std::string d = destination();
      return line("SWZ.F" + cc() + sat() + " " + d + ", " + temp() + ", " + pick({"x", "-y", "0"}) + ", " + pick({"w", "1", "-z"}) + ", " + pick({"y", "-1"}) + ", " + pick({"x", "-w", "0"}));
    }
    default: {
      const std::string d = destination(), op = pick({"RCP", "RSQ", "EX2", "LG2", "SIN", "COS", "RCC", "SCS", "POW"});
      return line(op + ".F" + cc() + sat() + " " + d + ", " + scalar('F') + (op == "POW" ? ", " + scalar('F') : ""));
    }
  }
}

void Generator::bits() {
  const char t = chance(50) ? 'S' : 'U';
  const std::string type = std::string(".") + t + cc();
  const auto control = [&]() -> std::string {
    if (chance(50)) return pick({"{8, 4}", "{0, 9}", "{32, 0}", "{12, 20}", "{16, 0}", "{1, 31}"});
    line("AND.U I.z, " + temp() + "." + component() + ", 15");
    line("AND.U I.w, " + temp() + "." + component() + ", 15");
    return "I.zwzw";
  };
  const std::string d = destination();
  switch (below(6)) {
    case 0: return line(pick({"DIV", "MOD"}) + type + " " + d + ", " + operand(t, true) + ", " + scalar(t));
    case 1: {
      const std::string k = control();
      return line("BFE" + type + " " + d + ", " + k + ", " + operand(t, true));
    }
    case 2: {
      const std::string k = control(), insert = operand(t, true);
      return line("BFI" + type + " " + d + ", " + k + ", " + insert + ", " + operand(t, true));
    }
    case 3: {
      const std::string a = operand(t, true), b = operand(t, true);
      return line("SAD" + type + " " + d + ", " + a + ", " + b + ", " + operand('U', true));
    }
    case 4: return line(pick({"STR", "SFL"}) + type + " " + d + ", R0, R1");
    default: return line(pick({"BFR", "BTC", "BTFL", "BTFM"}) + type + " " + d + ", " + operand(t, true));
  }
}

void Generator::packing() {
  const std::string type = pick({".F", ".S", ".U"}), d = destination();
  if (chance(50)) return line(pick({"PK2H", "PK2US", "PK4B", "PK4UB"}) + type + " " + d + ", " + operand('F', true));
  line(pick({"UP2H", "UP2US", "UP4B", "UP4UB"}) + type + cc() + sat() + " " + d + ", " + temp() + "." + component());
}

std::string Generator::long_operand(bool is_signed) {
  std::string base = chance(15) ? pick({"1", "0x123456789abcdef0", "0", "4294967296"}) : chance(20) ? temp() + swizzle() : pick({"D0", "D1"}) + swizzle();
  if (chance(15)) base = "|" + base + "|";
  return chance(20) && is_signed ? "-" + base : base;
}

void Generator::wide() {
  const bool is_signed = chance(50);
  const std::string type = is_signed ? ".S64" : ".U64";
  const std::string mask = chance(25) ? " (" + condition() + ")" : "";
  const std::string d = (chance(70) ? pick({"D0", "D1"}) : temp()) + write_mask() + mask;
  const auto with = [&](const std::string& op, int operands) {
    std::string list;
    for (int i = 0; i < operands; ++i) list += ", " + long_operand(is_signed);
    line(op + type + cc() + " " + d + list);
  };
  switch (below(11)) {
    case 0: return with(pick({"ADD", "SUB"}), 2);
    case 1: return with(pick({"AND", "OR", "XOR", "MIN", "MAX", "MUL"}), 2);
    case 2: return with(pick({"SEQ", "SNE", "SLT", "SLE", "SGT", "SGE"}), 2);
    case 3: return with(pick({"MAD", "CMP"}), 3);
    case 4: return with(pick({"MOV", "NOT", "ABS"}), 1);
    case 5: return line(pick({"SHL", "SHR"}) + type + cc() + " " + d + ", " + long_operand(true) + ", " + (chance(50) ? std::to_string(below(70)) : temp() + "." + component()));
    case 6: return line("I2F" + type + cc() + " " + temp() + write_mask() + mask + ", " + long_operand(is_signed));
    case 7: return line("CVT." + pick({"S64.S32", "U64.S32", "S64.U32", "U64.S64", "S64.U64", "S64.S64"}) + pick({"", ".CEIL", ".FLR"}) + pick({"", ".SAT"}) + cc() + " " + d + ", " +
                        pick({"D0", "D1"}) + swizzle());
    case 8: return line("CVT." + pick({"S64", "U64"}) + ".F32" + pick({"", ".CEIL", ".FLR", ".TRUNC"}) + pick({"", ".SAT"}) + cc() + " " + d + ", " + temp() + swizzle());
    case 9: return line("CVT.F32" + type + pick({"", ".CEIL", ".FLR", ".TRUNC"}) + pick({"", ".SAT"}) + cc() + " " + temp() + write_mask() + mask + ", " + pick({"D0", "D1"}) + swizzle());
    default:
      line("PK64.U " + pick({"D0", "D1"}) + write_mask() + ", " + operand('U', true));
      return line("UP64.U" + cc() + " " + temp() + write_mask() + mask + ", " + pick({"D0", "D1"}) + swizzle());
  }
}

void Generator::more_memory() {
  static const char* const kCounts[] = {"", "X2", "X4"};
  const uint32_t n = below(3), bytes = 4u << n;
  const std::string type = std::string(pick({"U32", "S32", "F32"}));
  const std::string offset = std::to_string(below(256 / bytes) * bytes);
  const auto result = [&]() -> std::string {
    if (type == "F32" || chance(75)) return destination();
    return pick({"D0", "D1"}) + write_mask() + (chance(25) ? " (" + condition() + ")" : "");
  };
  const auto modifiers = [&] { return cc() + (type == "F32" ? pick({"", "", ".SAT", ".SSAT"}) : ""); };
  switch (below(5)) {
    case 0: {
      std::string place;
      switch (below(4)) {
        case 0: place = "c[" + std::to_string(below(128 / bytes) * bytes) + "]"; break;
        case 1:
          line("AND.U J.y, " + temp() + "." + component() + ", 112");
          place = "c[J.y + " + std::to_string(below(128 / bytes) * bytes) + "]";
          break;
        case 2: place = "part[" + std::to_string(below(64 / bytes) * bytes) + "]"; break;
        default:
          line("AND.U J.y, " + temp() + "." + component() + ", 48");
          line("AND.U J.x, " + temp() + "." + component() + ", 3");
          place = "cc[J.x" + pick({"", " + 1"}) + "][J.y + " + std::to_string(below(192 / bytes) * bytes) + "]";
          break;
      }
      place += swizzle();
      if (chance(20)) place = (chance(30) ? "|-" : "|") + place + "|";
      if (chance(20)) place = "-" + place;
      const std::string d = result();
      return line("LDC." + type + kCounts[n] + modifiers() + " " + d + ", " + place);
    }
    case 1: {
      line("AND.U J.x, " + temp() + "." + component() + ", 3");
      const std::string place = "many[J.x" + pick({"", " + 1"}) + "][OUT.x + " + offset + "]";
      if (chance(40)) return line("STB." + type + kCounts[n] + " " + operand(type[0], true) + ", " + place);
      const std::string d = result();
      if (chance(60)) return line("LDB." + type + kCounts[n] + modifiers() + " " + d + ", " + place);
      return line("ATOMB." + pick({"ADD", "EXCH"}) + "." + type + cc() + " " + d + ", " + operand(type[0], true) + ", " + place);
    }
    case 2: {
      const std::string place = chance(50) ? "sm[SH.x + " + std::to_string(below(16) * 4) + "]" : "out[OUT.x + " + std::to_string(below(64) * 4) + "]";
      const std::string d = destination();
      return line(std::string(place[0] == 's' ? "ATOMS." : "ATOMB.") + pick({"ADD", "EXCH"}) + ".F32" + cc() + " " + d + ", " + operand('F', true) + ", " + place);
    }
    default: {
      std::string place = "G.z";
      if (chance(50)) {
        line("ADD.U G.z, G.x, " + offset);
        if (chance(20)) {
          line("SUB.U G.z, 0, G.z");
          place = "-G.z";
        }
      } else {
        line("ADD.U64 DG.y, DG.x, " + offset);
        place = "DG.y";
        if (chance(20)) {
          line("SUB.U64 DG.y, 0, DG.y");
          place = "-DG.y";
        }
      }
      if (chance(40)) return line("STORE." + type + kCounts[n] + pick({"", ".COH", ".VOL"}) + " " + operand(type[0], true) + ", " + place);
      const std::string d = result();
      if (chance(60)) return line("LOAD." + type + kCounts[n] + modifiers() + " " + d + ", " + place);
      const std::string op = type == "F32" ? pick({"ADD", "EXCH"}) : pick({"ADD", "MIN", "MAX", "AND", "OR", "XOR", "EXCH", "CSWAP"});
      return line("ATOM." + op + "." + type + cc() + " " + d + ", " + operand(type[0], true) + ", " + place);
    }
  }
}

void Generator::memory() {
  if (chance(50)) return more_memory();
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

}  // namespace maskwork::test
