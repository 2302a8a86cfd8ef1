#pragma once
// Lowering: checked program to words with virtual registers. One object per program; the parts stand in lower_*.cpp.
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "expansion.hpp"
#include "ir.hpp"
#include "maskwork/asm/ast.hpp"
#include "maskwork/asm/diagnostics.hpp"

namespace maskwork::back {

class Lowering {
 public:
  Lowering(const ast::Program& program, Diagnostics& diagnostics) : p_(program), diagnostics_(diagnostics) {}

  /// Empty if something is not supported or does not fit; the diagnostics say what.
  std::optional<IrProgram> run();

 private:
  // ---- emitting (lower.cpp)
  void error(std::string_view rule, ast::SourceSpan where, std::string message, std::string hint = {});
  void emit(IrWord word);
  void push(IrWord word);
  /// Groups of words that act as if all read before any writes. Inside a group the words follow each other, and no word overwrites what a later one reads.
  using Group = std::vector<IrWord>;
  void emit_parallel(std::vector<Group> groups);
  void emit_parallel(std::vector<IrWord> words);
  VReg new_vreg(uint32_t size = 1);
  uint32_t new_label();
  void bind(uint32_t label);
  VReg move_to_temporary(Src source);
  void forget_cached();

  // ---- operands (lower_operand.cpp)
  struct IndexKey {
    uint32_t variable = ast::kNone, element = 0, component = 0;
    friend bool operator==(const IndexKey&, const IndexKey&) = default;
  };
  struct Place {
    VReg reg = kNoReg;
    uint32_t offset = 0;
  };
  using Components = std::array<Src, 4>;
  static IndexKey key_of(const ast::Index& index) { return {index.variable, index.element, index.component}; }
  bool supported(const ast::Instruction& in);
  static bool is_arithmetic(ast::Opcode opcode);
  /// The register of a component; `high`: the upper half of a LONG one.
  Place place(uint32_t variable, uint32_t element, unsigned component, bool high = false);
  bool contiguous(uint32_t variable) const;
  Src read(uint32_t variable, uint32_t element, unsigned component, bool high = false);
  std::optional<uint64_t> literal_of(const ast::Operand& op, unsigned component) const;
  Src index_source(const ast::Index& index) { return read(index.variable, index.element, index.component); }
  Src constant_number(const ConstantSource& source);
  bool temp_relative(const ast::Operand& op) const;
  void load_a0(const IndexKey& key);
  /// A0 for the relative operands of the instruction; true if they (and the result) can all use it directly.
  bool prepare_index(const ast::Instruction& in);
  Components prepare(const ast::Operand& op, unsigned needed, bool direct, bool high = false);
  Src with_modifiers(Src source, const ast::Operand& op) const;
  Components load_param(const ast::Operand& op, unsigned needed);
  Src read_input(ast::Attribute attribute, unsigned component);
  Components load_buffer(const ast::Operand& op, unsigned needed);
  void group(uint32_t variable, uint32_t element, unsigned mask);
  std::array<VReg, 4> temporary_group(unsigned mask);

  // ---- results and conditions
  static isa::Test test_of(ast::CcRule rule);
  static bool never(const ast::CcTest& test) { return test.present && test.rule == ast::CcRule::fl; }
  static bool always(const ast::CcTest& test) { return !test.present || test.rule == ast::CcRule::tr; }
  void set_mask(IrWord& word, const ast::CcTest& test, unsigned component) const;
  static void set_condition(IrWord& word, const ast::CcTest& test);
  void set_result(IrWord& word, const ast::Instruction& in, unsigned component);
  static isa::Type type_of(ast::DataType type);

  // ---- instructions
  void lower(uint32_t index);
  struct Row {
    const Expansion* expansion = nullptr;
    std::optional<ast::Rounding> rounding;  ///< instead of the instruction's
    uint32_t n = 0, o = 0;                  ///< what constant operands say
    std::string name;                       ///< what was looked for
  };
  struct Values {
    Components low, high;
    bool applied = false;  ///< sign and absolute value are in them
  };
  using Temporaries = std::array<VReg, kTemporaries>;
  /// A word that writes the result of `component`, still without destination, condition codes and predicate.
  struct Draft {
    IrWord word;
    unsigned component = 0;
    bool high = false;
    uint32_t first = ast::kNone;  ///< copies the result of this component, right behind it
  };
  void alu(const ast::Instruction& in);
  Row choose(const ast::Instruction& in);
  Row choose_conversion(const ast::Instruction& in);
  static uint32_t parameter(Parameter which, const Row& row);
  Values wide_values(const ast::Instruction& in, unsigned number, unsigned needed, bool direct);
  void apply_sign(Src& low, Src& high, bool absolute, bool negative);
  Src as_value(Src source, const ast::Operand& op);
  IrWord make_step(const Step& step, const ast::Instruction& in, const Row& row, const std::array<Values, 3>& operands, unsigned component,
                   const Temporaries& temporaries);
  void merge_copies(std::vector<Draft>& drafts, const ast::Instruction& in);
  bool mergeable(VReg t, size_t producer, const Draft& draft, const ast::Instruction& in) const;
  void set_target(IrWord& word, const ast::Instruction& in, unsigned component, bool high);
  /// The word's result goes to a temporary; what is returned copies it.
  IrWord through_temporary(IrWord word, isa::Type type);
  void finish_narrow(Draft& draft, const ast::Instruction& in, std::vector<Group>& groups);
  void finish_wide(Draft& low, Draft& high, const ast::Instruction& in, std::vector<Group>& groups);
  void load(const ast::Instruction& in);
  void store(const ast::Instruction& in);
  void atomic(const ast::Instruction& in);
  void address(IrWord& word, const ast::Operand& op, bool direct);
  void global_address(IrWord& word, const ast::Operand& op, bool direct);
  SlotSource slot_source(const ast::Variable& v, uint32_t buffer) const;
  void access(IrWord word, const ast::Operand& op);
  void compare_index(Src index, uint32_t value);
  std::array<VReg, 4> data(const ast::Operand& op, unsigned count, bool direct);
  void deliver(IrWord word, const ast::Instruction& in, unsigned loaded, bool direct, bool replicate);
  uint32_t slot(const SlotSource& source, ast::SourceSpan where);

  // ---- flow (lower_flow.cpp)
  struct Block {
    bool loop = false;
    uint32_t first = 0, close = 0;    ///< instruction indices of IF or REP and of its ENDIF or ENDREP
    uint32_t else_at = ast::kNone;
    bool in_else = false;
    uint32_t else_label = kNoLabel;   ///< after the ELSE word
    uint32_t else_word = kNoLabel;    ///< the ELSE word itself
    uint32_t close_label = kNoLabel;  ///< the closing word
    uint32_t end_label = kNoLabel;    ///< after it
    uint32_t head_label = kNoLabel;   ///< loop: after REP
    uint32_t enclosing_closed = 0;    ///< IF: enclosing IFs that the same ENDIF word closes
    uint32_t run = 1;                 ///< IFs closed by that word
    uint32_t if_depth = 0;            ///< loop: IFs open outside, in the routine
    bool leaves = false;              ///< BRK, CONT or RET inside
    bool endless = false;
    bool continues = false;           ///< loop: a CONT stands before
  };
  /// Entry of a fused ELSE-IF for the case that no thread took the outer IF.
  struct Stub {
    uint32_t entry = kNoLabel, inside = kNoLabel;
    IrWord word;
    LineEntry line;
    uint32_t instruction = 0;
  };
  void find_routines();
  void routine(uint32_t number, uint32_t first, uint32_t end);
  IrWord flow_word(isa::Op op);
  void if_(uint32_t index);
  IrWord if_word(const Block& b, const ast::Instruction& in);
  void else_(uint32_t index);
  void endif_(uint32_t index);
  void rep(uint32_t index);
  void endrep(uint32_t index);
  void leave(uint32_t index);
  void call(uint32_t index);
  void call_indirect(uint32_t index);
  Src subroutine_value(const ast::Instruction& in);
  void list_subroutines();
  void skip_rest(uint32_t index);
  std::optional<uint32_t> constant_count(const ast::Instruction& in) const;
  Src counter_source(const ast::Instruction& in);
  uint32_t if_depth() const;
  uint32_t after_unconditional(uint32_t end) const;

  const ast::Program& p_;
  Diagnostics& diagnostics_;
  IrProgram ir_;
  std::map<std::pair<uint32_t, uint32_t>, VReg> places_;
  std::map<std::tuple<uint8_t, uint32_t, uint32_t, uint8_t>, uint32_t> constants_;
  std::map<std::tuple<uint8_t, uint32_t, uint32_t, uint32_t>, uint32_t> slots_;
  std::map<uint32_t, uint32_t> param_slots_;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> groups_;
  LineEntry line_;
  uint32_t instruction_ = 0;
  bool a0_valid_ = false;
  IndexKey a0_key_;
  Src a0_source_;
  std::map<std::pair<ast::Attribute, unsigned>, VReg> inputs_;  ///< components of computed inputs, since the last label or flow word

  std::map<std::pair<Src::Kind, uint32_t>, VReg> immediates_;  ///< literals and constants that the instruction has in temporaries

  std::vector<IrWord> before_;  ///< words of the instruction before those that write its result

  std::vector<Block> blocks_;
  std::vector<Stub> stubs_;
  uint32_t fused_ = ast::kNone;             ///< IF whose word the ELSE before it is
  std::vector<uint32_t> routine_of_label_;  ///< label -> routine number, kNone: unused
  std::vector<uint32_t> routine_labels_;    ///< routine number - 1 -> label
  std::vector<bool> recursive_;             ///< by routine number
  bool main_called_ = false;
  uint32_t routine_ = 0;
  uint32_t return_label_ = kNoLabel;
  uint32_t max_if_ = 0;
  bool full_ = false;
};

}  // namespace maskwork::back
