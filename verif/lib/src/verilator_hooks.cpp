// What Verilator calls when an assertion of the RTL fails: here an exception with the place, so that a test reports it instead of dying.
#include <cstdarg>
#include <cstdio>
#include <string>
#include <utility>

#include "maskwork/verif/rtl_sim.hpp"
#include "verilated.h"
#include "verilator_print.hpp"

namespace {
std::string said;  // the text that belongs to the next vl_stop
std::optional<maskwork::verif::UseBeforeWait> use_before_wait;
}  // namespace

int maskwork_verilator_print(const char* format, ...) {
  char text[2048];
  va_list arguments;
  va_start(arguments, format);
  const int n = std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (std::string_view(text).find("%Error") != std::string_view::npos) said = text;
  else std::fputs(text, stderr);
  return n;
}

namespace maskwork::verif {
std::optional<UseBeforeWait> take_use_before_wait() { return std::exchange(use_before_wait, std::nullopt); }
}  // namespace maskwork::verif

void vl_finish(const char*, int, const char*) {}

void vl_stop(const char* filename, int linenum, const char* hier) {
  const std::string text = std::exchange(said, {});
  // rtl/core/mw_pending_check.sv: the word goes on, and the device tells of it in its own words.
  maskwork::verif::UseBeforeWait use;
  const size_t at = text.find("wave ");
  if (text.find("use of a pending register") != std::string::npos && std::sscanf(text.c_str() + at, "wave %u, pc %u", &use.wave, &use.pc) == 2) {
    if (!use_before_wait) use_before_wait = use;
    return;
  }
  const size_t end = text.find_last_not_of("\r\n");
  throw maskwork::verif::RtlAssertion("assertion failed in the RTL: " + std::string(filename ? filename : "?") + ":" + std::to_string(linenum) + " (" +
                                      (hier ? hier : "?") + ")" + (end == std::string::npos ? "" : "\n  " + text.substr(0, end + 1)));
}

void vl_fatal(const char* filename, int linenum, const char* hier, const char* msg) {
  throw maskwork::verif::RtlAssertion("RTL simulation: " + std::string(msg ? msg : "") + " at " + std::string(filename ? filename : "?") + ":" +
                                      std::to_string(linenum) + " (" + (hier ? hier : "?") + ")");
}
