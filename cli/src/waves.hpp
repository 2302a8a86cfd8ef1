#pragma once
// What makes a waveform readable: a GTKWave save file with the record ports by unit, and tables that turn numbers into names and words.
#include <cstdint>
#include <string>

#include "maskwork/isa.hpp"
#include "maskwork/object.hpp"

namespace maskwork::cli {

/// Writes beside `trace` (an FST file of mw_top): STEM.gtkw, STEM.words.txt (word address -> instruction) and STEM.faults.txt, STEM.states.txt,
/// STEM.csrs.txt (codes and addresses -> names). The view begins at `first_cycle`. Throws std::runtime_error if a file cannot be written.
void write_wave_view(const std::string& trace, uint64_t first_cycle, const isa::Config& config, const Program& program);

}  // namespace maskwork::cli
