// The checked program that the assembler's front end hands to its back end (lowering).
//
// Everything in it has passed the load-time rules: names are resolved to variables, aliases are gone, data types are known for the
// operation and for every operand, constants carry the value of the type they are read as, and blocks know their partners.
// Nothing here depends on microcode.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace maskwork::ast {

inline constexpr std::uint32_t kNone = 0xffffffffu;  // "no such index"

// Lines and columns count from 1; a column counts characters, a tab as one.
struct SourceSpan {
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::uint32_t length = 0;
};

// ---- types ------------------------------------------------------------------------------------------------------------------------

enum class BaseType : std::uint8_t { none, f, s, u };

// Unsized modifiers (.F .S .U) become the 32-bit type.
enum class DataType : std::uint8_t { none, f16, f32, f64, s8, s16, s32, s64, u8, u16, u32, u64 };

BaseType base_of(DataType type);
unsigned bytes_of(DataType type);             // of one component; 0 for none
std::string_view name_of(DataType type);      // "F32"
std::string_view name_of(BaseType type);      // "float", "signed integer", "unsigned integer"

// ---- variables --------------------------------------------------------------------------------------------------------------------

// constant_buffer: CBUFFER, only in LDC; buffer: BUFFER and BUFFER4, in any operand.
enum class VariableKind : std::uint8_t { temp, attrib, param, storage, shared, constant_buffer, buffer, subroutine };
enum class Width : std::uint8_t { normal, half, wide };  // default, SHORT (kept in 32 bits), LONG (64 bits a component)

// Scalar attributes (from local_index on) are replicated to all four components; the w of a vector attribute is 0.
enum class Attribute : std::uint8_t {
    none,
    local_id,
    global_id,
    group_id,
    group_count,
    group_size,
    local_index,
    thread_id,
    thread_eq_mask,
    thread_lt_mask,
    thread_le_mask,
    thread_gt_mask,
    thread_ge_mask,
    warp_id,
    sm_id,
};

// One literal.  In an element of a PARAM or an operand `bits` is the pattern of the type it is read as: 32 bits, or the lower half of 64.
struct Constant {
    bool negative = false;       // a sign inside braces or in a declaration; the sign of a bare operand is the operand's negation
    bool is_float = false;       // written with a point or an exponent
    bool overflow = false;       // an integer literal of more than 64 bits (legal where it is read as float)
    std::uint64_t magnitude = 0; // of an integer literal, before the sign
    double value = 0.0;          // with sign
    std::uint32_t bits = 0;
    std::uint32_t high = 0;      // upper half, where the operand is read in 64 bits; of a PARAM's element 0
    std::string text;            // as written, without sign
};

struct ConstantVector {
    BaseType type = BaseType::f;  // that of `bits`
    bool any_type = false;        // `bits` hold for every type (the fixed values of bindings)
    std::array<Constant, 4> components;
};

// Bindings of a fixed value (state.thread.warpsize, program.storagelen) are constants.
enum class ParamSource : std::uint8_t { constant, env, local, warps_per_sm };

struct ParamElement {
    ParamSource source = ParamSource::constant;
    std::uint32_t index = 0;  // into Program::constants, or the number of the program.env / program.local parameter
};

// A STORAGE, CBUFFER, BUFFER or BUFFER4 variable: bytes first_byte .. first_byte + byte_count - 1 of each of the bindings
// first .. first + count - 1 (program.storage or program.buffer).
struct StorageRange {
    std::uint32_t element_bytes = 1;  // unit of an index: 4 for BUFFER, 16 for BUFFER4
    std::uint32_t first_binding = 0;
    std::uint32_t binding_count = 1;
    bool array_of_buffers = false;  // accessed as v[buffer][byte]: Operand::buffer_index is used
    bool bounded = false;           // a byte range or size was declared; otherwise to the end of the bound range
    std::uint32_t first_byte = 0;
    std::uint32_t byte_count = 0;   // if bounded
};

struct SharedRange {
    std::uint32_t first_byte = 0;   // byte offset of element 0 in the group's shared memory
    std::uint32_t byte_count = 0;   // a single element (= program.sharedmem[n]) reaches to the end of the block
};

// SUBROUTINE uniforms program.subroutine[first] .. [first + Variable::size - 1].
struct SubroutineRange {
    std::uint32_t type = kNone;  // index into Program::subroutine_types
    std::uint32_t first = 0;
};

struct Variable {
    std::string name;  // the binding's text for a nameless variable ("program.local[3]")
    VariableKind kind = VariableKind::temp;
    BaseType typing = BaseType::none;  // INT, UINT, FLOAT
    Width width = Width::normal;
    bool is_array = false;
    bool indexed_at_run_time = false;  // some instruction uses a relative index on it
    std::uint32_t size = 1;            // elements of TEMP, PARAM and SUBROUTINE arrays, else 1
    Attribute attribute = Attribute::none;
    std::vector<ParamElement> elements;  // PARAM: size entries
    StorageRange storage;              // STORAGE, CBUFFER, BUFFER, BUFFER4
    SharedRange shared;
    SubroutineRange subroutine;
    SourceSpan where;
};

// ---- instructions -----------------------------------------------------------------------------------------------------------------

enum class Opcode : std::uint8_t {
#define MW_OPCODE(name, stage, signature, types, fallback, permits) name,
#include "maskwork/asm/opcodes.def"
#undef MW_OPCODE
};

std::string_view name_of(Opcode opcode);

enum class CcUpdate : std::uint8_t { none, cc0, cc1 };
enum class Clamp : std::uint8_t { none, sat, ssat };
enum class MulKind : std::uint8_t { none, hi, s24, u24 };  // s24/u24: type is s32/u32
enum class Rounding : std::uint8_t { none, round, ceil, flr, trunc };
enum class AtomicOp : std::uint8_t { none, add, min, max, iwrap, dwrap, and_, or_, xor_, exch, cswap };

struct Modifiers {
    DataType type = DataType::none;    // of the operation; storage type; CVT's destination
    DataType source = DataType::none;  // CVT's source
    std::uint8_t count = 1;            // 2 and 4 for X2 and X4
    CcUpdate cc = CcUpdate::none;
    Clamp clamp = Clamp::none;
    MulKind mul = MulKind::none;
    Rounding rounding = Rounding::none;  // none means ROUND
    AtomicOp atomic = AtomicOp::none;
    bool cta = false;
    bool coherent = false;
    bool is_volatile = false;
    bool no_type_check = false;
    bool precise = false;
};

enum class CcRule : std::uint8_t { eq, ge, gt, le, lt, ne, tr, fl, nan, leg, cf, ncf, of, nof, sf, nsf, ab, ble };

using Swizzle = std::array<std::uint8_t, 4>;  // component 0..3 for each of x, y, z, w
inline constexpr Swizzle kIdentity{0, 1, 2, 3};

// A condition: as a mask, component i of the result is written if the rule holds for component swizzle[i] of CC<reg>;
// as a test of a flow instruction it holds if it does for any of the four.
struct CcTest {
    bool present = false;  // absent: always true
    CcRule rule = CcRule::tr;
    std::uint8_t reg = 0;
    Swizzle swizzle = kIdentity;
    SourceSpan where;
};

// Which element of an array: `offset`, or the run-time value of one component of a register, plus `offset`.
// For SHARED, STORAGE and CBUFFER the unit is a byte of the variable (add first_byte yourself), else an element.
struct Index {
    bool relative = false;
    std::uint32_t offset = 0;
    std::uint32_t variable = kNone;  // relative: TEMP, ATTRIB or PARAM that holds the index,
    std::uint32_t element = 0;       //   its element,
    std::uint8_t component = 0;      //   and component
};

enum class OperandKind : std::uint8_t { variable, constant };

// What becomes of a value whose variable has another width than the operation (in operands and results).
// extend: 32 bits to 64, by the sign (S) or with zeros (U).  truncate: 64 bits to 32, the lower half.
enum class Fit : std::uint8_t { same, extend, truncate };

// The value read: element, then swizzle, then inner negation, absolute value, outer negation (each if asked for).
// The address operand of memory instructions is an operand of kind `variable` on a SHARED or STORAGE variable; it has none of these.
// That of LOAD, STORE and ATOM is a scalar operand, read as unsigned, of 32 bits or (LONG) of 64.  LDC's is a CBUFFER variable with all
// of these.  CALI's is a SUBROUTINE variable.
struct Operand {
    OperandKind kind = OperandKind::variable;
    BaseType type = BaseType::none;    // the type it is read as; none for the address of a memory instruction
    bool wide = false;                 // the operation reads 64 bits here
    Fit fit = Fit::same;               // from the variable's width to the operation's; before sign and absolute value
    std::uint32_t variable = kNone;    // index into Program::variables, or into Program::constants
    Index index;
    Index buffer_index;                // of an array of buffers
    Swizzle swizzle = kIdentity;       // scalar: all four entries equal
    bool scalar = false;               // the instruction takes one component here
    bool negate_inner = false;
    bool absolute = false;
    bool negate_outer = false;
    SourceSpan where;
};

struct Destination {
    std::uint32_t variable = kNone;  // a TEMP; kNone: the instruction has no result
    Index index;
    std::uint8_t mask = 0xf;         // bit 0 = x
    BaseType type = BaseType::none;  // of the result
    bool wide = false;               // the result has 64 bits
    Fit fit = Fit::same;             // from the result's width to the variable's
    CcTest cc_mask;
    SourceSpan where;
};

// One selector of SWZ: a component, 0 or 1, with its own sign.
struct SwzSelector {
    enum class Source : std::uint8_t { x, y, z, w, zero, one };
    Source source = Source::x;
    bool negate = false;
};

struct Instruction {
    Opcode opcode = Opcode::MOV;
    Modifiers modifiers;
    Destination destination;
    std::array<Operand, 3> operands;
    std::uint8_t operand_count = 0;
    std::array<SwzSelector, 4> selectors;  // SWZ
    CcTest condition;               // IF, BRK, CONT, CAL, CALI, RET
    std::uint32_t label = kNone;    // CAL: index into Program::labels
    // IF: its ELSE, or ENDIF if there is none.  ELSE: its ENDIF.  ENDIF: its IF.  REP: its ENDREP.  ENDREP, BRK, CONT: their REP.
    std::uint32_t partner = kNone;
    SourceSpan where;               // from the opcode to the last operand (of the first line, if it spans several)
    SourceSpan opcode_where;
};

// A subroutine: instructions first .. end - 1.  Reaching `end` acts as RET.
struct Label {
    std::string name;
    std::uint32_t number = kNone;  // SUBROUTINENUM, given or chosen, of labels in a SUBROUTINETYPE
    std::uint32_t first = 0;
    std::uint32_t end = 0;
    SourceSpan where;
};

struct SubroutineType {
    std::string name;
    std::vector<std::uint32_t> labels;  // indices into Program::labels, in the order of the declaration
    SourceSpan where;
};

struct Program {
    std::string file;
    std::vector<std::string> options;          // in the order of the text
    std::array<std::uint32_t, 3> group_size{1, 1, 1};
    std::uint32_t shared_bytes = 0;            // 0 without SHARED_MEMORY
    std::vector<Variable> variables;           // named ones, and one nameless variable for each binding used in place
    std::vector<ConstantVector> constants;
    std::vector<Instruction> instructions;
    std::vector<Label> labels;                 // in the order of the text
    std::vector<SubroutineType> subroutine_types;
    std::uint32_t entry = 0;                   // index of the first instruction executed (may equal instructions.size())
    std::uint32_t entry_end = 0;               // where main ends: the next label or the end of the program
};

}  // namespace maskwork::ast
