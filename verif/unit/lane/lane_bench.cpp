#include "lane_bench.hpp"

#include <gtest/gtest.h>

#include <cstdio>

#include "Vmw_lane_tb.h"

namespace maskwork::lane_test {

isa::Word word_of(const Operation& op) {
  namespace f = isa::field;
  isa::Word w;
  const auto put = [&w](isa::Field field, auto value) { isa::set(w, field, static_cast<uint32_t>(value)); };
  put(f::op, op.op);
  put(f::type, op.type);
  put(f::clamp, op.clamp);
  put(f::a_neg, op.neg[0]);
  put(f::a_abs, op.abs[0]);
  put(f::b_neg, op.neg[1]);
  put(f::b_abs, op.abs[1]);
  put(f::chain_carry, op.chain_carry);
  put(f::chain_zero, op.chain_zero);
  if (op.op == Op::CVT || op.op == Op::RNDI) {
    put(f::cvt_src, op.op == Op::CVT ? op.source : Type::F32);
    put(f::cvt_round, op.round);
  } else {
    put(f::c_neg, op.neg[2]);
    put(f::c_abs, op.abs[2]);
  }
  return w;
}

LaneBench::LaneBench() : top_(std::make_unique<Vmw_lane_tb>()) {
  top_->clk_i = 0;
  top_->eval();
  flight_.resize(top_->latency_o);
}

LaneBench::~LaneBench() { top_->final(); }

void LaneBench::issue(const Operation& op, const Operands& in) { cycle({op, in, true}); }

unsigned LaneBench::drain() {
  for (std::size_t i = 0; i < flight_.size(); ++i) cycle({});
  return differences_;
}

void LaneBench::cycle(const Flight& next) {
  const isa::Word w = word_of(next.op);
  top_->word_i[0] = static_cast<uint32_t>(w.lo);
  top_->word_i[1] = static_cast<uint32_t>(w.lo >> 32);
  top_->word_i[2] = static_cast<uint32_t>(w.hi);
  top_->word_i[3] = static_cast<uint32_t>(w.hi >> 32);
  top_->a_i = next.in.a;
  top_->b_i = next.in.b;
  top_->c_i = next.in.c;
  top_->cf_i = next.in.cf;
  top_->zf_i = next.in.zf;
  flight_[at_] = next;
  at_ = (at_ + 1) % flight_.size();
  top_->clk_i = 1;
  top_->eval();
  top_->clk_i = 0;
  top_->eval();
  const Flight& done = flight_[at_];  // started as many cycles ago as the pipeline is long
  if (!done.valid) return;
  Result got;
  got.value = top_->result_o;
  got.cf = top_->flags_o >> 3 & 1;
  got.of = top_->flags_o >> 2 & 1;
  got.sf = top_->flags_o >> 1 & 1;
  got.zf = top_->flags_o & 1;
  got.alu_bit = top_->alu_bit_o;
  const Result want = reference(done.op, done.in);
  if (got != want) report(done, got, want);
}

void LaneBench::report(const Flight& done, const Result& got, const Result& want) {
  if (++differences_ > 20) return;
  const auto text = [](const Result& r) {
    char s[64];
    std::snprintf(s, sizeof s, "%08x %c%c%c%c %d", r.value, r.cf ? 'C' : '-', r.of ? 'O' : '-', r.sf ? 'S' : '-', r.zf ? 'Z' : '-', r.alu_bit);
    return std::string(s);
  };
  char s[160];
  std::snprintf(s, sizeof s, " source %d round %d clamp %d neg %d%d%d abs %d%d%d chain %d%d of %08x %08x %08x CF %d ZF %d",
                static_cast<int>(done.op.source), static_cast<int>(done.op.round), static_cast<int>(done.op.clamp), done.op.neg[0],
                done.op.neg[1], done.op.neg[2], done.op.abs[0], done.op.abs[1], done.op.abs[2], done.op.chain_carry,
                done.op.chain_zero, done.in.a, done.in.b, done.in.c, done.in.cf, done.in.zf);
  ADD_FAILURE() << isa::info(done.op.op).name << " type " << static_cast<int>(done.op.type) << s << "\n   lane " << text(got)
                << "\n   want " << text(want);
}

}  // namespace maskwork::lane_test
