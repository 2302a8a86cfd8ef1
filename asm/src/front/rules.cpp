#include "maskwork/asm/rules.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace maskwork {

namespace {

// Beginnings of the examples.
#define MW_G "!!NVcp5.0\nGROUP_SIZE 32;\n"
#define MW_T MW_G "TEMP R0, R1, R2;\n"
#define MW_M MW_G "SHARED_MEMORY 64;\nSHARED s[] = { program.sharedmem };\nTEMP R0, R1;\n"
#define MW_S "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nGROUP_SIZE 32;\nSTORAGE b[] = { program.storage[0] };\nTEMP R0, R1;\n"
#define MW_L MW_G "LONG TEMP D0;\nTEMP R0, R1;\n"
#define MW_E "END\n"
#define MW_X8(text) text text text text text text text text

constexpr Rule kRules[] = {
    {"L01", "The first line",
     "A program begins with !!NVcp5.0 in its first column: that names the kind of program and its version.  Nothing may stand before it, "
     "no blank and no comment.",
     "!!NVvp5.0\nGROUP_SIZE 32;\n" MW_E, MW_G MW_E},
    {"L02", "Grammar",
     "The text follows the grammar: statements end with ';', mnemonics are written in capitals, numbers have no suffix, and END is the last "
     "word.  Only comments may follow it.",
     MW_T "MOV R0 R1;\n" MW_E, MW_T "MOV R0, R1;\n" MW_E "# the end\n"},
    {"L03", "Options come first, and are known",
     "OPTION lines stand directly behind the header.  An option that is unknown, or belongs to another kind of program, is refused, because the "
     "program might mean something else without it.",
     MW_G "OPTION NV_internal;\n" MW_E, "!!NVcp5.0\nOPTION NV_internal;\nGROUP_SIZE 32;\n" MW_E},
    {"L04", "GROUP_SIZE and SHARED_MEMORY come before variables and instructions",
     "They describe the whole program and stand between the options and the first variable, label or instruction, in any order.",
     "!!NVcp5.0\nTEMP R0;\nGROUP_SIZE 32;\n" MW_E, MW_T MW_E},
    {"L05", "Integers in range",
     "An integer constant fits the type it is read as: 0 to 4294967295 unsigned, -2147483648 to 2147483647 signed, or the 64-bit ranges in a "
     "64-bit instruction.  A hexadecimal number is a bit pattern and may have all bits set.",
     MW_T "MOV.U R0, 4294967296;\n" MW_E, MW_T "MOV.U R0, 4294967295;\nMOV.S R0, 0xFFFFFFFF;\n" MW_E},
    {"L06", "No float constants in integer instructions",
     "A constant has the type of the instruction that reads it.  An instruction with .S or .U takes integers only; a float instruction takes both.",
     MW_T "ADD.S R0, R1, 1.5;\n" MW_E, MW_T "ADD.F R0, R1, {1, 1.5, 2, 0};\n" MW_E},
    {"L07", "No negative constants in unsigned instructions",
     "Inside braces and in declarations the sign belongs to the constant, which an unsigned instruction cannot read.  A sign before the operand is a "
     "negation, modulo 2^32, and is allowed.",
     MW_T "MOV.U R0, {1, -1, 0, 0};\n" MW_E, MW_T "MOV.U R0, -1;\n" MW_E},
    {"L08", "Reserved words",
     "program, result, state, texture, image and invocation begin bindings and cannot name a variable or label.  Mnemonics can.",
     MW_G "TEMP state;\n" MW_E, MW_G "TEMP ADD, states;\n" MW_E},
    {"L09", "Swizzles and masks",
     "A swizzle has one or four letters, all of xyzw or all of rgba.  A write mask has each letter at most once, in this order.",
     MW_T "MOV R0.yx, R1;\n" MW_E, MW_T "MOV R0.xy, R1.yxxx;\n" MW_E},
    {"L10", "A label is defined once",
     "Two labels of one name, or a label with the name of a variable, would make a call ambiguous.",
     MW_G "f:\nRET;\nf:\nRET;\n" MW_E, MW_G "f:\nRET;\ng:\nRET;\n" MW_E},
    {"L11", "A name is declared once", "Each variable, array, alias and subroutine type has a name of its own.", MW_T "TEMP R0;\n" MW_E, MW_T "TEMP R3;\n" MW_E},
    {"L12", "A name is declared before its use", "Every variable is declared above the first instruction that names it.", MW_T "MOV R0, R9;\n" MW_E,
     MW_T "TEMP R9;\nMOV R0, R9;\n" MW_E},
    {"L13", "Typed variables are used as their type",
     "A variable declared with INT, UINT or FLOAT is read and written by instructions of this type only.  The modifier .NTC switches the check off for one "
     "instruction; a variable without a type takes part in all.",
     MW_G "FLOAT TEMP f;\nADD.S f, f, 1;\n" MW_E, MW_G "FLOAT TEMP f;\nADD.F f, f, 1;\nADD.S.NTC f, f, 1;\n" MW_E},
    {"L14", "One type and one size in a declaration", "At most one of INT, UINT, FLOAT and at most one of SHORT, LONG.", MW_G "INT UINT TEMP a;\n" MW_E,
     MW_G "INT LONG TEMP a;\n" MW_E},
    {"L15", "As many elements as bindings",
     "The size in the brackets of an array, if it is given, is the number of its bindings.  A variable that is not an array has one binding.",
     MW_G "PARAM p[3] = { program.local[0..1] };\n" MW_E, MW_G "PARAM p[2] = { program.local[0..1] };\n" MW_E},
    {"L16", "TEMP arrays have a size", "Nothing else says how many elements a TEMP array has: a positive number stands in its brackets.", MW_G "TEMP a[];\n" MW_E,
     MW_G "TEMP a[4];\n" MW_E},
    {"L17", "Arrays are used by element", "An array is named with an element, another variable without one.", MW_T "TEMP a[4];\nMOV R0, a;\n" MW_E,
     MW_T "TEMP a[4];\nMOV R0, a[3];\n" MW_E},
    {"L18", "A constant element exists", "A constant index is below the number of elements.  Arrays of bytes count bytes.", MW_T "TEMP a[4];\nMOV R0, a[4];\n" MW_E,
     MW_T "TEMP a[4];\nMOV R0, a[3];\n" MW_E},
    {"L19", "The constant of a run-time index",
     "In a[R0.x + n] the constant is one of the array's elements, 0 to its size less 1; it cannot be negative.  The register may be.",
     MW_T "TEMP a[4];\nMOV R0, a[R1.x + 4];\n" MW_E, MW_T "TEMP a[4];\nMOV R0, a[R1.x + 3];\n" MW_E},
    {"L20", "An index is one integer", "A run-time index is one component of a variable of 32 bits that is not FLOAT.", MW_T "TEMP a[4];\nMOV R0, a[R1];\n" MW_E,
     MW_T "TEMP a[4];\nMOV R0, a[R1.x];\n" MW_E},
    {"L21", "SHORT and LONG belong to TEMP", "Only temporaries have a size of component; inputs and parameters have 32 bits.", MW_G "LONG PARAM p = 1;\n" MW_E,
     MW_G "LONG TEMP p;\n" MW_E},
    {"L22", "Ranges of bindings",
     "In [a..b] a is not above b, and the numbers exist: program.local, program.env and program.subroutine have limits, and so have the bytes of buffers.",
     MW_G "PARAM p[] = { program.local[3..2] };\n" MW_E, MW_G "PARAM p[] = { program.local[2..3] };\n" MW_E},
    {"L23", "Parameters in arrays with a run-time index",
     "Such arrays lie in memory, each parameter at one place: none may be bound twice in them, be it in one array or in two.  With constant indices it may.",
     MW_T "PARAM p[] = { program.local[0..1], program.local[0] };\nMOV R0, p[R1.x];\n" MW_E,
     MW_T "PARAM p[] = { program.local[0..1], program.local[0] };\nMOV R0, p[2];\n" MW_E},
    {"L24", "Bindings of a memory array follow each other",
     "A SHARED, STORAGE, CBUFFER, BUFFER or SUBROUTINE array is one stretch of elements of one binding point or range of them.  PARAM arrays may mix.",
     MW_G "SHARED_MEMORY 64;\nSHARED a[] = { program.sharedmem[0..7], program.sharedmem[16..23] };\n" MW_E,
     MW_G "SHARED_MEMORY 64;\nSHARED a[] = { program.sharedmem[0..7], program.sharedmem[8..23] };\n" MW_E},
    {"L25", "A parameter buffer is BUFFER or BUFFER4",
     "One binding point is an array of words or of vectors of four words, not both.  CBUFFER may share it with either.",
     MW_G "BUFFER a[] = { program.buffer[0] };\nBUFFER4 b[] = { program.buffer[0] };\n" MW_E,
     MW_G "BUFFER a[] = { program.buffer[0] };\nCBUFFER b[] = { program.buffer[0] };\n" MW_E},
    {"L26", "CBUFFER and LDC belong together",
     "A CBUFFER variable is a place in memory, not a value: only LDC reads it, and LDC reads nothing else.  BUFFER variables are values of ordinary "
     "instructions.",
     MW_T "CBUFFER c[] = { program.buffer[0] };\nMOV R0, c[0];\n" MW_E, MW_T "CBUFFER c[] = { program.buffer[0] };\nLDC.F32 R0, c[0];\n" MW_E},
    {"L27", "Parameter buffers are declared, and exist",
     "program.buffer[n] is bound to a variable, with a number below the limit and a range that does not run backwards; an instruction cannot name it.",
     MW_G "BUFFER b[] = { program.buffer[99] };\n" MW_E, MW_G "BUFFER b[] = { program.buffer[15] };\n" MW_E},
    {"L28", "Textures, images and counters exist",
     "texture[a..b], image[a..b] and program.counter[n][a..b] have limits and do not run backwards.  Such declarations are not supported yet.", "", ""},
    {"L29", "Results go to temporaries", "Parameters, inputs, buffers and constants are read only.", MW_T "PARAM p = 1;\nMOV p, R0;\n" MW_E,
     MW_T "PARAM p = 1;\nMOV R0, p;\n" MW_E},
    {"L30", "A compute program has no results", "OUTPUT and result.* belong to shaders of the graphics pipeline.  A compute program stores to memory.",
     MW_G "OUTPUT o = result.color;\n" MW_E, MW_S "STB.F32X4 R0, b[0];\n" MW_E},
    {"L31", "Aliases", "ALIAS gives a declared variable one more name, which must be new.", MW_T "ALIAS a = R9;\n" MW_E, MW_T "ALIAS a = R1;\nMOV a, R0;\n" MW_E},
    {"L40", "GROUP_SIZE is needed", "The size of a work group is part of the program: one to three numbers, separated by blanks.", "!!NVcp5.0\n" MW_E,
     "!!NVcp5.0\nGROUP_SIZE 8 8;\n" MW_E},
    {"L41", "One GROUP_SIZE", "A program has one size of work group.", MW_G "GROUP_SIZE 32;\n" MW_E, MW_G MW_E},
    {"L42", "Limits of a work group", "1 to {group_x} threads in x, {group_y} in y, {group_z} in z, and at most {group_threads} in all.", "!!NVcp5.0\nGROUP_SIZE 32 64;\n" MW_E,
     "!!NVcp5.0\nGROUP_SIZE 32 32;\n" MW_E},
    {"L43", "GROUP_SIZE or a variable size",
     "With the option ARB_compute_variable_group_size the size comes with the dispatch, and the program has no GROUP_SIZE.  (Such programs are not supported "
     "yet.)",
     "!!NVcp5.0\nOPTION ARB_compute_variable_group_size;\nGROUP_SIZE 32;\n" MW_E, MW_G MW_E},
    {"L44", "Shared memory is declared", "LDS, STS, ATOMS and SHARED variables need SHARED_MEMORY with the number of bytes that a group has.",
     MW_G "SHARED s[] = { program.sharedmem };\n" MW_E, MW_G "SHARED_MEMORY 64;\nSHARED s[] = { program.sharedmem };\n" MW_E},
    {"L45", "One SHARED_MEMORY", "A program has one size of shared memory.", MW_G "SHARED_MEMORY 64;\nSHARED_MEMORY 64;\n" MW_E, MW_G "SHARED_MEMORY 64;\n" MW_E},
    {"L46", "Constant offsets stay inside shared memory",
     "LDS, STS and ATOMS with a constant offset, and the ranges of SHARED variables, lie wholly inside the bytes that SHARED_MEMORY declares.  An offset known "
     "only at run time is checked then: loads outside give 0, stores and atomics do nothing.",
     MW_M "LDS.U32X2 R0, s[60];\n" MW_E, MW_M "LDS.U32X2 R0, s[56];\nLDS.U32X2 R0, s[R1.x];\n" MW_E},
    {"L47", "Limit of shared memory", "At most {shared_bytes} bytes a group.", MW_G "SHARED_MEMORY 49153;\n" MW_E, MW_G "SHARED_MEMORY 49152;\n" MW_E},
    {"L48", "SHARED variables belong to LDS, STS and ATOMS",
     "Shared memory is reached by load, store and atomic instructions, and these reach nothing else.  program.sharedmem is bound to a variable.",
     MW_M "MOV R0, s[0];\n" MW_E, MW_M "LDS.F32 R0, s[0];\n" MW_E},
    {"L50", "Storage buffers need their option", "STORAGE, LDB, STB, ATOMB and program.storagelen need OPTION NV_shader_storage_buffer.",
     MW_G "STORAGE b[] = { program.storage[0] };\n" MW_E, MW_S MW_E},
    {"L51", "STORAGE variables belong to LDB, STB and ATOMB",
     "Storage buffers are reached by load, store and atomic instructions, and these reach nothing else.  The numbers of buffers are 0 to {last_storage}.",
     MW_S "ADD R0, b[0], 1;\n" MW_E, MW_S "LDB.F32 R0, b[0];\nADD R0, R0, 1;\n" MW_E},
    {"L52", "Shuffles need their option", "SHFIDX, SHFUP, SHFDOWN and SHFXOR need OPTION NV_shader_thread_shuffle.", MW_T "SHFXOR R0, R1, 1, 31;\n" MW_E,
     "!!NVcp5.0\nOPTION NV_shader_thread_shuffle;\nGROUP_SIZE 32;\nTEMP R0, R1;\nSHFXOR R0, R1, 1, 31;\n" MW_E},
    {"L53", "Thread groups need their option",
     "TGBALLOT, invocation.thread* and the masks, warpid, smid and state.thread.* need OPTION NV_shader_thread_group.  TGALL, TGANY and TGEQ do not.",
     MW_T "MOV.U R0, invocation.threadid;\n" MW_E,
     "!!NVcp5.0\nOPTION NV_shader_thread_group;\nGROUP_SIZE 32;\nTEMP R0;\nMOV.U R0, invocation.threadid;\n" MW_E},
    {"L54", "Other features need their option",
     "Float atomics on ATOM (NV_shader_atomic_float), 64-bit atomics beyond U64 ADD, EXCH and CSWAP (NV_shader_atomic_int64), counters, image queries, small "
     "storage types in vectors (NV_gpu_program5_mem_extended), bindless handles.",
     MW_T "ATOM.ADD.F32 R0, R1, R2.x;\n" MW_E, "!!NVcp5.0\nOPTION NV_shader_atomic_float;\nGROUP_SIZE 32;\nTEMP R0, R1, R2;\nATOM.ADD.F32 R0, R1, R2.x;\n" MW_E},
    {"L55", "COUNTER variables belong to ATOMCTR", "Counters are reached by ATOMCTR only.  They are not supported yet.", "", ""},
    {"L60", "One modifier of a kind", "At most one data type, one condition code update, one clamp and one rounding.", MW_T "ADD.F.S R0, R1, R2;\n" MW_E,
     MW_T "ADD.F.CC.SAT R0, R1, R2;\n" MW_E},
    {"L61", "Clamps are for float results", ".SAT and .SSAT clamp to [0, 1] and [-1, 1], which only floats can use.  CVT.SAT clamps integers to their type.",
     MW_T "ADD.S.SAT R0, R1, R2;\n" MW_E, MW_T "ADD.F.SAT R0, R1, R2;\nCVT.U32.F32.SAT R0, R1;\n" MW_E},
    {"L62", "Modifiers that the instruction has", "Each instruction has its own list of types and modifiers; the hint names its types.", MW_T "AND.F R0, R1, R2;\n" MW_E,
     MW_T "AND.U R0, R1, R2;\n" MW_E},
    {"L63", "HI, S24 and U24 belong to MUL", "One of them, and only on MUL.", MW_T "ADD.HI.U R0, R1, R2;\n" MW_E, MW_T "MUL.HI.U R0, R1, R2;\n" MW_E},
    {"L64", "Types of MUL.HI, MUL.S24 and MUL.U24", "HI is the upper half of an integer product and needs .S or .U.  S24 and U24 are types themselves.",
     MW_T "MUL.HI R0, R1, R2;\n" MW_E, MW_T "MUL.HI.S R0, R1, R2;\nMUL.S24 R0, R1, R2;\n" MW_E},
    {"L65", "Order of suffixes", "Suffixes glued to a mnemonic come as type (R, H), condition code (C, C0, C1), clamp (_SAT, _SSAT).", MW_T "ADDCR R0, R1, R2;\n" MW_E,
     MW_T "ADDRC_SAT R0, R1, R2;\n" MW_E},
    {"L66", "One storage type on loads and stores",
     "LDS, STS, LDB, STB, LDC, LOAD and STORE say what they move: U32, S32 or F32, alone or with X2 or X4.  F, S and U are types of arithmetic.",
     MW_M "LDS.U R0, s[0];\n" MW_E, MW_M "LDS.U32X4 R0, s[0];\n" MW_E},
    {"L67", "One operation and one storage type on atomics",
     "ADD MIN MAX AND OR XOR EXCH CSWAP on U32 and S32, IWRAP and DWRAP on U32, ADD and EXCH on F32.", MW_M "ATOMS.MIN.F32 R0, R1, s[0];\n" MW_E,
     MW_M "ATOMS.ADD.F32 R0, R1, s[0];\nATOMS.MIN.S32 R0, R1, s[0];\n" MW_E},
    {"L68", "CVT has two storage types", "First the type of the result, then that of the operand, both with their size.", MW_T "CVT.S32 R0, R1;\n" MW_E,
     MW_T "CVT.S32.F32 R0, R1;\n" MW_E},
    {"L69", "CVT's operand has no sign", "Negation and absolute value are not available on the operand of CVT.", MW_T "CVT.S32.F32 R0, -R1;\n" MW_E,
     MW_T "MOV R0, -R1;\nCVT.S32.F32 R0, R0;\n" MW_E},
    {"L70", "Packed words have 32 bits", "PK2H, PK2US, PK4B and PK4UB do not write SHORT variables, and UP2H, UP2US, UP4B and UP4UB do not read them.",
     MW_T "SHORT TEMP H0;\nPK2H H0, R1;\n" MW_E, MW_T "SHORT TEMP H0;\nPK2H R0, H0;\n" MW_E},
    {"L71", "PK64 and UP64 need LONG variables", "PK64 joins two 32-bit components into one of 64 bits, UP64 takes it apart.", MW_L "PK64 R0, R1;\n" MW_E,
     MW_L "PK64 D0, R1;\nUP64 R0, D0;\n" MW_E},
    {"L72", "64-bit floats", "A machine without them refuses their modifiers.  Here they are not supported yet, and refused with these words.", "", ""},
    {"L73", "Instructions of other programs", "Derivatives, discards, emitted vertices and branches of older profiles are no instructions of compute programs.",
     MW_T "DDX R0, R1;\n" MW_E, MW_T "MOV R0, R1;\n" MW_E},
    {"L74", "Scalars, and the operand of SWZ",
     "An operand of which the instruction takes one component names it, unless it is a bare number.  The operand of SWZ has neither sign nor swizzle: its "
     "selectors have them.",
     MW_T "RCP R0, R1;\n" MW_E, MW_T "RCP R0, R1.x;\nSWZ R0, R1, x, -y, 0, 1;\n" MW_E},
    {"L75", "RFL has no w", "The reflected vector has three components; a write mask of RFL does not name w.", MW_T "RFL R0.xyzw, R1, R2;\n" MW_E,
     MW_T "RFL R0.xyz, R1, R2;\n" MW_E},
    {"L80", "Blocks are nested", "A block is closed by its own word: IF by ENDIF with at most one ELSE, REP by ENDREP, the inner one first.",
     MW_T "REP 4;\nIF NE.x;\nENDREP;\nENDIF;\n" MW_E, MW_T "REP 4;\nIF NE.x;\nENDIF;\nENDREP;\n" MW_E},
    {"L81", "Blocks are opened and closed", "Every IF and REP is closed, and ELSE, ENDIF and ENDREP belong to an open block.", MW_T "IF NE.x;\nMOV R0, R1;\n" MW_E,
     MW_T "IF NE.x;\nMOV R0, R1;\nENDIF;\n" MW_E},
    {"L82", "Labels stand outside of blocks", "A label begins a subroutine, so that all blocks above it are closed.", MW_T "IF NE.x;\nf:\nENDIF;\n" MW_E,
     MW_T "IF NE.x;\nENDIF;\nf:\n" MW_E},
    {"L83", "BRK and CONT stand in a loop", "They leave or continue the innermost REP of their own subroutine.", MW_T "BRK (NE.x);\n" MW_E,
     MW_T "REP 4;\nBRK (NE.x);\nENDREP;\n" MW_E},
    {"L84", "Depth of nesting", "{if_depth} IFs and {loop_depth} REPs may be open at once in a subroutine.", MW_G MW_X8("REP 2;\n") "REP 2;\n" MW_X8("ENDREP;\n") "ENDREP;\n" MW_E,
     MW_G MW_X8("REP 2;\n") MW_X8("ENDREP;\n") MW_E},
    {"L85", "Loops end", "A REP without a count has a BRK of its own (in IFs, but not in a REP inside it) or a RET at any depth.", MW_T "REP;\nMOV R0, R1;\nENDREP;\n" MW_E,
     MW_T "REP;\nIF NE.x;\nBRK;\nENDIF;\nENDREP;\n" MW_E},
    {"L86", "Calls have a target", "CAL names a label of the program, CALI a SUBROUTINE variable, SUBROUTINETYPE labels.", MW_T "CAL f;\nRET;\n" MW_E,
     MW_T "CAL f;\nRET;\nf:\nRET;\n" MW_E},
    {"L87", "Indirect calls",
     "A CALI must not lead back to itself, whatever the host chooses.  The numbers of SUBROUTINENUM are 0 to {last_subroutine} and different, and a subroutine uniform has one "
     "type.  (CAL may recurse.)",
     MW_G "SUBROUTINETYPE T { f, g };\nSUBROUTINE T v = program.subroutine[0];\nCALI v;\nRET;\nf:\nCALI v;\nRET;\ng:\nRET;\n" MW_E,
     MW_G "SUBROUTINETYPE T { f, g };\nSUBROUTINE T v = program.subroutine[0];\nCALI v;\nRET;\nf:\nCAL g;\nRET;\ng:\nRET;\n" MW_E},
    {"L90", "One target on a texture unit", "Two instructions that use one unit name the same target.  Textures are not supported yet.", "", ""},
    {"L91", "Texture offsets", "Offsets have as many components as the target, in range.  Textures are not supported yet.", "", ""},
    {"L92", "Targets of texture instructions", "Not every texture instruction has every target.  Textures are not supported yet.", "", ""},
    {"L93", "Gathers", "TXG and TXGO have their own targets and selectors.  Textures are not supported yet.", "", ""},
    {"L99", "Resources",
     "The program fits the limits: {temporaries} TEMP vectors, {parameters} vectors of PARAM variables, {instructions} instructions, and after assembly the "
     "registers a thread has, the constant file and the buffer slots.  "
     "`maskwork info` lists them.",
     MW_G "TEMP a[5000];\n" MW_E, MW_G "TEMP a[900];\n" MW_E},
    {kNotSupportedYet, "Not supported yet",
     "The program is legal, but uses a feature that this assembler does not have yet: textures, images, counters, 64-bit floats and what else the message names.  "
     "docs/language.md lists them.",
     "", ""},
};

}  // namespace

std::span<const Rule> rules() {
    return kRules;
}

const Rule* find_rule(std::string_view name) {
    for (const Rule& rule : kRules) {
        const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b)); };
        if (std::equal(name.begin(), name.end(), rule.name.begin(), rule.name.end(), same)) return &rule;
    }
    return nullptr;
}

std::string explain(const Rule& rule, const LanguageLimits& limits) {
    // The numbers in the text are those that the assembler refuses by.
    const std::string text = fmt::format(
        fmt::runtime(rule.text), fmt::arg("group_x", limits.group_size[0]), fmt::arg("group_y", limits.group_size[1]), fmt::arg("group_z", limits.group_size[2]),
        fmt::arg("group_threads", limits.group_threads), fmt::arg("shared_bytes", limits.shared_bytes), fmt::arg("last_storage", limits.storage_bindings - 1),
        fmt::arg("if_depth", limits.if_depth), fmt::arg("loop_depth", limits.loop_depth), fmt::arg("last_subroutine", limits.subroutines - 1),
        fmt::arg("temporaries", limits.temporaries), fmt::arg("parameters", limits.parameters), fmt::arg("instructions", limits.instructions));
    std::string out = fmt::format("{}: {}\n\n", rule.name, rule.title);
    std::size_t column = 0;
    for (std::size_t at = 0; at < text.size();) {  // filled to 100 columns
        const std::size_t end = std::min(text.find(' ', at), text.size());
        const std::string_view word = std::string_view(text).substr(at, end - at);
        at = end + 1;
        if (word.empty()) continue;
        if (column != 0 && column + 1 + word.size() > 100) {
            out += '\n';
            column = 0;
        }
        if (column != 0) {
            out += ' ';
            ++column;
        }
        out += word;
        column += word.size();
    }
    out += '\n';
    if (rule.refused.empty()) return out;
    const auto indented = [](std::string_view program) {
        std::string lines;
        for (std::size_t at = 0; at < program.size();) {
            const std::size_t end = program.find('\n', at);
            lines += fmt::format("    {}\n", program.substr(at, end - at));
            at = end + 1;
        }
        return lines;
    };
    Diagnostics diagnostics;
    parse(rule.refused, "example", limits, diagnostics);
    out += fmt::format("\nRefused:\n\n{}\n{}\nLoads:\n\n{}", indented(rule.refused), render(diagnostics, rule.refused), indented(rule.loads));
    return out;
}

}  // namespace maskwork
