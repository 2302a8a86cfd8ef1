// Subroutine types, subroutine uniforms, SUBROUTINENUM and CALI, with the rules L86 and L87.
#include "parser.hpp"

#include <fmt/format.h>

namespace maskwork::front {

// SUBROUTINETYPE T { label, label };  The labels are defined anywhere in the text.
void Parser::parse_subroutine_type() {
    take();
    const Token& name = declared_name();
    expect('{', "and the labels of the type");
    std::vector<Token> labels;
    do {
        labels.push_back(expect_identifier("the label of a subroutine"));
    } while (accept(','));
    expect('}', "or ',' behind a label");
    const auto [it, added] = subroutine_types_.emplace(name.text, static_cast<std::uint32_t>(program_.subroutine_types.size()));
    if (!added) {
        error("L11", name.span(), fmt::format("the subroutine type {} is declared twice", name.text),
              fmt::format("the first declaration is in line {}", program_.subroutine_types[it->second].where.line));
    } else if (check_new_name(name)) {
        ast::SubroutineType type;
        type.name = std::string(name.text);
        type.where = name.span();
        program_.subroutine_types.push_back(std::move(type));
        type_labels_.push_back(std::move(labels));
    } else {
        subroutine_types_.erase(it);
    }
    expect_semicolon();
}

// SUBROUTINE T v = program.subroutine[n];  SUBROUTINE T v[] = { program.subroutine[a..b], ... };
void Parser::parse_subroutine() {
    take();
    const Token& type = expect_identifier("the name of a subroutine type");
    const auto known = subroutine_types_.find(type.text);
    if (known == subroutine_types_.end())
        error("L12", type.span(), fmt::format("the subroutine type {} is not declared", describe(type)), "declare it before with SUBROUTINETYPE");
    const Token& name = declared_name();
    const ArraySize size = parse_array_size();
    expect('=', "and a binding");
    if (size.array) expect('{', "and the bindings of the array");
    ast::Variable variable;
    variable.kind = ast::VariableKind::subroutine;
    variable.is_array = size.array;
    bool good = known != subroutine_types_.end();
    if (good) variable.subroutine.type = known->second;
    std::optional<ElementRange> range;
    do {
        expect_program_bank("SUBROUTINE", "subroutine", "program.subroutine[n]");
        const ElementRange item = parse_element_range(limits_.subroutine_uniforms, "program.subroutine");
        if (!size.array && item.first != item.last) {
            error("L15", item.where, fmt::format("several bindings for {}, which is not an array", name.text),
                  fmt::format("declare it as {}[] = {{ ... }}", name.text));
            good = false;
        }
        good &= append_range(range, item, "SUBROUTINE");
    } while (size.array && accept(','));
    if (size.array) expect('}', "behind the bindings");
    variable.subroutine.first = range->first;
    variable.size = range->last - range->first + 1;
    if (good && size.size && *size.size != variable.size) {
        error("L15", size.where, fmt::format("{} has {} elements and {} bindings", name.text, *size.size, variable.size),
              fmt::format("write {}[{}] or {}[]", name.text, variable.size, name.text));
        good = false;
    }
    for (std::uint32_t i = 0; good && i < variable.size; ++i) {
        const auto [it, added] = uniform_types_.emplace(variable.subroutine.first + i, variable.subroutine.type);
        if (added || it->second == variable.subroutine.type) continue;
        error("L87", range->where, fmt::format("program.subroutine[{}] has two types", it->first),
              fmt::format("it is a {} in another declaration", program_.subroutine_types[it->second].name));
        good = false;
    }
    if (good) declare(name, std::move(variable));
    else if (check_new_name(name)) declare_refused(name);
    expect_semicolon();
}

// The rest of "label SUBROUTINENUM(n):", from SUBROUTINENUM on.
void Parser::parse_subroutine_number(ast::Label& label) {
    take();
    expect('(', "and the number of the subroutine");
    const Token& number = peek();
    const std::uint32_t value = expect_integer("the number of the subroutine");
    expect(')', "behind the number of the subroutine");
    expect(':', "behind the label");
    if (value >= limits_.subroutines) {
        error("L87", number.span(), fmt::format("the subroutine number {} is too large", number.text),
              fmt::format("the numbers are 0 to {}", limits_.subroutines - 1));
        return;
    }
    const auto [it, added] = subroutine_numbers_.emplace(value, number);
    if (!added)
        error("L87", number.span(), fmt::format("two subroutines have the number {}", value), fmt::format("the other one is in line {}", it->second.line));
    label.number = value;
}

// The operand of CALI: a SUBROUTINE variable, with an index if it is an array.
void Parser::parse_indirect_call(ast::Instruction& instruction) {
    ast::Operand& operand = instruction.operands[instruction.operand_count++];
    const Token& name = expect_identifier("a subroutine variable");
    operand.variable = parse_name_use(name);
    if (operand.variable != ast::kNone && program_.variables[operand.variable].kind != ast::VariableKind::subroutine) {
        error("L86", name.span(), fmt::format("CALI on {}, which is not a subroutine variable", name.text),
              "declare it with SUBROUTINE, or call a label with CAL");
        operand.variable = ast::kNone;
    }
    parse_element(operand.variable, name, operand.index);
    operand.where = join(name.span(), tokens_[at_ - 1]);
}

// Labels of the types, and numbers for those that have none: the lowest free ones, in the order of the declarations.
void Parser::finish_subroutines() {
    std::uint32_t next = 0;
    for (std::size_t t = 0; t < type_labels_.size() && !diagnostics_.full(); ++t) {
        for (const Token& name : type_labels_[t]) {
            const auto it = labels_.find(name.text);
            if (it == labels_.end()) {
                error("L86", name.span(), fmt::format("the label {} is not defined", describe(name)), "define it: a name and ':'");
                continue;
            }
            ast::Label& label = program_.labels[it->second];
            std::vector<std::uint32_t>& members = program_.subroutine_types[t].labels;
            if (std::find(members.begin(), members.end(), it->second) != members.end()) continue;
            members.push_back(it->second);
            if (label.number != ast::kNone) continue;
            while (subroutine_numbers_.contains(next)) ++next;
            if (next >= limits_.subroutines) {
                error("L87", name.span(), "too many subroutines for indirect calls", fmt::format("at most {}", limits_.subroutines));
                return;
            }
            subroutine_numbers_.emplace(next, name);
            label.number = next;
        }
    }
}

// L87: a CALI must not lead back to its own subroutine, by whatever member of its type.  Such calls lie inside a strongly connected
// part of the call graph.
void Parser::check_recursion() {
    const std::vector<ast::Instruction>& code = program_.instructions;
    const auto nodes = static_cast<std::uint32_t>(program_.labels.size() + 1);  // the last one: the text before all labels
    std::vector<std::vector<std::uint32_t>> calls(nodes), callers(nodes);
    struct Indirect {
        std::uint32_t instruction, from, type;
    };
    std::vector<Indirect> indirect;
    std::uint32_t from = nodes - 1, next_label = 0;
    const auto add = [&](std::uint32_t to) {
        calls[from].push_back(to);
        callers[to].push_back(from);
    };
    for (std::uint32_t i = 0; i < code.size(); ++i) {
        while (next_label < program_.labels.size() && program_.labels[next_label].first <= i) from = next_label++;
        if (code[i].opcode == ast::Opcode::CAL && code[i].label != ast::kNone) add(code[i].label);
        if (code[i].opcode != ast::Opcode::CALI || code[i].operands[0].variable == ast::kNone) continue;
        const std::uint32_t type = program_.variables[code[i].operands[0].variable].subroutine.type;
        indirect.push_back({i, from, type});
        for (std::uint32_t label : program_.subroutine_types[type].labels) add(label);
    }
    if (indirect.empty()) return;
    // Kosaraju: order of leaving in the graph, then components in the reversed graph.
    std::vector<std::uint32_t> order, component(nodes, ast::kNone);
    std::vector<bool> seen(nodes, false);
    for (std::uint32_t root = 0; root < nodes; ++root) {
        if (seen[root]) continue;
        std::vector<std::pair<std::uint32_t, std::size_t>> path{{root, 0}};
        seen[root] = true;
        while (!path.empty()) {
            auto& [node, edge] = path.back();
            if (edge == calls[node].size()) {
                order.push_back(node);
                path.pop_back();
                continue;
            }
            const std::uint32_t to = calls[node][edge++];
            if (!seen[to]) {
                seen[to] = true;
                path.emplace_back(to, 0);
            }
        }
    }
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
        if (component[*it] != ast::kNone) continue;
        std::vector<std::uint32_t> work{*it};
        component[*it] = *it;
        while (!work.empty()) {
            const std::uint32_t node = work.back();
            work.pop_back();
            for (std::uint32_t caller : callers[node])
                if (component[caller] == ast::kNone) {
                    component[caller] = *it;
                    work.push_back(caller);
                }
        }
    }
    for (const Indirect& call : indirect) {
        for (std::uint32_t label : program_.subroutine_types[call.type].labels) {
            if (component[label] != component[call.from]) continue;
            error("L87", code[call.instruction].opcode_where,
                  fmt::format("CALI may call {}, which can lead back to this call", program_.labels[label].name),
                  "an indirect call must not be part of a recursion");
            break;
        }
        if (diagnostics_.full()) return;
    }
}

}  // namespace maskwork::front
