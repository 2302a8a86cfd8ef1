// Every arithmetic instruction with every type and modifier: assembled, run on the golden model, compared with the language's rules
// (interpreter.cpp). Operands are corner values and random bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "interpreter.hpp"
#include "maskwork/asm/assembler.hpp"
#include "maskwork/device.hpp"

namespace maskwork::test {
namespace {

constexpr uint32_t kThreads = 128, kGroups = 2, kInput = 112, kStride = 4096;

constexpr uint32_t kCorners[] = {
    0, 0x80000000u, 1, 0xffffffffu, 2, 31, 32, 33, 63, 64, 0x7fffffffu, 0x80000001u, 0xfffffffeu, 0xffff, 0x10000, 0x8000,  // integers, denormals
    0x3f800000, 0xbf800000, 0x3f000000, 0xbf000000, 0x40000000, 0x40490fdb, 0xc0490fdb, 0x3f800001, 0x3f7fffff, 0xbf7fffff, 0x3fc00000, 0x40200000,
    0x00800000, 0x807fffff, 0x007fffff, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001, 0x7f800001,
    0x4b000000, 0x4b7fffff, 0xcb000001, 0x4effffff, 0x4f000000, 0xcf000000, 0xcf000001, 0x4f7fffff, 0x4f800000, 0x5f000000, 0xdf000000, 0xdf000001, 0x5f7fffff,
    0x5f800000, 0x5effffff, 0x42fffe00, 0x42ffff00, 0xc2fffe00, 0xbf810204, 0xbf810205, 0x3b808081, 0x33000000, 0x38800000, 0x477fe000, 0x477ff000, 0x387fffff,
    0x1f800000, 0x9f800000, 0x5f800001, 0x7e800000, 0xfe800001, 0x00000100, 0x7f00ff80, 0x12345678};

uint32_t value(std::mt19937_64& random) {
  switch (random() % 8) {
    case 0: return static_cast<uint32_t>(random());
    case 1: return static_cast<uint32_t>(random() % 80);
    case 2: return 0u - static_cast<uint32_t>(random() % 80);
    case 3: return static_cast<uint32_t>(0x3e000000u + random() % 0x05000000u) | static_cast<uint32_t>(random() & 0x80000000u);  // moderate floats
    case 4: return 1u << (random() % 32);
    default: return kCorners[random() % std::size(kCorners)];
  }
}

/// Per thread: vectors A B C E M (E, F: halves of 64-bit values that are often close to A's and B's), and V = control of bit fields and shift counts.
void fill(std::vector<uint8_t>& buffer, uint64_t seed) {
  std::mt19937_64 random(seed);
  for (uint32_t t = 0; t < kThreads * kGroups; ++t) {
    uint32_t words[kInput / 4];
    for (uint32_t& w : words) w = value(random);
    for (unsigned k = 0; k < 4; ++k) {
      if (random() % 3 == 0) words[4 + k] = words[k];                                             // B equals A
      if (random() % 3 == 0) words[16 + k] = random() % 2 ? words[12 + k] : 0u - words[12 + k];  // upper halves too
      if (random() % 4 == 0) words[12 + k] = random() % 2 ? 0 : 0xffffffffu;
    }
    const uint32_t bits = static_cast<uint32_t>(random() % 33);
    words[24] = bits;
    words[25] = bits == 32 ? 0 : static_cast<uint32_t>(random() % (33 - std::max(bits, 1u)));
    words[26] = static_cast<uint32_t>(random() % 70);
    words[27] = static_cast<uint32_t>(random() % 2 ? random() % 70 : random());
    std::memcpy(buffer.data() + t * kStride, words, sizeof words);
  }
}

/// A program of several instructions on the inputs, each with its results and conditions stored.
class Sheet {
 public:
  void add(const std::string& instruction, bool wide) {
    if (at_ + 96 > kStride) run();
    body_ += wide ? "MOV.U64 LR, {0x123456789, 5, 0x8000000000000000, 7};\n" : "MOV.U R, {1, 0x80000002, 3, 4};\n";
    body_ += "MOV.S.CC0 T, M;\nMOV.F.CC1 T, M.yzwx;\n" + instruction + ";\n";
    if (wide) {
      body_ += "UP64.U R, LR;\n";
      store("R");
      body_ += "UP64.U R, LR.zwxy;\n";
    }
    store("R");
    // Which of the tests hold, a bit for each, per component.
    body_ += "MOV.U R, 0;\n";
    unsigned bit = 0;
    for (const char* test : {"SF0", "EQ0", "NE0", "OF0", "CF0", "GT0", "LE0", "SF1", "EQ1", "NE1", "OF1", "CF1"})
      body_ += "ADD.U R (" + std::string(test) + "), R, " + std::to_string(1u << bit++) + ";\n";
    store("R");
    last_ = instruction;
    instructions_.push_back(instruction);
  }

  void run() {
    if (body_.empty()) return;
    std::string text = "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nOPTION NV_shader_thread_group;\nGROUP_SIZE " + std::to_string(kThreads) +
                       ";\nSTORAGE buf[] = { program.storage[0] };\nTEMP A, B, C, M, V, R, T, P, X[3];\nLONG TEMP LA, LB, LC, LR, LX[2];\n"
                       "INT PARAM field = { 7, 9, 0, 0 };\nUINT PARAM ufield = { 7, 9, 0, 0 };\nPARAM local = program.local[0];\n"
                       "MUL.U P.x, invocation.globalid.x, " + std::to_string(kStride) + ";\nMOV.U P.y, 1;\n";
    int from = 0;
    for (const char* name : {"A", "B", "C", "T", "R", "M", "V"}) {
      text += std::string("LDB.U32X4 ") + name + ", buf[P.x + " + std::to_string(from) + "];\n";
      from += 16;
    }
    // 64-bit operands: lower halves from A, B, C, upper ones from T and R.
    text += "MOV.U X[0], {0, 0, 0, 0};\nMOV.U X[0].x, A.x;\nMOV.U X[0].y, T.x;\nMOV.U X[0].z, A.y;\nMOV.U X[0].w, T.y;\nPK64.U LA, X[0];\n"
            "MOV.U X[0].x, B.x;\nMOV.U X[0].y, R.x;\nMOV.U X[0].z, B.y;\nMOV.U X[0].w, R.y;\nPK64.U LB, X[0];\n"
            "MOV.U X[0].x, C.z;\nMOV.U X[0].y, T.z;\nMOV.U X[0].z, C.w;\nMOV.U X[0].w, R.w;\nPK64.U LC, X[0];\n" +
            body_ + "END\n";
    check(text);
    body_.clear();
    instructions_.clear();
    at_ = kInput;
  }

  ~Sheet() { run(); }

 private:
  void store(const std::string& what) {
    body_ += "STB.U32X4 " + what + ", buf[P.x + " + std::to_string(at_) + "];\n";
    at_ += 16;
  }

  void check(const std::string& text) {
    Diagnostics diagnostics;
    AssembleOptions options;
    const auto checked = parse(text, "opcode.nvcp", options.limits, diagnostics);
    ASSERT_TRUE(checked) << render(diagnostics, text);
    const auto program = assemble(text, "opcode.nvcp", options, diagnostics);
    ASSERT_TRUE(program) << render(diagnostics, text);
    for (const isa::Word& w : program->words) {
      const auto bad = isa::bad_word(w, program->full_flow);
      ASSERT_FALSE(bad) << bad.rule << " " << disassemble_word(w, true);
    }
    Inputs in;
    in.groups = {kGroups, 1, 1};
    in.local[0] = {5, 11, 0x3f800000u, 0xffffffffu};
    in.storage.resize(1);
    in.storage[0].assign(kThreads * kGroups * kStride, 0);
    fill(in.storage[0], ++seed_);
    const std::vector<uint8_t> before = in.storage[0];
    auto device = make_model(*isa::find_config("base"));
    const uint32_t bytes = static_cast<uint32_t>(before.size()), address = device->memory().allocate(bytes);
    for (uint32_t i = 0; i < bytes; i += 4) {
      uint32_t w;
      std::memcpy(&w, before.data() + i, 4);
      device->memory().store32(address + i, w);
    }
    ASSERT_TRUE(interpret(*checked, in));
    device->load(*program);
    device->bind_storage(0, address, bytes);
    device->set_local(0, in.local[0]);
    const DispatchResult result = device->dispatch(kGroups, 1, 1);
    ASSERT_TRUE(result.ok()) << isa::to_string(result.fault.code) << " at pc " << result.fault.pc;
    int shown = 0;
    for (uint32_t i = 0; i < bytes && shown < 4; i += 4) {
      uint32_t want;
      std::memcpy(&want, in.storage[0].data() + i, 4);
      const uint32_t got = device->memory().load32(address + i);
      if (got == want) continue;
      ++shown;
      uint32_t words[kInput / 4];
      std::memcpy(words, before.data() + i / kStride * kStride, sizeof words);
      std::string inputs;
      for (size_t k = 0; k < std::size(words); ++k) inputs += (k % 4 == 0 ? "\n  " : " ") + hex(words[k]);
      ADD_FAILURE() << "thread " << i / kStride << ", " << owner(text, i % kStride) << ": " << hex(got) << " instead of " << hex(want) << inputs;
    }
  }
  static std::string hex(uint32_t v) {
    char s[16];
    std::snprintf(s, sizeof s, "%08x", v);
    return s;
  }
  /// The line before the store of this place, and the instruction above it.
  static std::string owner(const std::string& text, uint32_t place) {
    const std::string store = "buf[P.x + " + std::to_string(place / 16 * 16) + "];";
    const size_t at = text.rfind(store);
    const size_t from = text.rfind("MOV.F.CC1", at);
    return text.substr(text.find('\n', from) + 1, at - from).substr(0, 90) + " ... word " + std::to_string(place % 16 / 4);
  }

  std::string body_, last_;
  std::vector<std::string> instructions_;
  uint32_t at_ = kInput;
  uint64_t seed_ = 0;
};

struct Shape {
  const char* name;
  const char* types;      ///< of F S U
  const char* operands;   ///< v vector, s scalar, k control of a bit field, n shift count
  bool cc = true, clamp = true;
  const char* suffix = "";  ///< further modifier
  const char* result = "";  ///< "f": the result is float, so that clamps are legal for all types
  bool w = true;            ///< w may be written
};

constexpr Shape kShapes[] = {
    {"ABS", "FSU", "v"}, {"ADD", "FSU", "vv"}, {"AND", "SU", "vv"}, {"BFE", "SU", "kv"}, {"BFI", "SU", "kvv"}, {"BFR", "SU", "v"}, {"BTC", "SU", "v"},
    {"BTFL", "SU", "v"}, {"BTFM", "SU", "v"}, {"CEIL", "FSU", "f"}, {"CMP", "FSU", "vvv"}, {"COS", "F", "s"}, {"DIV", "FSU", "vs"}, {"DP2", "F", "vv"},
    {"DP2A", "F", "vvv"}, {"DP3", "F", "vv"}, {"DP4", "F", "vv"}, {"DPH", "F", "vv"}, {"DST", "F", "vv"}, {"EX2", "F", "s"}, {"FLR", "FSU", "f"},
    {"FRC", "F", "v"}, {"I2F", "SU", "v", true, false, "", "f"}, {"LG2", "F", "s"}, {"LIT", "F", "v"}, {"LRP", "F", "vvv"}, {"MAD", "FSU", "vvv"},
    {"MAX", "FSU", "vv"}, {"MIN", "FSU", "vv"}, {"MOD", "SU", "vs"}, {"MOV", "FSU", "v"}, {"MUL", "FSU", "vv"}, {"MUL", "SU", "vv", true, true, ".HI"},
    {"NOT", "SU", "v"}, {"NRM", "F", "v"}, {"OR", "SU", "vv"}, {"PK2H", "FSU", "f", false, false}, {"PK2US", "FSU", "f", false, false},
    {"PK4B", "FSU", "f", false, false}, {"PK4UB", "FSU", "f", false, false}, {"POW", "F", "ss"}, {"RCC", "F", "s"}, {"RCP", "F", "s"},
    {"RFL", "F", "vv", true, true, "", "", false}, {"ROUND", "FSU", "f"}, {"RSQ", "F", "s"}, {"SAD", "SU", "vvu"}, {"SCS", "F", "s"}, {"SEQ", "FSU", "vv"},
    {"SFL", "FSU", "vv"}, {"SGE", "FSU", "vv"}, {"SGT", "FSU", "vv"}, {"SHL", "SU", "vn"}, {"SHR", "SU", "vn"}, {"SIN", "F", "s"}, {"SLE", "FSU", "vv"},
    {"SLT", "FSU", "vv"}, {"SNE", "FSU", "vv"}, {"SSG", "F", "v"}, {"STR", "FSU", "vv"}, {"SUB", "FSU", "vv"}, {"TRUNC", "FSU", "f"},
    {"UP2H", "FSU", "s", true, true, "", "f"}, {"UP2US", "FSU", "s", true, true, "", "f"}, {"UP4B", "FSU", "s", true, true, "", "f"},
    {"UP4UB", "FSU", "s", true, true, "", "f"}, {"X2D", "F", "vvv"}, {"XOR", "SU", "vv"}, {"XPD", "F", "vv"}};

/// One operand: plain, or with swizzle and signs.
std::string operand(char kind, unsigned number, bool fancy, std::mt19937_64& random, const char* names[3]) {
  const auto swizzle = [&] {
    std::string s = ".";
    for (int i = 0; i < 4; ++i) s += "xyzw"[random() % 4];
    return s;
  };
  const auto sign = [&](std::string s) {
    switch (random() % 5) {
      case 0: return "-" + s;
      case 1: return "|" + s + "|";
      case 2: return "-|" + s + "|";
      default: return s;
    }
  };
  switch (kind) {
    case 'k': return "V";
    case 'n': return fancy ? std::string("V.") + "zw"[random() % 2] : "V.z";
    case 's': {
      const std::string s = std::string(names[number]) + "." + "xyzw"[random() % 4];
      return fancy ? sign(s) : s;
    }
    default: return fancy ? sign(names[number] + swizzle()) : std::string(names[number]);
  }
}

std::string operands(const Shape& shape, bool fancy, std::mt19937_64& random, const char* first) {
  const char* names[3] = {first, "B", "C"};
  std::string out;
  for (unsigned i = 0; shape.operands[i] != '\0'; ++i) out += ", " + operand(shape.operands[i], i, fancy, random, names);
  return out;
}

TEST(Opcodes, EveryTypeAndModifier) {
  std::mt19937_64 random(7);
  Sheet sheet;
  for (const Shape& shape : kShapes)
    for (const char* type = shape.types; *type != '\0'; ++type) {
      const std::string op = shape.name + std::string(shape.suffix) + "." + *type;
      const bool float_result = *type == 'F' || *shape.result == 'f';
      const std::string full = shape.w ? "R" : "R.xyz", part = shape.w ? "R.yw" : "R.yz";
      const auto add = [&](const std::string& modifiers, const std::string& to, bool fancy, const char* first = "A") {
        sheet.add(op + modifiers + " " + to + operands(shape, fancy, random, first), false);
      };
      add("", full, false);
      for (int i = 0; i < 3; ++i) add("", full, true);
      for (const char* one : {"R.x", "R.y", "R.z", "R.w"})
        if (shape.w || one[2] != 'w') add("", one, true);
      add("", part + " (GT.yzwx)", true);
      // Source and destination overlap.
      add("", full, false, "R");
      add("", full, true, "R");
      add("", "R.x", true, "R");
      if (shape.cc) {
        add(".CC", full, false);
        add(".CC0", full, true);
        add(".CC1", part, true);
        add(".CC0", full + " (NE.wzyx)", true);
        add(".CC1", full + " (LE1.yxwz)", true, "R");
        add(".CC", full + " (EQ.x)", true);
      }
      if (shape.clamp && float_result) {
        add(".SAT", full, true);
        add(".SSAT", full, true);
        if (shape.cc) add(".SAT.CC", part, true);
        if (shape.cc) add(".SSAT.CC1", full + " (GE)", true);
      }
      sheet.add("MOV.U X[2], C;\n" + op + " X[P.y + 1]" + full.substr(1) + operands(shape, true, random, "A") + ";\nMOV.U R" + full.substr(1) + ", X[2]", false);
      sheet.add("MOV.U X[1], A;\n" + op + " " + full + operands(shape, true, random, "X[P.y]"), false);
      if (shape.cc) sheet.add("MOV.U X[1], A;\n" + op + ".CC X[P.y]" + part.substr(1) + operands(shape, true, random, "X[P.y]") + ";\nMOV.U R" + part.substr(1) + ", X[1]", false);
    }
}

TEST(Opcodes, ConstantOperands) {
  std::mt19937_64 random(8);
  Sheet sheet;
  // The control of a bit field as a constant: every way in which it is folded.
  for (const char* type : {"S", "U"})
    for (const char* control : {"{0, 0}", "{0, 13}", "{32, 0}", "{8, 24}", "{1, 31}", "{31, 1}", "{8, 0}", "{31, 0}", "{1, 0}", "{5, 9}", "{16, 8}", "{1, 17}", "{9, 23}", "local"})
      for (const char* signs : {"A, B", "-A, |B|", "A.wzyx, -B.x"}) {
        const std::string first = std::string(signs).substr(0, std::string(signs).find(','));
        sheet.add(std::string("BFE.") + type + " R, " + control + ", " + first, false);
        sheet.add(std::string("BFI.") + type + ".CC R, " + control + ", " + signs, false);
      }
  for (const char* s : {"BFE.S R, field, A", "BFE.U R, ufield, A", "BFI.S R, field.xyyy, A, B", "BFI.U R, ufield, A, B", "MUL.F R, A, 2.5", "MAD.F R, {1.5, 2.5, 3.5, -4.5}, B, {0.25, 8.0, -1.0, 1e10}", "DIV.F R, 1.0, B.x", "DIV.S R, A, -7", "MOD.U R, A, 10",
                        "LRP.F R, 0.75, A, B", "POW.F R, 2.0, A.x", "POW.F R, |A.x|, 2.2", "DP3.F R, A, {1.0, 2.0, 3.0}", "SAD.S R, A, -5, 3", "RCP.F R, 3.0", "RCP.F R, -|{3.0}.x|",
                        "SWZ.F R, A, 0, 1, -x, -1", "SWZ.F R, A, w, -w, y, y", "SWZ.F.CC R, A, z, 0, -z, x", "SWZ.F.SAT R.xz, {3.0, -0.5, 0.25}, y, z, x, -x",
                        "SWZ.F R, R, y, x, -w, z", "XPD.F R, A, {1.0, 0.0, -2.0}", "LIT.F R, {1.0, 2.0, 0.0, 3.0}", "UP4UB.U R, 0xff8001", "PK4B R, {-1.0, 1.0, 0.5, -2.0}"})
    sheet.add(s, false);
}

TEST(Opcodes, Conversions) {
  std::mt19937_64 random(9);
  Sheet sheet;
  for (const char* to : {"F32", "S32", "U32", "S64", "U64"})
    for (const char* from : {"F32", "S32", "U32", "S64", "U64"})
      for (const char* rounding : {"", ".ROUND", ".CEIL", ".FLR", ".TRUNC"})
        for (const char* sat : {"", ".SAT"}) {
          const bool wide = to[1] == '6';
          const std::string op = std::string("CVT.") + to + "." + from + rounding + sat, source = from[1] == '6' ? "LA" : "A";
          sheet.add(op + (wide ? " LR, " : " R, ") + source, wide);
          sheet.add(op + ".CC" + (wide ? " LR.xz (NE.y), " : " R.xz (NE.y), ") + source + ".yxxy", wide);
        }
}

const char* const kWide1[] = {"ABS", "MOV", "NOT"};
const char* const kWide2[] = {"ADD", "SUB", "AND", "OR", "XOR", "MIN", "MAX", "MUL", "SEQ", "SNE", "SLT", "SLE", "SGT", "SGE", "STR", "SFL"};
const char* const kWide3[] = {"CMP", "MAD"};

TEST(Opcodes, SixtyFourBits) {
  std::mt19937_64 random(10);
  Sheet sheet;
  std::vector<std::pair<std::string, int>> ops;
  for (const char* n : kWide1) ops.emplace_back(n, 1);
  for (const char* n : kWide2) ops.emplace_back(n, 2);
  for (const char* n : kWide3) ops.emplace_back(n, 3);
  for (const auto& [name, count] : ops)
    for (const char* type : {"S64", "U64"}) {
      const std::string op = name + "." + type;
      const auto sources = [&](const char* first, const char* second, bool fancy) {
        const char* names[3] = {first, second, "LC"};
        std::string out;
        for (int i = 0; i < count; ++i) out += ", " + (fancy ? operand('v', static_cast<unsigned>(i), true, random, names) : std::string(names[i]));
        return out;
      };
      sheet.add(op + " LR" + sources("LA", "LB", false), true);
      for (int i = 0; i < 4; ++i) sheet.add(op + " LR" + sources("LA", "LB", true), true);
      sheet.add(op + " LR.x" + sources("LR", "LB", true), true);
      sheet.add(op + " LR" + sources("LR", "LA", true), true);
      sheet.add(op + " LR.xz (GT.yzwx)" + sources("LA", "LB", true), true);
      for (const char* cc : {".CC LR", ".CC1 LR.xy", ".CC LR (NE.wzyx)", ".CC1 LR (LE1.yxwz)", ".CC LR.y (EQ.x)"}) {
        sheet.add(op + cc + sources("LA", "LB", false), true);
        sheet.add(op + cc + sources("LA", "LB", true), true);
        sheet.add(op + cc + sources("LR", "LB", true), true);
      }
      // Other widths of operands and results.
      sheet.add(op + " R" + sources("LA", "LB", true), false);
      sheet.add(op + ".CC R (GE.zyxw)" + sources("LA", "LB", true), false);
      sheet.add(op + " LR" + sources("LA", "B", true), true);
      sheet.add(op + " LR" + sources("A", "LB", true), true);
      sheet.add(op + ".CC R" + sources("A", "B", true), false);
      sheet.add("MOV.U64 LX[1], LA;\n" + op + " LX[P.y]" + sources("LX[P.y]", "LB", true) + ";\nMOV.U64 LR, LX[1]", true);
    }
  for (const char* op : {"SHL.S64", "SHL.U64", "SHR.S64", "SHR.U64"}) {
    for (const char* n : {"V.z", "V.w", "-V.z", "LB.x", "|LB.y|", "0", "1", "13", "31", "32", "33", "47", "63", "64", "65", "0x7fffffffffffffff", "local.x"}) {
      sheet.add(std::string(op) + " LR, LA, " + n, true);
      sheet.add(std::string(op) + ".CC LR.xy, -LA.yxzw, " + n, true);
      sheet.add(std::string(op) + " LR, LR.wzyx, " + n, true);
      sheet.add(std::string(op) + " R, LA, " + n, false);
    }
  }
  for (const char* op : {"I2F.S64", "I2F.U64"})
    for (const char* rest : {" R, LA", ".CC R, -LA.yxwz", " R.xz (GT.y), |LB|", ".CC1 R, A"}) sheet.add(std::string(op) + rest, false);
  for (const char* op : {"CEIL", "FLR", "ROUND", "TRUNC"})
    for (const char* type : {".S64", ".U64"}) {
      sheet.add(std::string(op) + type + " LR, A", true);
      sheet.add(std::string(op) + type + ".CC LR, -B.wzyx", true);
      sheet.add(std::string(op) + type + " R, |A|", false);
    }
  for (const char* s : {"ADD.U64 LR, LA, 18446744073709551615", "ADD.S64 LR, LA, -9223372036854775808", "AND.U64.CC LR, LA, 0xffffffff00000000", "MUL.U64 LR, LA, {3, 5, 7, 0x100000000}",
                        "SGE.U64 LR, LA, 4294967296", "SEQ.S64 LR, -LA, 5", "MAD.S64.CC LR, LA, -3, -LB", "MOV.S64 LR, local", "MOV.S64 LR, field", "ADD.U64 LR, LA, ufield", "PK64.F LR, A", "PK64.S LR, -A.wzyx",
                        "PK64 LR.yz, |B|", "PK64.U LR (LT.y), B"})
    sheet.add(s, true);
  for (const char* s : {"UP64 R, LA", "UP64.S R, LA.yxzw", "UP64.U.CC R, LB", "UP64.F.SAT R, LA", "UP64.F.CC R.yw (NE.x), -LA", "UP64.S R, -LA", "UP64.F R, |LB|", "UP64.S R.xw, |LB.yyyy|"})
    sheet.add(s, false);
  // 32-bit instructions on LONG variables.
  for (const char* s : {"ADD.S LR, A, B", "ADD.U LR, A, LB", "MOV.S LR, -LA", "SLT.S.CC LR, A, B", "MUL.U.CC LR.xz (GT.y), LA, LB", "SUB.S.CC LR (NE.wzyx), A, B", "SHR.S LR, LA, 3",
                        "SEQ.U LR, LA, LB", "CVT.S32.F32 LR, A", "BFE.S LR, {7, 3}, LA", "BTC.U.CC LR, LA", "DIV.S LR, LA, V.z", "ADD.U.CC1 LR, LR.y, LR", "MOV.S LR, LR.wzyx"})
    sheet.add(s, true);
  for (const char* s : {"ADD.S R, LA, LB", "MAD.U.CC R, LA, -LB, LC.w", "SHL.U R, LA, LB.y", "CVT.F32.S32 R, LA"}) sheet.add(s, false);
}

}  // namespace
}  // namespace maskwork::test
