// The cases of the rule tests: every load-time rule with programs that break it and near misses that load.
// In a refused program '@' marks where the error must be; it is removed before parsing.  The expectations come from the language's
// specifications, rule by rule.
#pragma once

#include "maskwork/asm/frontend.hpp"

#include <string>
#include <vector>

namespace maskwork::rule_cases {

struct Case {
    std::string name;
    std::string rule;  // empty: the program loads
    std::string text;
};

// H: the beginning of a program; V: with variables of every kind.
inline const std::string H = "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nGROUP_SIZE 8;\nSHARED_MEMORY 256;\n";
inline const std::string V = H +
                             "SHARED sh[] = { program.sharedmem };\nSTORAGE st[] = { program.storage[0] };\n"
                             "TEMP R0, R1, R2, A[4];\nPARAM P[3] = { {1,2,3,4}, program.local[0..1] };\nPARAM q = program.env[2];\n";

// W: with every option and variables of every width.
inline const std::string W =
    "!!NVcp5.0\nOPTION NV_shader_storage_buffer;OPTION NV_shader_atomic_float;OPTION NV_shader_atomic_int64;OPTION NV_shader_thread_group;"
    "OPTION NV_shader_thread_shuffle;OPTION NV_shader_atomic_counters;OPTION NV_bindless_texture;OPTION ARB_shader_image_size;"
    "OPTION NV_gpu_program5_mem_extended;OPTION NV_shader_atomic_float64;OPTION NV_shader_atomic_fp16_vector;\n"
    "GROUP_SIZE 8;\nSHARED_MEMORY 256;\nSHARED sh[] = { program.sharedmem };\nSTORAGE st[] = { program.storage[0] };\n"
    "TEMP R0, R1, R2, A[4];\nSHORT TEMP H0, H1;\nLONG TEMP D0, D1;\nPARAM P[3] = { {1,2,3,4}, program.local[0..1] };\n";

inline Case bad(std::string name, std::string rule, std::string text) {
    return {std::move(name), std::move(rule), std::move(text)};
}
inline Case good(std::string name, std::string text) {
    return {std::move(name), "", std::move(text)};
}
inline Case bad_code(std::string name, std::string rule, const std::string& code) {
    return bad(std::move(name), std::move(rule), V + code + "\nEND\n");
}
inline Case good_code(std::string name, const std::string& code) {
    return good(std::move(name), V + code + "\nEND\n");
}
inline Case bad_wide(std::string name, std::string rule, const std::string& code) {
    return bad(std::move(name), std::move(rule), W + code + "\nEND\n");
}
inline Case good_wide(std::string name, const std::string& code) {
    return good(std::move(name), W + code + "\nEND\n");
}
inline Case bad_head(std::string name, std::string rule, const std::string& text) {
    return bad(std::move(name), std::move(rule), H + text + "\nEND\n");
}
inline Case good_head(std::string name, const std::string& text) {
    return good(std::move(name), H + text + "\nEND\n");
}

inline std::string repeat(const std::string& text, int count) {
    std::string out;
    for (int i = 0; i < count; ++i) out += text;
    return out;
}

std::vector<Case> lexical_cases();
std::vector<Case> variable_cases();
std::vector<Case> compute_cases();
std::vector<Case> modifier_cases();
std::vector<Case> wide_cases();
std::vector<Case> memory_cases();
std::vector<Case> flow_cases();
std::vector<Case> refused_cases();

}  // namespace maskwork::rule_cases
