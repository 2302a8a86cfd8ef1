// Reads job files. Every complaint names the place in the JSON, and all of them are collected.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "maskwork/job/job.hpp"

namespace maskwork {

namespace {

using nlohmann::json;

constexpr std::pair<std::string_view, ElementType> type_names[] = {{"u32", ElementType::U32}, {"s32", ElementType::S32}, {"f32", ElementType::F32},
                                                                  {"f64", ElementType::F64}, {"u64", ElementType::U64}, {"s64", ElementType::S64}};
constexpr uint64_t max_bytes = uint64_t{1} << 30;

class Reader {
 public:
  Reader(std::string file, std::string directory) : file_(std::move(file)), directory_(std::move(directory)) {}

  Job read(const json& root);
  std::vector<std::string> errors;

 private:
  void error(const std::string& path, const std::string& text) { errors.push_back(fmt::format("{}: error: {}: {}", file_, path.empty() ? "/" : path, text)); }
  static std::string kind(const json& v);
  /// An object without keys that nobody knows; false (with a complaint) if it is none.
  bool object(const json& v, const std::string& path, std::initializer_list<std::string_view> known);
  bool array(const json& v, const std::string& path);
  std::optional<uint64_t> unsigned_number(const json& v, const std::string& path, uint64_t low, uint64_t high);
  std::optional<std::string> text(const json& v, const std::string& path);
  std::optional<ElementType> type(const json& parent, const std::string& path, bool params);
  /// Appends the element's bytes; false after a complaint.
  bool element(const json& v, const std::string& path, ElementType t, std::vector<uint8_t>& out);
  std::vector<uint8_t> elements(const json& v, const std::string& path, ElementType t);
  void parameters(const json& list, const std::string& path, std::vector<JobParameter>& out);
  /// The contents of a buffer: exactly one of init, zeros and file.
  void contents(const json& v, const std::string& at, std::optional<ElementType> t, JobBuffer& b);
  void buffers(const json& list, const std::string& path, JobSpace space, Job& job);
  void subroutines(const json& list, const std::string& path, Job& job);
  void expectations(const json& list, const std::string& path, JobSpace space, Job& job);
  std::string near(const std::string& name) const { return (std::filesystem::path(directory_) / name).lexically_normal().string(); }

  std::string file_, directory_;
  std::vector<std::pair<JobSpace, json>> refused_;  ///< bindings and names of buffers that have a complaint already
};

std::string Reader::kind(const json& v) {
  if (v.is_null()) return "null";
  if (v.is_boolean()) return "a boolean";
  if (v.is_number()) return "the number " + v.dump();
  if (v.is_string()) return "the string " + v.dump(-1, ' ', false, json::error_handler_t::replace);
  return v.is_array() ? "an array" : "an object";
}

bool Reader::object(const json& v, const std::string& path, std::initializer_list<std::string_view> known) {
  if (!v.is_object()) {
    error(path, "an object is expected, not " + kind(v));
    return false;
  }
  for (const auto& [key, value] : v.items()) {
    if (std::find(known.begin(), known.end(), key) != known.end() || key == "comment") continue;
    std::string list;
    for (const auto k : known) list += (list.empty() ? "" : ", ") + std::string(k);
    error(path + "/" + key, "unknown key; the keys here are: " + list);
  }
  return true;
}

bool Reader::array(const json& v, const std::string& path) {
  if (v.is_array()) return true;
  error(path, "an array is expected, not " + kind(v));
  return false;
}

std::optional<uint64_t> Reader::unsigned_number(const json& v, const std::string& path, uint64_t low, uint64_t high) {
  if (v.is_number_unsigned() && v.get<uint64_t>() >= low && v.get<uint64_t>() <= high) return v.get<uint64_t>();
  error(path, fmt::format("an integer from {} to {} is expected, not {}", low, high, kind(v)));
  return std::nullopt;
}

std::optional<std::string> Reader::text(const json& v, const std::string& path) {
  if (v.is_string()) {
    const auto s = v.get<std::string>();
    if (s.find('\0') != std::string::npos) {
      error(path, "a text without NUL characters is expected, not " + kind(v));
      return std::nullopt;
    }
    if (!s.empty()) return s;
  }
  error(path, "a string is expected, not " + (v.is_string() ? "an empty one" : kind(v)));
  return std::nullopt;
}

std::optional<ElementType> Reader::type(const json& parent, const std::string& path, bool params) {
  const auto it = parent.find("type");
  const std::string names = params ? "u32, s32, f32" : "u32, s32, f32, f64, u64, s64";
  if (it == parent.end()) {
    error(path, "key 'type' is missing: one of " + names);
    return std::nullopt;
  }
  if (it->is_string())
    for (const auto& [name, t] : type_names)
      if (it->get<std::string>() == name && !(params && size_of(t) == 8)) return t;
  error(path + "/type", fmt::format("one of {} is expected, not {}", names, kind(*it)));
  return std::nullopt;
}

template <class T>
void append(std::vector<uint8_t>& out, T v) {
  const size_t at = out.size();
  out.resize(at + sizeof v);
  std::memcpy(out.data() + at, &v, sizeof v);
}

bool Reader::element(const json& v, const std::string& path, ElementType t, std::vector<uint8_t>& out) {
  // Strings: 64-bit integers in decimal, bit patterns in hexadecimal, and the float values that JSON has no numbers for.
  std::string s = v.is_string() ? v.get<std::string>() : v.is_number_integer() ? v.dump() : "";
  const uint32_t bytes = size_of(t);
  const auto put = [&](uint64_t bits) {
    if (bytes == 8)
      append(out, bits);
    else
      append(out, static_cast<uint32_t>(bits));
    return true;
  };
  const std::string name(to_string(t));
  if (v.is_string() && s.starts_with("0x")) {
    uint64_t bits = 0;
    const auto r = std::from_chars(s.data() + 2, s.data() + s.size(), bits, 16);
    if (r.ec == std::errc() && r.ptr == s.data() + s.size() && s.size() > 2 && (bytes == 8 || bits <= 0xffffffffu)) return put(bits);
    error(path, fmt::format("{} is no hexadecimal pattern of {} bits", kind(v), bytes * 8));
    return false;
  }
  if (is_float(t)) {
    double d = 0;
    if (v.is_number())
      d = v.get<double>();
    else if (s == "nan")
      d = std::numeric_limits<double>::quiet_NaN();
    else if (s == "inf" || s == "-inf")
      d = s[0] == '-' ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
    else {
      error(path, fmt::format("an element of type {} is a number, \"nan\", \"inf\", \"-inf\" or a pattern \"0x...\", not {}", name, kind(v)));
      return false;
    }
    if (bytes == 8) return put(std::bit_cast<uint64_t>(d));
    const float f = static_cast<float>(d);
    if (std::isinf(f) && !std::isinf(d)) {
      error(path, fmt::format("{} is too large for {}", kind(v), name));
      return false;
    }
    return put(std::isnan(d) ? 0x7fc00000u : std::bit_cast<uint32_t>(f));
  }
  const bool is_signed = t == ElementType::S32 || t == ElementType::S64;
  const char* first = s.data();
  const char* last = s.data() + s.size();
  uint64_t bits = 0;
  bool ok = !s.empty();
  if (ok && is_signed) {
    int64_t n = 0;
    const auto r = std::from_chars(first, last, n);
    ok = r.ec == std::errc() && r.ptr == last && (bytes == 8 || (n >= INT32_MIN && n <= INT32_MAX));
    bits = static_cast<uint64_t>(n);
  } else if (ok) {
    const auto r = std::from_chars(first, last, bits);
    ok = r.ec == std::errc() && r.ptr == last && (bytes == 8 || bits <= 0xffffffffu);
  }
  if (ok) return put(bits);
  error(path, fmt::format("an element of type {} is an integer in its range, a decimal string or a pattern \"0x...\", not {}", name, kind(v)));
  return false;
}

std::vector<uint8_t> Reader::elements(const json& v, const std::string& path, ElementType t) {
  std::vector<uint8_t> out;
  if (!array(v, path)) return out;
  for (size_t i = 0; i < v.size(); ++i)
    if (!element(v[i], fmt::format("{}/{}", path, i), t, out)) {
      if (errors.size() >= 20) return out;
      out.resize(out.size() + size_of(t));  // keeps the positions of the others
    }
  return out;
}

void Reader::parameters(const json& list, const std::string& path, std::vector<JobParameter>& out) {
  if (!array(list, path)) return;
  for (size_t i = 0; i < list.size(); ++i) {
    const std::string at = fmt::format("{}/{}", path, i);
    const json& v = list[i];
    if (!object(v, at, {"index", "type", "value"})) continue;
    JobParameter p;
    if (!v.contains("index"))
      error(at, "key 'index' is missing");
    else if (const auto n = unsigned_number(v["index"], at + "/index", 0, isa::limit::params - 1))
      p.index = static_cast<uint32_t>(*n);
    for (const JobParameter& other : out)
      if (v.contains("index") && other.index == p.index) error(at + "/index", fmt::format("parameter {} is set twice", p.index));
    const auto t = type(v, at, true);
    if (!v.contains("value")) {
      error(at, "key 'value' is missing: four items");
      continue;
    }
    const json& value = v["value"];
    if (!value.is_array() || value.size() != 4) {
      error(at + "/value", value.is_array() ? fmt::format("four items are expected, not {}", value.size()) : "an array of four items is expected, not " + kind(value));
      continue;
    }
    for (size_t k = 0; k < 4; ++k) {
      const std::string item = fmt::format("{}/value/{}", at, k);
      if (value[k].is_object()) {
        if (value[k].size() == 1 && (value[k].contains("addr_lo") || value[k].contains("addr_hi"))) {
          p.words[k].high = value[k].contains("addr_hi");
          if (const auto name = text(value[k].begin().value(), item + "/" + value[k].begin().key())) p.words[k].address_of = *name;
        } else {
          error(item, "a number, {\"addr_lo\": NAME} or {\"addr_hi\": NAME} is expected");
        }
        continue;
      }
      std::vector<uint8_t> bytes;
      if (t && element(value[k], item, *t, bytes)) std::memcpy(&p.words[k].bits, bytes.data(), 4);
    }
    out.push_back(p);
  }
}

void Reader::contents(const json& v, const std::string& at, std::optional<ElementType> t, JobBuffer& b) {
  const int sources = v.contains("init") + v.contains("zeros") + v.contains("file");
  if (sources != 1) error(at, "exactly one of 'init', 'zeros' and 'file' is needed");
  if (v.contains("init") && t) b.initial = elements(v["init"], at + "/init", *t);
  if (v.contains("zeros"))
    if (const auto n = unsigned_number(v["zeros"], at + "/zeros", 0, max_bytes / size_of(b.type))) b.initial.resize(*n * size_of(b.type));
  if (v.contains("file"))
    if (const auto name = text(v["file"], at + "/file")) {
      try {
        b.initial = read_file(near(*name));
        if (b.initial.size() % size_of(b.type) != 0)
          error(at + "/file", fmt::format("{} has {} bytes, which is no multiple of {}", near(*name), b.initial.size(), size_of(b.type)));
      } catch (const InputError& e) {
        error(at + "/file", e.lines.front());
      }
    }
  if (b.space == JobSpace::Constant && b.initial.size() > isa::limit::constant_bytes)
    error(at, fmt::format("{} bytes: a constant buffer has at most {}", b.initial.size(), isa::limit::constant_bytes));
}

void Reader::buffers(const json& list, const std::string& path, JobSpace space, Job& job) {
  if (!array(list, path)) return;
  for (size_t i = 0; i < list.size(); ++i) {
    const std::string at = fmt::format("{}/{}", path, i);
    const json& v = list[i];
    const std::string_view key = space == JobSpace::Global ? "name" : "binding";
    // The machine has no way to write a constant buffer.
    const bool writable = space != JobSpace::Constant;
    if (!(writable ? object(v, at, {key, "type", "init", "zeros", "file", "output", "ulp"}) : object(v, at, {key, "type", "init", "zeros", "file"}))) continue;
    JobBuffer b;
    b.space = space;
    bool placed = false;
    if (!v.contains(key)) {
      error(at, fmt::format("key '{}' is missing", key));
    } else if (space == JobSpace::Global) {
      if (const auto name = text(v["name"], at + "/name")) {
        b.name = *name;
        placed = true;
      }
    } else {
      const uint32_t bindings = space == JobSpace::Storage ? isa::limit::storage_bindings : isa::limit::constant_bindings;
      if (const auto n = unsigned_number(v["binding"], at + "/binding", 0, bindings - 1)) {
        b.binding = static_cast<uint32_t>(*n);
        placed = true;
      }
    }
    const auto t = type(v, at, false);
    b.type = t.value_or(ElementType::U32);
    contents(v, at, t, b);
    if (writable && v.contains("output")) {
      if (v["output"].is_boolean())
        b.output = v["output"];
      else
        error(at + "/output", "true or false is expected, not " + kind(v["output"]));
    }
    if (writable && v.contains("ulp"))
      if (const auto n = unsigned_number(v["ulp"], at + "/ulp", 0, 0xffffffffu)) {
        b.ulp = *n;
        if (t && !is_float(*t)) error(at + "/ulp", fmt::format("only float buffers have a tolerance, this one is {}", to_string(*t)));
      }
    if (!placed) {
      if (v.contains(key)) refused_.emplace_back(space, v[key]);
      continue;
    }
    for (const JobBuffer& other : job.buffers)
      if (other.space == space && other.binding == b.binding && other.name == b.name) error(at + "/" + std::string(key), "the " + b.title() + " is there twice");
    job.buffers.push_back(std::move(b));
  }
}

void Reader::subroutines(const json& list, const std::string& path, Job& job) {
  if (!array(list, path)) return;
  for (size_t i = 0; i < list.size(); ++i) {
    const std::string at = fmt::format("{}/{}", path, i);
    const json& v = list[i];
    if (!object(v, at, {"index", "number"})) continue;
    const auto field = [&](const char* key, uint32_t limit) -> std::optional<uint64_t> {
      if (v.contains(key)) return unsigned_number(v[key], at + "/" + key, 0, limit - 1);
      error(at, fmt::format("key '{}' is missing", key));
      return std::nullopt;
    };
    const auto index = field("index", isa::limit::subroutine_uniforms), number = field("number", isa::limit::subroutines);
    if (!index || !number) continue;
    for (const JobSubroutine& other : job.subroutines)
      if (other.index == *index) error(at + "/index", fmt::format("program.subroutine[{}] is set twice", *index));
    job.subroutines.push_back({static_cast<uint32_t>(*index), static_cast<uint32_t>(*number)});
  }
}

void Reader::expectations(const json& list, const std::string& path, JobSpace space, Job& job) {
  const bool storage = space == JobSpace::Storage;
  if (!array(list, path)) return;
  for (size_t i = 0; i < list.size(); ++i) {
    const std::string at = fmt::format("{}/{}", path, i);
    const json& v = list[i];
    const std::string_view key = storage ? "binding" : "name";
    if (!object(v, at, {key, "type", "data", "file", "ulp"})) continue;
    JobBuffer* b = nullptr;
    if (!v.contains(key)) {
      error(at, fmt::format("key '{}' is missing", key));
      continue;
    }
    for (JobBuffer& candidate : job.buffers)
      if (candidate.space == space && (storage ? v[key].is_number_unsigned() && v[key].get<uint64_t>() == candidate.binding
                                               : v[key].is_string() && v[key].get<std::string>() == candidate.name))
        b = &candidate;
    if (!b && std::find(refused_.begin(), refused_.end(), std::pair{space, v[key]}) != refused_.end()) continue;
    if (!b) {
      error(at + "/" + std::string(key), fmt::format("the job has no {} buffer {}", storage ? "storage" : "global", v[key].dump(-1, ' ', false, json::error_handler_t::replace)));
      continue;
    }
    if (b->expect) error(at, "the " + b->title() + " has expected data already");
    if (!b->output) error(at, "the " + b->title() + " is no output; say \"output\": true in its description");
    if (v.contains("type"))
      if (const auto t = type(v, at, false)) b->type = *t;
    if (v.contains("ulp"))
      if (const auto n = unsigned_number(v["ulp"], at + "/ulp", 0, 0xffffffffu)) {
        b->ulp = *n;
        if (!is_float(b->type)) error(at + "/ulp", fmt::format("only float data have a tolerance, these are {}", to_string(b->type)));
      }
    if (v.contains("data") == v.contains("file")) {
      error(at, "exactly one of 'data' and 'file' is needed");
      continue;
    }
    std::string where = at + "/data";
    if (v.contains("data")) {
      b->expect = elements(v["data"], where, b->type);
    } else if (const auto name = text(v["file"], at + "/file")) {
      where = at + "/file";
      try {
        b->expect = read_file(near(*name));
      } catch (const InputError& e) {
        error(where, e.lines.front());
        continue;
      }
    }
    if (b->expect && b->expect->empty()) error(where, "no element: nothing would be compared");
    if (b->expect && b->expect->size() > b->initial.size())
      error(where, fmt::format("{} bytes are expected of a buffer of {}", b->expect->size(), b->initial.size()));
    if (b->expect && b->expect->size() % size_of(b->type) != 0)
      error(where, fmt::format("{} bytes are no multiple of the {} of a {}", b->expect->size(), size_of(b->type), to_string(b->type)));
  }
}

Job Reader::read(const json& root) {
  Job job;
  if (!object(root, "", {"program", "dispatch", "params", "cbuffers", "storage", "global", "subroutines", "expect", "fill", "seed", "budget"})) return job;
  if (!root.contains("program"))
    error("", "key 'program' is missing: the file name of the program");
  else if (const auto name = text(root["program"], "/program"))
    job.program = near(*name);

  if (!root.contains("dispatch")) {
    error("", "key 'dispatch' is missing: the work groups in x, y and z");
  } else if (const json& d = root["dispatch"]; !d.is_array() || d.size() != 3) {
    error("/dispatch", d.is_array() ? fmt::format("three numbers are expected, not {}", d.size()) : "an array of three numbers is expected, not " + kind(d));
  } else {
    for (size_t i = 0; i < 3; ++i)
      if (const auto n = unsigned_number(d[i], fmt::format("/dispatch/{}", i), 0, isa::limit::group_count)) job.dispatch[i] = static_cast<uint32_t>(*n);
  }
  if (root.contains("cbuffers")) buffers(root["cbuffers"], "/cbuffers", JobSpace::Constant, job);
  if (root.contains("storage")) buffers(root["storage"], "/storage", JobSpace::Storage, job);
  if (root.contains("global")) buffers(root["global"], "/global", JobSpace::Global, job);
  if (root.contains("subroutines")) subroutines(root["subroutines"], "/subroutines", job);
  if (root.contains("params") && object(root["params"], "/params", {"local", "env"})) {
    const json& p = root["params"];
    if (p.contains("local")) parameters(p["local"], "/params/local", job.local);
    if (p.contains("env")) parameters(p["env"], "/params/env", job.env);
  }
  for (const auto* list : {&job.local, &job.env})
    for (size_t i = 0; i < list->size(); ++i)
      for (size_t k = 0; k < 4; ++k) {
        const std::string& name = (*list)[i].words[k].address_of;
        const bool there = std::any_of(job.buffers.begin(), job.buffers.end(), [&](const JobBuffer& b) { return b.space == JobSpace::Global && b.name == name; });
        if (!name.empty() && !there)
          error(fmt::format("/params/{}/{}/value/{}", list == &job.local ? "local" : "env", i, k), "the job has no global buffer \"" + name + "\"");
      }
  if (root.contains("expect") && object(root["expect"], "/expect", {"storage", "global"})) {
    const json& e = root["expect"];
    if (e.contains("storage")) expectations(e["storage"], "/expect/storage", JobSpace::Storage, job);
    if (e.contains("global")) expectations(e["global"], "/expect/global", JobSpace::Global, job);
  }
  if (root.contains("fill")) {
    const json& f = root["fill"];
    if (f == "pattern")
      job.fill = FillMode::Pattern;
    else if (f == "zero")
      job.fill = FillMode::Zero;
    else if (f == "off")
      job.fill = FillMode::Off;
    else
      error("/fill", "\"pattern\", \"zero\" or \"off\" is expected, not " + kind(f));
  }
  if (root.contains("seed"))
    if (const auto n = unsigned_number(root["seed"], "/seed", 0, 0xffffffffu)) job.fill_seed = static_cast<uint32_t>(*n);
  if (root.contains("budget"))
    if (const auto n = unsigned_number(root["budget"], "/budget", 0, 0xffffffffu)) job.word_budget = static_cast<uint32_t>(*n);
  return job;
}

/// Line and column of a byte.
std::string position(const std::string& text, size_t byte) {
  const size_t at = std::min(byte == 0 ? 0 : byte - 1, text.size());
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  const size_t start = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
  return fmt::format("{}:{}", line, start == std::string::npos ? at + 1 : at - start);
}

/// Characters for the library, which tells where it is.
struct Watched {
  using iterator_category = std::forward_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;
  const char* here;
  const char** at;
  reference operator*() const { return *here; }
  Watched& operator++() {
    ++here;
    if (at != nullptr) *at = here;
    return *this;
  }
  Watched operator++(int) {
    const Watched before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const Watched& a, const Watched& b) { return a.here == b.here; }
};

}  // namespace

std::string_view to_string(ElementType t) {
  for (const auto& [name, code] : type_names)
    if (code == t) return name;
  return "?";
}

Job parse_job(const std::string& text, const std::string& path) {
  json root;
  // JSON says nothing of a key that is there twice, and the library keeps the last one: refuse it.
  std::vector<std::set<std::string>> keys;
  std::vector<std::string> twice;
  const char* at = text.data();  // the next character that the library reads
  const auto watch = [&](int, json::parse_event_t event, json& value) {
    if (event == json::parse_event_t::object_start) keys.emplace_back();
    if (event == json::parse_event_t::object_end) keys.pop_back();
    if (event == json::parse_event_t::key && !keys.back().insert(value.get<std::string>()).second)
      twice.push_back(fmt::format("{}:{}: error: key '{}' is there twice in one object", path,
                                  position(text, text.rfind('"', text.rfind('"', static_cast<size_t>(at - text.data()) - 1) - 1) + 1), value.get<std::string>()));
    return true;
  };
  try {
    root = json::parse(Watched{text.data(), &at}, Watched{text.data() + text.size(), nullptr}, watch);
    if (!twice.empty()) throw InputError{std::move(twice)};
  } catch (const json::parse_error& e) {
    std::string what = e.what();  // "[json.exception...] parse error at line 1, column 2: reason"
    if (const size_t colon = what.find(": "); colon != std::string::npos) what = what.substr(colon + 2);
    throw InputError{{fmt::format("{}:{}: error: {}", path, position(text, e.byte), what)}};
  } catch (const json::exception& e) {  // "[json.exception...] number overflow parsing '1e999'"
    std::string what = e.what();
    if (const size_t bracket = what.find("] "); bracket != std::string::npos) what = what.substr(bracket + 2);
    throw InputError{{fmt::format("{}: error: {}", path, what)}};
  }
  Reader reader(path, std::filesystem::path(path).parent_path().string());
  Job job = reader.read(root);
  job.path = path;
  if (!reader.errors.empty()) throw InputError{std::move(reader.errors)};
  return job;
}

Job read_job(const std::string& path) {
  const std::vector<uint8_t> bytes = read_file(path);
  return parse_job(std::string(bytes.begin(), bytes.end()), path);
}

}  // namespace maskwork
