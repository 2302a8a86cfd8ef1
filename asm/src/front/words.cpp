// The modifier and option words of the language.
#include "opcode_table.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace maskwork::front {

namespace {

using ast::DataType;

template <typename Enum>
constexpr Modifier make(ModifierKind kind, Enum value) {
    return {kind, static_cast<std::uint8_t>(value), 1, false};
}
constexpr Modifier flag(ModifierKind kind) {
    return {kind, 0, 1, false};
}

std::unordered_map<std::string, Modifier> build_modifiers() {
    std::unordered_map<std::string, Modifier> words;
    using K = ModifierKind;
    words["F"] = {K::type, static_cast<std::uint8_t>(DataType::f32), 1, true};
    words["S"] = {K::type, static_cast<std::uint8_t>(DataType::s32), 1, true};
    words["U"] = {K::type, static_cast<std::uint8_t>(DataType::u32), 1, true};
    for (int t = static_cast<int>(DataType::f16); t <= static_cast<int>(DataType::u64); ++t) {
        for (int count : {1, 2, 4}) {
            std::string name(ast::name_of(static_cast<DataType>(t)));
            if (count > 1) name += "X" + std::to_string(count);
            words[name] = {K::type, static_cast<std::uint8_t>(t), static_cast<std::uint8_t>(count), false};
        }
    }
    // A translator of shader binaries prints these two with a small x.
    words["F16x2"] = words["F16X2"];
    words["F16x4"] = words["F16X4"];
    words["CC"] = make(K::cc, ast::CcUpdate::cc0);
    words["CC0"] = make(K::cc, ast::CcUpdate::cc0);
    words["CC1"] = make(K::cc, ast::CcUpdate::cc1);
    words["SAT"] = make(K::clamp, ast::Clamp::sat);
    words["SSAT"] = make(K::clamp, ast::Clamp::ssat);
    words["HI"] = make(K::mul, ast::MulKind::hi);
    words["S24"] = make(K::mul, ast::MulKind::s24);
    words["U24"] = make(K::mul, ast::MulKind::u24);
    words["ROUND"] = make(K::rounding, ast::Rounding::round);
    words["CEIL"] = make(K::rounding, ast::Rounding::ceil);
    words["FLR"] = make(K::rounding, ast::Rounding::flr);
    words["TRUNC"] = make(K::rounding, ast::Rounding::trunc);
    constexpr std::array<std::string_view, 10> atomics{"ADD", "MIN", "MAX", "IWRAP", "DWRAP", "AND", "OR", "XOR", "EXCH", "CSWAP"};
    for (std::size_t i = 0; i < atomics.size(); ++i) words[std::string(atomics[i])] = make(K::atomic, i + 1);
    words["CTA"] = flag(K::cta);
    words["COH"] = flag(K::coherent);
    words["VOL"] = flag(K::is_volatile);
    words["NTC"] = flag(K::no_type_check);
    words["PREC"] = flag(K::precise);
    for (const char* name : {"LODCLAMP", "SPARSE", "INCR", "DECR", "GET", "ALL", "ANY"}) words[name] = flag(K::foreign);
    return words;
}

struct OptionEntry {
    std::string_view name;
    OptionKind kind;
};
constexpr OptionEntry kOptions[] = {
    {"NV_shader_storage_buffer", OptionKind::storage},
    {"ARB_compute_variable_group_size", OptionKind::variable_size},
    {"NV_shader_atomic_float", OptionKind::atomic_float},
    {"NV_shader_atomic_float64", OptionKind::atomic_float64},
    {"NV_shader_atomic_int64", OptionKind::atomic_int64},
    {"NV_shader_atomic_fp16_vector", OptionKind::atomic_half},
    {"NV_gpu_program5_mem_extended", OptionKind::memory_extended},
    {"NV_gpu_program_fp64", OptionKind::accepted},
    {"NV_shader_thread_group", OptionKind::thread_group},
    {"NV_shader_thread_shuffle", OptionKind::thread_shuffle},
    {"NV_shader_atomic_counters", OptionKind::counters},
    {"NV_bindless_texture", OptionKind::bindless},
    {"EXT_shader_image_load_formatted", OptionKind::accepted},
    {"ARB_shader_image_size", OptionKind::image_size},
    {"ARB_shader_texture_image_samples", OptionKind::image_samples},
    {"NV_texture_multisample", OptionKind::accepted},
    {"NV_explicit_multisample", OptionKind::accepted},
    {"EXT_sparse_texture2", OptionKind::accepted},
    {"NV_parameter_buffer_object2", OptionKind::accepted},
    {"NV_shader_buffer_load", OptionKind::accepted},
    {"NV_shader_buffer_store", OptionKind::accepted},
    {"NV_internal", OptionKind::accepted},
    {"NV_unroll_none", OptionKind::accepted},
    {"NV_unroll_all", OptionKind::accepted},
    {"ARB_derivative_control", OptionKind::accepted},
    {"NV_viewport_array2", OptionKind::other_stage},
    {"ARB_draw_buffers", OptionKind::other_stage},
    {"NV_early_fragment_tests", OptionKind::other_stage},
    {"ARB_fragment_program_shadow", OptionKind::other_stage},
    {"ARB_fragment_layer_viewport", OptionKind::other_stage},
    {"ARB_cull_distance", OptionKind::other_stage},
};

const std::unordered_map<std::string, Modifier>& modifier_map() {
    static const auto map = build_modifiers();
    return map;
}

}  // namespace

std::optional<Modifier> find_modifier(std::string_view word) {
    // The short words are most of those in real programs.
    static const Modifier f = modifier_map().at("F"), s = modifier_map().at("S"), u = modifier_map().at("U");
    if (word == "F") return f;
    if (word == "S") return s;
    if (word == "U") return u;
    if (word.size() > 16) return std::nullopt;
    const auto it = modifier_map().find(std::string(word));
    if (it == modifier_map().end()) return std::nullopt;
    return it->second;
}

const std::vector<std::string_view>& modifier_names() {
    static const std::vector<std::string_view> names = [] {
        std::vector<std::string_view> v;
        for (const auto& [name, modifier] : modifier_map()) v.push_back(name);
        std::sort(v.begin(), v.end());
        return v;
    }();
    return names;
}

std::optional<OptionKind> find_option(std::string_view name) {
    for (const OptionEntry& entry : kOptions)
        if (entry.name == name) return entry.kind;
    return std::nullopt;
}

std::string_view option_name(OptionKind kind) {
    for (const OptionEntry& entry : kOptions)
        if (entry.kind == kind) return entry.name;
    return {};
}

std::string_view option_rule(OptionKind kind) {
    switch (kind) {
        case OptionKind::storage: return "L50";
        case OptionKind::thread_shuffle: return "L52";
        case OptionKind::thread_group: return "L53";
        default: return "L54";
    }
}

OptionKind option_of(ast::Opcode opcode) {
    using ast::Opcode;
    switch (opcode) {
        case Opcode::LDB:
        case Opcode::STB:
        case Opcode::ATOMB: return OptionKind::storage;
        case Opcode::SHFIDX:
        case Opcode::SHFUP:
        case Opcode::SHFDOWN:
        case Opcode::SHFXOR: return OptionKind::thread_shuffle;
        case Opcode::TGBALLOT: return OptionKind::thread_group;
        case Opcode::ATOMCTR: return OptionKind::counters;
        case Opcode::IMQ: return OptionKind::image_size;
        case Opcode::IMQS:
        case Opcode::TXQS: return OptionKind::image_samples;
        default: return OptionKind::accepted;
    }
}

const std::vector<std::string_view>& option_names() {
    static const std::vector<std::string_view> names = [] {
        std::vector<std::string_view> v;
        for (const OptionEntry& entry : kOptions) v.push_back(entry.name);
        return v;
    }();
    return names;
}

}  // namespace maskwork::front
