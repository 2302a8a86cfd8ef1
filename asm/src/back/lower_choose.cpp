// Which row of the expansion table an instruction takes: by its types, and by what its constant operands say.
#include <algorithm>

#include "lower.hpp"

namespace maskwork::back {

using ast::Opcode;

uint32_t Lowering::parameter(Parameter which, const Row& row) {
  const uint32_t mask = row.n >= 32 ? 0xffffffffu : (1u << row.n) - 1;
  switch (which) {
    case Parameter::N: return row.n;
    case Parameter::O: return row.o;
    case Parameter::Mask: return mask;
    case Parameter::FieldMask: return mask << row.o;
    case Parameter::InverseField: return ~(mask << row.o);
    case Parameter::Two32MinusN: return 1u << (32 - row.n);
    case Parameter::TwoN: return 1u << row.n;
    case Parameter::TwoO: return 1u << row.o;
    case Parameter::ThirtyTwoMinusN: return 32 - row.n;
    case Parameter::ThirtyTwoMinusNO: return 32 - row.n - row.o;
    case Parameter::NMinus32: return row.n - 32;
  }
  return 0;
}

/// CVT, I2F and the roundings where 64 bits take part.
Lowering::Row Lowering::choose_conversion(const ast::Instruction& in) {
  using D = ast::DataType;
  const auto wide = [](D t) { return ast::bytes_of(t) == 8; };
  const auto is_float = [](D t) { return ast::base_of(t) == ast::BaseType::f; };
  D to = in.modifiers.type, from = in.modifiers.source;
  bool saturate = in.modifiers.clamp == ast::Clamp::sat;
  Row row;
  switch (in.opcode) {
    case Opcode::I2F:
      from = to;
      to = D::f32;
      break;
    case Opcode::CEIL: row.rounding = ast::Rounding::ceil; break;
    case Opcode::FLR: row.rounding = ast::Rounding::flr; break;
    case Opcode::ROUND: row.rounding = ast::Rounding::round; break;
    case Opcode::TRUNC: row.rounding = ast::Rounding::trunc; break;
    default: break;
  }
  if (row.rounding) {
    from = D::f32;
    saturate = true;
  }
  row.name = "CVT." + std::string(ast::name_of(to)) + "." + std::string(ast::name_of(from));
  const bool clamps = saturate && !is_float(to) && to != from && !(from == D::s32 && to == D::s64) && from != D::u32;
  std::string key = row.name + (clamps ? ", SAT" : "");
  if (!clamps && !is_float(to) && !is_float(from)) {
    if (wide(to) && wide(from)) key = "CVT of 64 bits to 64";
    else if (wide(from)) key = "CVT of 64 bits to 32";
    else key = from == D::s32 ? "CVT of S32 to 64 bits" : "CVT of U32 to 64 bits";
  }
  row.expansion = find_expansion(key, "?fsu"[static_cast<int>(ast::base_of(to))]);
  return row;
}

Lowering::Row Lowering::choose(const ast::Instruction& in) {
  bool wide = in.destination.wide;
  for (unsigned i = 0; i < in.operand_count && i < 3; ++i) wide = wide || in.operands[i].wide;
  const int type = static_cast<int>(ast::base_of(in.modifiers.type));
  Row row;
  row.name = ast::name_of(in.opcode);
  if (in.modifiers.mul == ast::MulKind::hi) row.name += ".HI";
  std::string key = row.name;
  if (wide) {
    switch (in.opcode) {
      case Opcode::CVT: case Opcode::I2F: case Opcode::CEIL: case Opcode::FLR: case Opcode::ROUND: case Opcode::TRUNC:
        return choose_conversion(in);
      case Opcode::SHL:
      case Opcode::SHR: {
        const ast::Operand& count = in.operands[1];
        auto value = literal_of(count, count.swizzle[0]);
        if (!value || count.negate_inner || count.negate_outer || count.absolute) break;
        if (count.fit == ast::Fit::extend && type == static_cast<int>(ast::BaseType::s)) value = static_cast<uint64_t>(int64_t{static_cast<int32_t>(*value)});
        row.n = static_cast<uint32_t>(std::min<uint64_t>(*value, 64));
        key += row.n == 0 ? ", constant, 0" : row.n < 32 ? ", constant, 1 to 31" : row.n < 64 ? ", constant, 32 to 63" : ", constant, 64 and more";
        break;
      }
      default: break;
    }
    row.expansion = find_expansion(key, "?fsu"[type]);
    if (in.opcode != Opcode::PK64 && in.opcode != Opcode::UP64) row.name += type == static_cast<int>(ast::BaseType::s) ? ".S64" : ".U64";
    return row;
  }
  if (in.opcode == Opcode::BFE || in.opcode == Opcode::BFI) {
    const ast::Operand& control = in.operands[0];
    const auto bits = literal_of(control, control.swizzle[0]), offset = literal_of(control, control.swizzle[1]);
    if (bits && offset && !control.negate_inner && !control.negate_outer && !control.absolute && *bits <= 32 && *offset < 32 && *bits + *offset <= 32) {
      row.n = static_cast<uint32_t>(*bits);
      row.o = static_cast<uint32_t>(*offset);
      const bool is_signed = in.opcode == Opcode::BFE && type == static_cast<int>(ast::BaseType::s);
      key += row.n == 0              ? ", constant, 0 bits"
             : row.n == 32           ? ", constant, 32 bits"
             : row.n + row.o == 32   ? ", constant, up to bit 31"
             : row.o == 0 && !is_signed ? ", constant, from bit 0"
                                     : ", constant";
    }
  }
  row.expansion = find_expansion(key, "?FSU"[type]);
  return row;
}

}  // namespace maskwork::back
