// Rules L60 to L68: which modifiers an instruction has, and what data types follow from them.
#include "parser.hpp"

#include <fmt/format.h>

namespace maskwork::front {

namespace {

using ast::BaseType;
using ast::DataType;

DataType data_type(const Modifier& modifier) {
    return static_cast<DataType>(modifier.value);
}
bool is_32_bit(DataType type) {
    return type == DataType::f32 || type == DataType::s32 || type == DataType::u32;
}
bool is_64_bit(DataType type) {
    return ast::bytes_of(type) == 8;
}

std::string_view allowed_bases(TypeClass types) {
    switch (types) {
        case TypeClass::F: return "F";
        case TypeClass::I: return "S or U";
        default: return "F, S or U";
    }
}

}  // namespace

bool Parser::check_modifiers(const OpcodeInfo& row, ast::SourceSpan opcode, ast::Modifiers& out) {
    std::vector<ModifierToken> types;
    bool good = true;
    for (const ModifierToken& token : modifier_tokens_) {
        if (token.modifier.kind == ModifierKind::type) types.push_back(token);
        else good &= check_other_modifier(row, token, out);
    }
    switch (row.types) {
        case TypeClass::S: good &= check_storage_type(row, types, opcode, out); break;
        case TypeClass::A: good &= check_atomic_type(row, types, opcode, out); break;
        case TypeClass::C: good &= check_convert_types(types, opcode, out); break;
        default:
            if (out.mul == ast::MulKind::none) good &= check_data_type(row, types, out);
            else if (good) good = check_mul_type(types, opcode, out);
            break;
    }
    const bool float_result = row.signature.front() == 'f' || ast::base_of(out.type) == BaseType::f;
    if (good && out.clamp != ast::Clamp::none && !float_result) {
        const bool convert = row.permits('i') && out.clamp == ast::Clamp::sat;
        if (!convert) {
            for (const ModifierToken& token : modifier_tokens_)
                if (token.modifier.kind == ModifierKind::clamp)
                    error("L61", token.where, fmt::format("the clamp {} on an integer result", token.text),
                          row.permits('i') ? "integer results of CVT are clamped by SAT" : "only float results are clamped");
            good = false;
        }
    }
    return good;
}

// Everything but data types: is it allowed here, and is it the only one of its kind?
bool Parser::check_other_modifier(const OpcodeInfo& row, const ModifierToken& token, ast::Modifiers& out) {
    const Modifier& m = token.modifier;
    const auto unsupported = [&](std::string_view hint = {}) {
        error("L62", token.where, fmt::format("{} does not support the modifier {}", row.name, token.text),
              hint.empty() ? fmt::format("remove {}", token.text) : std::string(hint));
        return false;
    };
    const auto repeated = [&](std::string_view what, std::string_view rule = "L60") {
        error(rule, token.where, fmt::format("more than one {} on {}", what, row.name), fmt::format("remove {}", token.text));
        return false;
    };
    switch (m.kind) {
        case ModifierKind::cc:
            if (!row.permits('C')) return unsupported();
            if (out.cc != ast::CcUpdate::none) return repeated("condition code update");
            out.cc = static_cast<ast::CcUpdate>(m.value);
            return true;
        case ModifierKind::clamp:
            if (!row.permits('T')) {
                if (row.types != TypeClass::I || row.name == "I2F") return unsupported();
                error("L61", token.where, fmt::format("the clamp {} on {}, whose result is an integer", token.text, row.name),
                      "only float results are clamped");
                return false;
            }
            if (out.clamp != ast::Clamp::none) return repeated("clamp");
            out.clamp = static_cast<ast::Clamp>(m.value);
            return true;
        case ModifierKind::mul:
            if (!row.permits('X')) {
                error("L63", token.where, fmt::format("the modifier {} on {}", token.text, row.name), "HI, S24 and U24 belong to MUL");
                return false;
            }
            if (out.mul != ast::MulKind::none) return repeated("of HI, S24 and U24", "L63");
            out.mul = static_cast<ast::MulKind>(m.value);
            return true;
        case ModifierKind::rounding:
            if (!row.permits('R')) return unsupported("rounding modifiers belong to CVT");
            if (out.rounding != ast::Rounding::none) return repeated("rounding");
            out.rounding = static_cast<ast::Rounding>(m.value);
            return true;
        case ModifierKind::atomic:
            if (row.types != TypeClass::A) return unsupported("it belongs to ATOM instructions");
            if (out.atomic != ast::AtomicOp::none) return repeated("atomic operation", "L67");
            out.atomic = static_cast<ast::AtomicOp>(m.value);
            return true;
        case ModifierKind::cta:
            if (!row.permits('G')) return unsupported("it belongs to MEMBAR");
            if (out.cta) return repeated("CTA");
            out.cta = true;
            return true;
        case ModifierKind::coherent:
            if (!row.permits('V')) return unsupported();
            if (out.coherent) return repeated("COH");
            out.coherent = true;
            return true;
        case ModifierKind::is_volatile:
            if (!row.permits('V')) return unsupported();
            if (out.is_volatile) return repeated("VOL");
            out.is_volatile = true;
            return true;
        case ModifierKind::no_type_check:
            if (!row.permits('P') && !row.permits('K')) return unsupported();
            if (out.no_type_check) return repeated("NTC");
            out.no_type_check = true;
            return true;
        case ModifierKind::precise:
            if (!row.permits('P')) return unsupported("it belongs to arithmetic");
            if (out.precise) return repeated("PREC");
            out.precise = true;
            return true;
        case ModifierKind::type:
        case ModifierKind::foreign: break;
    }
    return unsupported();
}

// Instructions with at most one of F S U F32 S32 U32 ...
bool Parser::check_data_type(const OpcodeInfo& row, const std::vector<ModifierToken>& types, ast::Modifiers& out) {
    if (types.empty()) {
        out.type = row.fallback == BaseType::f ? DataType::f32 : row.fallback == BaseType::s ? DataType::s32 : DataType::none;
        return true;
    }
    const ModifierToken& token = types.front();
    const DataType type = data_type(token.modifier);
    const BaseType base = ast::base_of(type);
    if (row.types == TypeClass::N) {
        error("L62", token.where, fmt::format("{} has no data type", row.name), fmt::format("remove .{}", token.text));
        return false;
    }
    const bool float_ok = row.types == TypeClass::F || row.types == TypeClass::FI;
    const bool int_ok = row.types == TypeClass::I || row.types == TypeClass::FI;
    const bool half = type == DataType::f16 && token.modifier.count == 1;
    const bool size_ok = token.modifier.count == 1 && (is_32_bit(type) || half || (is_64_bit(type) && row.permits('6')));
    if ((base == BaseType::f ? !float_ok : !int_ok) || !size_ok) {
        error("L62", token.where, fmt::format("{} does not support the data type {}", row.name, token.text),
              fmt::format("it works on {}", allowed_bases(row.types)));
        return false;
    }
    if (types.size() > 1) {
        error("L60", types[1].where, fmt::format("more than one data type on {}", row.name), fmt::format("remove {}", types[1].text));
        return false;
    }
    const bool long_integer = base != BaseType::f && is_64_bit(type) && row.permits('L');
    if (!is_32_bit(type) && !long_integer) {
        not_yet(token.where, half ? "half-precision arithmetic" : fmt::format("{} in 64 bits ({})", row.name, token.text));
        return false;
    }
    out.type = type;
    return true;
}

// MUL with HI, S24 or U24.
bool Parser::check_mul_type(const std::vector<ModifierToken>& types, ast::SourceSpan opcode, ast::Modifiers& out) {
    if (types.size() > 1) {
        error("L60", types[1].where, "more than one data type on MUL", fmt::format("remove {}", types[1].text));
        return false;
    }
    if (out.mul != ast::MulKind::hi) {
        if (!types.empty()) {
            error("L64", types.front().where, "MUL.S24 and MUL.U24 take no data type", fmt::format("remove {}", types.front().text));
            return false;
        }
        out.type = out.mul == ast::MulKind::s24 ? DataType::s32 : DataType::u32;
        return true;
    }
    const bool integer = !types.empty() && ast::base_of(data_type(types.front().modifier)) != BaseType::f;
    if (!integer) {
        error("L64", types.empty() ? opcode : types.front().where, "MUL.HI needs an integer type", "write MUL.HI.S or MUL.HI.U");
        return false;
    }
    return check_data_type(info(ast::Opcode::MUL), types, out);
}

bool Parser::check_storage_type(const OpcodeInfo& row, const std::vector<ModifierToken>& types, ast::SourceSpan opcode,
                                ast::Modifiers& out) {
    if (types.size() != 1 || types.front().modifier.unsized) {
        const bool unsized = !types.empty() && types.front().modifier.unsized;
        const ast::SourceSpan where = types.empty() ? opcode : unsized || types.size() == 1 ? types.front().where : types[1].where;
        error("L66", where,
              unsized ? fmt::format("{} with the data type {}", row.name, types.front().text)
                      : fmt::format("{} needs exactly one storage type", row.name),
              fmt::format("for example {}.U32 or {}.F32X4", row.name, row.name));
        return false;
    }
    const ModifierToken& token = types.front();
    out.type = data_type(token.modifier);
    out.count = token.modifier.count;
    const unsigned bytes = ast::bytes_of(out.type);
    const bool vector_of_small = bytes < 4 && out.count > 1;
    if ((out.type == DataType::f16 || vector_of_small) && !need_option(OptionKind::memory_extended, token.where, fmt::format("the storage type {}", token.text)))
        return false;
    if (!is_32_bit(out.type)) {
        not_yet(token.where, fmt::format("the storage type {}", token.text), "U32, S32 and F32, alone or with X2 or X4, are there");
        return false;
    }
    return true;
}

// Exactly one operation and one storage type, in a pair of the table of the specifications (with the options' extensions).
bool Parser::check_atomic_type(const OpcodeInfo& row, const std::vector<ModifierToken>& types, ast::SourceSpan opcode,
                               ast::Modifiers& out) {
    if (out.atomic == ast::AtomicOp::none || types.size() != 1 || types.front().modifier.unsized) {
        const bool unsized = !types.empty() && types.front().modifier.unsized;
        const ast::SourceSpan where = types.size() > 1 ? types[1].where : unsized ? types.front().where : opcode;
        error("L67", where, fmt::format("{} needs exactly one operation and one storage type", row.name),
              fmt::format("for example {}.ADD.U32", row.name));
        return false;
    }
    const ModifierToken& token = types.front();
    using ast::AtomicOp;
    const AtomicOp op = out.atomic;
    const DataType type = data_type(token.modifier);
    const bool wraps = op == AtomicOp::iwrap || op == AtomicOp::dwrap;
    const bool adds = op == AtomicOp::add || op == AtomicOp::exch;
    const bool logic = op == AtomicOp::min || op == AtomicOp::max || op == AtomicOp::and_ || op == AtomicOp::or_ || op == AtomicOp::xor_;
    bool exists = false;
    OptionKind option = OptionKind::accepted;
    if (token.modifier.count > 1) {
        exists = type == DataType::f16 && (adds || op == AtomicOp::min || op == AtomicOp::max);
        option = OptionKind::atomic_half;
    } else {
        switch (type) {
            case DataType::u32: exists = true; break;
            case DataType::s32: exists = !wraps; break;
            case DataType::u64:
                exists = !wraps;
                if (logic) option = OptionKind::atomic_int64;
                break;
            case DataType::s64:
                exists = !wraps;
                option = OptionKind::atomic_int64;
                break;
            case DataType::f32:
                exists = adds;
                if (row.name == "ATOM" || row.name == "ATOMIM") option = OptionKind::atomic_float;
                break;
            case DataType::f64:
                exists = adds && row.name == "ATOM";
                option = OptionKind::atomic_float64;
                break;
            default: break;
        }
    }
    if (!exists) {
        error("L67", token.where, fmt::format("{} has no atomic operation of this kind on {}", row.name, token.text),
              wraps  ? "IWRAP and DWRAP work on U32"
              : adds ? "the types are U32, S32, F32 and 64-bit integers"
                     : "the types are U32, S32 and 64-bit integers");
        return false;
    }
    if (!need_option(option, token.where, fmt::format("{} on {}", row.name, token.text))) return false;
    out.type = type;
    if (!is_32_bit(type)) {
        not_yet(token.where, fmt::format("atomic operations on {}", token.text));
        return false;
    }
    return true;
}

bool Parser::check_convert_types(const std::vector<ModifierToken>& types, ast::SourceSpan opcode, ast::Modifiers& out) {
    for (const ModifierToken& token : types) {
        if (token.modifier.unsized || token.modifier.count > 1) {
            error("L68", token.where, fmt::format("CVT with the data type {}", token.text),
                  "CVT takes two storage types: CVT.<to>.<from>, for example CVT.S32.F32");
            return false;
        }
    }
    if (types.size() != 2) {
        error("L68", types.size() > 2 ? types[2].where : opcode, fmt::format("CVT with {} storage types", types.size()),
              "CVT takes two: CVT.<to>.<from>, for example CVT.S32.F32");
        return false;
    }
    out.type = data_type(types[0].modifier);
    out.source = data_type(types[1].modifier);
    for (const ModifierToken& token : types) {
        const DataType type = data_type(token.modifier);
        if (is_32_bit(type) || (is_64_bit(type) && ast::base_of(type) != BaseType::f)) continue;
        not_yet(token.where, fmt::format("conversions to and from {}", token.text), "F32, S32, U32, S64 and U64 are there");
        return false;
    }
    return true;
}

}  // namespace maskwork::front
