// Object files. ELF64, little endian, private machine number; sections .mw.info, .mw.code, .mw.lines, .mw.const, .mw.slots, .mw.params,
// .mw.subs.
// Behind the ELF image stands a trailer of 24 bytes: mark, length of the image, CRC-64 of everything before the CRC. It is checked before
// anything else looks at the file.
#include "maskwork/object_file.hpp"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <map>
#include <string>

namespace maskwork {
namespace {

constexpr uint16_t kMachine = 0x4d57;  // "MW", not a registered machine
constexpr char kMark[8] = {'M', 'A', 'S', 'K', 'W', 'O', 'R', 'K'};
constexpr size_t kTrailer = 24;
constexpr size_t kElfHeader = 64;

uint64_t crc64(std::span<const uint8_t> bytes) {
  static const std::array<uint64_t, 256> table = [] {
    std::array<uint64_t, 256> t{};
    for (uint64_t i = 0; i < 256; ++i) {
      uint64_t c = i;
      for (int k = 0; k < 8; ++k) c = (c & 1) ? (c >> 1) ^ 0xc96c5795d7870f42ull : c >> 1;  // ECMA-182, reflected
      t[i] = c;
    }
    return t;
  }();
  uint64_t c = ~0ull;
  for (uint8_t b : bytes) c = table[(c ^ b) & 0xff] ^ (c >> 8);
  return ~c;
}

class Writer {
 public:
  void u8(uint8_t v) { bytes_.push_back(v); }
  void u32(uint32_t v) {
    for (int i = 0; i < 4; ++i) u8(static_cast<uint8_t>(v >> (8 * i)));
  }
  void u64(uint64_t v) {
    u32(static_cast<uint32_t>(v));
    u32(static_cast<uint32_t>(v >> 32));
  }
  void text(const std::string& s) {
    u32(static_cast<uint32_t>(s.size()));
    bytes_.insert(bytes_.end(), s.begin(), s.end());
  }
  std::vector<uint8_t> take() { return std::move(bytes_); }

 private:
  std::vector<uint8_t> bytes_;
};

class Reader {
 public:
  Reader(std::span<const uint8_t> bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {}
  uint8_t u8() {
    need(1);
    return bytes_[at_++];
  }
  uint32_t u32() {
    need(4);
    uint32_t v = 0;
    for (int i = 0; i < 4; ++i) v |= static_cast<uint32_t>(bytes_[at_++]) << (8 * i);
    return v;
  }
  uint64_t u64() {
    const uint64_t low = u32();
    return low | (static_cast<uint64_t>(u32()) << 32);
  }
  /// A 16-bit number that takes a whole word.
  uint16_t u16(const char* what) {
    const uint32_t v = u32();
    if (v > 0xffff) throw ObjectError(std::string(what) + " out of range: " + std::to_string(v));
    return static_cast<uint16_t>(v);
  }
  std::string text() {
    const uint32_t n = u32();
    need(n);
    std::string s(reinterpret_cast<const char*>(bytes_.data()) + at_, n);
    at_ += n;
    return s;
  }
  size_t entries(size_t size) const {
    if (bytes_.size() % size != 0) throw ObjectError("section " + name_ + ": " + std::to_string(bytes_.size()) + " bytes are no whole number of entries");
    return bytes_.size() / size;
  }
  void done() const {
    if (at_ != bytes_.size()) throw ObjectError("section " + name_ + " is longer than its contents");
  }

 private:
  void need(size_t n) const {
    if (bytes_.size() - at_ < n) throw ObjectError("section " + name_ + " ends too early");
  }
  std::span<const uint8_t> bytes_;
  std::string name_;
  size_t at_ = 0;
};

constexpr size_t kSourceEntry = 12;

void write_source(Writer& w, const ConstantSource& c) {
  w.u32(static_cast<uint32_t>(c.kind));
  w.u32(c.literal);
  w.u32(c.index | (static_cast<uint32_t>(c.component) << 16));
}

ConstantSource read_source(Reader& r) {
  ConstantSource c;
  const uint32_t kind = r.u32();
  if (kind > static_cast<uint32_t>(ConstantSource::Kind::Subroutine)) throw ObjectError("unknown kind of constant: " + std::to_string(kind));
  c.kind = static_cast<ConstantSource::Kind>(kind);
  c.literal = r.u32();
  const uint32_t place = r.u32();
  c.index = static_cast<uint16_t>(place);
  if ((place >> 16) > 3) throw ObjectError("component of a program parameter out of range");
  c.component = static_cast<uint8_t>(place >> 16);
  const bool parameter = c.kind == ConstantSource::Kind::Local || c.kind == ConstantSource::Kind::Env;
  if (parameter && c.index >= isa::limit::params) throw ObjectError("number of a program parameter out of range: " + std::to_string(c.index));
  return c;
}

std::map<std::string, std::vector<uint8_t>> sections_of(const Program& p) {
  std::map<std::string, std::vector<uint8_t>> out;
  Writer info;
  info.u32(isa::object_version);
  info.u32(p.entry);
  for (uint32_t g : p.group_size) info.u32(g);
  info.u32(p.shared_bytes);
  info.u32(p.registers);
  info.u32(p.full_flow);
  info.u32(p.bools);
  info.u32(!p.lines.empty());
  info.text(p.source_name);
  info.u64(p.source_check);
  out[".mw.info"] = info.take();
  Writer code, lines, constants, slots, params, subroutines;
  for (const isa::Word& w : p.words) {
    code.u64(w.lo);
    code.u64(w.hi);
  }
  for (const LineEntry& l : p.lines) {
    lines.u32(l.line);
    lines.u32(l.column);
  }
  for (const ConstantSource& c : p.constants) write_source(constants, c);
  for (const SlotSource& s : p.slots) {
    slots.u32(static_cast<uint32_t>(s.kind));
    slots.u32(s.binding);
    slots.u32(s.offset);
    slots.u32(s.size);
  }
  for (const ConstantSource& c : p.param_table) write_source(params, c);
  subroutines.u32(static_cast<uint32_t>(p.subroutines.size()));
  for (const SubroutineUniform& u : p.subroutines) {
    subroutines.u32(u.index);
    subroutines.u32(static_cast<uint32_t>(u.numbers.size()));
    for (uint16_t number : u.numbers) subroutines.u32(number);
  }
  out[".mw.code"] = code.take();
  out[".mw.lines"] = lines.take();
  out[".mw.const"] = constants.take();
  out[".mw.slots"] = slots.take();
  out[".mw.params"] = params.take();
  out[".mw.subs"] = subroutines.take();
  return out;
}

[[noreturn]] void elf_failed(const char* what) { throw ObjectError(std::string("libelf: ") + what + ": " + elf_errmsg(-1)); }

struct File {
  int fd;
  explicit File(int d) : fd(d) {}
  ~File() {
    if (fd >= 0) close(fd);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
};

struct ElfHandle {
  Elf* elf;
  explicit ElfHandle(Elf* e) : elf(e) {}
  ~ElfHandle() { elf_end(elf); }
  ElfHandle(const ElfHandle&) = delete;
  ElfHandle& operator=(const ElfHandle&) = delete;
};

std::vector<uint8_t> write_elf(std::map<std::string, std::vector<uint8_t>>& sections) {
  if (elf_version(EV_CURRENT) == EV_NONE) elf_failed("version");
  const File file(memfd_create("maskwork-object", MFD_CLOEXEC));
  if (file.fd < 0) throw ObjectError("cannot make a temporary file for the object");
  {
    const ElfHandle handle(elf_begin(file.fd, ELF_C_WRITE, nullptr));
    if (!handle.elf) elf_failed("begin");
    if (!gelf_newehdr(handle.elf, ELFCLASS64)) elf_failed("header");
    GElf_Ehdr header;
    if (!gelf_getehdr(handle.elf, &header)) elf_failed("header");
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_type = ET_EXEC;
    header.e_machine = kMachine;
    header.e_version = EV_CURRENT;
    std::string names(1, '\0');
    for (auto& [name, bytes] : sections) {
      Elf_Scn* section = elf_newscn(handle.elf);
      Elf_Data* data = section ? elf_newdata(section) : nullptr;
      GElf_Shdr shdr;
      if (!data || !gelf_getshdr(section, &shdr)) elf_failed("section");
      data->d_buf = bytes.data();
      data->d_size = bytes.size();
      data->d_type = ELF_T_BYTE;
      data->d_align = 16;
      data->d_version = EV_CURRENT;
      shdr.sh_name = static_cast<GElf_Word>(names.size());
      shdr.sh_type = SHT_PROGBITS;
      shdr.sh_addralign = 16;
      if (!gelf_update_shdr(section, &shdr)) elf_failed("section");
      names += name + '\0';
    }
    Elf_Scn* section = elf_newscn(handle.elf);
    Elf_Data* data = section ? elf_newdata(section) : nullptr;
    GElf_Shdr shdr;
    if (!data || !gelf_getshdr(section, &shdr)) elf_failed("names");
    shdr.sh_name = static_cast<GElf_Word>(names.size());
    names += std::string(".shstrtab") + '\0';
    data->d_buf = names.data();
    data->d_size = names.size();
    data->d_type = ELF_T_BYTE;
    data->d_align = 1;
    data->d_version = EV_CURRENT;
    shdr.sh_type = SHT_STRTAB;
    if (!gelf_update_shdr(section, &shdr)) elf_failed("names");
    header.e_shstrndx = static_cast<GElf_Half>(elf_ndxscn(section));
    if (!gelf_update_ehdr(handle.elf, &header)) elf_failed("header");
    if (elf_update(handle.elf, ELF_C_WRITE) < 0) elf_failed("write");
  }
  const off_t size = lseek(file.fd, 0, SEEK_END);
  std::vector<uint8_t> out(static_cast<size_t>(size));
  size_t at = 0;
  while (at < out.size()) {
    const ssize_t n = pread(file.fd, out.data() + at, out.size() - at, static_cast<off_t>(at));
    if (n <= 0) throw ObjectError("cannot read the temporary file of the object");
    at += static_cast<size_t>(n);
  }
  return out;
}

std::map<std::string, std::vector<uint8_t>> read_elf(std::span<const uint8_t> image) {
  if (elf_version(EV_CURRENT) == EV_NONE) elf_failed("version");
  std::vector<uint8_t> copy(image.begin(), image.end());  // libelf wants writable memory
  const ElfHandle handle(elf_memory(reinterpret_cast<char*>(copy.data()), copy.size()));
  if (!handle.elf || elf_kind(handle.elf) != ELF_K_ELF) throw ObjectError("no ELF file");
  size_t names = 0;
  if (elf_getshdrstrndx(handle.elf, &names) != 0) elf_failed("section names");
  std::map<std::string, std::vector<uint8_t>> out;
  for (Elf_Scn* section = elf_nextscn(handle.elf, nullptr); section; section = elf_nextscn(handle.elf, section)) {
    GElf_Shdr shdr;
    if (!gelf_getshdr(section, &shdr)) elf_failed("section");
    const char* name = elf_strptr(handle.elf, names, shdr.sh_name);
    if (!name) elf_failed("section name");
    std::vector<uint8_t> bytes;
    for (Elf_Data* data = elf_getdata(section, nullptr); data; data = elf_getdata(section, data))
      if (data->d_buf) bytes.insert(bytes.end(), static_cast<uint8_t*>(data->d_buf), static_cast<uint8_t*>(data->d_buf) + data->d_size);
    if (!out.emplace(name, std::move(bytes)).second) throw ObjectError(std::string("section ") + name + " stands twice");
  }
  return out;
}

uint64_t u64_at(std::span<const uint8_t> bytes, size_t at) {
  uint64_t v = 0;
  for (int i = 0; i < 8; ++i) v |= static_cast<uint64_t>(bytes[at + i]) << (8 * i);
  return v;
}

void check_subroutines(const Program& p) {
  const auto refuse = [](const std::string& why) { throw ObjectError("inconsistent object: " + why); };
  const SubroutineUniform* before = nullptr;
  for (const SubroutineUniform& u : p.subroutines) {
    if (u.index >= isa::limit::subroutine_uniforms) refuse("subroutine uniform out of range");
    if (before && before->index >= u.index) refuse("subroutine uniforms out of order");
    if (u.numbers.empty()) refuse("subroutine uniform without a subroutine");
    for (uint16_t number : u.numbers)
      if (number >= isa::limit::subroutines) refuse("subroutine number out of range");
    before = &u;
  }
  const auto declared = [&p](uint16_t index) {
    for (const SubroutineUniform& u : p.subroutines)
      if (u.index == index) return true;
    return false;
  };
  for (const auto* list : {&p.constants, &p.param_table})
    for (const ConstantSource& c : *list)
      if (c.kind == ConstantSource::Kind::Subroutine && !declared(c.index)) refuse("a constant names a subroutine uniform that is not there");
}

void check(const Program& p) {
  const auto refuse = [](const std::string& why) { throw ObjectError("inconsistent object: " + why); };
  if (p.words.empty()) refuse("no code");
  if (p.words.size() > isa::limit::program_words) refuse("too many words");
  if (p.entry >= p.words.size()) refuse("the entry lies outside the code");
  if (!p.lines.empty() && p.lines.size() != p.words.size()) refuse("the line table does not have one entry per word");
  const std::array<uint32_t, 3> limits{isa::limit::group_x, isa::limit::group_y, isa::limit::group_z};
  uint64_t threads = 1;
  for (int i = 0; i < 3; ++i) {
    if (p.group_size[i] == 0 || p.group_size[i] > limits[i]) refuse("group size out of range");
    threads *= p.group_size[i];
  }
  if (threads > isa::limit::group_x) refuse("too many threads per group");
  if (p.registers > isa::limit::registers) refuse("register window out of range");
  if (p.constants.size() > isa::limit::constants) refuse("too many constants");
  if (p.slots.size() > isa::limit::slots) refuse("too many slots");
  for (const SlotSource& s : p.slots) {
    if (s.kind == SlotSource::Kind::Storage && s.binding >= isa::limit::storage_bindings) refuse("storage binding out of range");
    if (s.kind == SlotSource::Kind::Constant && s.binding >= isa::limit::constant_bindings) refuse("constant buffer binding out of range");
  }
  check_subroutines(p);
}

}  // namespace

uint64_t text_check(std::string_view text) {
  const uint64_t sum = crc64({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  return sum != 0 ? sum : 1;
}

bool looks_like_object(std::span<const uint8_t> bytes) { return bytes.size() >= 4 && std::memcmp(bytes.data(), ELFMAG, SELFMAG) == 0; }

std::vector<uint8_t> write_object(const Program& program) {
  check(program);
  auto sections = sections_of(program);
  std::vector<uint8_t> out = write_elf(sections);
  Writer trailer;
  for (char c : kMark) trailer.u8(static_cast<uint8_t>(c));
  trailer.u64(out.size());
  const auto front = trailer.take();
  out.insert(out.end(), front.begin(), front.end());
  Writer sum;
  sum.u64(crc64(out));
  const auto end = sum.take();
  out.insert(out.end(), end.begin(), end.end());
  return out;
}

Program read_object(std::span<const uint8_t> bytes) {
  if (bytes.empty()) throw ObjectError("the file is empty");
  if (!looks_like_object(bytes)) throw ObjectError("not a Maskwork object (no ELF file)");
  if (bytes.size() < kElfHeader) throw ObjectError("truncated: " + std::to_string(bytes.size()) + " bytes are less than an ELF header");
  const bool whole = bytes.size() >= kElfHeader + kTrailer && std::memcmp(bytes.data() + bytes.size() - kTrailer, kMark, sizeof kMark) == 0;
  const bool ours = (bytes[18] | (bytes[19] << 8)) == kMachine;
  if (!whole && !ours) throw ObjectError("not a Maskwork object (an ELF file for another machine)");
  if (!whole) throw ObjectError("truncated or altered: the end mark is missing");
  if (crc64(bytes.first(bytes.size() - 8)) != u64_at(bytes, bytes.size() - 8)) throw ObjectError("altered: the checksum does not match");
  if (u64_at(bytes, bytes.size() - 16) != bytes.size() - kTrailer) throw ObjectError("altered: the length does not match");
  if (!ours) throw ObjectError("not a Maskwork object (an ELF file for another machine)");
  auto sections = read_elf(bytes.first(bytes.size() - kTrailer));
  const auto section = [&](const char* name) {
    const auto it = sections.find(name);
    if (it == sections.end()) throw ObjectError(std::string("section ") + name + " is missing");
    return Reader(it->second, name);
  };
  Program p;
  Reader info = section(".mw.info");
  const uint32_t version = info.u32();
  if (version != isa::object_version)
    throw ObjectError("object version " + std::to_string(version) + "; this program reads version " + std::to_string(isa::object_version));
  p.entry = info.u32();
  for (uint32_t& g : p.group_size) g = info.u32();
  p.shared_bytes = info.u32();
  p.registers = info.u32();
  const uint32_t full = info.u32();
  if (full > 1) throw ObjectError("inconsistent object: flow mode " + std::to_string(full));
  p.full_flow = full != 0;
  p.bools = info.u32();
  const bool has_lines = info.u32() != 0;
  p.source_name = info.text();
  p.source_check = info.u64();
  info.done();
  Reader code = section(".mw.code");
  p.words.resize(code.entries(16));
  for (isa::Word& w : p.words) {
    w.lo = code.u64();
    w.hi = code.u64();
  }
  Reader lines = section(".mw.lines");
  p.lines.resize(lines.entries(8));
  for (LineEntry& l : p.lines) {
    l.line = lines.u32();
    l.column = lines.u32();
  }
  if (has_lines != !p.lines.empty()) throw ObjectError("inconsistent object: line table");
  Reader constants = section(".mw.const");
  for (size_t n = constants.entries(kSourceEntry); n != 0; --n) p.constants.push_back(read_source(constants));
  Reader slots = section(".mw.slots");
  for (size_t n = slots.entries(16); n != 0; --n) {
    SlotSource s;
    const uint32_t kind = slots.u32();
    if (kind > static_cast<uint32_t>(SlotSource::Kind::Constant)) throw ObjectError("unknown kind of slot: " + std::to_string(kind));
    s.kind = static_cast<SlotSource::Kind>(kind);
    s.binding = slots.u32();
    s.offset = slots.u32();
    s.size = slots.u32();
    p.slots.push_back(s);
  }
  Reader params = section(".mw.params");
  for (size_t n = params.entries(kSourceEntry); n != 0; --n) p.param_table.push_back(read_source(params));
  Reader subroutines = section(".mw.subs");
  for (uint32_t n = subroutines.u32(); n != 0; --n) {
    SubroutineUniform u;
    u.index = subroutines.u16("number of a subroutine uniform");
    for (uint32_t k = subroutines.u32(); k != 0; --k) u.numbers.push_back(subroutines.u16("number of a subroutine"));
    p.subroutines.push_back(std::move(u));
  }
  subroutines.done();
  check(p);
  return p;
}

}  // namespace maskwork
