// Every load-time rule with a program that breaks it (rule number, line and column are checked) and a near miss that loads.
// In a refused program '@' marks where the first error must be; it is removed before parsing.  The expectations come from the
// language's specifications, rule by rule.
#include "maskwork/asm/frontend.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <ostream>
#include <string>
#include <vector>

namespace {

using maskwork::Diagnostics;
using maskwork::Limits;

struct Case {
    std::string name;
    std::string rule;  // empty: the program loads
    std::string text;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

const std::string H = "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nGROUP_SIZE 8;\nSHARED_MEMORY 256;\n";
const std::string V = H +
                      "SHARED sh[] = { program.sharedmem };\nSTORAGE st[] = { program.storage[0] };\n"
                      "TEMP R0, R1, R2, A[4];\nPARAM P[3] = { {1,2,3,4}, program.local[0..1] };\nPARAM q = program.env[2];\n";

Case bad(std::string name, std::string rule, std::string text) { return {std::move(name), std::move(rule), std::move(text)}; }
Case good(std::string name, std::string text) { return {std::move(name), "", std::move(text)}; }
Case bad_code(std::string name, std::string rule, const std::string& code) { return bad(std::move(name), std::move(rule), V + code + "\nEND\n"); }
Case good_code(std::string name, const std::string& code) { return good(std::move(name), V + code + "\nEND\n"); }
Case bad_head(std::string name, std::string rule, const std::string& text) { return bad(std::move(name), std::move(rule), H + text + "\nEND\n"); }
Case good_head(std::string name, const std::string& text) { return good(std::move(name), H + text + "\nEND\n"); }

std::string repeat(const std::string& text, int count) {
    std::string out;
    for (int i = 0; i < count; ++i) out += text;
    return out;
}

std::vector<Case> lexical_cases() {
    return {
        bad("L01_other_kind", "L01", "@!!NVvp5.0\nGROUP_SIZE 8;\nEND\n"),
        bad("L01_blank_before", "L01", "@ !!NVcp5.0\nGROUP_SIZE 8;\nEND\n"),
        bad("L01_empty", "L01", "@"),
        good("L01_nothing_between_header_and_text", "!!NVcp5.0GROUP_SIZE 8;END"),
        bad_code("L02_bad_character", "L02", "MOV R0, R1 @% R2;"),
        bad_code("L02_unknown_instruction", "L02", "@MOVE R0, R1;"),
        bad_code("L02_lower_case", "L02", "@mov R0, R1;"),
        bad_code("L02_missing_comma", "L02", "MOV R0 @R1;"),
        bad_code("L02_missing_semicolon_at_line_end", "L02", "MOV R0, R1@\nMOV R1, R0;"),
        bad_code("L02_empty_statement", "L02", "MOV R0, R1;@;"),
        bad_code("L02_number_with_suffix", "L02", "MOV R0, @1.5f;"),
        bad_code("L02_word_for_infinity", "L02", "MOV R0, {@inf};"),
        bad_code("L02_five_components", "L02", "MOV R0, {1,2,3,4,@5};"),
        bad_code("L02_unknown_modifier", "L02", "MOV.@FOO R0, R1;"),
        bad_code("L02_unknown_condition", "L02", "MOV R0 (@XX.x), R1;"),
        bad_code("L02_if_with_parentheses", "L02", "IF @(NE.x); ENDIF;"),
        bad_code("L02_unclosed_bar", "L02", "MOV R0, |R1@;"),
        bad_code("L02_swizzle_on_shared", "L02", "LDS.U32 R0, sh[0]@.x;"),
        bad_code("L02_sign_on_storage", "L02", "LDB.U32 R0, @-st[0];"),
        bad("L02_no_end", "L02", V + "MOV R0, R1@;\n"),
        bad("L02_text_after_end", "L02", V + "END\n@MOV R0, R1;\n"),
        bad("L02_group_size_with_commas", "L02", "!!NVcp5.0\nGROUP_SIZE 8@, 8;\nEND\n"),
        good("L02_comment_after_end", V + "END\n# 3 instructions\n"),
        good("L02_comment_to_carriage_return", "!!NVcp5.0\rGROUP_SIZE 8; # a\rTEMP R0;#b\r\nMOV R0, 1;\rEND"),
        good_code("L02_mnemonics_as_names", "TEMP ADD, END, TEMP;\nADD ADD.x, END, TEMP;\nMOV:\nRET;"),
        good_code("L02_numbers", "MOV R0, {1., .5, 1e3, 1.5E-3}; MOV.U R0, 0x1F;"),
        good_code("L02_dollar_in_name", "TEMP $a_1;\nMOV $a_1, R0;"),
        good("L02_end_without_newline", "!!NVcp5.0 GROUP_SIZE 8;END"),

        bad("L03_unknown_option", "L03", "!!NVcp5.0\nOPTION @NV_shader_storage_bufer;\nGROUP_SIZE 8;\nEND"),
        bad("L03_other_stage", "L03", "!!NVcp5.0\nOPTION @ARB_draw_buffers;\nGROUP_SIZE 8;\nEND"),
        bad("L03_after_declaration", "L03", "!!NVcp5.0\nGROUP_SIZE 8;\n@OPTION NV_internal;\nEND"),
        bad("L03_after_statement", "L03", "!!NVcp5.0\nGROUP_SIZE 8;\nTEMP R0;\n@OPTION NV_internal;\nEND"),
        good("L03_options_of_real_programs",
             "!!NVcp5.0\nOPTION NV_internal;OPTION NV_shader_storage_buffer;OPTION NV_gpu_program_fp64;OPTION NV_bindless_texture;\n"
             "OPTION NV_texture_multisample;OPTION NV_unroll_none;OPTION NV_unroll_all;OPTION ARB_derivative_control;\n"
             "OPTION NV_shader_atomic_float;OPTION NV_shader_thread_group;OPTION EXT_shader_image_load_formatted;\nGROUP_SIZE 8;\nEND"),
        bad("L04_group_size", "L04", "!!NVcp5.0\nTEMP R0;\n@GROUP_SIZE 8;\nEND"),
        bad("L04_shared_memory", "L04", "!!NVcp5.0\nGROUP_SIZE 8;\nTEMP R0;\n@SHARED_MEMORY 64;\nEND"),
        good("L04_shared_memory_first", "!!NVcp5.0\nSHARED_MEMORY 64;\nGROUP_SIZE 8;\nTEMP R0;\nEND"),
        bad_code("L05_unsigned", "L05", "MOV.U R0, @4294967296;"),
        bad_code("L05_signed", "L05", "MOV.S R0, @2147483648;"),
        bad_code("L05_signed_component", "L05", "MOV.S R0, {1, @-2147483649};"),
        bad_code("L05_hexadecimal", "L05", "MOV.U R0, @0x100000000;"),
        bad_code("L05_beyond_64_bits", "L05", "MOV.U R0, @99999999999999999999;"),
        bad("L05_in_declaration", "L05", "!!NVcp5.0\nGROUP_SIZE @4294967296;\nEND"),
        good_code("L05_limits", "MOV.U R0, 4294967295; MOV.S R0, {2147483647, -2147483648}; MOV.S R0, -2147483648; MOV.S R0, 0xFFFFFFFF;"),
        good_code("L05_large_float", "MOV R0, 99999999999999999999;"),
        bad_code("L06_signed", "L06", "ADD.S R0, R1, @1.5;"),
        bad_code("L06_component", "L06", "ADD.U R0, R1, {1, @2.0, 3, 4};"),
        bad_head("L06_int_param", "L06", "INT PARAM p = @1.0;"),
        good_code("L06_float_instruction", "ADD R0, R1, {1, 2.0, 3, 4};"),
        bad_code("L07_in_braces", "L07", "MOV.U R0, {1, @-1, 0, 0};"),
        bad_head("L07_uint_param", "L07", "UINT PARAM p = @-1;"),
        good_code("L07_sign_of_operand", "MOV.U R0, -1; MOV.U R0, -{1, 2, 3, 4}; MOV.S R0, {-1};"),
        bad_head("L08_program", "L08", "TEMP @program;"),
        bad_head("L08_texture", "L08", "PARAM @texture = 1;"),
        bad_head("L08_invocation", "L08", "TEMP a, @invocation;"),
        bad_head("L08_label", "L08", "@state:"),
        good_head("L08_longer_name", "TEMP programs, result1, vertex, State;"),
        bad_code("L09_mixed", "L09", "MOV R0, R1.@xyba;"),
        bad_code("L09_two_letters", "L09", "MOV R0, R1.@xy;"),
        bad_code("L09_five_letters", "L09", "MOV R0, R1.@xyzwx;"),
        bad_code("L09_no_component", "L09", "MOV R0, R1.@q;"),
        bad_code("L09_mask_order", "L09", "MOV R0.@yx, R1;"),
        bad_code("L09_mask_twice", "L09", "MOV R0.@xx, R1;"),
        bad_code("L09_mask_mixed", "L09", "MOV R0.@xg, R1;"),
        bad_code("L09_condition", "L09", "IF NE.@xy; ENDIF;"),
        good_code("L09_both_sets", "MOV R0.xzw, R1.wzyx; MOV R0.rba, R1.abgr; MOV R0.g, R1.b; MOV R0 (NE1.wwwx), R1;"),
        bad_code("L10_label_twice", "L10", "a:\nRET;\n@a:\nRET;"),
        bad_code("L10_label_like_variable", "L10", "@R0:\nRET;"),
        bad_code("L10_variable_like_label", "L10", "a:\nTEMP @a;"),
        good_code("L10_two_labels", "b:\nRET;\nB:\nRET;"),
    };
}

std::vector<Case> variable_cases() {
    return {
        bad_head("L11_twice", "L11", "TEMP a, b, @a;"),
        bad_head("L11_other_class", "L11", "TEMP a;\nPARAM @a = 1;"),
        good_head("L11_case_differs", "TEMP a, A;"),
        bad_code("L12_operand", "L12", "MOV R0, @R7;"),
        bad_code("L12_result", "L12", "MOV @R7, R0;"),
        bad_code("L12_index", "L12", "MOV R0, A[@R7.x];"),
        bad_code("L12_declared_later", "L12", "MOV R0, @R7;\nTEMP R7;"),
        good_code("L12_declared_between", "TEMP R7;\nMOV R0, R7;"),
        bad_head("L13_read_int", "L13", "INT TEMP i; TEMP r;\nMOV r, @i;"),
        bad_head("L13_write_int", "L13", "INT TEMP i; TEMP r;\nMOV.F @i, r;"),
        bad_head("L13_signed_is_not_unsigned", "L13", "UINT TEMP u; TEMP r;\nADD.S r, r, @u;"),
        bad_head("L13_float_operand_of_truncation", "L13", "INT TEMP i; TEMP r;\nFLR.S r, @i;"),
        bad_head("L13_result_of_conversion", "L13", "INT TEMP i;\nCVT.F32.S32 @i, i;"),
        bad_head("L13_result_of_i2f", "L13", "INT TEMP i;\nI2F @i, i;"),
        bad_head("L13_load", "L13", "SHARED s[] = { program.sharedmem }; FLOAT TEMP f;\nLDS.U32 @f, s[0];"),
        bad_head("L13_rep_count", "L13", "INT TEMP i;\nREP @i;\nENDREP;"),
        good_head("L13_no_type_check", "INT TEMP i; TEMP r;\nMOV.NTC r, i; MOV.F.NTC i, r; MOV.S r, i;"),
        good_head("L13_fixed_types", "INT TEMP i; FLOAT TEMP f; UINT TEMP u;\nFLR.S i, f; I2F f, i; CVT.U32.F32 u, f; CVT.F32.S32 f, i; REP.S i; ENDREP;"),
        good_head("L13_typeless", "TEMP r;\nMOV.S r, r; MOV.F r, r; MOV.U r, invocation.localid;"),
        bad_head("L14_types", "L14", "INT @FLOAT TEMP a;"),
        bad_head("L14_type_twice", "L14", "INT @INT TEMP a;"),
        good_head("L14_one_type", "INT TEMP a; FLOAT PARAM p = 1; UINT ATTRIB i = invocation.localid;"),
        bad_head("L15_too_many", "L15", "PARAM p[@2] = { 1, 2, 3 };"),
        bad_head("L15_range_counts", "L15", "PARAM p[@4] = { program.local[0..2] };"),
        bad_head("L15_list_for_scalar", "L15", "PARAM p = @{ program.local[0], program.local[1] };"),
        bad_head("L15_range_for_scalar", "L15", "PARAM p = program.local[@0..1];"),
        bad_head("L15_storage_size", "L15", "STORAGE s[@15] = { program.storage[0][16..31] };"),
        bad_head("L15_storage_whole_for_scalar", "L15", "STORAGE s = @program.storage[0];"),
        bad_head("L15_two_indices_one_buffer", "L15", "STORAGE s[]@[] = { program.storage[0] };"),
        bad_head("L15_buffers", "L15", "STORAGE s[@3][] = { program.storage[0..3] };"),
        bad_head("L15_shared_size", "L15", "SHARED s[@32] = { program.sharedmem[0..63] };"),
        good_head("L15_sizes", "PARAM p[4] = { 1, {1,2}, program.local[3..4] }; PARAM p2[] = { program.env[1], -2.5 };\n"
                               "STORAGE s[16] = { program.storage[0][16..31] }; STORAGE t = program.storage[1][8]; STORAGE u[64] = { program.storage[2] };\n"
                               "STORAGE v[4][] = { program.storage[0..3] }; STORAGE w[][] = { program.storage[0..3] }; STORAGE x[] = { program.storage[4..5] };\n"
                               "SHARED a[64] = { program.sharedmem[64..127] }; SHARED b = program.sharedmem[8]; SHARED c[256] = { program.sharedmem };"),
        bad_head("L16_no_size", "L16", "TEMP t@[];"),
        bad_head("L16_zero", "L16", "TEMP t[@0];"),
        good_head("L16_mixed_list", "TEMP R0,lmem[20],FSWZA[4],RC;"),
        bad_code("L17_array_without_element", "L17", "MOV R0, @A;"),
        bad_code("L17_result", "L17", "MOV @A.x, R0;"),
        bad_code("L17_param", "L17", "MOV R0, @P;"),
        bad_code("L17_element_of_scalar", "L17", "MOV R0, R1@[0];"),
        bad_code("L17_shared", "L17", "LDS.U32 R0, @sh;"),
        good_code("L17_elements", "MOV A[1].x, P[0]; MOV R0, A[R1.x + 3];"),
        bad_code("L18_temp", "L18", "MOV R0, A[@4];"),
        bad_code("L18_param", "L18", "MOV R0, P[@3];"),
        bad_head("L18_shared_part", "L18", "SHARED s[] = { program.sharedmem[64..127] }; TEMP r;\nLDS.U32 r, s[@64];"),
        bad_head("L18_storage_part", "L18", "STORAGE s[] = { program.storage[0][0..63] }; TEMP r;\nLDB.U32 r, s[@64];"),
        bad_head("L18_buffer", "L18", "STORAGE s[][] = { program.storage[0..3] }; TEMP r;\nLDB.U32 r, s[@4][0];"),
        good_code("L18_last", "MOV A[3], P[2]; LDB.U32 R0, st[4096];"),
        bad_code("L19_too_large", "L19", "MOV R0, A[R1.x + @4];"),
        bad_code("L19_negative", "L19", "MOV R0, A[R1.x @- 1];"),
        bad_code("L19_param", "L19", "MOV R0, P[R1.x + @3];"),
        bad_code("L19_shared", "L19", "LDS.U32 R0, sh[R1.x + @256];"),
        good_code("L19_last", "MOV R0, A[R1.x + 3]; MOV R0, P[R1.w+2]; LDS.U32 R0, sh[R1.x + 252]; MOV A[R1.y], R0;"),
        bad_head("L20_float_index", "L20", "FLOAT TEMP f; TEMP r, a[4];\nMOV r, a[@f.x];"),
        bad_code("L20_no_component", "L20", "MOV R0, A[@R1];"),
        bad_code("L20_vector", "L20", "MOV R0, A[R1.@xyzw];"),
        good_head("L20_integer_index", "INT TEMP i; UINT TEMP u; TEMP r, a[4];\nMOV r, a[i.x]; MOV r, a[u.w + 1]; MOV r, a[r.x];"),
        bad_head("L21_long_param", "L21", "@LONG PARAM p = 1;"),
        bad_head("L22_backwards", "L22", "PARAM p[] = { program.local[@3..0] };"),
        bad_head("L22_env_limit", "L22", "PARAM p = program.env[@256];"),
        bad_head("L22_local_limit", "L22", "PARAM p[] = { program.local[1000..@1024] };"),
        bad_code("L22_in_operand", "L22", "MOV R0, program.env[@999999];"),
        bad_head("L22_storage_bytes", "L22", "STORAGE s[] = { program.storage[0][@79..16] };"),
        good_head("L22_limits", "PARAM p = program.env[255]; PARAM l[] = { program.local[1000..1023], program.local[0..0] };"),
        bad_head("L24_storage_gap", "L24", "STORAGE s[] = { program.storage[0][0..15], program.storage[0][@17..31] };"),
        bad_head("L24_storage_buffers", "L24", "STORAGE s[] = { program.storage[0][0..15], program.storage[@1][16..31] };"),
        bad_head("L24_storage_whole", "L24", "STORAGE s[] = { program.storage[0], @program.storage[0] };"),
        bad_head("L24_shared_order", "L24", "SHARED s[] = { program.sharedmem[16..31], program.sharedmem[@0..15] };"),
        good_head("L24_contiguous", "STORAGE s[] = { program.storage[0][0..15], program.storage[0][16] }; SHARED t[] = { program.sharedmem[16..31], program.sharedmem[32..47] };"),
        bad_code("L29_param", "L29", "MOV @q, R0;"),
        bad_code("L29_param_array", "L29", "MOV @P[0], R0;"),
        bad_head("L29_attrib", "L29", "ATTRIB a = invocation.localid; TEMP r;\nMOV @a, r;"),
        bad_code("L29_binding", "L29", "MOV @program.local[0], R0;"),
        bad_code("L29_constant", "L29", "MOV @{1,2,3,4}, R0;"),
        good_code("L29_temp", "MOV R0, q; MOV A[0], R0;"),
        bad_head("L30_output", "L30", "@OUTPUT o = result.color;"),
        bad_code("L30_result", "L30", "MOV @result.position, R0;"),
        good_head("L30_result_in_a_name", "TEMP result_color;\nMOV result_color, 1;"),
        bad_head("L31_unknown", "L31", "ALIAS a = @b;"),
        bad_head("L31_existing", "L31", "TEMP a, b;\nALIAS @a = b;"),
        good_head("L31_alias", "TEMP b;\nALIAS a = b;\nALIAS c = a;\nMOV c, a;"),
    };
}

std::vector<Case> compute_cases() {
    return {
        bad("L40_none", "L40", "@!!NVcp5.0\nTEMP R0;\nEND"),
        good("L40_one", "!!NVcp5.0\nGROUP_SIZE 1;\nEND"),
        bad("L41_two", "L41", "!!NVcp5.0\nGROUP_SIZE 8;\n@GROUP_SIZE 8;\nEND"),
        bad("L42_zero", "L42", "!!NVcp5.0\nGROUP_SIZE 8 @0;\nEND"),
        bad("L42_x", "L42", "!!NVcp5.0\nGROUP_SIZE @1025;\nEND"),
        bad("L42_z", "L42", "!!NVcp5.0\nGROUP_SIZE 1 1 @65;\nEND"),
        bad("L42_product", "L42", "!!NVcp5.0\n@GROUP_SIZE 32 32 2;\nEND"),
        good("L42_limits", "!!NVcp5.0\nGROUP_SIZE 16 1 64;\nEND"),
        good("L42_x_limit", "!!NVcp5.0\nGROUP_SIZE 1024;\nEND"),
        bad("L43_both", "L43", "!!NVcp5.0\nOPTION ARB_compute_variable_group_size;\n@GROUP_SIZE 8;\nEND"),
        good("L43_without_option", "!!NVcp5.0\nOPTION NV_internal;\nGROUP_SIZE 8;\nEND"),
        bad("L44_variable", "L44", "!!NVcp5.0\nGROUP_SIZE 8;\nSHARED @s[] = { program.sharedmem };\nEND"),
        good("L44_declared", "!!NVcp5.0\nGROUP_SIZE 8;\nSHARED_MEMORY 4;\nSHARED s[] = { program.sharedmem };\nTEMP r;\nLDS.U32 r, s[0];\nEND"),
        bad("L45_two", "L45", "!!NVcp5.0\nGROUP_SIZE 8;\nSHARED_MEMORY 64;\n@SHARED_MEMORY 64;\nEND"),
        bad_code("L46_behind_the_end", "L46", "LDS.U32 R0, sh[@256];"),
        bad_code("L46_reaches_over_the_end", "L46", "LDS.U32X2 R0, @sh[252];"),
        bad_code("L46_store", "L46", "STS.F32X4 R0, @sh[244];"),
        bad_code("L46_atomic", "L46", "ATOMS.ADD.U32 R0, R1, @sh[253];"),
        bad_head("L46_range", "L46", "SHARED s[] = { program.sharedmem[@250..256] };"),
        bad_head("L46_part_of_the_block", "L46", "SHARED s[] = { program.sharedmem[128..255] }; TEMP r;\nLDS.U32 r, s[@128];"),
        good_code("L46_last_word", "LDS.U32 R0, sh[252]; LDS.U32X4 R0, sh[240]; ATOMS.ADD.U32 R0, R1, sh[252]; LDS.U32X4 R0, sh[R1.x + 252];"),
        bad("L47_too_much", "L47", "!!NVcp5.0\nGROUP_SIZE 8;\nSHARED_MEMORY @49153;\nEND"),
        good("L47_limit", "!!NVcp5.0\nGROUP_SIZE 8;\nSHARED_MEMORY 49152;\nEND"),
        bad_code("L48_operand", "L48", "MOV R0, @sh[0];"),
        bad_code("L48_result", "L48", "MOV @sh[0], R0;"),
        bad_code("L48_other_operand", "L48", "LDS.U32 R0, @R1;"),
        bad_code("L48_storage_in_lds", "L48", "LDS.U32 R0, @st[0];"),
        bad_code("L48_constant", "L48", "STS.U32 R0, @16;"),
        bad_code("L48_binding", "L48", "LDS.U32 R0, @program.sharedmem[0];"),
        bad_code("L48_binding_in_mov", "L48", "MOV R0, @program.sharedmem[0];"),
        good_code("L48_shared", "LDS.U32 R0, sh[0]; STS.U32 {1,2,3,4}, sh[R0.x]; ATOMS.MAX.S32 R0.x, R1, sh[16];"),
        bad("L50_storage", "L50", "!!NVcp5.0\nGROUP_SIZE 8;\nSTORAGE @s[] = { program.storage[0] };\nEND"),
        good("L50_option", "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nGROUP_SIZE 8;\nSTORAGE s[] = { program.storage[0] };\nEND"),
        bad_code("L51_operand", "L51", "ADD R0, R1, @st[0];"),
        bad_code("L51_other_operand", "L51", "STB.U32 R0, @R1;"),
        bad_code("L51_shared_in_ldb", "L51", "LDB.U32 R0, @sh[0];"),
        bad_code("L51_binding", "L51", "LDB.U32 R0, @program.storage[0];"),
        bad_head("L51_buffer_limit", "L51", "STORAGE s[] = { program.storage[@16] };"),
        bad_head("L51_backwards", "L51", "STORAGE s[][] = { program.storage[@3..2] };"),
        good_head("L51_buffers", "STORAGE s[] = { program.storage[15] }; STORAGE t[][] = { program.storage[0..15] }; TEMP r;\nLDB.U32 r, s[0]; LDB.U32 r, t[r.x+2][r.y+64]; STB.F32X4 r, t[15][4];"),
    };
}

std::vector<Case> modifier_cases() {
    return {
        bad_code("L60_types", "L60", "ADD.F.@S R0, R1, R2;"),
        bad_code("L60_base_and_sized", "L60", "ADD.F.@F32 R0, R1, R2;"),
        bad_code("L60_cc", "L60", "ADD.CC0.@CC1 R0, R1, R2;"),
        bad_code("L60_clamp", "L60", "ADD.SAT.@SSAT R0, R1, R2;"),
        bad_code("L60_suffix_and_modifier", "L60", "ADDC.@CC R0, R1, R2;"),
        bad_code("L60_rounding", "L60", "CVT.S32.F32.FLR.@CEIL R0, R1;"),
        good_code("L60_one_of_each", "ADD.SAT.CC1.F.NTC.PREC R0, R1, R2; MOVC.U R0.x, R1; ADDRC1_SSAT R0, R1, R2; MULH R0, R1, R2;"),
        bad_code("L61_integer_add", "L61", "ADD.S.@SAT R0, R1, R2;"),
        bad_code("L61_and", "L61", "AND.@SAT R0, R1, R2;"),
        bad_code("L61_floor_to_integer", "L61", "FLR.S.@SSAT R0, R1;"),
        bad_code("L61_load", "L61", "LDS.U32.@SAT R0, sh[0];"),
        bad_code("L61_suffix", "L61", "ADD@_SAT.U R0, R1, R2;"),
        good_code("L61_float_results", "ADD.SAT R0, R1, R2; LDS.F32.SAT R0, sh[0]; FLR.SSAT R0, R1; CVT.S32.F32.SAT R0, R1;"),
        bad_code("L62_and_float", "L62", "AND.@F R0, R1, R2;"),
        bad_code("L62_dot_integer", "L62", "DP3.@S R0, R1, R2;"),
        bad_code("L62_dot_64", "L62", "DP4.@F64 R0, R1, R2;"),
        bad_code("L62_frc_signed", "L62", "FRC.@S R0, R1;"),
        bad_code("L62_add_storage_type", "L62", "ADD.@U32X2 R0, R1, R2;"),
        bad_code("L62_store_cc", "L62", "STS.U32.@CC R0, sh[0];"),
        bad_code("L62_store_sat", "L62", "STB.F32.@SAT R0, st[0];"),
        bad_code("L62_i2f_sat", "L62", "I2F.@SAT R0, R1;"),
        bad_code("L62_coh_on_shared", "L62", "LDS.U32.@COH R0, sh[0];"),
        bad_code("L62_cta_on_bar", "L62", "BAR.@CTA;"),
        bad_code("L62_cc_on_rep", "L62", "REP.@CC R0;\nENDREP;"),
        bad_code("L62_type_on_if", "L62", "IF.@S NE.x;\nENDIF;"),
        bad_code("L62_atomic_on_mov", "L62", "MOV.@EXCH R0, R1;"),
        bad_code("L62_rounding_on_mov", "L62", "MOV.@FLR R0, R1;"),
        bad_code("L62_prec_on_load", "L62", "LDB.U32.@PREC R0, st[0];"),
        good_code("L62_supported", "AND.U R0, R1, R2; DP3.F32 R0, R1, R2; LDB.U32.COH.CC R0, st[0]; STB.U32.VOL R0, st[0]; MEMBAR.CTA; ATOMB.ADD.U32.CC R0, R1, st[0];"),
        bad_code("L63_add_hi", "L63", "ADD.@HI.U R0, R1, R2;"),
        bad_code("L63_two", "L63", "MUL.HI.@S24 R0, R1, R2;"),
        good_code("L63_mul", "MUL.HI.U R0, R1, R2; MUL.S24 R0, R1, R2; MUL.U24 R0, R1, R2;"),
        bad_code("L64_hi_without_type", "L64", "@MUL.HI R0, R1, R2;"),
        bad_code("L64_hi_float", "L64", "MUL.HI.@F R0, R1, R2;"),
        bad_code("L64_s24_with_type", "L64", "MUL.S24.@S R0, R1, R2;"),
        good_code("L64_hi", "MUL.HI.S R0, R1, R2; MUL.S32.HI R0, R1, R2;"),
        bad_code("L65_cc_before_type", "L65", "@ADDCR R0, R1, R2;"),
        bad_code("L65_clamp_before_cc", "L65", "@ADD_SATC R0, R1, R2;"),
        good_code("L65_order", "ADDRC R0, R1, R2; ADDC0_SAT R0, R1, R2; SHRC R0, R1, 1; FLRR R0, R1;"),
        bad_code("L66_none", "L66", "@LDS R0, sh[0];"),
        bad_code("L66_base_type", "L66", "LDB.@U R0, st[0];"),
        bad_code("L66_two", "L66", "STS.U32.@S32 R0, sh[0];"),
        good_code("L66_one", "LDS.U32 R0, sh[0]; LDB.F32X4 R0, st[16]; STS.S32X2 R0, sh[8]; STB.S32X4 R0, st[R1.x];"),
        bad_code("L67_no_type", "L67", "@ATOMS.ADD R0, R1, sh[0];"),
        bad_code("L67_no_operation", "L67", "@ATOMB.U32 R0, R1, st[0];"),
        bad_code("L67_two_operations", "L67", "ATOMS.ADD.@MIN.U32 R0, R1, sh[0];"),
        bad_code("L67_two_types", "L67", "ATOMS.ADD.U32.@S32 R0, R1, sh[0];"),
        bad_code("L67_base_type", "L67", "ATOMS.ADD.@U R0, R1, sh[0];"),
        bad_code("L67_wrap_signed", "L67", "ATOMS.IWRAP.@S32 R0, R1, sh[0];"),
        bad_code("L67_min_float", "L67", "ATOMB.MIN.@F32 R0, R1, st[0];"),
        bad_code("L67_vector", "L67", "ATOMB.ADD.@U32X2 R0, R1, st[0];"),
        good_code("L67_pairs", "ATOMS.ADD.U32 R0, R1, sh[0]; ATOMS.U32.IWRAP R0, R1, sh[0]; ATOMB.DWRAP.U32 R0, R1, st[0]; ATOMB.CSWAP.S32 R0, R1, st[4];\n"
                               "ATOMS.MIN.S32 R0, R1, sh[0]; ATOMS.MAX.U32 R0, R1, sh[0]; ATOMS.AND.U32 R0, R1, sh[0]; ATOMS.OR.S32 R0, R1, sh[0]; ATOMS.XOR.U32 R0, R1, sh[0]; ATOMS.EXCH.S32 R0, R1, sh[0];"),
        bad_code("L68_none", "L68", "@CVT R0, R1;"),
        bad_code("L68_one", "L68", "@CVT.S32 R0, R1;"),
        bad_code("L68_three", "L68", "CVT.S32.F32.@U32 R0, R1;"),
        bad_code("L68_base_type", "L68", "CVT.@F.S32 R0, R1;"),
        good_code("L68_two", "CVT.S32.F32 R0, R1; CVT.F32.U32.FLR R0, R1; CVT.U32.S32.SAT R0, R1; CVT.F32.F32.SSAT R0, R1;"),
        bad_code("L69_sign", "L69", "CVT.S32.F32 R0, @-R1;"),
        bad_code("L69_absolute", "L69", "CVT.S32.F32 R0, @|R1|;"),
        bad_code("L73_kil", "L73", "@KIL TR.x;"),
        bad_code("L73_ddx", "L73", "@DDX R0, R1;"),
        bad_code("L73_emit", "L73", "@EMIT;"),
        bad_code("L73_older_branch", "L73", "@BRA loop0;"),
        good_code("L73_names_alone", "TEMP KIL, DDX;\nMOV KIL, DDX;"),
        bad_code("L74_shift_count", "L74", "SHL R0, R1, @R2;"),
        bad_code("L74_vector_selector", "L74", "SHR R0, R1, R2.@xyzw;"),
        bad_code("L74_constant_vector", "L74", "SHL R0, R1, @{1,2,3,4};"),
        good_code("L74_scalars", "SHL R0, R1, R2.w; SHL R0, R1, 5; SHR.U R0, R1, {5,0,0,0}.x; SHL.S R0, R1, -|-R2.x|;"),
    };
}

std::vector<Case> flow_cases() {
    return {
        bad_code("L80_endrep_in_if", "L80", "REP 4;\nIF NE.x;\n@ENDREP;\nENDIF;"),
        bad_code("L80_endif_in_rep", "L80", "IF NE.x;\nREP 4;\n@ENDIF;"),
        bad_code("L80_else_in_rep", "L80", "IF NE.x;\nREP 4;\n@ELSE;\nENDIF;"),
        bad_code("L80_second_else", "L80", "IF NE.x;\nELSE;\n@ELSE;\nENDIF;"),
        good_code("L80_nested", "IF NE.x;\nREP 4;\nIF EQ;\nELSE;\nENDIF;\nENDREP;\nELSE;\nENDIF;"),
        bad_code("L81_endif_alone", "L81", "@ENDIF;"),
        bad_code("L81_else_alone", "L81", "@ELSE;"),
        bad_code("L81_endrep_alone", "L81", "MOV R0, R1;\n@ENDREP;"),
        bad_code("L81_if_open", "L81", "@IF NE.x;\nMOV R0, R1;"),
        bad_code("L81_rep_open", "L81", "  @REP 5;\nMOV R0, R1;"),
        good_code("L81_closed", "IF NE.x;\nENDIF;\nREP 5;\nENDREP;"),
        bad_code("L82_in_if", "L82", "IF NE.x;\n@a:\nENDIF;"),
        bad_code("L82_in_rep", "L82", "REP 5;\nMOV R0, R1;\n@a:\nENDREP;"),
        bad_code("L82_at_the_end", "L82", "IF NE.x;\n@a:"),
        good_code("L82_outside", "IF NE.x;\nENDIF;\na:\nREP 5;\nENDREP;\nb:"),
        bad_code("L83_brk", "L83", "@BRK;"),
        bad_code("L83_cont_in_if", "L83", "IF NE.x;\n@CONT (NE.x);\nENDIF;"),
        bad_code("L83_behind_the_loop", "L83", "REP 5;\nENDREP;\n@BRK (NE.x);"),
        good_code("L83_in_if_in_rep", "REP 5;\nIF NE.x;\nBRK(EQ.x);\nCONT;\nENDIF;\nENDREP;"),
        bad_code("L84_if_49", "L84", repeat("IF NE.x;", 48) + "@IF NE.x;" + repeat("ENDIF;", 49)),
        bad_code("L84_rep_9", "L84", repeat("REP 2;", 8) + "@REP 2;" + repeat("ENDREP;", 9)),
        good_code("L84_if_48", repeat("IF NE.x;", 48) + repeat("ENDIF;", 48)),
        good_code("L84_rep_8", repeat("REP 2;", 8) + repeat("ENDREP;", 8)),
        good_code("L84_in_sequence", repeat("IF NE.x; ENDIF; REP 2; ENDREP;", 60)),
        bad_code("L85_endless", "L85", "@REP;\nMOV R0, R1;\nENDREP;"),
        bad_code("L85_break_of_inner_loop", "L85", "@REP;\nREP;\nBRK;\nENDREP;\nENDREP;"),
        bad_code("L85_return_behind", "L85", "@REP;\nENDREP;\nRET;"),
        good_code("L85_break_in_if", "REP;\nIF NE.x;\nBRK;\nENDIF;\nENDREP;"),
        good_code("L85_return_in_inner_loop", "REP.S;\nREP 5;\nIF NE.x;\nRET;\nENDIF;\nENDREP;\nENDREP;"),
        good_code("L85_counted", "REP {5,0,0,0};\nENDREP;\nREP.U R0.y;\nENDREP;"),
        bad_code("L86_undefined", "L86", "CAL @nowhere;"),
        bad_code("L86_variable", "L86", "CAL @R0;"),
        good_code("L86_defined_later", "CAL f;\nCAL f (NE.x);\nRET;\nf:\nCAL f(GT1.y);\nRET (TR);"),
    };
}

std::vector<Case> refused_cases() {
    const std::string rule(maskwork::kNotSupportedYet);
    std::vector<Case> cases{
        bad_head("later_long", rule, "@LONG TEMP D0;\nMOV D0, D0;"),
        bad_head("later_short", rule, "INT @SHORT TEMP H0;"),
        bad_head("later_cbuffer", rule, "@CBUFFER c0[] = { program.buffer[0] };"),
        bad_head("later_buffer", rule, "@BUFFER4 b[] = { program.buffer[2][4..9] };"),
        bad_head("later_texture", rule, "@TEXTURE t[] = { texture[0..3] };"),
        bad_head("later_image", rule, "@IMAGE i = image[0];"),
        bad_head("later_counter", rule, "@COUNTER c[] { program.counter[0][0..3] };"),
        bad_head("later_subroutine_type", rule, "@SUBROUTINETYPE T { l1, l2 };"),
        bad_head("later_subroutine", rule, "@SUBROUTINE T v = program.subroutine[0];"),
        bad_head("later_subroutine_number", rule, "l1 @SUBROUTINENUM(0):"),
        bad_head("later_storage_length", rule, "PARAM len[] = { @program.storagelen[0..3] };"),
        bad_head("later_state", rule, "PARAM m = @state.matrix.mvp.row[0];"),
        bad_code("later_thread_id", rule, "MOV.U R0, invocation.@threadid;"),
        bad("later_variable_size", rule, "!!NVcp5.0\nOPTION @ARB_compute_variable_group_size;\nEND"),
        bad_code("later_f64", rule, "ADD.@F64 R0, R1, R2;"),
        bad_code("later_f16", rule, "MUL.@F16 R0, R1, R2;"),
        bad_code("later_rep_64", rule, "REP.@S64 R0;\nENDREP;"),
        bad_code("later_storage_f64", rule, "LDS.@F64 R0, sh[0];"),
        bad_code("later_storage_s8", rule, "LDB.@S8 R0, st[0];"),
        bad_code("later_atomic_float", rule, "ATOMS.ADD.@F32 R0, R1, sh[0];"),
        bad_code("later_atomic_u64", rule, "ATOMB.EXCH.@U64 R0, R1, st[0];"),
        bad_code("later_convert_half", rule, "CVT.@F16.F32 R0, R1;"),
        bad_code("later_condition", rule, "MOV R0 (@RESIDENT), R1;"),
        bad_code("later_texture_operand", rule, "MOV R0, @texture[0];"),
        bad_code("later_handle", rule, "MOV R0, @handle(R1.x);"),
    };
    for (const char* text : {"BFE R0, R1, R2", "DIV R0, R1, R2.x", "RCP R0, R1.x", "SIN R0, R1.x", "LRP R0, R1, R2, R0", "SWZ R0, R1, 0,1,x,-y", "LOAD.U32 R0, R1.x",
                             "STORE.U32 R0, R1.x", "ATOM.ADD.U32 R0, R1, R2.x", "LDC.F32X4 R0, c0[16]", "TEX R0, R1, texture[0], 2D", "TXF R0, R1, t, 1D", "LOADIM.U32 R0, R1, image[0], 2D",
                             "STOREIM.F image[0], R1, R0, 2D", "ATOMCTR.INCR R0, c[0]", "CALI v[0]", "TGBALLOT R0, R1", "SHFIDX R0, R1, R2, 31", "PK64 R0, R1", "IMQ R0, image[0], 2D", "STR R0, R1, R1"}) {
        const std::string code(text);
        const std::string opcode = code.substr(0, code.find_first_of(" ."));
        cases.push_back(bad_code("later_" + opcode, rule, "@" + code + ";"));
    }
    return cases;
}

std::vector<Case> all_cases() {
    std::vector<Case> all;
    for (const auto& part : {lexical_cases(), variable_cases(), compute_cases(), modifier_cases(), flow_cases(), refused_cases()}) all.insert(all.end(), part.begin(), part.end());
    return all;
}

std::string show(const Diagnostics& diagnostics, const std::string& text) { return maskwork::render(diagnostics, text); }

class RuleTest : public testing::TestWithParam<Case> {};

TEST_P(RuleTest, Checks) {
    std::string text = GetParam().text;
    const std::size_t mark = text.find('@');
    std::uint32_t line = 1, column = 1;
    if (mark != std::string::npos) {
        for (std::size_t i = 0; i < mark; ++i) {
            column = text[i] == '\n' ? 1 : column + 1;
            line += text[i] == '\n';
        }
        text.erase(mark, 1);
    }
    Diagnostics diagnostics;
    const auto program = maskwork::parse(text, "t.nvcp", Limits{}, diagnostics);
    if (GetParam().rule.empty()) {
        EXPECT_TRUE(program.has_value()) << show(diagnostics, text);
        return;
    }
    EXPECT_FALSE(program.has_value());
    ASSERT_FALSE(diagnostics.items().empty());
    const maskwork::Diagnostic& first = diagnostics.items().front();
    EXPECT_EQ(first.rule, GetParam().rule) << show(diagnostics, text);
    EXPECT_EQ(first.line, line) << show(diagnostics, text);
    EXPECT_EQ(first.column, column) << show(diagnostics, text);
    EXPECT_FALSE(first.message.empty());
    EXPECT_EQ(diagnostics.error_count(), 1u) << "one mistake, one error\n" << show(diagnostics, text);
}

INSTANTIATE_TEST_SUITE_P(Front, RuleTest, testing::ValuesIn(all_cases()), [](const testing::TestParamInfo<Case>& info) {
    std::string name = info.param.name;
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    return name;
});

// Limits that the default values put out of easy reach.
TEST(Limits, ResourcesL99) {
    Limits limits;
    limits.temporaries = 10;
    limits.parameters = 3;
    limits.instructions = 2;
    const std::string head = "!!NVcp5.0\nGROUP_SIZE 8;\n";
    const auto rule_of = [&](const std::string& body) {
        Diagnostics diagnostics;
        const bool loads = maskwork::parse(head + body + "END", "t", limits, diagnostics).has_value();
        return loads ? std::string() : diagnostics.items().front().rule;
    };
    EXPECT_EQ(rule_of("TEMP a[8], b, c;"), "");
    EXPECT_EQ(rule_of("TEMP a[8], b, c, d;"), "L99");
    EXPECT_EQ(rule_of("TEMP a[4000000000], b[4000000000];"), "L99");
    EXPECT_EQ(rule_of("PARAM p[] = { 1, 2, 3 };"), "");
    EXPECT_EQ(rule_of("PARAM p[] = { 1, 2, program.local[0..1] };"), "L99");
    EXPECT_EQ(rule_of("TEMP a; MOV a, 1; MOV a, 2;"), "");
    EXPECT_EQ(rule_of("TEMP a; MOV a, 1; MOV a, 2; MOV a, 3;"), "L99");
}

// L44 and L50 at the instruction: there is no declaration that could carry the error.
TEST(Limits, MemoryInstructionsWithoutDeclarations) {
    for (const auto& [code, rule] : {std::pair{"LDS.U32 r, r;", "L44"}, {"STS.U32 r, r;", "L44"}, {"ATOMB.ADD.U32 r, r, r;", "L50"}, {"LDB.U32 r, r;", "L50"}}) {
        Diagnostics diagnostics;
        EXPECT_FALSE(maskwork::parse(std::string("!!NVcp5.0\nGROUP_SIZE 8;\nTEMP r;\n") + code + "\nEND", "t", Limits{}, diagnostics));
        ASSERT_FALSE(diagnostics.items().empty());
        EXPECT_EQ(diagnostics.items()[0].rule, rule);
        EXPECT_EQ(diagnostics.items()[0].line, 4u);
        EXPECT_EQ(diagnostics.items()[0].column, 1u);
    }
}

}  // namespace
