#pragma once
// A job: a program, its buffers and parameters, a dispatch, and what must come out (docs/jobs.md, cli/job.schema.json).
#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "maskwork/device.hpp"

namespace maskwork {

enum class ElementType : uint8_t { U32, S32, F32, U64, S64, F64 };
constexpr uint32_t size_of(ElementType t) { return t >= ElementType::U64 ? 8 : 4; }
constexpr bool is_float(ElementType t) { return t == ElementType::F32 || t == ElementType::F64; }
std::string_view to_string(ElementType t);

/// Where a buffer is bound: program.storage[n], program.buffer[n], or nowhere (reached by address).
enum class JobSpace : uint8_t { Storage, Constant, Global };

struct JobBuffer {
  JobSpace space = JobSpace::Storage;
  uint32_t binding = 0;                        ///< storage and constant buffers
  std::string name;                            ///< global buffers
  ElementType type = ElementType::U32;
  std::vector<uint8_t> initial;                ///< bytes before the dispatch
  bool output = false;                         ///< may change
  uint64_t ulp = 0;                            ///< tolerance of float elements, in units of the last place
  std::optional<std::vector<uint8_t>> expect;  ///< bytes after the dispatch
  bool is(JobSpace s, uint32_t n) const { return space == s && binding == n; }
  std::string title() const {
    return space == JobSpace::Global ? "global " + name : (space == JobSpace::Storage ? "storage " : "constant buffer ") + std::to_string(binding);
  }
};

struct JobParameter {
  struct Word {
    uint32_t bits = 0;
    std::string address_of;  ///< not empty: half of the address of that global buffer
    bool high = false;
  };
  uint32_t index = 0;
  std::array<Word, 4> words{};
};

/// The subroutine that program.subroutine[index] calls.
struct JobSubroutine {
  uint32_t index = 0, number = 0;
};

struct Job {
  std::string path;          ///< of the job file, empty if made from options
  std::string program;       ///< path of the program
  std::array<uint32_t, 3> dispatch{1, 1, 1};
  std::vector<JobParameter> local, env;
  std::vector<JobBuffer> buffers;
  std::vector<JobSubroutine> subroutines;
  FillMode fill = FillMode::Pattern;
  uint32_t fill_seed = 1;
  uint32_t word_budget = isa::limit::default_budget;
};

/// Bad input: every line is one complaint, ready to be printed.
struct InputError {
  std::vector<std::string> lines;
};

/// Reads and validates a job file; throws InputError with all complaints, each with its path in the JSON.
Job read_job(const std::string& path);
/// The same for JSON text; `path` is used in messages and as the place that relative file names start from.
Job parse_job(const std::string& text, const std::string& path);

/// An output (a file, the standard output) that cannot be written, and the exit code that says so.
struct OutputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};
inline constexpr int output_failed = 3;

/// The most that is read of a file: of buffer data, and of programs and objects.
inline constexpr uint64_t max_file_bytes = uint64_t{1} << 30, max_program_bytes = uint64_t{1} << 26;
/// The whole file, which is a regular one or a pipe; throws InputError.
std::vector<uint8_t> read_file(const std::string& path, uint64_t most = max_file_bytes);
/// Writes a file so that it is there in whole or not at all; a device or pipe is written to. Throws OutputError.
void write_file(const std::string& path, const void* data, size_t size);
/// Whether the output is no file of its own: a device, a pipe, or something under /dev or /proc.
bool is_special_output(const std::string& path);
/// A file that somebody else writes: the name that it has until it is whole, and the step that gives it its own. Throws OutputError.
std::string partial_name(const std::string& path);
void finish_partial(const std::string& path);

/// Puts the job's buffers and parameters into a device; returns the address of each buffer.
std::vector<uint32_t> bind_job(const Job& job, Device& device);
/// Makes the job's choice of subroutines, which a load forgets: for a device that has loaded the program.
void choose_subroutines(const Job& job, Device& device);

struct JobVerdict {
  std::vector<std::string> differences;  ///< outputs that are not as expected, buffers that changed: first differing element of each
  uint32_t compared = 0;                 ///< buffers compared with expected data
};
/// Compares the device's memory with what the job expects.
JobVerdict check_job(const Job& job, const Device& device, const std::vector<uint32_t>& addresses);

/// First difference between `got` and `want` as elements of a type, as text; empty if there is none within `ulp`.
std::string first_difference(ElementType type, uint64_t ulp, const std::vector<uint8_t>& want, const uint8_t* got);

}  // namespace maskwork
