#pragma once
// Programs from files: source, microcode text or object, told apart by their contents.
#include <string>

#include "maskwork/object.hpp"

namespace maskwork::cli {

/// Whether the file is there and is a job file, by its name or as JSON text.
bool looks_like_job(const std::string& path);

/// Loads a program; throws InputError with everything that is wrong, as a compiler says it. Warnings go to stderr.
/// `listing`, if given, takes source and microcode side by side; only a source has one.
Program load_program(const std::string& path, std::string* listing = nullptr);

/// "file:line:column: ...": the source line with a caret under the column of a word, or nothing if there is none.
std::string source_excerpt(const Program& program, uint32_t pc);

}  // namespace maskwork::cli
