#include "isa_sheet.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "alu_reference.hpp"
#include "maskwork/memory.hpp"
#include "mem_word.hpp"
#include "special_reference.hpp"

namespace maskwork::suite {

namespace f = isa::field;
using isa::Op;

namespace {
constexpr uint32_t wave_threads = isa::limit::wave_threads;
constexpr uint32_t data_binding = 0, in_binding = 1, out_binding = 2;
uint32_t code(auto v) { return static_cast<uint32_t>(v); }

/// Byte range of a slot in the data buffer: most are all of it, some begin or end inside, so that accesses leave them.
struct Range {
  uint32_t offset, size;
};
Range range_of(uint32_t slot) { return {slot % 4 * 16, slot % 3 == 0 ? Sheet::data_bytes - slot % 4 * 16 : 200 + 4 * (slot % 7)}; }

/// Whether an approximate function is near enough. Beyond one turn SIN and COS have the errors of docs/functions.md, from 2^20 on they are constant.
bool near_enough(Op op, uint32_t a, uint32_t got) {
  const float x = std::bit_cast<float>(a), y = std::bit_cast<float>(got);
  if ((op != Op::SIN && op != Op::COS) || !std::isfinite(x) || std::fabs(x) < 6.28f) return test::function_near(op, a, got);
  if (std::fabs(x) >= 0x1p20f) return got == (op == Op::COS ? 0x3f800000u : a & 0x80000000u);
  const double exact = op == Op::SIN ? std::sin(double{x}) : std::cos(double{x});
  return std::fabs(y - exact) <= 0x1p-22 + (std::fabs(x) < 8 ? 0 : std::fabs(x) * 0x1p-29);
}
}  // namespace

uint32_t Sheet::data_address() { return Memory::first_address; }

Sheet::Sheet(const isa::Config& config, std::array<uint32_t, 3> group_size, std::vector<uint32_t> in, std::vector<uint32_t> constants)
    : config_(config), size_(group_size), threads_(group_size[0] * group_size[1] * group_size[2]), constants_(std::move(constants)), data_(data_bytes / 4),
      in_(std::move(in)), shared_(shared_bytes / 4), state_(threads_),
      skipped_((threads_ + wave_threads - 1) / wave_threads) {
  for (uint32_t i = 0; i < data_.size(); ++i) data_[i] = 0x9e3779b9u * (i + 1);
  Program& p = program_;
  p.source_name = "sheet";
  p.group_size = size_;
  p.registers = registers;
  p.shared_bytes = shared_bytes;
  p.full_flow = true;
  for (const uint32_t c : constants_) p.constants.push_back({ConstantSource::Kind::Literal, c, 0, 0});
  for (uint32_t s = 0; s < in_slot; ++s) p.slots.push_back({SlotSource::Kind::Storage, data_binding, range_of(s).offset, range_of(s).size});
  p.slots.push_back({SlotSource::Kind::Storage, in_binding, 0, 0xffffffffu});
  p.slots.push_back({SlotSource::Kind::Storage, out_binding, 0, 0xffffffffu});
  p.words = {word(Op::JUMP, {{f::jump_any, 1}, {f::jump_func, 0xff}, {f::target, 2}, {f::a_op, code(isa::Aop::PUSH)}}), end_word(),
             word(Op::LOOP, {{f::imm, 1}, {f::al_init, al}, {f::al_step, 1}})};
  // Shared memory and all state is the launch fill's: written before it is read.
  for (const uint32_t shift : {3u, 4u})
    emit(alu_word(Op::SHL, isa::Type::U32,
                  {{f::dst_en, 1}, {f::dst, shift == 3 ? address8 : address16}, {f::a_file, code(isa::File::SPECIAL)}, {f::a_idx, code(isa::Special::LOCALINDEX)},
                   {f::b_file, code(isa::File::IMM)}, {f::imm, shift}}));
  for (uint32_t r = 0; r < registers; ++r)
    if (r != address8 && r != address16) emit(alu_word(Op::MOV, isa::Type::U32, {{f::dst_en, 1}, {f::dst, r}, {f::a_file, code(isa::File::IMM)}}));
  emit(alu_word(Op::MOVA, isa::Type::U32, {{f::a_file, code(isa::File::IMM)}}));
  for (uint32_t n = 0; n < 12; ++n)
    emit(alu_word(Op::MOV, isa::Type::S32, {{f::a_file, code(isa::File::IMM)}, {f::imm, n % 3 - 1}, {f::cc_dst, n / 4}, {f::cc_comp, n % 4}}));
  for (uint32_t at = 0; at < shared_bytes; at += 16 * threads_)
    emit(word(Op::STS, {{f::type, code(isa::Type::U32)}, {f::a_idx, address16}, {f::imm, at}, {f::mem_size, 2}, {f::mem_mask, 15}, {f::b_idx, 0}}));
}

int64_t Sheet::relative(const Thread& t, const isa::Word& w) const {
  switch (static_cast<isa::Rel>(isa::get(w, f::rel_sel))) {
    case isa::Rel::A0: return t.a0;
    case isa::Rel::AL: return al;
    case isa::Rel::DEPTH: return depth;
  }
  return 0;
}

uint32_t Sheet::source(const Thread& t, uint32_t index, const isa::Word& w, isa::Field file, isa::Field idx) const {
  const uint32_t n = isa::get(w, idx), imm = isa::get(w, f::imm);
  const auto window = [&t](int64_t r) { return r >= 0 && r < registers ? t.reg[static_cast<size_t>(r)] : 0; };
  switch (static_cast<isa::File>(isa::get(w, file))) {
    case isa::File::GPR: return window(n);
    case isa::File::GPR_REL: return window(n + relative(t, w));
    case isa::File::IMM:
      if (isa::get(w, f::imm_const) == 0) return imm;
      if (imm < isa::limit::uniform_base) return imm < constants_.size() ? constants_[imm] : 0;
      switch (static_cast<isa::Uniform>(imm - isa::limit::uniform_base)) {
        case isa::Uniform::GROUPCOUNT_X: case isa::Uniform::GROUPCOUNT_Y: case isa::Uniform::GROUPCOUNT_Z: return 1;
        case isa::Uniform::GROUPSIZE_X: return size_[0];
        case isa::Uniform::GROUPSIZE_Y: return size_[1];
        case isa::Uniform::GROUPSIZE_Z: return size_[2];
        case isa::Uniform::WAVES_MAX: return config_.waves_full;
        default: return 0;  // group 0
      }
    case isa::File::SPECIAL:
      switch (static_cast<isa::Special>(n)) {
        case isa::Special::LOCALID_X: return index % size_[0];
        case isa::Special::LOCALID_Y: return index / size_[0] % size_[1];
        case isa::Special::LOCALID_Z: return index / size_[0] / size_[1];
        case isa::Special::LOCALINDEX: return index;
        case isa::Special::THREADID: return index % wave_threads;
      }
  }
  return 0;
}

bool Sheet::predicate(const Thread& t, const isa::Word& w) const {
  const uint32_t test = isa::get(w, f::pred_test), cc = isa::get(w, f::pred_cc), mask = isa::get(w, f::pred_mask);
  if (mask == 0) return isa::test_holds(test, 0);
  for (uint32_t c = 0; c < 4; ++c)
    if ((mask >> c & 1) != 0 && isa::test_holds(test, t.cc[cc][c])) return true;
  return false;
}

void Sheet::alu(const isa::Word& w) {
  const isa::OpInfo& info = isa::info(w);
  const auto op = static_cast<Op>(isa::get(w, f::op));
  const auto type = static_cast<isa::Type>(isa::get(w, f::type));
  for (uint32_t first = 0; first < threads_; first += wave_threads) {
    if (skipped_[first / wave_threads]) continue;
    const uint32_t count = std::min(wave_threads, threads_ - first);
    test::WaveSources s;
    s.executing = 0;
    for (uint32_t i = 0; i < count; ++i) {
      const Thread& t = state_[first + i];
      if (info.srcs_a) s.a[i] = source(t, first + i, w, f::a_file, f::a_idx);
      if (info.srcs_b) s.b[i] = source(t, first + i, w, f::b_file, f::b_idx);
      if (info.srcs_c) s.c[i] = source(t, first + i, w, f::c_file, f::c_idx);
      if (t.active || isa::get(w, f::write_inactive) != 0) s.executing |= 1u << i;
    }
    for (uint32_t i = 0; i < count; ++i) {
      Thread& t = state_[first + i];
      if ((s.executing >> i & 1) == 0 || !predicate(t, w)) continue;
      test::AluExpected r;
      std::optional<Near> near;
      if (op == Op::MOVA) {  // a MOV whose result goes, saturated, into A0
        isa::Word mov = w;
        isa::set(mov, f::op, code(Op::MOV));
        const uint32_t v = test::alu_expected(mov, s.a[i], 0, 0, 0).value;
        const int64_t wide = type == isa::Type::S32 ? int64_t{static_cast<int32_t>(v)} : int64_t{v};
        t.a0 = static_cast<int32_t>(std::clamp<int64_t>(wide, -2048, 2047));
        continue;
      }
      if (info.op_class == isa::OpClass::Crosslane) r.value = test::crosslane_expected(op, type, s, i);
      else if (test::is_near_function(op)) near = Near{op, s.a[i]};
      else if (test::is_exact_function(op)) r.value = test::function_expected(op, type, s.a[i], s.b[i]);
      else r = test::alu_expected(w, s.a[i], s.b[i], s.c[i], t.cc[2][isa::get(w, f::chain_comp)]);
      if (isa::get(w, f::dst_en) != 0) {
        const int64_t d = isa::get(w, f::dst) + (isa::get(w, f::dst_rel) != 0 ? relative(t, w) : 0);
        if (d >= 0 && d < registers) {
          t.reg[static_cast<size_t>(d)] = r.value;
          t.near[static_cast<size_t>(d)] = near;
        }
      }
      if (isa::get(w, f::cc_dst) < 3) t.cc[isa::get(w, f::cc_dst)][isa::get(w, f::cc_comp)] = r.flags;
      if (isa::get(w, f::alu_we) != 0) t.alu = r.value != 0;
    }
  }
}

void Sheet::memory(const isa::Word& w) {
  const isa::OpInfo& info = isa::info(w);
  const bool shared = info.unit == isa::Unit::Shared;
  const uint32_t slot = isa::get(w, f::slot), comps = isa::get(w, f::mem_mask), dst = isa::get(w, f::dst), data = isa::get(w, f::b_idx);
  std::vector<uint32_t>* cells = shared ? &shared_ : info.global || slot < in_slot ? &data_ : slot == in_slot ? &in_ : &out_;
  for (uint32_t first = 0; first < threads_; first += wave_threads) {
    const uint32_t count = std::min(wave_threads, threads_ - first);
    mem_test::Word m;
    switch (info.kind) {
      case isa::Kind::Load: m.kind = mem_test::Kind::Load; break;
      case isa::Kind::Store: m.kind = mem_test::Kind::Store; break;
      case isa::Kind::Atomic: m.kind = mem_test::Kind::Atomic; break;
      default: continue;  // fences and checks of addresses that are good
    }
    m.op = static_cast<uint8_t>(isa::get(w, f::atom_op));
    const auto type = static_cast<isa::Type>(isa::get(w, f::type));
    m.type = type == isa::Type::F32 ? mem_test::Type::Float : type == isa::Type::S32 ? mem_test::Type::Signed : mem_test::Type::Unsigned;
    m.comps = comps;
    m.bound = shared ? shared_bytes : info.global ? uint64_t{1} << 32 : slot < in_slot ? range_of(slot).size : 4 * cells->size();
    m.base = !shared && !info.global && slot < in_slot ? range_of(slot).offset : 0;
    m.exec = 0;
    const auto window = [this, first](uint32_t thread, uint32_t r) { return r < registers ? state_[first + thread].reg[r] : 0; };
    for (uint32_t i = 0; i < count; ++i) {
      m.exec |= (state_[first + i].active ? 1u : 0u) << i;
      m.addr[i] = (isa::get(w, f::a_file) == 0 ? window(i, isa::get(w, f::a_idx)) : 0) + isa::get(w, f::imm);
      for (uint32_t k = 0; k < 4; ++k) m.data[k][i] = window(i, data + k);
      m.data2[i] = m.data[1][i];
    }
    uint32_t nowhere = 0;
    const auto cell = [&](uint32_t address) -> uint32_t& {
      const size_t at = (address - (info.global ? data_address() : 0)) / 4;
      EXPECT_LT(at, cells->size()) << "the sheet itself leaves its buffers";
      return at < cells->size() ? (*cells)[at] : nowhere;
    };
    const mem_test::Effect e = mem_test::perform(m, true, cell);
    for (uint32_t i = 0; i < count; ++i) {
      if ((m.exec >> i & 1) == 0) continue;
      Thread& t = state_[first + i];
      for (uint32_t k = 0; k < 4; ++k) {
        if ((comps >> k & 1) == 0) continue;
        if (cells == &out_ && m.kind == mem_test::Kind::Store) near_out_[(m.addr[i] + 4 * k) / 4] = data + k < registers ? t.near[data + k] : std::nullopt;
        if (m.kind == mem_test::Kind::Store || isa::get(w, f::dst_en) == 0 || !predicate(t, w) || dst + k >= registers) continue;
        t.reg[dst + k] = e.loaded[k][i];
        t.near[dst + k].reset();
      }
    }
  }
}

void Sheet::emit(const isa::Word& w) {
  ASSERT_FALSE(isa::bad_word(w, true)) << isa::bad_word(w, true).rule << " " << isa::info(w).name << " at word " << program_.words.size();
  program_.words.push_back(w);
  if (isa::info(w).format == isa::Format::Alu) alu(w);
  if (isa::info(w).format == isa::Format::Mem) memory(w);
}

void Sheet::open(const isa::Word& w, const std::vector<bool>& wanted) {
  open_.push_back({program_.words.size(), {}, skipped_});
  emit(w);
  std::fill(skipped_.begin(), skipped_.end(), true);
  for (uint32_t i = 0; i < threads_; ++i) {
    open_.back().active.push_back(state_[i].active);
    state_[i].active = state_[i].active && wanted[i];
    if (state_[i].active) skipped_[i / wave_threads] = false;
  }
}

void Sheet::open(isa::Test test, uint32_t cc, uint32_t components) {
  const isa::Word w = word(Op::JUMP, {{f::jump_func, 0x33}, {f::b_op0, code(isa::Bop::INCR)}, {f::b_op1, code(isa::Bop::INCR)},
                                      {f::pred_test, code(test)}, {f::pred_cc, cc}, {f::pred_mask, components}});
  std::vector<bool> wanted;
  for (const Thread& t : state_) wanted.push_back(predicate(t, w));
  open(w, wanted);
}

void Sheet::open_alu() {
  std::vector<bool> wanted;
  for (const Thread& t : state_) wanted.push_back(t.alu);
  open(word(Op::JUMP, {{f::jump_func, 0x0f}, {f::b_op0, code(isa::Bop::INCR)}, {f::b_op1, code(isa::Bop::INCR)}}), wanted);
}

void Sheet::close() {
  const Block b = open_.back();
  open_.pop_back();
  isa::set(program_.words[b.at], f::target, static_cast<uint32_t>(program_.words.size()));
  emit(word(Op::JUMP, {{f::jump_any, 1}, {f::b_op0, code(isa::Bop::DECR)}, {f::b_pop, 1}}));
  for (size_t i = 0; i < state_.size(); ++i) state_[i].active = b.active[i];
  skipped_ = b.skipped;
}

void Sheet::wait() { emit(word(Op::NOP, {{f::sem_wait, 3}})); }

void Sheet::store(const std::string& what, uint32_t reg, uint32_t count) {
  while (out_.size() % 4 != 0) out_.push_back(0);
  const size_t first = out_.size();
  rows_.push_back({what, first});
  out_.resize(first + size_t{threads_} * count);
  near_out_.resize(out_.size());
  emit(word(Op::STB, {{f::type, code(isa::Type::U32)}, {f::a_idx, count == 2 ? address8 : address16}, {f::imm, static_cast<uint32_t>(4 * first)},
                      {f::mem_size, count / 2}, {f::mem_mask, count == 2 ? 3 : 15}, {f::b_idx, reg}, {f::slot, out_slot}}));
}

void Sheet::check(const Outcome& o) const {
  EXPECT_EQ(o.result.mismatch, "") << o.where;
  EXPECT_EQ(o.result.fault.code, isa::Fault::NONE) << o.where << ": fault at pc " << o.result.fault.pc;
  if (o.result.fault.code != isa::Fault::NONE || !o.result.mismatch.empty()) return;
  EXPECT_EQ(o.storage.at(data_binding), data_) << o.where;
  const auto& got = o.storage.at(out_binding);
  int shown = 0;
  for (size_t i = 0; i < out_.size() && shown < 8; ++i) {
    const bool good = near_out_[i] ? near_enough(near_out_[i]->op, near_out_[i]->a, got[i]) : got[i] == out_[i];
    if (good) continue;
    ++shown;
    const auto row = std::prev(std::upper_bound(rows_.begin(), rows_.end(), i, [](size_t at, const Row& r) { return at < r.first; }));
    const size_t next = std::next(row) == rows_.end() ? out_.size() : std::next(row)->first, width = (next - row->first) / threads_;
    ADD_FAILURE() << fmt::format("{}: {}: thread {} word {}: {:08x}, expected {:08x}", o.where, row->what, (i - row->first) / width, (i - row->first) % width, got[i], out_[i]);
  }
}

void Sheet::run() {
  const uint32_t end = static_cast<uint32_t>(program_.words.size());
  isa::set(program_.words[2], f::target, end + 1);
  program_.words.push_back(word(Op::ENDLOOP, {{f::jump_any, 1}, {f::jump_func, 0xff}, {f::target, 3}}));
  program_.words.push_back(word(Op::JUMP, {{f::jump_any, 1}, {f::jump_func, 0xff}, {f::a_op, code(isa::Aop::POP)}}));
  Bench bench(program_);
  std::vector<uint32_t> before(data_.size());
  for (uint32_t i = 0; i < before.size(); ++i) before[i] = 0x9e3779b9u * (i + 1);
  bench.storage(data_binding, before).storage(in_binding, in_).zeros(out_binding, out_.size());
  check(bench.on_model(config_));
  if (::testing::Test::HasFailure()) return;
  check(bench.on_rtl(config_, 1, verif::AxiProfile::seeded(1)));
}

}  // namespace maskwork::suite
