// Chooses the row functions for the host's processor.
#include "rows.hpp"

namespace maskwork::rows {

extern const Table table_base;
#ifdef MASKWORK_X86
extern const Table table_v3;
extern const Table table_v4;
#endif

namespace {
#ifdef MASKWORK_X86
bool has_v3() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2"); }
bool has_v4() {
  return has_v3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd");
}
#endif
}  // namespace

#ifdef MASKWORK_X86
const Choice choices[] = {{&table_v4, has_v4()}, {&table_v3, has_v3()}, {&table_base, true}};
const unsigned choice_count = 3;
#else
const Choice choices[] = {{&table_base, true}};
const unsigned choice_count = 1;
#endif

const Table& table() {
  static const Table& chosen = []() -> const Table& {
    for (unsigned i = 0; i + 1 < choice_count; ++i)
      if (choices[i].usable) return *choices[i].table;
    return *choices[choice_count - 1].table;
  }();
  return chosen;
}

}  // namespace maskwork::rows
