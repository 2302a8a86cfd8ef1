// aL in the place of an index register: where it may be, where it must not be, and that the program does the same.
#include <algorithm>
#include <cstring>
#include <random>

#include "helpers.hpp"
#include "interpreter.hpp"
#include "maskwork/device.hpp"

namespace maskwork::test {
namespace {

constexpr uint32_t kThreads = 40, kBytes = 128;

std::string program(const std::string& body) {
  std::string text = "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nGROUP_SIZE 40;\nSTORAGE out[] = { program.storage[0] };\nTEMP R, S, T, I, J, P, A[8], B[4];\n"
                     "main:\nMUL.U P.x, invocation.localindex.x, 128;\nMOV.U T, 0;\nMOV.U S, {1, 2, 3, 4};\n";
  for (int k = 0; k < 8; ++k) text += "MAD.U A[" + std::to_string(k) + "], invocation.localindex.x, {3, 5, 7, 9}, " + std::to_string(k * 11) + ";\n";
  for (int k = 0; k < 4; ++k) text += "MOV.U B[" + std::to_string(k) + "], A[" + std::to_string(k) + "].wzyx;\n";
  text += "AND.S.CC0 R, A[0], 3;\nMOV.U J, 0;\n" + body;
  for (int k = 0; k < 8; ++k)
    if (k != 5) text += "ADD.U T, T, A[" + std::to_string(k) + "];\n";
  return text + "STB.U32X4 T, out[P.x];\nSTB.U32X4 S, out[P.x + 16];\nSTB.U32X4 A[5], out[P.x + 32];\nRET;\nf:\nADD.U S.y, S.y, 1;\nEND\n";
}

Program assembled(const std::string& body) { return assemble_text(program(body)); }

bool uses_index(const Program& p) {
  return std::any_of(p.words.begin(), p.words.end(), [](const isa::Word& w) { return op_of(w) == isa::Op::LOOP; });
}

void same(const std::string& body) {
  const std::string text = program(body);
  Diagnostics diagnostics;
  const auto checked = parse(text, "t.nvcp", AssembleOptions{}.limits, diagnostics);
  ASSERT_TRUE(checked) << render(diagnostics, text);
  Inputs in;
  in.storage.resize(1);
  in.storage[0].assign(kThreads * kBytes, 0);
  ASSERT_TRUE(interpret(*checked, in));
  auto device = make_model(*isa::find_config("base"));
  const uint32_t at = device->memory().allocate(kThreads * kBytes);
  for (uint32_t i = 0; i < kThreads * kBytes; i += 4) device->memory().store32(at + i, 0);
  device->load(assembled(body));
  device->bind_storage(0, at, kThreads * kBytes);
  const DispatchResult result = device->dispatch(1, 1, 1);
  ASSERT_TRUE(result.ok()) << isa::to_string(result.fault.code) << "\n" << text;
  for (uint32_t i = 0; i < kThreads * kBytes; i += 4) {
    uint32_t want;
    std::memcpy(&want, in.storage[0].data() + i, 4);
    ASSERT_EQ(device->memory().load32(at + i), want) << "thread " << i / kBytes << " byte " << i % kBytes << "\n" << text;
  }
}

TEST(LoopIndex, TakesThePlaceOfARegister) {
  const char* const bodies[] = {
      "MOV.U I.x, 0;\nREP.U 8;\nADD.U S, S, A[I.x];\nADD.U I.x, I.x, 1;\nENDREP;\n",
      "MOV.S I.x, 7;\nREP.S 4;\nADD.U S, S, A[I.x];\nMUL.U A[I.x].xz, S, 3;\nSUB.S I.x, I.x, 2;\nENDREP;\n",
      "MOV.S I.x, 1;\nREP.S 3;\nMOV.U A[I.x + 2], B[I.x];\nADD.S I.x, I.x, 1;\nADD.U S.x, S.x, 1;\nENDREP;\n",
      // A loop inside that goes without: its frames carry on the index.
      "MOV.U I.x, 0;\nREP.U 4;\nREP.U 2;\nADD.U S, S, A[I.x + 1];\nENDREP;\nIF NE.x;\nADD.U S, S, B[I.x];\nELSE;\nSUB.U A[I.x], S, 1;\nENDIF;\nADD.U I.x, I.x, 1;\nENDREP;\n",
      "MOV.U I.x, 0;\nREP.U 8;\nADD.U S.x, S.x, A[I.x].y;\nSUB.S.CC R.x, R.x, 1;\nBRK (LT.x);\nADD.U I.x, I.x, 1;\nENDREP;\n",
      // Twice the same register.
      "MOV.U I.x, 0;\nREP.U 4;\nADD.U S, S, A[I.x];\nADD.U I.x, I.x, 1;\nENDREP;\nMOV.U I.x, 4;\nREP.U 4;\nADD.U S, S, A[I.x].yxwz;\nADD.U I.x, I.x, 1;\nENDREP;\n",
      "REP.U 2;\nMOV.U I.x, 0;\nREP.U 4;\nADD.U A[I.x], S, A[I.x + 4];\nADD.U I.x, I.x, 1;\nENDREP;\nADD.U S.z, S.z, 5;\nENDREP;\n",
      "IF NE.y;\nMOV.U I.x, 2;\nREP.U 3;\nADD.U S, S, A[I.x];\nRET (LT.z);\nADD.U I.x, I.x, 1;\nENDREP;\nENDIF;\n",
  };
  for (const char* body : bodies) {
    const Program p = assembled(body);
    EXPECT_TRUE(uses_index(p)) << disassemble(p);
    for (const isa::Word& w : p.words) EXPECT_NE(op_of(w), isa::Op::MOVA) << body;
    same(body);
  }
}

TEST(LoopIndex, StaysARegister) {
  const char* const bodies[] = {
      "MOV.U I.x, 0;\nREP.U 8;\nADD.U S, S, A[I.x];\nADD.U S.x, S.x, I.x;\nADD.U I.x, I.x, 1;\nENDREP;\n",            // its value is used
      "MOV.U I.x, 0;\nREP.U 7;\nADD.U S, S, A[I.x];\nADD.U I.x, I.x, 1;\nENDREP;\nADD.U S, S, A[I.x];\n",             // and behind the loop
      "MOV.U I.x, R.x;\nREP.U 4;\nADD.U S, S, A[I.x];\nADD.U I.x, I.x, 1;\nENDREP;\n",                                // a start per thread
      "MOV.U I.x, 0;\nREP.U 3;\nADD.U S, S, A[I.x];\nADD.U I.x, I.x, R.y;\nBRK (EQ.x);\nENDREP;\n",                   // a step per thread
      "MOV.U I.x, 0;\nREP.U 8;\nADD.U S, S, A[I.x];\nADD.U I.x (NE.x), I.x, 1;\nENDREP;\n",                           // under a condition
      "MOV.U I.x, 0;\nREP.U 8;\nADD.U S, S, A[I.x];\nIF NE.x;\nADD.U I.x, I.x, 1;\nENDIF;\nENDREP;\n",
      "MOV.U I.x, 0;\nREP.U 4;\nADD.U S, S, A[I.x];\nCONT (NE.x);\nADD.U I.x, I.x, 1;\nENDREP;\n",                    // passed by
      "MOV.U I.x, 0;\nREP.U 4;\nADD.U I.x, I.x, 1;\nADD.U S, S, A[I.x];\nENDREP;\n",                                  // stepped before its use
      "MOV.U I.x, 0;\nMOV.U I.y, 1;\nREP.U 4;\nADD.U S, A[I.x], A[I.y];\nADD.U I.x, I.x, 1;\nADD.U I.y, I.y, 1;\nENDREP;\n",  // two indices
      "MOV.U I.x, 0;\nREP.U 4;\nCAL f;\nADD.U S, S, A[I.x];\nADD.U I.x, I.x, 1;\nENDREP;\n",
      "MOV.U I.x, 0;\nMOV.U J.x, 3;\nREP.U J.x;\nADD.U S, S, A[I.x];\nADD.U I.x, I.x, 1;\nENDREP;\n",                 // a count known at run time
      "MOV.U I.x, 0;\nREP.U 4;\nADD.U S, S, A[I.x];\nADD.U.CC I.x, I.x, 1;\nBRK (GT.x);\nENDREP;\n",
  };
  for (const char* body : bodies) {
    EXPECT_FALSE(uses_index(assembled(body))) << body;
    same(body);
  }
}

TEST(LoopIndex, RandomLoops) {
  std::mt19937_64 random(11);
  unsigned taken = 0;
  for (int run = 0; run < 400 && !::testing::Test::HasFailure(); ++run) {
    const auto below = [&](uint64_t n) { return static_cast<int>(random() % n); };
    const auto statement = [&]() -> std::string {
      const std::string i = below(8) == 0 ? "I.y" : "I.x";
      switch (below(7)) {
        case 0: return "ADD.U S, S, A[" + i + " + " + std::to_string(below(3)) + "].yzwx;\n";
        case 1: return "MUL.U A[" + i + " + " + std::to_string(below(3)) + "].yw, S, 3;\n";
        case 2: return "ADD.U A[" + i + "], A[" + i + " + 2], S;\n";
        case 3: return "SUB.S.CC R.x, R.x, 1;\nBRK (LT.x);\n";
        case 4: return below(4) == 0 ? "CONT (GT.y);\n" : "XOR.U S.x, S.x, 21;\n";
        case 5: return "IF NE." + std::string(1, "xyz"[below(3)]) + ";\nADD.U S.y, S.y, A[" + i + "].x;\nENDIF;\n";
        default: return "REP.U 2;\nADD.U S.z, S.z, A[" + i + "].w;\nENDREP;\n";
      }
    };
    const int count = 1 + below(3), step = 1, first = below(2);
    const bool up = below(2) != 0;
    std::string body = "MOV.U I.y, 1;\nMOV.S I.x, " + std::to_string(up ? first : first + 3) + ";\nREP.S " + std::to_string(count) + ";\n";
    for (int k = 1 + below(4); k != 0; --k) body += statement();
    body += std::string(up ? "ADD" : "SUB") + ".S I.x, I.x, " + std::to_string(step) + ";\n";
    if (below(4) == 0) body += statement();
    body += "ENDREP;\n";
    if (below(5) == 0) body += "ADD.U S.w, S.w, I.x;\n";
    taken += uses_index(assembled(body));
    same(body);
  }
  EXPECT_GT(taken, 80u);
}

}  // namespace
}  // namespace maskwork::test
