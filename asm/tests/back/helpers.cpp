#include "helpers.hpp"

namespace maskwork::test {

namespace f = isa::field;

isa::Word random_legal_word(std::mt19937_64& random, bool full) {
  for (;;) {
    unsigned code;
    do code = static_cast<unsigned>(random() % 256);
    while (!isa::ops[code].valid);
    const isa::OpInfo& info = isa::ops[code];
    isa::Word w;
    isa::set(w, f::op, code);
    if (info.format != isa::Format::Flow)
      for (unsigned t = 0; t < 11; ++t)
        if ((info.types >> t) & 1) {
          isa::set(w, f::type, t);
          if (random() % 2) break;
        }
    if (info.format == isa::Format::Alu) isa::set(w, f::cc_dst, 3);
    if (info.unit == isa::Unit::Special) isa::set(w, f::dst_en, 1);
    if (info.format == isa::Format::Mem && info.kind != isa::Kind::Fence && info.kind != isa::Kind::Check) isa::set(w, f::mem_mask, 1);
    if (info.kind == isa::Kind::Load) isa::set(w, f::dst_en, 1);
    if (isa::bad_word(w, full)) continue;  // not allowed in this mode
    for (int step = 0; step < 200; ++step) {
      const isa::FieldInfo& field = isa::fields[random() % isa::fields.size()];
      if (field.name == "op") continue;
      isa::Word changed = w;
      uint32_t value = static_cast<uint32_t>(random());
      if (random() % 3 == 0) value &= 3;
      if (field.name == "imm" && random() % 3 == 0) value = 0x10000u + value % 12;
      if (field.name == "imm" && random() % 4 == 0) value = 0x3f000000u + (value & 0xffffffu);
      isa::set(changed, field.field, value);
      // Predicates and immediates need two fields at once.
      if (random() % 4 == 0) {
        isa::set(changed, f::pred_test, static_cast<uint32_t>(2 + random() % 16));
        isa::set(changed, f::pred_mask, 1u << (random() % 4));
      }
      if (info.format == isa::Format::Alu && random() % 8 == 0) {
        isa::set(changed, f::a_file, 2);
        isa::set(changed, f::a_idx, 0);
      }
      if (!isa::bad_word(changed, full)) w = changed;
    }
    return w;
  }
}

Program random_object(std::mt19937_64& random) {
  const auto word = [&] { return static_cast<uint32_t>(random()); };
  Program p;
  const std::string names = "ab \"\\#\n\t;@é0";
  for (unsigned n = word() % 12; n != 0; --n) p.source_name += names[word() % names.size()];
  if (!p.source_name.empty() && word() % 2 == 0) p.source_check = random() | 1;
  p.full_flow = word() & 1;
  const uint32_t count = 1 + word() % 40;
  for (uint32_t i = 0; i < count; ++i) {
    isa::Word w = random_legal_word(random, p.full_flow || word() % 8 == 0);
    if (isa::info(w).format == isa::Format::Flow && word() % 2 && !isa::bad_word(w, p.full_flow) && isa::get(w, f::target) != 0) isa::set(w, f::target, word() % (count + 3));
    if (word() % 10 == 0) w = {random(), random()};
    p.words.push_back(w);
  }
  if (word() & 1)
    for (uint32_t i = 0; i < count; ++i) p.lines.push_back(word() % 4 == 0 ? LineEntry{} : LineEntry{word() % 3 == 0 ? word() : word() % 100, word() % 80});
  p.entry = word() % count;
  p.group_size = {1 + word() % 32, 1 + word() % 8, 1 + word() % 4};
  p.shared_bytes = word() % 3 == 0 ? 0 : word() % 49153;
  p.registers = word() % 1025;
  p.bools = word() % 2 ? 0 : word();
  const auto source = [&] {
    ConstantSource c;
    c.kind = static_cast<ConstantSource::Kind>(word() % 4);
    if (c.kind == ConstantSource::Kind::Literal) {
      c.literal = word();
    } else {
      c.index = static_cast<uint16_t>(word() % 256);
      c.component = static_cast<uint8_t>(word() % 4);
    }
    return c;
  };
  for (unsigned n = word() % 6; n != 0; --n) p.constants.push_back(source());
  for (unsigned n = word() % 6; n != 0; --n) p.param_table.push_back(source());
  for (unsigned n = word() % 5; n != 0; --n) {
    SlotSource s;
    s.kind = static_cast<SlotSource::Kind>(word() % 3);
    s.binding = word() % 16;
    s.offset = word() % 2 ? 0 : word();
    s.size = word() % 2 ? 0xffffffffu : word();
    p.slots.push_back(s);
  }
  for (uint16_t n = 0; n < 1 + word() % 3; ++n) {
    SubroutineUniform s;
    s.index = static_cast<uint16_t>(n * 3 + word() % 3);
    for (unsigned k = 1 + word() % 4; k != 0; --k) s.numbers.push_back(static_cast<uint16_t>(word() % 256));
    p.subroutines.push_back(std::move(s));
  }
  for (auto* list : {&p.constants, &p.param_table})
    for (ConstantSource& c : *list)
      if (c.kind == ConstantSource::Kind::Subroutine) c.index = p.subroutines[word() % p.subroutines.size()].index;
  return p;
}

}  // namespace maskwork::test
