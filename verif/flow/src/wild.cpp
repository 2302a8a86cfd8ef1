#include "flowgen/wild.hpp"

#include <algorithm>
#include <random>

#include "maskwork/word_builder.hpp"

namespace maskwork::flowgen {
namespace {

using build::W;
using isa::Op;

class Wild {
 public:
  explicit Wild(uint64_t seed) : rng_(seed) {}

  Program make(uint32_t max_threads) {
    Program p;
    p.source_name = "wild";
    p.full_flow = pick(4) != 0;
    p.registers = 4;
    p.bools = static_cast<uint32_t>(rng_());
    p.group_size = {1 + pick(max_threads), 1, 1};
    const uint32_t size = 10 + pick(60);
    while (p.words.size() + 1 < size) p.words.push_back(word(static_cast<uint32_t>(p.words.size()), size, p.full_flow));
    p.words.push_back(build::end());
    return p;
  }

 private:
  uint32_t pick(uint32_t n) { return static_cast<uint32_t>(rng_() % n); }

  isa::Word word(uint32_t at, uint32_t size, bool full) {
    const uint32_t kind = pick(10);
    if (kind < 3) return build::alu(Op::MAD).dst(1).a(1).b(2).c_imm(12345 + at);
    if (kind < 6) return compare();
    for (;;) {
      const isa::Word w = flow(at, size, full);
      if (!isa::bad_word(w, full) || pick(50) == 0) return w;
    }
  }

  isa::Word compare() {
    W w = build::alu(Op::SLT).a(1).b_imm(static_cast<uint32_t>(rng_()));
    if (pick(2)) w.alu_we();
    else w.cc(pick(3), pick(4));
    if (pick(4) == 0) w.write_inactive();
    return w;
  }

  isa::Word flow(uint32_t at, uint32_t size, bool full) {
    static constexpr Op ops[] = {Op::JUMP,      Op::JUMP,     Op::JUMP, Op::JUMP, Op::LOOP, Op::ENDLOOP, Op::REP, Op::ENDREP,
                                 Op::BREAKLOOP, Op::BREAKREP, Op::CONT, Op::RETL, Op::END,  Op::BAR,     Op::NOP};
    static constexpr uint32_t funcs[] = {0x00, 0xff, 0x0f, 0xf0, 0x33, 0xcc, 0x55, 0xaa};
    const Op op = ops[pick(std::size(ops))];
    if (op == Op::END) return build::end();
    W w(op);
    if (op == Op::BAR || op == Op::NOP) return w;
    w.target(pick(3) ? std::min(size - 1, at + 1 + pick(6)) : pick(size)).func(pick(8) ? funcs[pick(std::size(funcs))] : pick(256));
    if (pick(2)) w.any();
    if (pick(2)) w.pred(static_cast<isa::Test>(2 + pick(16)), pick(3), 1 + pick(15));
    w.boolean(pick(32)).b_ops(static_cast<isa::Bop>(pick(3)), static_cast<isa::Bop>(pick(3)), pick(3));
    if (op == Op::JUMP) {
      if (pick(3) == 0) w.b_else();
      if (full) w.a_op(static_cast<isa::Aop>(pick(4)));
    } else if (op == Op::LOOP || op == Op::REP) {
      if (pick(2)) w.endless();
      else w.count(pick(4));
      w.al(static_cast<int32_t>(pick(5)) - 2, static_cast<int32_t>(pick(5)) - 2);
    }
    return w;
  }

  std::mt19937_64 rng_;
};

}  // namespace

Program wild_program(uint64_t seed, uint32_t max_threads) { return Wild(seed).make(max_threads); }

}  // namespace maskwork::flowgen
