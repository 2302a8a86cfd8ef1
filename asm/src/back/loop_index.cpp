// Loops with a constant count whose index register only counts up (or down) and only indexes arrays: the machine's loop index aL takes its place.
//
//   MOV i, k; REP n; ... MOVA i; MOV r, a[a0]; ... ADD i, i, s; ENDREP    becomes    LOOP n al(k) step(s); ... MOV r, a[al]; ... ENDLOOP
#include <algorithm>
#include <optional>

#include "liveness.hpp"

namespace maskwork::back {
namespace {

struct Loop {
  uint32_t open = 0, close = 0;  ///< the words REP and ENDREP
};

bool plain(const IrWord& w) { return !w.predicated() && w.cc_dst == 3 && !w.chained() && w.clamp == 0 && !w.dst_rel; }

std::optional<int64_t> number(const Src& s) {
  if (s.kind != Src::Kind::Literal || s.abs) return std::nullopt;
  const int64_t v = static_cast<int32_t>(s.value);
  return s.neg ? -v : v;
}

class LoopIndex {
 public:
  explicit LoopIndex(IrProgram& ir) : ir_(ir), live_(ir), targeted_(ir.words.size() + 1, false) {
    for (const IrWord& w : ir.words)
      if (w.target != kNoLabel) targeted_[ir.labels[w.target]] = true;
    for (uint32_t label : ir.routine_entry) targeted_[ir.labels[label]] = true;
  }

  void run() {
    for (uint32_t close = 0; close < ir_.words.size(); ++close) {
      const IrWord& end = ir_.words[close];
      if (end.op != isa::Op::ENDREP) continue;
      const uint32_t open = ir_.labels[end.target] - 1;
      const IrWord& rep = ir_.words[open];
      // A loop inside has its own index then, and a routine that is called might use the register.
      const bool simple = rep.op == isa::Op::REP && !rep.endless && rep.imm != 0 && std::none_of(ir_.words.begin() + open + 1, ir_.words.begin() + close, [&](const IrWord& w) {
        return w.flow == Flow::Call || w.flow == Flow::CallIf || w.op == isa::Op::LOOP;
      });
      if (simple) convert({open, close});
    }
  }

 private:
  /// The step of i, if it is the only write and no CONT passes it by (it jumps to the ENDREP): the index of the word.
  std::optional<uint32_t> find_step(const Loop& loop, VReg i) const {
    std::optional<uint32_t> step;
    for (uint32_t at = loop.open + 1; at < loop.close; ++at) {
      const IrWord& w = ir_.words[at];
      const bool writes = w.dst == i || std::find(w.mem_dst.begin(), w.mem_dst.end(), i) != w.mem_dst.end();
      if (!writes) continue;
      const bool counts = w.op == isa::Op::ADD && w.type != isa::Type::F32 && plain(w) && w.dst == i && w.src[0].is_reg(i, 0) && !w.src[0].neg && !w.src[0].abs && number(w.src[1]);
      if (step || !counts || at < last_block(loop)) return std::nullopt;
      step = at;
    }
    return step;
  }
  uint32_t last_block(const Loop& loop) const { return std::max(straight_to(loop.close), loop.open + 1); }

  /// Where the words begin from which every thread comes to word `at`, and only those.
  uint32_t straight_to(uint32_t at) const {
    while (at > 0 && !targeted_[at] && !ir_.words[at - 1].is_flow()) --at;
    return at;
  }

  /// Value of i when the loop begins.
  std::optional<int64_t> start(const Loop& loop, VReg i) const {
    const uint32_t first = straight_to(loop.open);
    for (uint32_t at = loop.open; at-- > first;) {
      const IrWord& w = ir_.words[at];
      if (w.dst != i && std::find(w.mem_dst.begin(), w.mem_dst.end(), i) == w.mem_dst.end()) continue;
      return w.op == isa::Op::MOV && w.dst == i && plain(w) && (w.type != isa::Type::F32 || !w.src[0].neg) ? number(w.src[0]) : std::nullopt;
    }
    return std::nullopt;
  }

  /// Whether some path out of the loop reads i before it writes it.
  bool read_behind(const Loop& loop, VReg i) const {
    const auto& blocks = live_.blocks();
    const auto inside = [&](const Liveness::Block& b) { return b.first > loop.open && b.first <= loop.close; };
    std::vector<uint32_t> work;
    std::vector<bool> seen(blocks.size(), false);
    const auto go = [&](uint32_t b) {
      if (!seen[b]) work.push_back(b);
      seen[b] = true;
    };
    for (const Liveness::Block& b : blocks)
      if (inside(b))
        for (uint32_t to : b.next)
          if (!inside(blocks[to])) go(to);
    Accesses a;
    while (!work.empty()) {
      const Liveness::Block& b = blocks[work.back()];
      work.pop_back();
      bool ends = false;
      for (uint32_t at = b.first; at < b.end && !ends; ++at) {
        live_.accesses(ir_.words[at], a);
        if (std::find(a.reads.begin(), a.reads.end(), i) != a.reads.end()) return true;
        ends = std::find(a.writes.begin(), a.writes.end(), i) != a.writes.end();
      }
      if (!ends)
        for (uint32_t to : b.next) go(to);
    }
    return false;
  }

  void convert(const Loop& loop) {
    // Candidates: what MOVA reads. All of them must be the same register, which nothing else reads.
    VReg i = kNoReg;
    for (uint32_t at = loop.open + 1; at < loop.close; ++at) {
      const IrWord& w = ir_.words[at];
      if (w.op != isa::Op::MOVA || w.removed) continue;
      const Src& s = w.src[0];
      if (s.kind != Src::Kind::Reg || s.rel || s.neg || s.abs || w.predicated() || ir_.vregs[s.value].size != 1 || (i != kNoReg && s.value != i)) return;
      i = s.value;
    }
    if (i == kNoReg) return;
    const auto step = find_step(loop, i);
    const auto from = start(loop, i);
    if (!step || !from || read_behind(loop, i)) return;
    for (uint32_t at = loop.open + 1; at < loop.close; ++at) {
      const IrWord& w = ir_.words[at];
      const bool reads = std::any_of(w.src.begin(), w.src.end(), [&](const Src& s) { return s.kind == Src::Kind::Reg && s.value == i; }) ||
                         std::find(w.mem_data.begin(), w.mem_data.end(), i) != w.mem_data.end();
      if (reads && at != *step && (w.op != isa::Op::MOVA || at > *step)) return;
      if (w.rel_sel == static_cast<uint8_t>(isa::Rel::AL)) return;
    }
    IrWord& rep = ir_.words[loop.open];
    const int64_t by = *number(ir_.words[*step].src[1]), last = *from + by * (int64_t{rep.imm} - 1);
    constexpr int64_t kLow = -512, kHigh = 511;  // aL has 10 bits, its step 8
    if (rep.imm > 1024 || *from < kLow || *from > kHigh || last < kLow || last > kHigh || by < -128 || by > 127) return;
    const uint32_t end_label = rep.target;
    rep.op = isa::Op::LOOP;
    rep.al_init = static_cast<int16_t>(*from);
    rep.al_step = static_cast<int16_t>(by);
    ir_.words[loop.close].op = isa::Op::ENDLOOP;
    for (uint32_t at = loop.open + 1; at < loop.close; ++at) {
      IrWord& w = ir_.words[at];
      if (w.op == isa::Op::BREAKREP && w.target == end_label) w.op = isa::Op::BREAKLOOP;
      const bool relative = w.dst_rel || std::any_of(w.src.begin(), w.src.end(), [](const Src& s) { return s.rel; });
      if (relative && w.rel_sel == static_cast<uint8_t>(isa::Rel::A0)) w.rel_sel = static_cast<uint8_t>(isa::Rel::AL);
      if (w.op == isa::Op::MOVA) w.removed = true;
    }
    ir_.words[*step].removed = true;
  }

  IrProgram& ir_;
  const Liveness live_;
  std::vector<bool> targeted_;  ///< words that some word jumps to
};

}  // namespace

void use_loop_index(IrProgram& ir) {
  const auto loops = std::any_of(ir.words.begin(), ir.words.end(), [](const IrWord& w) { return w.op == isa::Op::REP && !w.endless && w.imm != 0; });
  if (loops) LoopIndex(ir).run();
}

}  // namespace maskwork::back
