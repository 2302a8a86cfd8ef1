// Microcode text of a program.
#include <charconv>
#include <cstring>
#include <map>

#include "maskwork/asm/assembler.hpp"
#include "microcode.hpp"
#include "text.hpp"

namespace maskwork {
namespace {

namespace f = isa::field;
using text::kComponents;

std::string hex(uint64_t v, int digits) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out = "0x";
  for (int i = digits - 1; i >= 0; --i) out += kDigits[(v >> (4 * i)) & 15];
  return out;
}

std::string raw(const isa::Word& w) { return ".word " + hex(w.hi, 16) + hex(w.lo, 16).substr(2); }

/// A literal that reads back as the same bits.
std::string literal(uint32_t bits, bool is_float) {
  if (!is_float) {
    if (bits < 0x10000u) return std::to_string(bits);
    if (bits >= 0xffff0000u) return "(-" + std::to_string(0u - bits) + ")";
    return hex(bits, 8);
  }
  float value;
  std::memcpy(&value, &bits, 4);
  if (value != value || value - value != 0.0f || bits == 0x80000000u) return hex(bits, 8);
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value < 0 ? -value : value).ptr;
  std::string out(buffer, end);
  if (out.find_first_of(".e") == std::string::npos) out += ".0";
  return value < 0 ? "(-" + out + ")" : out;
}

std::string components(uint32_t mask) {
  std::string out;
  for (unsigned c = 0; c < 4; ++c)
    if ((mask >> c) & 1) out += kComponents[c];
  return out;
}

std::string condition(const isa::Word& w) {
  const uint32_t test = isa::get(w, f::pred_test);
  if (test == 0) return {};
  const std::string name(isa::to_string(static_cast<isa::Test>(test)));
  if (test == 1) return " if(" + name + ")";
  return " if(" + name + " cc" + std::to_string(isa::get(w, f::pred_cc)) + "." + components(isa::get(w, f::pred_mask)) + ")";
}

std::string semaphores(const isa::Word& w) {
  std::string out;
  const uint32_t wait = isa::get(w, f::sem_wait);
  if (wait != 0) out += wait == 1 ? " wait(axi)" : wait == 2 ? " wait(shared)" : " wait(axi,shared)";
  if (isa::info(w).format == isa::Format::Mem && isa::get(w, f::sem_acquire)) out += " acquire";
  if (isa::get(w, f::last)) out += " last";
  return out;
}

std::string source(const isa::Word& w, int i, std::string_view relative) {
  const text::SourceFields& at = text::kSources[i];
  const uint32_t idx = isa::get(w, at.idx), imm = isa::get(w, f::imm);
  std::string s;
  switch (static_cast<isa::File>(isa::get(w, at.file))) {
    case isa::File::GPR: s = "r" + std::to_string(idx); break;
    case isa::File::GPR_REL: s = "r" + std::to_string(idx) + "[" + std::string(relative) + "]"; break;
    case isa::File::SPECIAL: s = text::lower(isa::to_string(static_cast<isa::Special>(idx))); break;
    case isa::File::IMM:
      if (!isa::get(w, f::imm_const)) s = literal(imm, isa::get(w, isa::info(w).cvt ? f::cvt_src : f::type) == static_cast<uint32_t>(isa::Type::F32));
      else if (imm >= isa::limit::uniform_base) s = text::lower(isa::to_string(static_cast<isa::Uniform>(imm - isa::limit::uniform_base)));
      else s = "c" + std::to_string(imm);
      break;
  }
  if (isa::get(w, at.abs)) s = "|" + s + "|";
  return isa::get(w, at.neg) ? "-" + s : s;
}

std::string type_name(uint32_t type) { return std::string(isa::to_string(static_cast<isa::Type>(type))); }

std::string alu(const isa::Word& w) {
  const isa::OpInfo& info = isa::info(w);
  std::string out(info.name);
  out += "." + type_name(isa::get(w, f::type));
  if (info.cvt) out += "." + type_name(isa::get(w, f::cvt_src));
  if (info.cvt || info.rnd) out += "." + std::string(isa::to_string(static_cast<isa::Round>(isa::get(w, f::cvt_round))));
  if (const uint32_t clamp = isa::get(w, f::clamp); clamp != 0) out += "." + std::string(isa::to_string(static_cast<isa::Clamp>(clamp)));
  const std::string_view relative = text::kRelative[isa::get(w, f::rel_sel)];
  std::string operands;
  const auto add = [&](const std::string& s) { operands += (operands.empty() ? " " : ", ") + s; };
  if (!info.nodst) {
    if (!isa::get(w, f::dst_en)) add("-");
    else add("r" + std::to_string(isa::get(w, f::dst)) + (isa::get(w, f::dst_rel) ? "[" + std::string(relative) + "]" : ""));
  }
  const bool used[3] = {info.srcs_a, info.srcs_b, info.srcs_c};
  for (int i = 0; i < 3; ++i)
    if (used[i]) add(source(w, i, relative));
  out += operands;
  if (const uint32_t cc = isa::get(w, f::cc_dst); cc < 3) out += " cc" + std::to_string(cc) + "." + kComponents[isa::get(w, f::cc_comp)] + "=";
  const char chain = kComponents[isa::get(w, f::chain_comp)];
  if (isa::get(w, f::chain_carry)) out += std::string(" carry(") + chain + ")";
  if (isa::get(w, f::chain_zero)) out += std::string(" zero(") + chain + ")";
  if (isa::get(w, f::alu_we)) out += " alu";
  if (isa::get(w, f::write_inactive)) out += " all";
  return out + condition(w) + semaphores(w);
}

std::string memory(const isa::Word& w) {
  const isa::OpInfo& info = isa::info(w);
  std::string out(info.name);
  if (info.kind == isa::Kind::Atomic) out += "." + std::string(isa::to_string(static_cast<isa::Atom>(isa::get(w, f::atom_op))));
  out += "." + type_name(isa::get(w, f::type));
  if (info.kind == isa::Kind::Fence) return out + semaphores(w);
  if (info.kind == isa::Kind::Check) return out + " r" + std::to_string(isa::get(w, f::a_idx)) + condition(w) + semaphores(w);
  const uint32_t size = isa::get(w, f::mem_size);
  if (size != 0) out += size == 1 ? "X2" : "X4";
  std::string address;
  if (info.unit == isa::Unit::Axi && !info.global) address = "s" + std::to_string(isa::get(w, f::slot));
  const uint32_t imm = isa::get(w, f::imm);
  const bool by_register = isa::get(w, f::a_file) == static_cast<uint32_t>(isa::File::GPR);
  address += "[";
  if (by_register) address += "r" + std::to_string(isa::get(w, f::a_idx));
  if (by_register && imm != 0) address += " + ";
  if (!by_register || imm != 0) address += imm < 0x10000u ? std::to_string(imm) : hex(imm, 8);
  address += "]";
  const std::string dst = isa::get(w, f::dst_en) ? "r" + std::to_string(isa::get(w, f::dst)) : "-";
  const std::string data = "r" + std::to_string(isa::get(w, f::b_idx));
  if (info.kind == isa::Kind::Load) out += " " + dst + ", " + address;
  else if (info.kind == isa::Kind::Store) out += " " + address + ", " + data;
  else out += " " + dst + ", " + address + ", " + data;
  const uint32_t mask = isa::get(w, f::mem_mask);
  if (mask != (size == 0 ? 1u : size == 1 ? 3u : 15u)) out += " mask(" + components(mask) + ")";
  return out + condition(w) + semaphores(w);
}

std::string flow(const isa::Word& w, const std::map<uint32_t, std::string>* labels) {
  const isa::OpInfo& info = isa::info(w);
  std::string out(info.name);
  const auto op = static_cast<isa::Op>(isa::get(w, f::op));
  const bool plain = op == isa::Op::BAR || op == isa::Op::MEMBAR || op == isa::Op::MEMBAR_CTA || op == isa::Op::NOP || op == isa::Op::END;
  if (!plain) {
    const uint32_t target = isa::get(w, f::target);
    const auto label = labels ? labels->find(target) : std::map<uint32_t, std::string>::const_iterator{};
    out += " " + (labels && label != labels->end() ? label->second : std::to_string(target));
    out += " func(" + hex(isa::get(w, f::jump_func), 2).substr(2) + ")";
    if (isa::get(w, f::jump_any)) out += " any";
    if (isa::get(w, f::b_else)) out += " else";
    if (const uint32_t a = isa::get(w, f::a_op); a != 0) out += " " + text::lower(isa::to_string(static_cast<isa::Aop>(a)));
    if (const uint32_t b = isa::get(w, f::b_op0); b != 0) out += " stay(" + text::lower(isa::to_string(static_cast<isa::Bop>(b))) + ")";
    if (const uint32_t b = isa::get(w, f::b_op1); b != 0) out += " jump(" + text::lower(isa::to_string(static_cast<isa::Bop>(b))) + ")";
    if (const uint32_t n = isa::get(w, f::b_pop); n != 0) out += " levels(" + std::to_string(n) + ")";
    if (const uint32_t n = isa::get(w, f::bool_idx); n != 0) out += " bool(" + std::to_string(n) + ")";
    if (isa::get(w, f::endless)) out += " endless";
    if (const uint32_t n = isa::get(w, f::imm); n != 0) out += " count(" + std::to_string(n) + ")";
    const auto signed_field = [&](const char* name, isa::Field field) {
      const uint32_t v = isa::get(w, field);
      if (v == 0) return;
      const int32_t value = static_cast<int32_t>(v << (32 - field.bits)) >> (32 - field.bits);
      out += std::string(" ") + name + "(" + std::to_string(value) + ")";
    };
    signed_field("al", f::al_init);
    signed_field("step", f::al_step);
  }
  return out + condition(w) + semaphores(w);
}

std::string word_text(const isa::Word& w, bool full, const std::map<uint32_t, std::string>* labels) {
  if (isa::bad_word(w, full)) return raw(w);
  switch (isa::info(w).format) {
    case isa::Format::Alu: return alu(w);
    case isa::Format::Mem: return memory(w);
    default: return flow(w, labels);
  }
}

std::string source_text(const ConstantSource& c) {
  if (c.kind == ConstantSource::Kind::Literal) {
    // Index and component mean nothing here; a program that has them keeps them.
    std::string out = "literal " + hex(c.literal, 8);
    if (c.index != 0 || c.component != 0) out += " " + std::to_string(c.index) + " " + std::to_string(c.component);
    return out;
  }
  if (c.kind == ConstantSource::Kind::Subroutine) {
    std::string out = "subroutine " + std::to_string(c.index);
    if (c.component != 0 || c.literal != 0) out += std::string(" ") + kComponents[c.component & 3];
    return c.literal != 0 ? out + " " + hex(c.literal, 8) : out;
  }
  std::string out = c.kind == ConstantSource::Kind::Local ? "local " : "env ";
  out += std::to_string(c.index) + " " + kComponents[c.component & 3];
  if (c.literal != 0) out += " " + hex(c.literal, 8);
  return out;
}

std::string quoted(const std::string& s) {
  std::string out = "\"";
  for (char c : s) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      out += "\\x" + hex(static_cast<unsigned char>(c), 2).substr(2);
      continue;
    }
    out += c;
  }
  return out + "\"";
}

}  // namespace

std::string disassemble_word(const isa::Word& word, bool full) { return word_text(word, full, nullptr); }

std::string disassemble(const Program& p) {
  std::string out = std::string(text::kHeader) + "\n";
  const auto line = [&](const std::string& s) { out += s + "\n"; };
  if (!p.source_name.empty()) line(".source " + quoted(p.source_name) + (p.source_check != 0 ? " " + hex(p.source_check, 16) : ""));
  line(".group " + std::to_string(p.group_size[0]) + " " + std::to_string(p.group_size[1]) + " " + std::to_string(p.group_size[2]));
  line(".registers " + std::to_string(p.registers));
  if (p.shared_bytes != 0) line(".shared " + std::to_string(p.shared_bytes));
  line(std::string(".flow ") + (p.full_flow ? "full" : "partial"));
  if (p.bools != 0) line(".bools " + hex(p.bools, 8));
  if (p.entry != 0) line(".entry " + std::to_string(p.entry));
  if (!p.lines.empty()) line(".lines");
  for (size_t i = 0; i < p.constants.size(); ++i) line(".const " + source_text(p.constants[i]) + "  # c" + std::to_string(i));
  for (size_t i = 0; i < p.slots.size(); ++i) {
    const SlotSource& s = p.slots[i];
    std::string text = s.kind == SlotSource::Kind::Storage ? ".slot storage " : s.kind == SlotSource::Kind::Constant ? ".slot constant " : ".slot params ";
    text += std::to_string(s.binding) + " " + std::to_string(s.offset) + " " + (s.size == 0xffffffffu ? "rest" : std::to_string(s.size));
    line(text + "  # s" + std::to_string(i));
  }
  for (const ConstantSource& c : p.param_table) line(".param " + source_text(c));
  for (const SubroutineUniform& s : p.subroutines) {
    std::string text = ".subroutine " + std::to_string(s.index);
    for (const uint16_t n : s.numbers) text += " " + std::to_string(n);
    line(text);
  }
  std::map<uint32_t, std::string> labels;
  for (const isa::Word& w : p.words) {
    if (isa::bad_word(w, p.full_flow) || isa::info(w).format != isa::Format::Flow) continue;
    const uint32_t target = isa::get(w, f::target), func = isa::get(w, f::jump_func);
    const auto op = static_cast<isa::Op>(isa::get(w, f::op));
    const bool plain = op == isa::Op::BAR || op == isa::Op::MEMBAR || op == isa::Op::MEMBAR_CTA || op == isa::Op::NOP || op == isa::Op::END;
    const bool unused = target == 0 && (isa::get(w, f::a_op) == static_cast<uint32_t>(isa::Aop::POP) || func == 0);
    if (!plain && !unused && target < p.words.size()) labels.try_emplace(target, "L" + std::to_string(target));
  }
  for (uint32_t i = 0; i < p.words.size(); ++i) {
    if (const auto label = labels.find(i); label != labels.end()) line(label->second + ":");
    std::string text = "    " + word_text(p.words[i], p.full_flow, &labels);
    if (i < p.lines.size() && p.lines[i] != LineEntry{}) text += " @" + std::to_string(p.lines[i].line) + ":" + std::to_string(p.lines[i].column);
    line(text);
  }
  return out;
}

}  // namespace maskwork
