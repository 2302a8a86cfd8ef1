#include "words.hpp"

namespace maskwork::suite {

isa::Word word(isa::Op op, std::initializer_list<FieldValue> fields) {
  isa::Word w;
  isa::set(w, isa::field::op, static_cast<uint32_t>(op));
  for (const auto& [field, value] : fields) isa::set(w, field, value);
  return w;
}

isa::Word alu_word(isa::Op op, isa::Type type, std::initializer_list<FieldValue> fields) {
  isa::Word w = word(op);
  isa::set(w, isa::field::type, static_cast<uint32_t>(type));
  isa::set(w, isa::field::cc_dst, 3);
  for (const auto& [field, value] : fields) isa::set(w, field, value);
  return w;
}

isa::Word end_word() { return word(isa::Op::END, {{isa::field::sem_wait, 3}}); }

}  // namespace maskwork::suite
