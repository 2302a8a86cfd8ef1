#pragma once
// A structured program as NV assembly text: the same program that compile() makes words of, for the real assembler.
#include <string>

#include "flowgen/ast.hpp"

namespace maskwork::flowgen {

/// `ast` must keep to the language (GenerateOptions::language). `seed` chooses between ways of writing the same.
std::string source_text(const Ast& ast, uint32_t threads, uint64_t seed);

}  // namespace maskwork::flowgen
