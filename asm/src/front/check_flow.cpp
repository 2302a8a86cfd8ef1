// Rules of the whole program: blocks and their nesting (L80 to L85), calls (L86), resources (L99).
#include "closest.hpp"
#include "parser.hpp"

#include <fmt/format.h>

namespace maskwork::front {

namespace {

struct Block {
    std::uint32_t start = 0;   // the IF or REP
    std::uint32_t opener = 0;  // whose partner the next ELSE, ENDIF or ENDREP is
    bool loop = false;
    bool has_else = false;
    bool has_break = false;   // REP: a BRK of its own
    bool has_return = false;  // a RET at any depth
    bool counted = false;
    bool reported = false;
};

}  // namespace

void Parser::check_flow() {
    using ast::Opcode;
    std::vector<ast::Instruction>& code = program_.instructions;
    std::vector<Block> blocks;
    std::vector<std::size_t> loops;  // positions of the REPs in `blocks`
    std::size_t ifs = 0;
    std::size_t next_label = 0;
    std::size_t forgiven[2] = {0, 0};  // IFs and REPs taken as ended by L80, whose own end may still follow

    const auto name = [&](const Block& block) { return block.loop ? "REP" : "IF"; };
    const auto opened = [&](const Block& block) { return fmt::format("the {} in line {}", name(block), code[block.start].where.line); };
    const auto pop = [&] {
        const Block block = blocks.back();
        blocks.pop_back();
        if (block.loop) loops.pop_back();
        else --ifs;
        if (!blocks.empty()) blocks.back().has_return |= block.has_return;
        return block;
    };
    // The innermost block, if it is of the kind that `instruction` belongs to; otherwise L80 or L81, and false.
    const auto matches = [&](std::uint32_t at, bool loop) {
        const ast::Instruction& instruction = code[at];
        const std::string_view what = ast::name_of(instruction.opcode);
        if (!blocks.empty() && blocks.back().loop == loop) return true;
        if (forgiven[loop] != 0) {
            --forgiven[loop];
            return false;
        }
        if (blocks.empty()) {
            error("L81", instruction.opcode_where, fmt::format("{} without {}", what, loop ? "REP" : "IF"), "nothing is open here");
            return false;
        }
        error("L80", instruction.opcode_where, fmt::format("{} inside {}", what, opened(blocks.back())),
              fmt::format("expected {} first", blocks.back().loop ? "ENDREP" : "ENDIF"));
        // Take the inner blocks as ended if that makes this instruction match; otherwise ignore it.
        const bool outer = loop ? !loops.empty() : ifs != 0;
        while (outer && blocks.back().loop != loop) ++forgiven[pop().loop];
        return outer;
    };

    for (std::uint32_t i = 0; i < code.size() && !diagnostics_.full(); ++i) {
        for (; next_label < program_.labels.size() && program_.labels[next_label].first <= i; ++next_label) {
            if (blocks.empty()) continue;
            const ast::Label& label = program_.labels[next_label];
            if (!blocks.back().reported)
                error("L82", label.where, fmt::format("the label {} inside {}", label.name, opened(blocks.back())),
                      fmt::format("a subroutine begins outside of all blocks: expected {} first", blocks.back().loop ? "ENDREP" : "ENDIF"));
            for (Block& block : blocks) block.reported = true;
        }
        ast::Instruction& instruction = code[i];
        switch (instruction.opcode) {
            case Opcode::IF:
                if (ifs == limits_.if_depth)
                    error("L84", instruction.opcode_where, "IF is nested too deeply",
                          fmt::format("at most {} IF blocks may be open at once", limits_.if_depth));
                blocks.push_back({.start = i, .opener = i});
                ++ifs;
                break;
            case Opcode::REP:
                if (loops.size() == limits_.loop_depth)
                    error("L84", instruction.opcode_where, "REP is nested too deeply",
                          fmt::format("at most {} REP blocks may be open at once", limits_.loop_depth));
                loops.push_back(blocks.size());
                blocks.push_back({.start = i, .opener = i, .loop = true, .counted = instruction.operand_count != 0});
                break;
            case Opcode::ELSE:
                if (!matches(i, false)) break;
                if (blocks.back().has_else) {
                    error("L80", instruction.opcode_where, fmt::format("a second ELSE in {}", opened(blocks.back())), "expected ENDIF");
                    break;
                }
                code[blocks.back().opener].partner = i;
                blocks.back().opener = i;
                blocks.back().has_else = true;
                break;
            case Opcode::ENDIF: {
                if (!matches(i, false)) break;
                const Block block = pop();
                code[block.opener].partner = i;
                instruction.partner = block.start;
                break;
            }
            case Opcode::ENDREP: {
                if (!matches(i, true)) break;
                const Block block = pop();
                code[block.start].partner = i;
                instruction.partner = block.start;
                if (!block.counted && !block.has_break && !block.has_return)
                    error("L85", code[block.start].opcode_where, "REP without a count has neither a BRK of its own nor a RET",
                          "without one it never ends: add a BRK, or a count");
                break;
            }
            case Opcode::BRK:
            case Opcode::CONT:
                if (loops.empty()) {
                    error("L83", instruction.opcode_where, fmt::format("{} outside of REP", ast::name_of(instruction.opcode)),
                          "it leaves or continues the innermost REP block");
                    break;
                }
                if (instruction.opcode == Opcode::BRK) blocks[loops.back()].has_break = true;
                instruction.partner = blocks[loops.back()].start;
                break;
            case Opcode::RET:
                if (!blocks.empty()) blocks.back().has_return = true;
                break;
            default: break;
        }
    }
    for (; next_label < program_.labels.size() && !blocks.empty() && !blocks.back().reported; ++next_label) {
        const ast::Label& label = program_.labels[next_label];
        error("L82", label.where, fmt::format("the label {} inside {}", label.name, opened(blocks.back())),
              "a subroutine begins outside of all blocks");
        for (Block& block : blocks) block.reported = true;
    }
    for (const Block& block : blocks) {
        if (block.reported || diagnostics_.full()) continue;
        error("L81", code[block.start].opcode_where, fmt::format("{} without {}", name(block), block.loop ? "ENDREP" : "ENDIF"),
              fmt::format("expected {} before the end of the program", block.loop ? "ENDREP" : "ENDIF"));
    }
    for (const auto& [instruction, target] : calls_) {
        const auto it = labels_.find(target.text);
        if (it != labels_.end()) {
            if (instruction < code.size()) code[instruction].label = it->second;
            continue;
        }
        std::vector<std::string_view> names;
        for (const auto& [label, index] : labels_) names.push_back(label);
        std::sort(names.begin(), names.end());
        const std::string_view meant = closest(target.text, names);
        error("L86", target.span(), fmt::format("the label {} is not defined", describe(target)),
              meant.empty() ? "define it: a name and ':'" : fmt::format("did you mean {}?", meant));
        if (diagnostics_.full()) break;
    }
}

// L23: arrays accessed with relative addressing do not share a program parameter, and have none twice.
void Parser::check_parameter_arrays() {
    std::unordered_map<std::uint64_t, std::string_view> owners;
    for (const ast::Variable& v : program_.variables) {
        if (v.kind != ast::VariableKind::param || !v.is_array || !v.indexed_at_run_time) continue;
        for (const ast::ParamElement& e : v.elements) {
            if (e.source == ast::ParamSource::warps_per_sm) {
                not_yet(v.where, "state.thread.warpspersm in an array with a run-time index", "copy it to a TEMP array");
                break;
            }
            if (e.source == ast::ParamSource::constant) continue;
            const auto [it, added] = owners.emplace((std::uint64_t{static_cast<std::uint8_t>(e.source)} << 32) | e.index, v.name);
            if (added) continue;
            error("L23", v.where,
                  fmt::format("program.{}[{}] is twice in {}, accessed with a run-time index", e.source == ast::ParamSource::local ? "local" : "env",
                              e.index, it->second == v.name ? v.name : fmt::format("{} and {}", it->second, v.name)),
                  "copy the parameter to a TEMP array, or use constant indices");
            break;
        }
    }
}

void Parser::check_resources() {
    // at what is the first too many
    const auto check = [&](std::string_view what, std::uint64_t count, std::uint64_t limit, ast::SourceSpan where) {
        if (count > limit) error("L99", where, fmt::format("the program has {} {}", count, what), fmt::format("at most {}", limit));
    };
    const auto& code = program_.instructions;
    check("temporaries", temporaries_.count, limits_.temporaries, temporaries_.over);
    check("parameters", parameters_.count, limits_.parameters, parameters_.over);
    check("instructions", code.size(), limits_.instructions, code.size() > limits_.instructions ? code[limits_.instructions].where : ast::SourceSpan{});
}

}  // namespace maskwork::front
