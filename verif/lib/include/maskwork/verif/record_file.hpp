#pragma once
// The file of records: text that ends with a whole line whenever the process ends or the disk is full.
#include <cstdint>
#include <string>
#include <string_view>

namespace maskwork::verif {

class RecordFile {
 public:
  /// Empties the file, or opens the device or pipe. error() tells if it cannot.
  explicit RecordFile(std::string path);
  ~RecordFile();
  RecordFile(const RecordFile&) = delete;
  RecordFile& operator=(const RecordFile&) = delete;

  void line(std::string_view text);
  /// Writes what is kept back.
  void flush();
  /// Why the file is not whole; empty if it is.
  const std::string& error() const { return error_; }

 private:
  void fail();
  std::string path_, kept_, error_;
  int file_ = -1;
  int64_t whole_ = 0;  ///< bytes of whole lines in the file
};

}  // namespace maskwork::verif
