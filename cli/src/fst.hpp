#pragma once
#include <string>

namespace maskwork::cli {

/// Whether an FST file is whole: its blocks follow each other to its very end, with header, geometry and hierarchy. The writer does not tell
/// of writes that failed.
bool whole_fst(const std::string& path);

}  // namespace maskwork::cli
