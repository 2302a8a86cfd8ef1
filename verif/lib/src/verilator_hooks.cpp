// What Verilator calls when an assertion of the RTL fails: here an exception with the place, so that a test reports it instead of dying.
#include <string>

#include "maskwork/verif/rtl_sim.hpp"
#include "verilated.h"

void vl_finish(const char*, int, const char*) {}

void vl_stop(const char* filename, int linenum, const char* hier) {
  throw maskwork::verif::RtlAssertion("assertion failed in the RTL: " + std::string(filename ? filename : "?") + ":" + std::to_string(linenum) + " (" +
                                      (hier ? hier : "?") + ")");
}

void vl_fatal(const char* filename, int linenum, const char* hier, const char* msg) {
  throw maskwork::verif::RtlAssertion("RTL simulation: " + std::string(msg ? msg : "") + " at " + std::string(filename ? filename : "?") + ":" +
                                      std::to_string(linenum) + " (" + (hier ? hier : "?") + ")");
}
