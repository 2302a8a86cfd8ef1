#include "maskwork/lane.hpp"

#include "alu.hpp"
#include "special.hpp"

namespace maskwork {

void lane_execute(const isa::Word& word, LaneBatch& batch) {
  const rows::Table& rows = rows::table();
  model::Word d;
  model::decode_alu_function(d, word, rows);
  model::AluSources s{};
  s.row[0] = batch.a.data();
  s.row[1] = batch.b.data();
  s.row[2] = batch.c.data();
  if (d.special) {
    compute_special(d, s.row, batch.executing, batch.value.data());
    return;
  }
  s.carry = rows.test(batch.chain_flags.data(), 0xff00);
  s.zero = batch.chain_flags.data();
  model::compute(rows, d, s, true, batch.value.data(), batch.flags.data());
  batch.holds = rows.nonzero(batch.value.data());
}

LaneResult lane_execute(const isa::Word& word, uint32_t a, uint32_t b, uint32_t c, uint8_t chain_flags) {
  LaneBatch batch;
  batch.a[0] = a;
  batch.b[0] = b;
  batch.c[0] = c;
  batch.chain_flags[0] = chain_flags;
  lane_execute(word, batch);
  return {batch.value[0], batch.flags[0], (batch.holds & 1) != 0};
}

}  // namespace maskwork
