// Altered programs that still load go through the whole assembler: it ends with a program of good words or with diagnostics.
#include <gtest/gtest.h>

#include <cctype>
#include <random>
#include <set>
#include <vector>

#include "../fuzz_programs.hpp"
#include "helpers.hpp"

namespace maskwork::test {
namespace {

std::vector<std::string> pieces(const std::string& text) {
  std::vector<std::string> out;
  for (size_t at = 0; at < text.size();) {
    size_t end = at + 1;
    const auto word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    if (word(text[at]))
      while (end < text.size() && word(text[end])) ++end;
    out.push_back(text.substr(at, end - at));
    at = end;
  }
  return out;
}

std::string joined(const std::vector<std::string>& parts) {
  std::string out;
  for (const std::string& p : parts) out += p;
  return out;
}

/// True if it loads and assembles.
bool check(const std::string& text) {
  Diagnostics diagnostics;
  const auto program = assemble(text, "f", {}, diagnostics);
  EXPECT_EQ(program.has_value(), !diagnostics.has_errors()) << text;
  if (!program) return false;
  EXPECT_LE(program->registers, isa::limit::registers);
  for (const isa::Word& w : program->words) {
    const auto bad = isa::bad_word(w, program->full_flow);
    if (!bad) continue;
    ADD_FAILURE() << bad.rule << " " << bad.why << ": " << disassemble_word(w, program->full_flow) << "\n" << text;
    break;
  }
  return true;
}

TEST(AssembleFuzz, PristineProgramsAssemble) {
  for (const std::string& text : kFuzzPrograms) {
    Diagnostics diagnostics;
    EXPECT_TRUE(assemble(text, "f", {}, diagnostics)) << render(diagnostics, text);
  }
}

/// Words are exchanged for others of the same program: operands, components, indices, modifiers and types meet in all combinations.
TEST(AssembleFuzz, ExchangedWords) {
  const char* seeds = std::getenv("MASKWORK_SEEDS");
  const int rounds = seeds ? std::atoi(seeds) : 4000;
  std::mt19937 random(99);
  int assembled = 0;
  for (int round = 0; round < rounds && !testing::Test::HasFailure(); ++round) {
    std::vector<std::string> parts = pieces(kFuzzPrograms[static_cast<size_t>(round) % std::size(kFuzzPrograms)]);
    const size_t changes = 1 + random() % 3;
    for (size_t i = 0; i < changes; ++i) {
      const size_t at = 9 + random() % (parts.size() - 9);
      if (!std::isalnum(static_cast<unsigned char>(parts[at][0]))) continue;
      // Another word of the same look: letters for letters, digits for digits.
      const bool digits = std::isdigit(static_cast<unsigned char>(parts[at][0]));
      for (int tries = 0; tries < 50; ++tries) {
        const std::string& other = parts[9 + random() % (parts.size() - 9)];
        const auto first = static_cast<unsigned char>(other[0]);
        if (digits ? std::isdigit(first) : std::isalpha(first) && (tries > 25 || other.size() == parts[at].size())) {
          parts[at] = other;
          break;
        }
      }
    }
    assembled += check(joined(parts));
  }
  EXPECT_GT(assembled, rounds / 20) << "most of the programs do not get that far";
}

/// Statements in another order, left out, and repeated.
TEST(AssembleFuzz, ExchangedStatements) {
  std::mt19937 random(5);
  int assembled = 0;
  for (int round = 0; round < 1500 && !testing::Test::HasFailure(); ++round) {
    std::vector<std::string> lines;
    const std::string& text = kFuzzPrograms[static_cast<size_t>(round) % std::size(kFuzzPrograms)];
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
      lines.push_back(text.substr(at, end - at));
      at = end;
    }
    size_t first = 0;
    while (first < lines.size() && !lines[first].starts_with("MOV") && !lines[first].starts_with("DIV") && !lines[first].starts_with("MADC")) ++first;
    if (first + 3 >= lines.size()) continue;
    const size_t body = lines.size() - 1 - first;
    for (int i = 0; i < 3; ++i) {
      const size_t a = first + random() % body, b = first + random() % body;
      if (random() % 3 == 0) lines[a] = lines[b];
      else std::swap(lines[a], lines[b]);
    }
    assembled += check(joined(lines));
  }
  EXPECT_GT(assembled, 300);
}

}  // namespace
}  // namespace maskwork::test
