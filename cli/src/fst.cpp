#include "fst.hpp"

#include <filesystem>
#include <fstream>

namespace maskwork::cli {

bool whole_fst(const std::string& path) {
  // A block is its type, the length of what follows the type (64 bits, the most significant byte first), and the rest.
  constexpr int header = 0, geometry = 3, last_type = 8;
  std::error_code error;
  const uint64_t size = std::filesystem::file_size(path, error);
  std::ifstream in(path, std::ios::binary);
  uint32_t seen = 0;
  uint64_t at = 0;
  while (!error && in && at < size) {
    unsigned char begin[9];
    in.seekg(static_cast<std::streamoff>(at));
    if (!in.read(reinterpret_cast<char*>(begin), sizeof begin) || begin[0] > last_type) return false;
    uint64_t length = 0;
    for (int i = 1; i < 9; ++i) length = length << 8 | begin[i];
    if (length < 8 || length > size - at - 1) return false;
    seen |= 1u << begin[0];
    at += 1 + length;
  }
  constexpr uint32_t any_hierarchy = 1u << 4 | 1u << 6 | 1u << 7;
  return !error && at == size && (seen & 1u << header) != 0 && (seen & 1u << geometry) != 0 && (seen & any_hierarchy) != 0;
}

}  // namespace maskwork::cli
