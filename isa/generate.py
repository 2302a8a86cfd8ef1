#!/usr/bin/env python3
"""Generates the C++ header, the SystemVerilog package and docs/isa.md from isa.toml and rules.toml.

usage: generate.py --cpp FILE --sv FILE --md FILE [--expansions FILE]
Checks the table first (overlapping fields, double codes, unknown names) and fails with a message that names the row.
"""
import argparse
import pathlib
import re
import sys
import tomllib

HERE = pathlib.Path(__file__).parent
FORMATS = ["alu", "mem", "flow"]
UNITS = ["lane", "shared", "axi", "flow", "special"]
CLASSES = ["move", "float_or_int", "compare", "logic", "convert", "shared", "memory", "fence", "flow", "barrier", "function", "crosslane"]
KINDS = ["none", "load", "store", "atomic", "fence", "check"]
FLAGS = ["chain", "cmp", "cvt", "rnd", "clamp_int", "nodst", "nocc", "global"]
RULE_GROUP = 8  # rules of rules.toml that the RTL combines in one clock
CONFIG_KEYS = ["lanes", "banks", "group_threads", "waves_full", "waves_partial", "group_slots", "reg_words",
               "shared_bytes", "axi_bits", "icache_words", "divider_stages"]
LOOPS = ("LOOP", "REP")
CPP_NAMES = {"NAN": "NAN_"}  # <cmath> has a macro of that name
PLAIN = ("BAR", "MEMBAR", "MEMBAR_CTA", "NOP", "END")


def fail(message):
    sys.exit(f"isa/generate.py: {message}")


def load():
    with open(HERE / "isa.toml", "rb") as f:
        isa = tomllib.load(f)
    with open(HERE / "rules.toml", "rb") as f:
        isa["rules"] = tomllib.load(f)["rule"]
    used = {fmt: {} for fmt in FORMATS}
    for fld in isa["field"]:
        for fmt in fld["in"]:
            for bit in range(fld["lo"], fld["lo"] + fld["bits"]):
                if bit in used[fmt] and not fld.get("overlay"):
                    fail(f"field {fld['name']}: bit {bit} of format {fmt} is taken by {used[fmt][bit]}")
                used[fmt].setdefault(bit, fld["name"])
    isa["reserved"] = {fmt: sum(1 << b for b in range(isa["word"]["bits"]) if b not in used[fmt]) for fmt in FORMATS}
    types = {n: c for n, c, *_ in isa["enum"]["type"]["values"]}
    codes = {}
    for op in isa["op"]:
        if op["code"] in codes:
            fail(f"operation {op['name']}: code {op['code']} is taken by {codes[op['code']]}")
        codes[op["code"]] = op["name"]
        op.setdefault("types", [])
        op.setdefault("srcs", "")
        op.setdefault("flags", [])
        op.setdefault("kind", "none")
        op.setdefault("full_only", False)
        for t in op["types"]:
            if t not in types:
                fail(f"operation {op['name']}: unknown type {t}")
        for flag in op["flags"]:
            if flag not in FLAGS:
                fail(f"operation {op['name']}: unknown flag {flag}")
        if op["format"] not in FORMATS or op["unit"] not in UNITS or op["class"] not in CLASSES or op["kind"] not in KINDS:
            fail(f"operation {op['name']}: unknown format, unit, class or kind")
        op["type_mask"] = sum(1 << types[t] for t in op["types"])
    by_name = {}
    for cfg in isa["config"]:
        if "like" in cfg:
            cfg.update({k: v for k, v in by_name[cfg["like"]].items() if k not in cfg})
        missing = [k for k in CONFIG_KEYS if k not in cfg]
        if missing:
            fail(f"configuration {cfg['name']}: missing {missing}")
        by_name[cfg["name"]] = cfg
    return isa


def camel(name):
    return "".join(p.capitalize() for p in name.split("_"))


def rule_env(isa):
    """Names that a rule may use, as (name, C++ expression, SystemVerilog expression, width)."""
    env = [(f["name"], f"get(w, field::{f['name']})", f"w[{f['lo']} +: {f['bits']}]", f["bits"]) for f in isa["field"]]
    info = {"known": "valid", "src_a": "srcs_a", "src_b": "srcs_b", "src_c": "srcs_c"}
    for n, member in info.items():
        env.append((n, f"i.{member}", f"i.{member}", 1))
    for fmt in FORMATS:
        env.append((f"fmt_{fmt}", f"i.format == Format::{camel(fmt)}", f"i.format == FORMAT_{fmt.upper()}", 1))
    for flag in FLAGS:
        env.append((f"is_{flag}", f"i.{flag}", f"i.is_{flag}", 1))
    for kind in KINDS[1:]:
        env.append((f"is_{kind}", f"i.kind == Kind::{camel(kind)}", f"i.kind == KIND_{kind.upper()}", 1))
    for unit in ("shared", "special"):
        env.append((f"is_{unit}", f"i.unit == Unit::{camel(unit)}", f"i.unit == UNIT_{unit.upper()}", 1))
    env.append(("is_full_only", "i.full_only", "i.full_only", 1))
    env.append(("type_ok", "((i.types >> get(w, field::type)) & 1) != 0", "i.types[w[11:8]]", 1))
    env.append(("is_loop", " || ".join(f"get(w, field::op) == static_cast<uint32_t>(Op::{n})" for n in LOOPS),
                " || ".join(f"w[7:0] == OP_{n}" for n in LOOPS), 1))
    env.append(("is_jump", "get(w, field::op) == static_cast<uint32_t>(Op::JUMP)", "w[7:0] == OP_JUMP", 1))
    env.append(("is_plain", " || ".join(f"get(w, field::op) == static_cast<uint32_t>(Op::{n})" for n in PLAIN),
                " || ".join(f"w[7:0] == OP_{n}" for n in PLAIN), 1))
    return env


def rule_names(isa):
    """The names that the rules and their guards really use."""
    used = " ".join(r[2] for r in isa["rules"])
    return set(re.findall(r"[a-z_][a-z_0-9]*", used)) | {"known"} | {f"fmt_{f}" for f in FORMATS}


# ------------------------------------------------------------------------------------------------------------------- C++
def cpp(isa):
    o = []
    p = o.append
    p("// Generated by isa/generate.py from isa/isa.toml. Do not edit.")
    p("#pragma once")
    p("#include <array>\n#include <cstdint>\n#include <optional>\n#include <string_view>\n")
    p("namespace maskwork::isa {\n")
    p("/// One 128-bit microcode word; bit 0 is the least significant bit of lo. In memory and files: lo first, little endian.")
    p("struct Word {\n  uint64_t lo = 0;\n  uint64_t hi = 0;\n  friend constexpr bool operator==(const Word&, const Word&) = default;\n};\n")
    p("/// Position of a field: no field crosses the middle of the word except where get/set handle it.")
    p("struct Field {\n  unsigned lo;\n  unsigned bits;\n};\n")
    p("""constexpr uint32_t get(const Word& w, Field f) {
  const uint64_t mask = (uint64_t{1} << f.bits) - 1;
  if (f.lo >= 64) return static_cast<uint32_t>((w.hi >> (f.lo - 64)) & mask);
  uint64_t v = w.lo >> f.lo;
  if (f.lo + f.bits > 64) v |= w.hi << (64 - f.lo);
  return static_cast<uint32_t>(v & mask);
}

/// Sets a field; bits of `value` above the field's width are dropped.
constexpr void set(Word& w, Field f, uint32_t value) {
  const uint64_t mask = (uint64_t{1} << f.bits) - 1;
  const uint64_t v = value & mask;
  if (f.lo >= 64) {
    w.hi = (w.hi & ~(mask << (f.lo - 64))) | (v << (f.lo - 64));
    return;
  }
  w.lo = (w.lo & ~(mask << f.lo)) | (v << f.lo);
  if (f.lo + f.bits > 64) w.hi = (w.hi & ~(mask >> (64 - f.lo))) | (v >> (64 - f.lo));
}
""")
    p("namespace field {")
    for f in isa["field"]:
        p(f"inline constexpr Field {f['name']}{{{f['lo']}, {f['bits']}}};  ///< {f['does']}")
    p("}  // namespace field\n")
    p("struct FieldInfo {\n  std::string_view name;\n  Field field;\n  bool alu, mem, flow, overlay;\n};")
    p(f"inline constexpr std::array<FieldInfo, {len(isa['field'])}> fields{{{{")
    for f in isa["field"]:
        flags = ", ".join("true" if x in f["in"] else "false" for x in FORMATS)
        p(f"    {{\"{f['name']}\", {{{f['lo']}, {f['bits']}}}, {flags}, {'true' if f.get('overlay') else 'false'}}},")
    p("}};\n")
    for name, e in isa["enum"].items():
        cname = camel(name)
        p(f"/// {e['does']}")
        p(f"enum class {cname} : uint8_t {{ " + ", ".join(f"{CPP_NAMES.get(v[0], v[0])} = {v[1]}" for v in e["values"]) + " };")
        p(f"struct {cname}Name {{ std::string_view name; uint8_t code; std::string_view does; }};")
        p(f"inline constexpr std::array<{cname}Name, {len(e['values'])}> {name}_names{{{{" +
          ", ".join(f"{{\"{v[0]}\", {v[1]}, \"{v[2] if len(v) > 2 else ''}\"}}" for v in e["values"]) + "}};")
        p(f"constexpr std::string_view to_string({cname} v) {{\n  for (const auto& n : {name}_names)\n    if (n.code == static_cast<uint8_t>(v)) return n.name;\n  return \"?\";\n}}\n")
    p("/// Flags of one condition-code component as a nibble.")
    p("namespace flag {\ninline constexpr uint8_t Z = 1, S = 2, O = 4, C = 8;\n}\n")
    p("/// Whether condition test `t` holds for the flags nibble `f`; undefined tests do not hold.")
    p("constexpr bool test_holds(uint32_t t, uint8_t f) {")
    p("  const bool Z = (f & 1) != 0, S = (f & 2) != 0, O = (f & 4) != 0, C = (f & 8) != 0;")
    p("  switch (t) {")
    for v in isa["enum"]["test"]["values"]:
        expr = {"1": "true", "0": "false"}.get(v[2], v[2])
        expr = expr.replace("&", "&&").replace("|", "||").replace("^", "!=")
        p(f"    case {v[1]}: return {expr};  // {v[0]}")
    p("    default: return false;\n  }\n}\n")
    p("enum class Format : uint8_t { " + ", ".join(camel(x) for x in FORMATS) + " };")
    p("enum class Unit : uint8_t { " + ", ".join(camel(x) for x in UNITS) + " };")
    p("enum class OpClass : uint8_t { " + ", ".join(camel(x) for x in CLASSES) + " };")
    p("enum class Kind : uint8_t { " + ", ".join(camel(x) for x in KINDS) + " };")
    p("enum class Op : uint8_t { BAD = 0, " + ", ".join(f"{op['name']} = {op['code']}" for op in isa["op"]) + " };\n")
    p("""/// What the table says of one operation code.
struct OpInfo {
  bool valid = false;
  std::string_view name = "?";
  Format format = Format::Alu;
  Unit unit = Unit::Lane;
  OpClass op_class = OpClass::Move;
  Kind kind = Kind::None;
  uint16_t types = 0;  ///< bit n: type code n is legal
  bool srcs_a = false, srcs_b = false, srcs_c = false;
  bool chain = false, cmp = false, cvt = false, rnd = false, clamp_int = false, nodst = false, nocc = false, global = false;
  bool full_only = false;
  std::string_view does = "";
};
""")
    p("namespace detail {\nconstexpr std::array<OpInfo, 256> make_ops() {\n  std::array<OpInfo, 256> t{};")
    for op in isa["op"]:
        b = lambda x: "true" if x else "false"
        p(f"  t[{op['code']}] = {{true, \"{op['name']}\", Format::{camel(op['format'])}, Unit::{camel(op['unit'])}, OpClass::{camel(op['class'])}, "
          f"Kind::{camel(op['kind'])}, {op['type_mask']}, {b('A' in op['srcs'])}, {b('B' in op['srcs'])}, {b('C' in op['srcs'])}, " +
          ", ".join(b(x in op["flags"]) for x in FLAGS) + f", {b(op['full_only'])}, \"{op['does']}\"}};")
    p("  return t;\n}\n}  // namespace detail")
    p("inline constexpr std::array<OpInfo, 256> ops = detail::make_ops();\n")
    p("constexpr const OpInfo& info(Op op) { return ops[static_cast<uint8_t>(op)]; }")
    p("constexpr const OpInfo& info(const Word& w) { return ops[get(w, field::op)]; }")
    p("constexpr std::string_view to_string(Op op) { return info(op).name; }\n")
    for fmt in FORMATS:
        r = isa["reserved"][fmt]
        p(f"inline constexpr Word reserved_{fmt}{{0x{r & (2**64 - 1):016x}u, 0x{r >> 64:016x}u}};")
    p("\n/// The rules of isa/rules.toml: which words are bad.\nstruct WordRule { std::string_view name, formats, expression, why; };")
    rules = ", ".join(f'{{"{n}", "{g}", "{e}", "{why}"}}' for n, g, e, why in isa["rules"])
    p(f"inline constexpr std::array<WordRule, {len(isa['rules'])}> word_rules{{{{{rules}}}}};")
    p("\n/// The first rule of isa/rules.toml that makes `w` a bad word; empty name = the word is good.")
    p("struct BadWord {\n  std::string_view rule;\n  std::string_view why;\n  explicit constexpr operator bool() const { return !rule.empty(); }\n};")
    p("constexpr BadWord bad_word(const Word& w, bool full) {")
    p("  const OpInfo& i = info(w);")
    p("  const Word r = i.format == Format::Alu ? reserved_alu : i.format == Format::Mem ? reserved_mem : reserved_flow;")
    p("  const bool reserved = ((w.lo & r.lo) | (w.hi & r.hi)) != 0;")
    names = rule_names(isa)
    for n, c, _, bits in rule_env(isa):
        if n in names:
            p(f"  const {'uint32_t' if n in [f['name'] for f in isa['field']] else 'bool'} {n} = {c};")
    guard = {"any": "true", "known": "known", "alu": "fmt_alu", "mem": "fmt_mem", "flow": "fmt_flow"}
    for n, g, e, why in isa["rules"]:
        p(f"  if ({guard[g]} && ({e})) return {{\"{n}\", \"{why}\"}};")
        if n == "W01":
            p("  if (!known) return {};")
    p("  return {};\n}\n")
    p("/// Machine and language limits.\nnamespace limit {")
    for k, v in isa["limits"].items():
        p(f"inline constexpr uint32_t {k} = {v};")
    p("}  // namespace limit\n")
    p("/// Launch fill spaces (docs/semantics.md).\nnamespace fill {")
    for k, v in isa["fill"].items():
        p(f"inline constexpr uint32_t {k} = {v};")
    p("}  // namespace fill\n")
    p("/// CSR byte addresses.\nnamespace csr {")
    for c in isa["csr"]:
        p(f"inline constexpr uint32_t {c['name']} = 0x{c['addr']:03x};  ///< {c['access']} {c['does']}")
    for k, v in isa["csr_windows"].items():
        if isinstance(v, dict):
            p(f"inline constexpr uint32_t {k}_base = 0x{v['base']:x};  ///< {v['does']}")
    p(f"inline constexpr uint32_t size = 0x{isa['csr_windows']['size']:x};\n}}  // namespace csr\n")
    p("struct CsrName {\n  std::string_view name;\n  uint32_t address;\n};")
    p(f"inline constexpr std::array<CsrName, {len(isa['csr'])}> csr_names{{{{" + ", ".join(f"{{\"{c['name']}\", 0x{c['addr']:03x}}}" for c in isa["csr"]) + "}};\n")
    p("enum class Counter : uint8_t { " + ", ".join(camel(c["name"]) for c in isa["counter"]) + " };")
    p("struct CounterInfo {\n  std::string_view name;\n  bool same;  ///< both engines count the same in any run\n  std::string_view does;\n};")
    p(f"inline constexpr std::array<CounterInfo, {len(isa['counter'])}> counters{{{{")
    for c in isa["counter"]:
        p(f"    {{\"{c['name']}\", {'true' if c['same'] else 'false'}, \"{c['does']}\"}},")
    p("}};\n")
    p("/// One named configuration of the unit.\nstruct Config {\n  std::string_view name;\n  uint32_t number;")
    for k in CONFIG_KEYS:
        p(f"  uint32_t {k};")
    p("  std::string_view does;\n  constexpr uint32_t beats() const { return limit::wave_threads / lanes; }\n"
      "  constexpr uint32_t waves(bool full) const { return full ? waves_full : waves_partial; }\n};")
    p(f"inline constexpr std::array<Config, {len(isa['config'])}> configs{{{{")
    for n, c in enumerate(isa["config"]):
        p(f"    {{\"{c['name']}\", {n}, " + ", ".join(str(c[k]) for k in CONFIG_KEYS) + f", \"{c['does']}\"}},")
    p("}};")
    p("constexpr std::optional<Config> find_config(std::string_view name) {\n  for (const auto& c : configs)\n    if (c.name == name) return c;\n  return std::nullopt;\n}\n")
    p(f"inline constexpr uint32_t object_version = {isa['word']['magic_version']};\n")
    p("}  // namespace maskwork::isa")
    return "\n".join(o) + "\n"


# -------------------------------------------------------------------------------------------------------- SystemVerilog
def clog2(n):
    return max(1, (n - 1).bit_length())


def sv(isa):
    o = []
    p = o.append
    p("// Generated by isa/generate.py from isa/isa.toml. Do not edit.")
    p("/* verilator lint_off UNUSEDPARAM */  // a table: each user needs a part of it")
    p("package mw_isa_pkg;\n")
    p(f"  typedef logic [{isa['word']['bits'] - 1}:0] word_t;\n")
    for name, e in isa["enum"].items():
        width = {"type": 4, "test": 5, "atom": 4, "fault": 4}.get(name, clog2(max(v[1] for v in e["values"]) + 1))
        p(f"  // {e['does']}")
        p(f"  typedef enum logic [{width - 1}:0] {{")
        p(",\n".join(f"    {e['prefix'] if 'prefix' in e else name.upper()}_{v[0]} = {width}'d{v[1]}" for v in e["values"]))
        p(f"  }} {name}_e;\n")
    p("  typedef enum logic [7:0] {")
    p("    OP_BAD = 8'd0,\n" + ",\n".join(f"    OP_{op['name']} = 8'd{op['code']}" for op in isa["op"]))
    p("  } op_e;\n")
    for title, items in (("format", FORMATS), ("unit", UNITS), ("kind", KINDS)):
        w = clog2(len(items))
        p(f"  typedef enum logic [{w - 1}:0] {{ " + ", ".join(f"{title.upper()}_{x.upper()} = {w}'d{n}" for n, x in enumerate(items)) + f" }} {title}_e;")
    p("")
    for fmt in FORMATS:
        p(f"  // Word of format {fmt}, most significant field first.")
        p("  typedef struct packed {")
        flds = sorted((f for f in isa["field"] if fmt in f["in"] and not f.get("overlay")), key=lambda f: -f["lo"])
        at = isa["word"]["bits"]
        gap = 0
        for f in flds + [{"lo": 0, "bits": 0, "name": None}]:
            top = f["lo"] + f["bits"]
            if top < at:
                p(f"    logic [{at - top - 1}:0] reserved{gap};")
                gap += 1
            if f["name"]:
                name = {"type": "typ"}.get(f["name"], f["name"])
                p(f"    logic [{f['bits'] - 1}:0] {name};" if f["bits"] > 1 else f"    logic {name};")
            at = f["lo"]
        p(f"  }} word_{fmt}_t;\n")
    for f in isa["field"]:
        if f.get("overlay"):
            p(f"  localparam int unsigned {f['name'].upper()}_LO = {f['lo']};  // {f['bits']} bits: {f['does']}")
    p("")
    p("  // What the table says of one operation code.")
    p("  typedef struct packed {\n    logic valid;\n    format_e format;\n    unit_e unit;\n    kind_e kind;\n    logic [15:0] types;\n"
      "    logic srcs_a;\n    logic srcs_b;\n    logic srcs_c;")
    for f in FLAGS:
        p(f"    logic is_{f};")
    p("    logic full_only;\n  } op_info_t;\n")
    p("  function automatic op_info_t op_info(input logic [7:0] op);")
    p("    case (op)")
    for op in isa["op"]:
        b = lambda x: "1'b1" if x else "1'b0"
        p(f"      OP_{op['name']}: return '{{1'b1, FORMAT_{op['format'].upper()}, UNIT_{op['unit'].upper()}, KIND_{op['kind'].upper()}, 16'h{op['type_mask']:04x}, "
          + ", ".join(b(x in op["srcs"]) for x in "ABC") + ", " + ", ".join(b(x in op["flags"]) for x in FLAGS) + f", {b(op['full_only'])}}};")
    p("      default: return '0;\n    endcase\n  endfunction\n")
    p("  // Flags of one condition-code component.")
    p("  typedef struct packed {\n    logic c;\n    logic o;\n    logic s;\n    logic z;\n  } flags_t;\n")
    p("  // Whether a condition test holds; undefined tests do not.")
    p("  function automatic logic test_holds(input logic [4:0] t, input flags_t f);")
    p("    logic S, Z, O, C;\n    {C, O, S, Z} = f;\n    case (t)")
    for v in isa["enum"]["test"]["values"]:
        expr = {"1": "1'b1", "0": "1'b0"}.get(v[2], v[2])
        p(f"      TEST_{v[0]}: return {expr};")
    p("      default: return 1'b0;\n    endcase\n  endfunction\n")
    groups = -(-len(isa["rules"]) // RULE_GROUP)
    p(f"  // Which groups of {RULE_GROUP} rules make a word bad (isa/rules.toml): it is good if none does. `i` = op_info() of its operation, `full` = full flow mode.")
    p(f"  typedef logic [{groups - 1}:0] bad_groups_t;")
    p("  /* verilator lint_off UNUSEDSIGNAL */  // not every rule reads every bit")
    p("  /* verilator lint_off CMPCONST */  // comparisons with the top of a field are meant")
    p("  /* verilator lint_off UNSIGNED */")
    p("  function automatic bad_groups_t bad_word(input word_t w, input op_info_t i, input logic full);")
    names = rule_names(isa)
    rename = {"type": "typ"}
    p("    logic reserved;")
    p("    bad_groups_t bad;")
    env = [e for e in rule_env(isa) if e[0] in names]
    for n, _, s, bits in env:
        p(f"    logic {rename.get(n, n)};" if bits == 1 else f"    logic [{bits - 1}:0] {rename.get(n, n)};")
    for n, _, s, bits in env:
        p(f"    {rename.get(n, n)} = {s};")
    p("    case (i.format)")
    for fmt in FORMATS:
        sel = f"FORMAT_{fmt.upper()}" if fmt != FORMATS[-1] else "default"
        p(f"      {sel}: reserved = |(w & 128'h{isa['reserved'][fmt]:032x});")
    p("    endcase")
    p("    bad = '0;\n    bad[0] = !known;")
    guard = {"any": "1'b1", "known": "known", "alu": "fmt_alu", "mem": "fmt_mem", "flow": "fmt_flow"}
    field_bits = {f["name"]: f["bits"] for f in isa["field"]}

    def sized(e):
        """Give each number the width of the field it is compared with, so that lint sees equal widths."""
        def sub(m):
            name, op, num = m.group(1), m.group(2), m.group(3)
            return f"{rename.get(name, name)} {op} {field_bits[name]}'d{int(num, 0)}"
        e = re.sub(r"\(pred_mask - 1\)", "(pred_mask - 4'd1)", e)
        e = re.sub(r"\(pred_mask & \(pred_mask - 4'd1\)\) != 0", "(pred_mask & (pred_mask - 4'd1)) != 4'd0", e)
        e = re.sub(r"\b([a-z_0-9]+) (==|!=|<=|>=|<|>) (0x[0-9a-f]+|\d+)\b(?!')", sub, e)
        return e
    for number, (n, g, e, why) in enumerate(isa["rules"]):
        if n != "W01":
            p(f"    bad[{number // RULE_GROUP}] |= {guard[g]} && ({sized(e)});  // {n} {why}")
    p("    return bad;\n  endfunction")
    p("  /* verilator lint_on UNSIGNED */\n  /* verilator lint_on CMPCONST */\n  /* verilator lint_on UNUSEDSIGNAL */\n")
    p("  // Limits")
    for k, v in isa["limits"].items():
        p(f"  localparam int unsigned {k.upper()} = {v};")
    for k, v in isa["fill"].items():
        p(f"  localparam logic [7:0] FILL_{k.upper()} = 8'd{v};")
    p("\n  // CSR byte addresses")
    for c in isa["csr"]:
        p(f"  localparam logic [12:0] CSR_{c['name']} = 13'h{c['addr']:03x};  // {c['access']} {c['does']}")
    for k, v in isa["csr_windows"].items():
        if isinstance(v, dict):
            p(f"  localparam logic [12:0] CSR_WINDOW_{k.upper()} = 13'h{v['base']:x};  // {v['does']}")
    p(f"\n  localparam int unsigned NUM_COUNTERS = {len(isa['counter'])};")
    for n, c in enumerate(isa["counter"]):
        p(f"  localparam int unsigned CNT_{c['name'].upper()} = {n};  // {c['does']}")
    p("\n  // Named configurations")
    p("  typedef struct packed {")
    p("    int unsigned number;")
    for k in CONFIG_KEYS:
        p(f"    int unsigned {k};")
    p("  } cfg_t;")
    p(f"  localparam int unsigned NUM_CFGS = {len(isa['config'])};")
    for n, c in enumerate(isa["config"]):
        nm = c["name"].upper().replace("-", "_")
        p(f"  localparam cfg_t CFG_{nm} = '{{{n}, " + ", ".join(str(c[k]) for k in CONFIG_KEYS) + "};")
    p("  function automatic cfg_t cfg_of(input int unsigned n);\n    case (n)")
    for n, c in enumerate(isa["config"]):
        p(f"      {n}: return CFG_{c['name'].upper().replace('-', '_')};")
    p("      default: return CFG_BASE;\n    endcase\n  endfunction\n")
    p("endpackage\n/* verilator lint_on UNUSEDPARAM */")
    return "\n".join(o) + "\n"


# ------------------------------------------------------------------------------------------------------------- Markdown
def md(isa, expansions):
    o = []
    p = o.append
    esc = lambda s: str(s).replace("|", "\\|")
    p("# Microcode reference\n\nWritten by the build from `isa/isa.toml`; change that, not this. Exact meanings: `semantics.md`.\n")
    p("## Word layout\n")
    for fmt in FORMATS:
        p(f"### Format `{fmt}`\n\n| bits | field | meaning |\n|---|---|---|")
        for f in sorted((f for f in isa["field"] if fmt in f["in"]), key=lambda f: f["lo"]):
            p(f"| {f['lo'] + f['bits'] - 1}:{f['lo']} | `{f['name']}` | {esc(f['does'])} |")
        p("")
    p("## Operations\n\n| code | name | format | unit | types | sources | meaning |\n|---|---|---|---|---|---|---|")
    for op in isa["op"]:
        p(f"| {op['code']} | `{op['name']}` | {op['format']} | {op['unit']} | {' '.join(op['types'])} | {' '.join(op['srcs'])} | {esc(op['does'])} |")
    p("\n## Codes\n")
    for name, e in isa["enum"].items():
        p(f"### {e['does']}\n\n| code | name | meaning |\n|---|---|---|")
        for v in e["values"]:
            p(f"| {v[1]} | `{v[0]}` | {esc(v[2]) if len(v) > 2 else ''} |")
        p("")
    p("## Bad words\n\nA word is bad (fault BAD_WORD when a wave reaches it) if one of these holds.\n\n| rule | condition | why |\n|---|---|---|")
    for n, g, e, why in isa["rules"]:
        p(f"| {n} | {'' if g in ('any', 'known') else g + ': '}`{esc(e)}` | {why} |")
    if expansions:
        p("\n" + pathlib.Path(expansions).read_text())
    p("\n## CSR map\n\n| address | name | access | meaning |\n|---|---|---|---|")
    for c in isa["csr"]:
        p(f"| 0x{c['addr']:03x} | `{c['name']}` | {c['access']} | {esc(c['does'])} |")
    for k, v in isa["csr_windows"].items():
        if isinstance(v, dict):
            p(f"| 0x{v['base']:x}.. | {k} | window | {v['does']} |")
    p("\n## Counters\n\n| name | same on both engines | meaning |\n|---|---|---|")
    for c in isa["counter"]:
        p(f"| `{c['name']}` | {'yes' if c['same'] else 'no'} | {esc(c['does'])} |")
    p("\n## Limits\n\n| limit | value |\n|---|---|")
    for k, v in isa["limits"].items():
        p(f"| {k} | {v} |")
    p("\n## Configurations\n\n| name | " + " | ".join(CONFIG_KEYS) + " | use |\n|---|" + "---|" * (len(CONFIG_KEYS) + 1))
    for c in isa["config"]:
        p(f"| `{c['name']}` | " + " | ".join(str(c[k]) for k in CONFIG_KEYS) + f" | {c['does']} |")
    return "\n".join(o) + "\n"


def write(path, text):
    """Write only if changed, so that a rebuild does not recompile everything."""
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--cpp")
    ap.add_argument("--sv")
    ap.add_argument("--md")
    ap.add_argument("--expansions", help="Markdown of the assembler's expansion table, put into the reference")
    a = ap.parse_args()
    isa = load()
    if a.cpp:
        write(a.cpp, cpp(isa))
    if a.sv:
        write(a.sv, sv(isa))
    if a.md:
        write(a.md, md(isa, a.expansions))


if __name__ == "__main__":
    main()
