#include "maskwork/verif/record_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace maskwork::verif {

namespace {
constexpr size_t block = 1 << 16;
}

RecordFile::RecordFile(std::string path) : path_(std::move(path)) {
  file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file_ < 0) fail();
}

RecordFile::~RecordFile() {
  flush();
  if (file_ >= 0) ::close(file_);
}

void RecordFile::fail() { error_ = path_ + ": cannot write: " + std::strerror(errno); }

void RecordFile::line(std::string_view text) {
  if (!error_.empty()) return;
  kept_ += text;
  kept_ += '\n';
  if (kept_.size() >= block) flush();
}

void RecordFile::flush() {
  size_t done = 0;
  while (error_.empty() && done < kept_.size()) {
    const ssize_t n = ::write(file_, kept_.data() + done, kept_.size() - done);
    if (n > 0) {
      done += static_cast<size_t>(n);
    } else if (errno != EINTR) {
      fail();
      // The line that was cut goes, except on what has no length.
      const size_t last = kept_.rfind('\n', done == 0 ? 0 : done - 1);
      const size_t keep = done == 0 || last == std::string::npos ? 0 : last + 1;
      if (keep != done && ::ftruncate(file_, whole_ + static_cast<int64_t>(keep)) != 0) errno = 0;
    }
  }
  whole_ += static_cast<int64_t>(done);
  kept_.clear();
}

}  // namespace maskwork::verif
