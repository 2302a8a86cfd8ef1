#pragma once
// Object files: a program as an ELF file.
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "maskwork/object.hpp"

namespace maskwork {

struct ObjectError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// True if the bytes begin like an ELF file (so that read_object can say more about them).
bool looks_like_object(std::span<const uint8_t> bytes);

std::vector<uint8_t> write_object(const Program& program);

/// The program in `bytes`, or ObjectError with the reason: foreign, truncated, altered, of another version, or inconsistent.
Program read_object(std::span<const uint8_t> bytes);

}  // namespace maskwork
