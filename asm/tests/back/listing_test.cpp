// The listing's structure: every line and every word once and in order, each word beside its line, registers that the words name.
#include <map>
#include <sstream>

#include "helpers.hpp"
#include "random_program.hpp"

namespace maskwork::test {
namespace {

struct Row {
  uint32_t line = 0;
  std::string source, word, semaphores;
  std::string code;
};

std::vector<Row> rows(const std::string& listing, std::map<std::string, std::string>& registers) {
  std::vector<Row> out;
  std::istringstream in(listing);
  std::string text;
  bool words = false, names = false;
  while (std::getline(in, text)) {
    if (text.starts_with(" line  source")) {
      words = true;
      names = false;
      continue;
    }
    if (text.starts_with("registers")) {
      names = true;
      continue;
    }
    if (names && text.size() > 2) {
      const size_t end = text.find(' ', 2);
      registers[text.substr(2, end - 2)] = text.substr(end);
    }
    if (!words || text.empty()) continue;
    constexpr size_t first = 53;  // a source may have bars, the columns before are of fixed width
    const size_t second = text.rfind(" |");
    Row row;
    if (text[4] != ' ') row.line = static_cast<uint32_t>(std::stoul(text.substr(0, 5)));
    row.source = text.substr(7, first - 7);
    if (second > first) {
      row.word = text.substr(first + 3, 5);
      row.code = text.substr(first + 10, second - first - 10);
      row.semaphores = text.size() > second + 3 ? text.substr(second + 3) : "";
    }
    out.push_back(row);
  }
  return out;
}

void check(const std::string& source) {
  Diagnostics diagnostics;
  std::vector<RegisterUse> uses;
  const auto program = assemble(source, "t.nvcp", {}, diagnostics, &uses);
  ASSERT_TRUE(program.has_value()) << render(diagnostics, source);
  const std::string text = listing(source, *program, uses);
  std::map<std::string, std::string> registers;
  const auto all = rows(text, registers);
  uint32_t word = 0, line = 0, shown = 0;
  for (const Row& row : all) {
    if (row.line != 0) {
      line = row.line;
      if (line > shown) {
        ASSERT_EQ(line, shown + 1) << text;  // no line is left out
        shown = line;
      }
    }
    if (row.word.find_first_not_of(' ') == std::string::npos) continue;
    ASSERT_EQ(static_cast<uint32_t>(std::stoul(row.word)), word) << text;
    if (program->lines[word].line != 0) {
      ASSERT_EQ(program->lines[word].line, line) << text;
    }
    const isa::Word& w = program->words[word];
    ASSERT_NE(row.code.find(isa::info(w).name), std::string::npos);
    const uint32_t wait = isa::get(w, isa::field::sem_wait);
    ASSERT_EQ(row.semaphores.find("wait") != std::string::npos, wait != 0) << text;
    if (isa::info(w).format == isa::Format::Mem) {
      ASSERT_EQ(row.semaphores.find("acquire") != std::string::npos, isa::get(w, isa::field::sem_acquire) != 0) << text;
    }
    ++word;
  }
  ASSERT_EQ(word, program->words.size());
  ASSERT_EQ(shown, static_cast<uint32_t>(std::count(source.begin(), source.end(), '\n')));
  ASSERT_NE(text.find(program->full_flow ? "full flow mode" : "partial flow mode"), std::string::npos);
  ASSERT_NE(text.find(std::to_string(program->registers) + " registers"), std::string::npos);
  for (const RegisterUse& use : uses) {
    ASSERT_TRUE(registers.count(use.name)) << use.name << "\n" << text;
    if (use.used) {
      ASSERT_LE(use.reg + use.size, program->registers);
      ASSERT_NE(registers[use.name].find("r" + std::to_string(use.reg)), std::string::npos) << text;
    }
  }
}

TEST(Listing, StructureOfRandomPrograms) {
  for (uint64_t seed = 1; seed <= 60 && !::testing::Test::HasFailure(); ++seed) check(random_program(seed));
}

TEST(Listing, NamesComponents) {
  const std::string source =
      "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nGROUP_SIZE 8;\nSTORAGE out[] = { program.storage[0] };\nTEMP R, S, A[2], B[3];\nLONG TEMP D;\n"
      "# a comment, and a line too long for its column, which is cut there so that the rest stays in its place\nMOV.U R, invocation.localindex;\n"
      "MOV.U B[R.x].y, 5;\nPK64.U D.x, R;\nADD.U64 D.x, D, 1;\nUP64.U S.xy, D.x;\nMOV.U A[1].z, B[R.y].y;\nMOV.U S.z, A[1].z;\nSTB.U32X4 S, out[R.x];\nEND\n";
  check(source);
  Diagnostics diagnostics;
  std::vector<RegisterUse> uses;
  const auto program = assemble(source, "t.nvcp", {}, diagnostics, &uses);
  ASSERT_TRUE(program);
  const auto find = [&](const std::string& name, unsigned c, bool high) -> const RegisterUse* {
    for (const RegisterUse& u : uses)
      if (u.name == name && u.component == c && u.high == high) return &u;
    return nullptr;
  };
  ASSERT_TRUE(find("D", 0, true) && find("D", 0, false) && find("A[1]", 2, false) && find("B[]", 1, false));
  EXPECT_EQ(find("B[]", 1, false)->size, 3u);
  EXPECT_NE(listing(source, *program, uses).find(" D "), std::string::npos);
}

}  // namespace
}  // namespace maskwork::test
