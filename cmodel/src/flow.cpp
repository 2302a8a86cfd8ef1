#include "flow.hpp"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace maskwork::model {

namespace {

using isa::Op;
constexpr int A = static_cast<int>(isa::LaneState::A), B = static_cast<int>(isa::LaneState::B), K = static_cast<int>(isa::LaneState::K),
              C = static_cast<int>(isa::LaneState::C), R = static_cast<int>(isa::LaneState::R), X = static_cast<int>(isa::LaneState::X);

/// Threads whose level is above `x`. Levels stay far below 32768, so signed compares do.
uint32_t above(const std::array<uint16_t, 32>& level, uint32_t x) {
#ifdef __SSE2__
  const __m128i limit = _mm_set1_epi16(static_cast<int16_t>(x));
  const auto* p = reinterpret_cast<const __m128i*>(level.data());
  const __m128i lo = _mm_packs_epi16(_mm_cmpgt_epi16(_mm_load_si128(p), limit), _mm_cmpgt_epi16(_mm_load_si128(p + 1), limit));
  const __m128i hi = _mm_packs_epi16(_mm_cmpgt_epi16(_mm_load_si128(p + 2), limit), _mm_cmpgt_epi16(_mm_load_si128(p + 3), limit));
  return static_cast<uint32_t>(_mm_movemask_epi8(lo)) | static_cast<uint32_t>(_mm_movemask_epi8(hi)) << 16;
#else
  uint32_t m = 0;
  for (unsigned t = 0; t < 32; ++t) m |= (level[t] > x ? 1u : 0u) << t;
  return m;
#endif
}

/// Threads of `set` that wait for exactly `x`.
uint32_t at_level(const FlowState& s, int state, uint32_t x) {
  if (s.in[state] == 0) return 0;
  return s.in[state] & (x == 0 ? ~above(s.level, 0) : above(s.level, x - 1) & ~above(s.level, x));
}

uint32_t above_level(const FlowState& s, int state, uint32_t x) { return s.in[state] != 0 ? s.in[state] & above(s.level, x) : 0; }

void park(FlowState& s, uint32_t threads, int state, uint32_t level) {
  s.in[A] &= ~threads;
  s.in[state] |= threads;
  for (uint32_t m = threads; m != 0; m &= m - 1) s.level[__builtin_ctz(m)] = static_cast<uint16_t>(level);
}

void wake(FlowState& s, uint32_t threads, int state) {
  s.in[state] &= ~threads;
  s.in[A] |= threads;
}

/// Threads that want to jump, by the truth table of JUMP_FUNC.
uint32_t wanting(uint8_t func, const FlowInput& in) {
  const uint32_t half = func >> (in.boolean ? 1 : 0);  // bits 0, 2, 4, 6 are left to look at
  uint32_t want = 0;
  if ((half & 0x01) != 0) want |= ~in.alu & ~in.pred;
  if ((half & 0x04) != 0) want |= ~in.alu & in.pred;
  if ((half & 0x10) != 0) want |= in.alu & ~in.pred;
  if ((half & 0x40) != 0) want |= in.alu & in.pred;
  return want;
}

void record_loop(FlowOutcome& out, FlowRecord::Frame what, const LoopFrame& f) {
  out.frame = what;
  out.frame_a = f.count;
  out.frame_b = f.db;
  out.frame_c = (f.loop ? 1u << 11 : 0) | (f.endless ? 1u << 10 : 0) | (static_cast<uint32_t>(f.al) & 0x3ff);
}

void record_call(FlowOutcome& out, FlowRecord::Frame what, const CallFrame& f) {
  out.frame = what;
  out.frame_a = f.ra;
  out.frame_b = f.db;
  out.frame_c = (f.inc ? 1u << 9 : 0) | f.lsp;
}

void pop_loop(FlowState& s, FlowOutcome& out) {
  record_loop(out, FlowRecord::Frame::PopLoop, s.loop[s.dl - 1]);
  wake(s, at_level(s, K, s.dl), K);
  --s.dl;
}

struct Kind {
  bool opens, closes, leaves, breaks, loop;  ///< leaves: BREAK* and CONT; loop: kind LOOP rather than REP
};

Kind kind_of(Op op) {
  Kind k{};
  k.opens = op == Op::LOOP || op == Op::REP;
  k.closes = op == Op::ENDLOOP || op == Op::ENDREP;
  k.breaks = op == Op::BREAKLOOP || op == Op::BREAKREP;
  k.leaves = k.breaks || op == Op::CONT;
  k.loop = op == Op::LOOP || op == Op::ENDLOOP || op == Op::BREAKLOOP;
  return k;
}

/// BREAK and CONT: parks the wanting threads and decides whether the wave leaves with them.
FaultCode leave_loop(FlowState& s, const Word& w, const Kind& k, uint32_t want, uint32_t stay, bool& jump) {
  if (s.dl == 0 || w.b_pop > s.db) return FaultCode::STACK_UNDERFLOW;
  const LoopFrame& f = s.loop[s.dl - 1];
  const uint32_t inner = s.db - w.b_pop;
  if (f.db != inner || (k.breaks && f.loop != k.loop)) return FaultCode::STACK_MISMATCH;
  park(s, want, k.breaks ? K : C, s.dl);
  jump = stay == 0 && above_level(s, B, inner) == 0 && !(k.breaks && at_level(s, C, s.dl) != 0);
  return FaultCode::NONE;
}

/// RETL: parks the returning threads in the call frame; without a call they end.
void return_threads(FlowState& s, uint32_t want, uint32_t stay, bool& jump, bool& ended) {
  if (s.dc == 0) {
    s.in[A] &= ~want;
    s.in[X] |= want;
    ended = s.in[X] == all_threads;
    jump = false;
    return;
  }
  const CallFrame& f = s.call[s.dc - 1];
  park(s, want, R, s.dc);
  jump = stay == 0 && above_level(s, B, f.db + (f.inc ? 1u : 0u)) == 0 && above_level(s, K, f.lsp) == 0 && above_level(s, C, f.lsp) == 0;
}

FaultCode branch(FlowState& s, const Word& w, bool jump, uint32_t want, uint32_t active, bool full) {
  const isa::Bop op = jump ? w.b_op1 : w.b_op0;
  if (op == isa::Bop::INCR) {
    if (s.db + 1 > (full ? isa::limit::branch_levels : isa::limit::partial_levels)) return FaultCode::STACK_OVERFLOW;
    ++s.db;
    const uint32_t disagree = s.in[A] & active & (jump ? ~want : want);
    park(s, disagree, B, s.db);
  } else if (op == isa::Bop::DECR) {
    if (w.b_pop > s.db) return FaultCode::STACK_UNDERFLOW;
    s.db -= w.b_pop;
    wake(s, above_level(s, B, s.db), B);
  }
  return FaultCode::NONE;
}

FaultCode address(FlowState& s, const Word& w, const FlowInput& in, uint32_t want, uint32_t active, uint32_t db_before, FlowOutcome& out,
                  uint32_t& target) {
  if (w.a_op == isa::Aop::PUSH || w.a_op == isa::Aop::PUSHR) {
    if (s.dc == isa::limit::call_depth) return FaultCode::STACK_OVERFLOW;
    CallFrame& f = s.call[s.dc++];
    f = {in.pc + 1, static_cast<uint16_t>(s.dl), static_cast<uint16_t>(db_before), w.b_op1 == isa::Bop::INCR};
    if (w.a_op == isa::Aop::PUSHR) park(s, s.in[A] & active & ~want, R, s.dc);
    record_call(out, FlowRecord::Frame::PushCall, f);
  } else if (w.a_op == isa::Aop::POP) {
    if (s.dc == 0) return FaultCode::STACK_UNDERFLOW;
    const CallFrame& f = s.call[s.dc - 1];
    if (s.db != f.db || s.dl < f.lsp) return FaultCode::STACK_MISMATCH;
    target = f.ra;
    s.dl = f.lsp;
    wake(s, at_level(s, R, s.dc), R);
    record_call(out, FlowRecord::Frame::PopCall, f);
    --s.dc;
  }
  return FaultCode::NONE;
}

}  // namespace

void FlowState::reset(uint32_t live_threads) {
  in = {};
  in[A] = live_threads;
  in[X] = ~live_threads;
  level.fill(0);
  db = dl = dc = 0;
}

FlowOutcome flow_step(FlowState& s, const Word& w, const FlowInput& in) {
  FlowOutcome out;
  const auto fail = [&out](FaultCode code) {
    out.fault = code;
    return out;
  };
  const Kind k = kind_of(w.op);
  // 1 WAKE
  if (k.closes) {
    if (s.dl == 0) return fail(FaultCode::STACK_UNDERFLOW);
    const LoopFrame& f = s.loop[s.dl - 1];
    if (f.db != s.db || f.loop != k.loop) return fail(FaultCode::STACK_MISMATCH);
    wake(s, at_level(s, C, s.dl), C);
  }
  // 2 ELSE
  if (w.b_else) {
    if (s.db == 0) return fail(FaultCode::STACK_UNDERFLOW);
    const uint32_t waiting = at_level(s, B, s.db);
    park(s, s.in[A], B, s.db);
    wake(s, waiting, B);
  }
  // 3 VOTE
  const uint32_t active = s.in[A];
  const uint32_t want = active & wanting(w.jump_func, in);
  const uint32_t stay = active & ~want;
  bool jump = w.jump_any ? want != 0 : stay == 0;
  // 4
  if (k.opens) {
    if (!w.endless && w.imm == 0) jump = true;
  } else if (k.closes) {
    LoopFrame& f = s.loop[s.dl - 1];
    if (!f.endless && --f.count == 0) jump = false;
  } else if (k.leaves) {
    if (const FaultCode code = leave_loop(s, w, k, want, stay, jump); code != FaultCode::NONE) return fail(code);
  } else if (w.op == Op::RETL) {
    return_threads(s, want, stay, jump, out.ended);
  }
  // 5 BRANCH
  const uint32_t db_before = s.db;
  if (const FaultCode code = branch(s, w, jump, want, active, in.full); code != FaultCode::NONE) return fail(code);
  // 6 ADDR
  uint32_t target = w.target;
  if (jump && w.a_op != isa::Aop::NONE)
    if (const FaultCode code = address(s, w, in, want, active, db_before, out, target); code != FaultCode::NONE) return fail(code);
  // 7 LOOP
  if (k.opens && !jump) {
    if (s.dl == isa::limit::loop_frames) return fail(FaultCode::STACK_OVERFLOW);
    const auto al = static_cast<int16_t>(k.loop ? w.al_init : s.al());
    LoopFrame& f = s.loop[s.dl++];
    f = {w.imm, w.endless, k.loop, al, w.al_step, static_cast<uint16_t>(s.db)};
    record_loop(out, FlowRecord::Frame::PushLoop, f);
  } else if (k.closes && jump) {
    LoopFrame& f = s.loop[s.dl - 1];
    if (f.loop) f.al = static_cast<int16_t>(static_cast<int16_t>(static_cast<uint32_t>(f.al + f.step) << 6) >> 6);
  } else if (k.closes || (k.breaks && jump)) {
    pop_loop(s, out);
  }
  // 8
  out.jump = jump;
  out.next_pc = jump ? target : in.pc + 1;
  return out;
}

}  // namespace maskwork::model
