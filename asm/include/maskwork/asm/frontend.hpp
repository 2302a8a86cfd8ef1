// The front end of the assembler: text of an NV compute program in, checked program or diagnostics out.
#pragma once

#include "maskwork/asm/ast.hpp"
#include "maskwork/asm/diagnostics.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace maskwork {

// Limits of the language implementation.  Named configurations lower some of them when a program is loaded, not here.
struct LanguageLimits {
    std::uint32_t if_depth = 48;
    std::uint32_t loop_depth = 8;
    std::uint32_t shared_bytes = 49152;
    std::array<std::uint32_t, 3> group_size{1024, 1024, 64};
    std::uint32_t group_threads = 1024;
    std::uint32_t storage_bindings = 16;
    std::uint32_t storage_bytes = 0x40000000;  // highest byte of a storage buffer that a program can name
    std::uint32_t constant_bindings = 16;
    std::uint32_t constant_bytes = 65536;      // of a constant buffer
    std::uint32_t subroutine_uniforms = 1024;  // program.subroutine[n]
    std::uint32_t subroutines = 256;           // SUBROUTINENUM
    std::uint32_t temporaries = 4096;          // vectors, array elements included
    std::uint32_t parameters = 4096;           // vectors of all PARAM variables
    std::uint32_t env_parameters = 256;
    std::uint32_t local_parameters = 1024;
    std::uint32_t instructions = 262144;
};

// Parses and checks.  Empty if anything is an error; diagnostics come out sorted by position.
std::optional<ast::Program> parse(std::string_view source, std::string file, const LanguageLimits& limits, Diagnostics& diagnostics);

}  // namespace maskwork
