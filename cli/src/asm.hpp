#pragma once
// `maskwork asm` and `maskwork dis`.
#include <string>

namespace maskwork::cli {

struct AsmArguments {
  std::string input, output, explain;
  bool text = false, listing = false;
};
struct DisArguments {
  std::string input, output;
};

int run_asm(const AsmArguments& a);
int run_dis(const DisArguments& a);

}  // namespace maskwork::cli
