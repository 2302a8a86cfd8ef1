#include "asm.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "load.hpp"
#include "maskwork/asm/assembler.hpp"
#include "maskwork/asm/rules.hpp"
#include "maskwork/job/job.hpp"
#include "maskwork/object_file.hpp"

namespace maskwork::cli {

namespace {

int run_explain(const std::string& name) {
  if (name == "all") {
    for (const Rule& rule : rules()) fmt::print("{}  {}\n", rule.name, rule.title);
    for (const isa::WordRule& rule : isa::word_rules) fmt::print("{}  Microcode word: {}\n", rule.name, rule.why);
    return 0;
  }
  for (const isa::WordRule& word : isa::word_rules)
    if (word.name == name) {
      fmt::print("{}: Microcode word: {}\n\nA word is bad (fault BAD_WORD), and the assembler of microcode text refuses it, if it is one of {} and\n\n    {}\n\n"
                 "with the names of docs/isa.md. `.word 0x...` writes it all the same.\n",
                 word.name, word.why, word.formats == "any" || word.formats == "known" ? "all words" : fmt::format("the {} words", word.formats), word.expression);
      return 0;
    }
  const Rule* rule = find_rule(name);
  if (!rule) throw InputError{{fmt::format("maskwork: error: --explain {}: there is no such rule; `--explain all` lists them", name)}};
  fmt::print("{}", explain(*rule, AssembleOptions::default_limits()));
  return 0;
}

}  // namespace

int run_asm(const AsmArguments& a) {
  if (!a.explain.empty()) return run_explain(a.explain);
  if (a.input.empty()) throw InputError{{"maskwork: error: asm: a program is required"}};
  std::string listing;
  const Program program = load_program(a.input, a.listing ? &listing : nullptr);
  if (a.listing) {
    fmt::print("{}", listing);
    if (a.output.empty()) return 0;
  }
  const std::string output = a.output.empty() ? std::filesystem::path(a.input).replace_extension(a.text ? ".mwu" : ".mwo").string() : a.output;
  std::error_code error;
  if (std::filesystem::equivalent(a.input, output, error)) throw InputError{{output + ": error: the output would replace the input"}};
  if (a.text) {
    const std::string text = disassemble(program);
    write_file(output, text.data(), text.size());
  } else {
    const std::vector<uint8_t> bytes = write_object(program);
    write_file(output, bytes.data(), bytes.size());
  }
  fmt::print(stderr, "{}: {} words, {} registers, {} flow mode, {} bytes of shared memory\n", output, program.words.size(), program.registers,
             program.full_flow ? "full" : "partial", program.shared_bytes);
  return 0;
}

int run_dis(const DisArguments& a) {
  const std::string text = disassemble(load_program(a.input));
  if (a.output.empty())
    fmt::print("{}", text);
  else
    write_file(a.output, text.data(), text.size());
  return 0;
}

}  // namespace maskwork::cli
