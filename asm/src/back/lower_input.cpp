// Built-in inputs of a thread: special registers and uniform values, or a few words computed from them once per stretch of straight code.
#include "lower.hpp"

namespace maskwork::back {

using ast::Attribute;

namespace {

isa::Special special_component(unsigned component) { return static_cast<isa::Special>(static_cast<unsigned>(isa::Special::LOCALID_X) + component); }

isa::Uniform uniform_component(isa::Uniform x, unsigned component) { return static_cast<isa::Uniform>(static_cast<unsigned>(x) + component); }

}  // namespace

/// One component of an input. Vectors have x, y and z (w is 0); scalars are replicated.
Src Lowering::read_input(Attribute attribute, unsigned component) {
  const bool vector = attribute < Attribute::local_index;
  if (vector && component > 2) return literal(0);
  switch (attribute) {
    case Attribute::local_id: return special(special_component(component));
    case Attribute::group_id: return uniform(uniform_component(isa::Uniform::GROUPID_X, component));
    case Attribute::group_count: return uniform(uniform_component(isa::Uniform::GROUPCOUNT_X, component));
    case Attribute::group_size: return uniform(uniform_component(isa::Uniform::GROUPSIZE_X, component));
    case Attribute::local_index: return special(isa::Special::LOCALINDEX);
    case Attribute::thread_id: return special(isa::Special::THREADID);
    case Attribute::sm_id:
    case Attribute::none: return literal(0);
    default: break;
  }
  const auto key = std::pair(attribute, vector ? component : 0u);
  if (const auto it = inputs_.find(key); it != inputs_.end()) return reg(it->second);
  const auto word = [&](isa::Op op, Src a, Src b) {
    IrWord w;
    w.op = op;
    w.type = isa::Type::U32;
    w.dst = new_vreg();
    w.src[0] = a;
    w.src[1] = b;
    const VReg result = w.dst;
    push(std::move(w));
    return result;
  };
  const auto shifted = [&](uint32_t bits) { return word(isa::Op::SHL, literal(bits), special(isa::Special::THREADID)); };
  VReg result = kNoReg;
  switch (attribute) {
    case Attribute::global_id:
      result = word(isa::Op::ADD, special(special_component(component)), uniform(uniform_component(isa::Uniform::GROUPBASE_X, component)));
      break;
    case Attribute::warp_id: result = word(isa::Op::SHR, special(isa::Special::LOCALINDEX), literal(5)); break;
    // Bit n of a mask stands for thread n of the wave.
    case Attribute::thread_eq_mask: result = shifted(1); break;
    case Attribute::thread_ge_mask: result = shifted(0xffffffffu); break;
    case Attribute::thread_gt_mask: result = shifted(0xfffffffeu); break;
    case Attribute::thread_lt_mask: result = word(isa::Op::NOT, reg(shifted(0xffffffffu)), {}); break;
    default: result = word(isa::Op::NOT, reg(shifted(0xfffffffeu)), {}); break;  // thread_le_mask
  }
  inputs_[key] = result;
  return reg(result);
}

}  // namespace maskwork::back
