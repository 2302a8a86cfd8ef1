// Reading input files and writing output files: the one way for all commands.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "maskwork/job/job.hpp"

namespace maskwork {

namespace {
std::string in_words(uint64_t bytes) { return bytes % (1u << 20) == 0 ? std::to_string(bytes >> 20) + " MiB" : std::to_string(bytes) + " bytes"; }

/// Where a file that replaces `path` goes: behind symbolic links.
std::string real_path(const std::string& path) {
  std::error_code error;
  const auto real = std::filesystem::canonical(path, error);
  return error ? path : real.string();
}
}  // namespace

std::vector<uint8_t> read_file(const std::string& path, uint64_t most) {
  const auto refuse = [&path](const std::string& why) { throw InputError{{path + ": error: " + why}}; };
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0) refuse(std::string("cannot open: ") + std::strerror(errno));
  if (S_ISDIR(about.st_mode)) refuse("is a directory");
  // A pipe ends some time; a device need not.
  if (!S_ISREG(about.st_mode) && !S_ISFIFO(about.st_mode)) refuse("is a device, not a file");
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> in(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!in) refuse(std::string("cannot open: ") + std::strerror(errno));
  const bool known = S_ISREG(about.st_mode) && about.st_size > 0;
  if (known && static_cast<uint64_t>(about.st_size) > most) refuse("has " + std::to_string(about.st_size) + " bytes; at most " + in_words(most) + " are read");
  std::vector<uint8_t> data;
  for (size_t step = known ? static_cast<size_t>(about.st_size) + 1 : 1 << 16;; step = 1 << 16) {
    const size_t before = data.size();
    data.resize(before + step);
    const size_t n = std::fread(data.data() + before, 1, step, in.get());
    data.resize(before + n);
    if (std::ferror(in.get())) refuse(std::string("cannot read: ") + std::strerror(errno));
    if (data.size() > most) refuse("has more than " + in_words(most) + ", the most that is read");
    if (n < step) return data;
  }
}

bool is_special_output(const std::string& path) {
  std::error_code error;
  if (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error)) return true;
  // /dev/stdout may lead to a regular file, but it is an open one.
  const std::string full = std::filesystem::absolute(path, error).lexically_normal().string();
  return full.starts_with("/dev/") || full.starts_with("/proc/");
}

std::string partial_name(const std::string& path) { return real_path(path) + ".part" + std::to_string(::getpid()); }

void finish_partial(const std::string& path) {
  if (std::rename(partial_name(path).c_str(), real_path(path).c_str()) != 0) throw OutputError(path + ": cannot write: " + std::strerror(errno));
}

void write_file(const std::string& path, const void* data, size_t size) {
  const bool special = is_special_output(path);
  const std::string name = special ? path : partial_name(path);
  const int file = ::open(name.c_str(), special ? O_WRONLY | O_APPEND | O_CLOEXEC : O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) throw OutputError(path + ": cannot write: " + std::strerror(errno));
  bool good = true;
  int why = 0;
  for (size_t done = 0; good && done < size;) {
    const ssize_t n = ::write(file, static_cast<const char*>(data) + done, size - done);
    if (n > 0) done += static_cast<size_t>(n);
    else if (n == 0 || errno != EINTR) good = false;
  }
  if (!good) why = errno;
  if (::close(file) != 0 && good) {
    good = false;
    why = errno;
  }
  if (!special) {
    try {
      if (good) return finish_partial(path);
    } catch (const OutputError&) {
      std::remove(name.c_str());
      throw;
    }
    std::remove(name.c_str());
  }
  if (!good) throw OutputError(path + ": cannot write: " + std::strerror(why));
}

}  // namespace maskwork
