#include "random_words.hpp"

#include <algorithm>
#include <bitset>

#include "maskwork/device.hpp"
#include "maskwork/verif/random.hpp"
#include "words.hpp"

namespace maskwork::suite {

namespace {

using verif::Random;
namespace f = isa::field;

// Values that arithmetic units get wrong.
constexpr uint32_t corners[] = {0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000, 0x00ffffff, 0x3f800000, 0xbf800000,
                                0x3f800001, 0x3f7fffff, 0x40000000, 0xc0000000, 0x3f000000, 0xbf000000, 0x3effffff, 0x3f000001, 0x4b000000, 0x4b7fffff, 0x4b800000,
                                0x4effffff, 0x4f000000, 0x4f7fffff, 0x4f800000, 0xcf000000, 0xcf000001, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000,
                                0xffc00000, 0x7f800001, 0x7fbfffff, 0xffffffff, 0x7fffffff, 0x0000001f, 0x00000020, 0x00000021, 0x0000ffff, 0x00010000, 0xffff0000};

uint32_t corner(Random& r) {
  const uint32_t v = corners[r.below(std::size(corners))];
  return r.chance(64) ? v + r.range(0, 4) - 2 : v;
}
uint32_t value(Random& r) { return r.chance(128) ? corner(r) : r.chance(128) ? r.below(64) : static_cast<uint32_t>(r.next()); }

constexpr isa::Op alu_ops[] = {isa::Op::MOV, isa::Op::ADD, isa::Op::MUL, isa::Op::MULHI, isa::Op::MAD, isa::Op::MIN, isa::Op::MAX, isa::Op::SEQ,
                               isa::Op::SNE, isa::Op::SLT, isa::Op::SLE, isa::Op::SGT, isa::Op::SGE, isa::Op::CMP, isa::Op::AND, isa::Op::OR,
                               isa::Op::XOR, isa::Op::NOT, isa::Op::SHL, isa::Op::SHR, isa::Op::CVT, isa::Op::RNDI, isa::Op::MOVA};

constexpr isa::Op special_ops[] = {isa::Op::RCP,    isa::Op::RSQ,      isa::Op::EX2,    isa::Op::LG2,   isa::Op::SIN,     isa::Op::COS,    isa::Op::DIV,    isa::Op::MOD,
                                   isa::Op::BFR,    isa::Op::BTC,      isa::Op::BTFL,   isa::Op::BTFM,  isa::Op::PKH,     isa::Op::UPHL,   isa::Op::UPHH,   isa::Op::TGALL,
                                   isa::Op::TGANY,  isa::Op::TGEQ,     isa::Op::TGBALLOT, isa::Op::SHFIDX, isa::Op::SHFUP, isa::Op::SHFDOWN, isa::Op::SHFXOR, isa::Op::RNGIDX,
                                   isa::Op::RNGUP,  isa::Op::RNGDOWN,  isa::Op::RNGXOR};

using Registers = std::bitset<1024 + 4>;

class Generator {
 public:
  Generator(uint64_t seed, uint32_t max_threads) : r_(seed), max_threads_(max_threads) {}
  RandomProgram make();

 private:
  void emit(const isa::Word& w) { out_.program.words.push_back(w); }
  uint32_t reg() { return r_.below(registers_); }
  void predicate(isa::Word& w);
  void source(isa::Word& w, isa::Field file, isa::Field idx, isa::Field neg, isa::Field abs, bool& used_imm, bool& used_rel);
  void alu(isa::Op op);
  void any_alu() { alu(alu_ops[r_.below(std::size(alu_ops))]); }
  void memory();
  void open_if();
  void turn_else();
  void close_if();
  void close_batches();
  /// Makes it legal to emit `w` although loads are under way: adds waits, and a fence in front if need be.
  void wait_for_pending(isa::Word& w);
  bool touches(const isa::Word& w, const Registers& registers) const;
  void waited(uint32_t sem_wait);
  void load_begins(const isa::Word& w, uint32_t s);

  Random r_;
  uint32_t max_threads_;
  RandomProgram out_;
  uint32_t registers_ = 8;
  struct Block {
    size_t jump;       // the IF's word, whose target is patched
    bool has_else;
  };
  std::vector<Block> blocks_;
  // Per semaphore: registers of loads since the last ACQUIRE, and of loads that an ACQUIRE covers but no WAIT has ended.
  Registers fresh_[2], covered_[2];
};

void Generator::predicate(isa::Word& w) {
  if (r_.chance(150)) return;
  const uint32_t test = r_.below(18);
  isa::set(w, f::pred_test, test);
  if (test < 2) return;
  isa::set(w, f::pred_cc, r_.below(3));
  isa::set(w, f::pred_mask, 1u << r_.below(4));
}

void Generator::source(isa::Word& w, isa::Field file, isa::Field idx, isa::Field neg, isa::Field abs, bool& used_imm, bool& used_rel) {
  const uint32_t kind = r_.below(16);
  if (kind < 9) {
    isa::set(w, idx, reg());
  } else if (kind < 10) {
    isa::set(w, file, static_cast<uint32_t>(isa::File::GPR_REL));
    isa::set(w, idx, reg());
    used_rel = true;
  } else if (kind < 14) {
    isa::set(w, file, static_cast<uint32_t>(isa::File::IMM));
    used_imm = true;
  } else {
    isa::set(w, file, static_cast<uint32_t>(isa::File::SPECIAL));
    isa::set(w, idx, r_.below(5));
  }
  isa::set(w, neg, r_.chance(64));
  isa::set(w, abs, r_.chance(40));
}

bool Generator::touches(const isa::Word& w, const Registers& registers) const {
  if (registers.none()) return false;
  const isa::OpInfo& info = isa::info(w);
  const auto range = [&](uint32_t first, uint32_t n) {
    for (uint32_t i = 0; i < n; ++i)
      if (registers[std::min<uint32_t>(first + i, 1023)]) return true;
    return false;
  };
  if (info.format == isa::Format::Flow) return true;  // generators of blocks want everything done
  if (info.format == isa::Format::Mem)
    return range(isa::get(w, f::a_idx), 1) || (info.kind != isa::Kind::Load && range(isa::get(w, f::b_idx), 4)) || (isa::get(w, f::dst_en) && range(isa::get(w, f::dst), 4));
  const auto relative = [&](isa::Field file) { return isa::get(w, file) == static_cast<uint32_t>(isa::File::GPR_REL); };
  if (relative(f::a_file) || relative(f::b_file) || relative(f::c_file) || isa::get(w, f::dst_rel)) return true;
  const auto direct = [&](isa::Field file, isa::Field idx) { return isa::get(w, file) == static_cast<uint32_t>(isa::File::GPR) && range(isa::get(w, idx), 1); };
  return (info.srcs_a && direct(f::a_file, f::a_idx)) || (info.srcs_b && direct(f::b_file, f::b_idx)) || (info.srcs_c && direct(f::c_file, f::c_idx)) ||
         (isa::get(w, f::dst_en) && range(isa::get(w, f::dst), 1));
}

void Generator::waited(uint32_t sem_wait) {
  for (uint32_t s = 0; s < 2; ++s)
    if (sem_wait >> s & 1) covered_[s].reset();
}

void Generator::wait_for_pending(isa::Word& w) {
  uint32_t wait = r_.chance(12) ? r_.below(4) : 0;  // some waits for nothing
  for (uint32_t s = 0; s < 2; ++s) {
    if (touches(w, fresh_[s])) {
      emit(word(s == 0 ? isa::Op::FENCE_AXI : isa::Op::FENCE_SHARED,
                {{f::type, static_cast<uint32_t>(isa::Type::U32)}, {f::sem_acquire, 1}, {f::sem_wait, 1u << s}}));
      covered_[s] = fresh_[s];
      fresh_[s].reset();
    }
    if (touches(w, covered_[s])) wait |= 1u << s;
  }
  isa::set(w, f::sem_wait, isa::get(w, f::sem_wait) | wait);
  waited(isa::get(w, f::sem_wait));
}

void Generator::load_begins(const isa::Word& w, uint32_t s) {
  if (isa::get(w, f::dst_en))
    for (uint32_t k = 0; k < 4; ++k)
      if (isa::get(w, f::mem_mask) >> k & 1) fresh_[s].set(isa::get(w, f::dst) + k);
  if (!isa::get(w, f::sem_acquire)) return;
  covered_[s] |= fresh_[s];
  fresh_[s].reset();
}

void Generator::alu(isa::Op op) {
  // Rejection instead of rules: a draw that is a bad word is drawn again.
  for (int attempt = 0; attempt < 1000; ++attempt) {
    const isa::OpInfo& info = isa::info(op);
    const bool special = info.unit == isa::Unit::Special;
    isa::Type type;
    do type = static_cast<isa::Type>(r_.below(3));
    while (!(info.types >> static_cast<uint32_t>(type) & 1));
    isa::Word w = alu_word(op, type);
    bool imm = false, rel = false;
    if (info.srcs_a) source(w, f::a_file, f::a_idx, f::a_neg, f::a_abs, imm, rel);
    if (info.srcs_b) source(w, f::b_file, f::b_idx, f::b_neg, f::b_abs, imm, rel);
    if (info.srcs_c) source(w, f::c_file, f::c_idx, f::c_neg, f::c_abs, imm, rel);
    if (imm) {
      const bool constant = r_.chance(96);
      isa::set(w, f::imm_const, constant);
      isa::set(w, f::imm, !constant ? value(r_) : r_.chance(128) ? isa::limit::uniform_base + r_.below(13) : r_.below(static_cast<uint32_t>(out_.program.constants.size())));
    }
    if (special)
      for (const isa::Field field : {f::a_neg, f::a_abs, f::b_neg, f::b_abs, f::c_neg, f::c_abs}) isa::set(w, field, 0);
    if (!info.nodst && (special || r_.chance(240))) {
      isa::set(w, f::dst_en, 1);
      isa::set(w, f::dst, r_.chance(4) ? r_.below(1024) : reg());  // now and then outside the window
      if (!special && r_.chance(12)) {
        isa::set(w, f::dst_rel, 1);
        rel = true;
      }
    }
    if (rel) isa::set(w, f::rel_sel, r_.chance(160) ? 0 : 1 + r_.below(2));
    if (!info.nocc && !special && r_.chance(110)) {
      isa::set(w, f::cc_dst, r_.below(3));
      isa::set(w, f::cc_comp, r_.below(4));
      isa::set(w, f::chain_zero, r_.chance(50));
    }
    if (info.chain && type != isa::Type::F32) isa::set(w, f::chain_carry, r_.chance(90));
    if (isa::get(w, f::chain_zero) || isa::get(w, f::chain_carry)) isa::set(w, f::chain_comp, r_.below(4));
    if (!special && r_.chance(50)) isa::set(w, f::clamp, 1 + r_.below(2));
    if (info.cmp) isa::set(w, f::alu_we, r_.chance(60));
    if (info.cvt) isa::set(w, f::cvt_src, r_.below(3));
    if (info.cvt || info.rnd) isa::set(w, f::cvt_round, r_.below(4));
    isa::set(w, f::write_inactive, !special && r_.chance(20));
    isa::set(w, f::last, r_.chance(128));
    predicate(w);
    if (isa::bad_word(w, out_.program.full_flow)) continue;
    wait_for_pending(w);
    emit(w);
    return;
  }
}

void Generator::memory() {
  const bool shared = r_.chance(128) && out_.program.shared_bytes != 0;
  const uint32_t kind = r_.below(3);
  const uint32_t size = kind == 2 ? 0 : r_.below(3);  // atomics move one word
  const uint32_t s = shared ? 1 : 0;
  const bool global = !shared && r_.chance(60);
  // An aligned address, usually inside, sometimes far out; the register must not be in the window of a load's destination.
  const uint32_t slot = global ? 0 : r_.below(static_cast<uint32_t>(out_.program.slots.size()));
  const uint32_t bytes = shared ? out_.program.shared_bytes : static_cast<uint32_t>(4 * out_.storage[slot].size());
  uint32_t mask = 1;
  while (2 * mask < bytes) mask *= 2;
  mask = ((global ? mask / 4 : 4 * mask) - 1) & ~((4u << size) - 1);  // there is no memory around a global access
  if (r_.chance(100)) mask &= 0x7f;  // crowded: conflicts, equal addresses
  const uint32_t address = reg();
  isa::Word w = alu_word(isa::Op::AND, isa::Type::U32,
                         {{f::dst_en, 1}, {f::dst, address}, {f::b_file, static_cast<uint32_t>(isa::File::IMM)}, {f::imm, mask}, {f::write_inactive, r_.chance(100)}});
  if (r_.chance(100)) {
    isa::set(w, f::a_file, static_cast<uint32_t>(isa::File::SPECIAL));
    isa::set(w, f::a_idx, static_cast<uint32_t>(isa::Special::LOCALINDEX));
    w = alu_word(isa::Op::SHL, isa::Type::U32,
                 {{f::dst_en, 1}, {f::dst, address}, {f::a_file, static_cast<uint32_t>(isa::File::SPECIAL)}, {f::a_idx, static_cast<uint32_t>(isa::Special::LOCALINDEX)},
                  {f::b_file, static_cast<uint32_t>(isa::File::IMM)}, {f::imm, 2 + size}, {f::write_inactive, 1}});
  } else {
    isa::set(w, f::a_idx, reg());
    isa::set(w, f::write_inactive, 1);
  }
  if (global) {
    // The first buffer lies where the memory begins.
    w = alu_word(isa::Op::AND, isa::Type::U32,
                 {{f::dst_en, 1}, {f::dst, address}, {f::a_idx, reg()}, {f::b_file, static_cast<uint32_t>(isa::File::IMM)}, {f::imm, mask}, {f::write_inactive, 1}});
    wait_for_pending(w);
    emit(w);
    w = alu_word(isa::Op::ADD, isa::Type::U32,
                 {{f::dst_en, 1}, {f::dst, address}, {f::a_idx, address}, {f::b_file, static_cast<uint32_t>(isa::File::IMM)}, {f::imm, Memory::first_address}, {f::write_inactive, 1}});
  }
  wait_for_pending(w);
  emit(w);
  if (global) {
    isa::Word check = word(isa::Op::CKA, {{f::type, static_cast<uint32_t>(isa::Type::U32)}, {f::a_idx, registers_ + r_.below(8)}});  // outside the window: 0
    wait_for_pending(check);
    emit(check);
  }

  const isa::Op ops[3][3] = {
      {isa::Op::LDB, isa::Op::STB, isa::Op::ATOMB}, {isa::Op::LDS, isa::Op::STS, isa::Op::ATOMS}, {isa::Op::LDG, isa::Op::STG, isa::Op::ATOMG}};
  for (uint32_t i = 0; i < 1 + r_.below(3); ++i) {
    isa::Word m = word(ops[global ? 2 : s][kind], {{f::type, static_cast<uint32_t>(isa::Type::U32)}, {f::a_idx, address}, {f::mem_size, size}, {f::slot, shared || global ? 0 : slot}});
    const uint32_t full = size == 0 ? 1 : size == 1 ? 3 : 15;
    isa::set(m, f::mem_mask, r_.chance(128) ? full : 1 + r_.below(full));
    if (!global) isa::set(m, f::imm, r_.chance(40) ? 0u - (4u << size) : r_.below(8) * (4u << size));
    if (kind == 2) {
      isa::set(m, f::mem_mask, 1);
      isa::set(m, f::atom_op, r_.below(10));
      const bool wraps = isa::get(m, f::atom_op) == static_cast<uint32_t>(isa::Atom::IWRAP) || isa::get(m, f::atom_op) == static_cast<uint32_t>(isa::Atom::DWRAP);
      const bool floats = isa::get(m, f::atom_op) == static_cast<uint32_t>(isa::Atom::ADD) || isa::get(m, f::atom_op) == static_cast<uint32_t>(isa::Atom::EXCH);
      isa::set(m, f::type, static_cast<uint32_t>(floats && r_.chance(128) ? isa::Type::F32 : r_.chance(128) && !wraps ? isa::Type::S32 : isa::Type::U32));
    }
    if (kind == 0 || (kind == 2 && r_.chance(180))) {
      isa::set(m, f::dst_en, 1);
      // Not into the address, which the next word of this batch reads.
      uint32_t dst = reg();
      while (dst <= address && address < dst + 4) dst = r_.below(registers_ + 4);
      isa::set(m, f::dst, dst);
    }
    if (kind != 0) isa::set(m, f::b_idx, reg());
    predicate(m);
    if (r_.chance(90)) {
      isa::set(m, f::sem_acquire, 1);
      isa::set(m, f::sem_wait, 1u << s);
    }
    if (isa::bad_word(m, out_.program.full_flow)) continue;
    wait_for_pending(m);
    load_begins(m, s);
    emit(m);
  }
}

void Generator::close_batches() {
  isa::Word nop = word(isa::Op::NOP);
  wait_for_pending(nop);
  if (isa::get(nop, f::sem_wait) != 0) emit(nop);
}

void Generator::open_if() {
  if (blocks_.size() >= 4) return;
  close_batches();
  // Jump over the block if nobody wants in: the vote is "all want to jump", a thread wants if its predicate is false.
  isa::Word w = word(isa::Op::JUMP, {{f::jump_func, 0x33}, {f::b_op0, static_cast<uint32_t>(isa::Bop::INCR)}, {f::b_op1, static_cast<uint32_t>(isa::Bop::INCR)}});
  const uint32_t test = 2 + r_.below(16);
  isa::set(w, f::pred_test, test);
  isa::set(w, f::pred_cc, r_.below(3));
  isa::set(w, f::pred_mask, 1 + r_.below(15));
  blocks_.push_back({out_.program.words.size(), false});
  emit(w);
}

void Generator::turn_else() {
  if (blocks_.empty() || blocks_.back().has_else) return;
  close_batches();
  Block& b = blocks_.back();
  // Whoever jumped at the IF comes here: the word swaps the threads of the level.
  isa::set(out_.program.words[b.jump], f::target, static_cast<uint32_t>(out_.program.words.size()));
  isa::set(out_.program.words[b.jump], f::b_op1, static_cast<uint32_t>(isa::Bop::INCR));
  b.has_else = true;
  emit(word(isa::Op::JUMP, {{f::b_else, 1}, {f::jump_any, 1}}));
}

void Generator::close_if() {
  if (blocks_.empty()) return;
  close_batches();
  const Block b = blocks_.back();
  blocks_.pop_back();
  if (!b.has_else) isa::set(out_.program.words[b.jump], f::target, static_cast<uint32_t>(out_.program.words.size()));
  emit(word(isa::Op::JUMP, {{f::jump_any, 1}, {f::b_op0, static_cast<uint32_t>(isa::Bop::DECR)}, {f::b_pop, 1}}));
}

RandomProgram Generator::make() {
  Program& p = out_.program;
  p.source_name = "random";
  registers_ = 4 + r_.below(13);
  p.registers = registers_;
  p.group_size = {1 + r_.below(max_threads_), 1, 1};
  if (r_.chance(80) && max_threads_ >= 64) p.group_size = {1 + r_.below(7), 1 + r_.below(3), 1 + r_.below(3)};
  p.full_flow = r_.chance(100);
  p.bools = static_cast<uint32_t>(r_.next());
  p.shared_bytes = r_.chance(40) ? 0 : 4 * (1 + r_.below(256));
  for (uint32_t i = 0; i < 1 + r_.below(12); ++i) p.constants.push_back({ConstantSource::Kind::Literal, value(r_), 0, 0});
  for (uint32_t b = 0; b < 1 + r_.below(3); ++b) {
    p.slots.push_back({SlotSource::Kind::Storage, b, 0, 0xffffffffu});
    std::vector<uint32_t> words(4 + r_.below(200));
    for (uint32_t& w : words) w = value(r_);
    out_.storage.push_back(std::move(words));
  }
  out_.groups = 1 + r_.below(3);
  // Corner values into the registers, different from thread to thread.
  for (uint32_t i = 0; i < registers_; ++i)
    if (r_.chance(200)) {
      isa::Word w = alu_word(isa::Op::MOV, isa::Type::U32, {{f::dst_en, 1}, {f::dst, i}, {f::a_file, static_cast<uint32_t>(isa::File::IMM)}, {f::imm, corner(r_)}});
      predicate(w);
      emit(w);
    }
  const uint32_t length = 30 + r_.below(120);
  for (uint32_t i = 0; i < length; ++i) {
    const uint32_t what = r_.below(100);
    if (what < 60)
      any_alu();
    else if (what < 72)
      alu(special_ops[r_.below(std::size(special_ops))]);
    else if (what < 90)
      memory();
    else if (what < 94)
      open_if();
    else if (what < 96)
      turn_else();
    else
      close_if();
  }
  while (!blocks_.empty()) close_if();
  close_batches();
  emit(end_word());
  return std::move(out_);
}

}  // namespace

RandomProgram random_program(uint64_t seed, uint32_t max_threads) { return Generator(seed, max_threads).make(); }

}  // namespace maskwork::suite
