#pragma once
// Predecoded microcode: fields taken apart once per dispatch, literals and constants as ready rows.
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "maskwork/device.hpp"
#include "maskwork/isa.hpp"
#include "maskwork/object.hpp"
#include "rows.hpp"

namespace maskwork::model {

inline constexpr uint32_t wave_threads = isa::limit::wave_threads;
inline constexpr uint32_t row_bytes = wave_threads * 4;
inline constexpr uint32_t all_threads = 0xffffffffu;

/// Where a source row lies: an index into Wave::base, or a register chosen per thread.
enum class Sel : uint8_t { Register, Pool, Special, Uniform, Relative };

struct Source {
  Sel sel = Sel::Register;
  bool neg = false, abs = false;
  uint16_t index = 0;   ///< Register, Relative: register number
  uint32_t offset = 0;  ///< bytes from the base; Register: only inside the window
};

/// What a word without predicate, condition codes, clamp and relative operands needs: one call per wave.
struct FastWord {
  rows::Fn3 fn = nullptr;
  uint32_t a = 0, b = 0, c = 0, d = 0;  ///< byte offsets
  Sel sa = Sel::Register, sb = Sel::Register, sc = Sel::Register;
  bool fast = false;
};

enum class Step : uint8_t { Alu, Mem, Flow, Bad };
enum class AluKind : uint8_t { Plain, IntAdd, IntMad, Mova };
enum class FlagKind : uint8_t { F32, Int, FromAdd };

/// All fields of a word, as execution needs them.
struct Word {
  Step step = Step::Bad;
  isa::Op op = isa::Op::BAD;
  uint8_t type = 0;
  isa::Kind kind = isa::Kind::None;
  bool sem_acquire = false, semaphore_fault = false;
  uint8_t sem_wait = 0, own_sem = 0;  ///< own_sem: bit of the memory that the word uses
  // Predicate: threads whose flags nibble has its bit in pred_lut; no components with TR.
  bool pred_always = true;
  uint8_t pred_cc = 0, pred_mask = 0, pred_component = 0;
  uint16_t pred_lut = 0;
  uint32_t imm = 0;
  Source src[3];
  uint8_t first_source = 0, sources = 0;  ///< the operation reads src[first_source] .. src[sources - 1]
  uint16_t dst = 0;
  bool dst_en = false, dst_rel = false;
  // ALU words
  bool special = false;  ///< of the special unit: compute_special() instead of compute()
  AluKind alu = AluKind::Plain;
  FlagKind flags = FlagKind::F32;
  bool write_inactive = false, alu_we = false, chain_carry = false, chain_zero = false;
  uint8_t source_type = 0, cc_dst = 3, cc_comp = 0, chain_comp = 0, clamp = 0;
  isa::Rel rel = isa::Rel::A0;
  bool relative = false;
  rows::Fn3 fn = nullptr;
  // Memory words
  bool shared = false, global = false, address_register = false;
  bool no_access = false;  ///< fences and checks go through their unit without an access
  uint8_t mem_mask = 0, slot = 0;
  uint32_t alignment = 4;
  isa::Atom atom = isa::Atom::ADD;
  // Flow words
  bool jump_any = false, b_else = false, endless = false;
  uint32_t target = 0;
  uint8_t jump_func = 0, bool_idx = 0, b_pop = 0;
  isa::Aop a_op = isa::Aop::NONE;
  isa::Bop b_op0 = isa::Bop::NONE, b_op1 = isa::Bop::NONE;
  int16_t al_init = 0, al_step = 0;
};

/// The decoded program of one dispatch.
class Code {
 public:
  Code(const Program& program, const std::vector<uint32_t>& constants);

  uint32_t size() const { return static_cast<uint32_t>(words_.size()); }
  const Word& word(uint32_t pc) const { return words_[pc]; }
  /// One more entry than words; the last is never fast.
  const FastWord* fast() const { return fast_.data(); }
  const uint32_t* pool() const { return pool_; }
  const rows::Table& rows() const { return rows_; }

 private:
  Word decode(const isa::Word& w, const Program& program, const std::vector<uint32_t>& constants);
  void decode_alu(Word& d, const isa::Word& w, const Program& program, const std::vector<uint32_t>& constants);
  void decode_mem(Word& d, const isa::Word& w);
  void decode_flow(Word& d, const isa::Word& w);
  FastWord make_fast(const Word& d, uint32_t registers) const;
  uint32_t literal(uint32_t value);  ///< byte offset of a row that holds it

  const rows::Table& rows_;
  std::vector<Word> words_;
  std::vector<FastWord> fast_;
  std::unordered_map<uint32_t, uint32_t> literals_;
  std::vector<uint32_t> values_;   ///< of the pool's rows
  std::vector<uint32_t> storage_;  ///< of the pool, with room to align
  const uint32_t* pool_ = nullptr;
};

/// First address of `storage` that is aligned for rows.
inline uint32_t* align_rows(uint32_t* p) { return reinterpret_cast<uint32_t*>((reinterpret_cast<uintptr_t>(p) + 127) & ~uintptr_t{127}); }
inline constexpr uint32_t align_slack = 32;  ///< words to allocate in addition

/// The function and modifiers of a good ALU word, as the interpreter and the lane reference use them.
void decode_alu_function(Word& d, const isa::Word& w, const rows::Table& rows);

}  // namespace maskwork::model
