#pragma once
// Words of the special unit: functions of one thread, and operations between the threads of a wave.
#include "decode.hpp"

namespace maskwork::model {

/// Results of a good word of the special unit; `row` are its sources (those that it has), `executing` the threads of E. What
/// threads outside E get has no meaning. `result` is none of the sources' rows.
void compute_special(const Word& d, const uint32_t* const row[3], uint32_t executing, uint32_t* result);

}  // namespace maskwork::model
