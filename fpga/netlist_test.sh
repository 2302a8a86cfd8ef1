#!/usr/bin/env bash
# Simulates the finished netlist of `tiny` (record ports in) against the model, in lockstep, on real kernels.
# usage: netlist_test.sh BUILD_DIRECTORY     (after ./check has made the build tree and the synthesis tools are on PATH)
# Together they retire well over 10 000 words, with MAD, REP, LDS, STS, BAR and ATOMS in them.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=$1
kernels=(matmul histogram scan)
python3 "$root/fpga/netlist_cells.py" "$build/fpga/ecp5_cells.v"
python3 "$root/fpga/synth.py" --config tiny --record --verilog --sources $(cat "$build/rtl_sources.txt") --out "$build/fpga" >"$build/fpga/netlist_synth.txt" || {
  # With the record ports the device's limit does not count; only a failed synthesis does.
  [ -s "$build/fpga/tiny-record.v" ] || { tail -n 20 "$build/fpga/netlist_synth.txt"; exit 1; }
}
cmake -S "$root" -B "$build" "-DMASKWORK_NETLIST=$build/fpga/tiny-record.v" "-DMASKWORK_CELLS=$build/fpga/ecp5_cells.v" >>"$build/configure.log"
ninja -C "$build" maskwork-netlist jobs >"$build/fpga/netlist_build.log" 2>&1 || { grep -E "error|Error" "$build/fpga/netlist_build.log" | head -n 20; exit 1; }
failed=0
for k in "${kernels[@]}"; do
  "$build/bin/maskwork-netlist" run "$build/programs/$k.json" --config tiny || failed=$((failed + 1))
done
echo "netlist of tiny: ${#kernels[@]} kernels, $failed failed"
[ "$failed" -eq 0 ]
