#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "maskwork/job/job.hpp"

namespace maskwork {

std::vector<uint8_t> read_file(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) throw InputError{{path + ": error: is a directory"}};
  std::ifstream in(path, std::ios::binary);
  if (!in) throw InputError{{path + ": error: cannot open: " + std::strerror(errno)}};
  std::vector<uint8_t> data((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (in.bad()) throw InputError{{path + ": error: cannot read: " + std::strerror(errno)}};
  return data;
}

void write_file(const std::string& path, const void* data, size_t size) {
  // A device or pipe cannot be replaced by renaming, and need not be.
  std::error_code error;
  const bool special = std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error);
  const std::string temporary = special ? path : path + ".part" + std::to_string(::getpid());
  std::FILE* f = std::fopen(temporary.c_str(), "wb");
  if (!f) throw std::runtime_error(path + ": cannot write: " + std::strerror(errno));
  const bool written = std::fwrite(data, 1, size, f) == size;
  const bool closed = std::fclose(f) == 0;
  if (written && closed && (special || std::rename(temporary.c_str(), path.c_str()) == 0)) return;
  const std::string why = std::strerror(errno);
  if (!special) std::remove(temporary.c_str());
  throw std::runtime_error(path + ": cannot write: " + why);
}

}  // namespace maskwork
