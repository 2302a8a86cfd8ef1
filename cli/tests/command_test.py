#!/usr/bin/env python3
"""The command line from outside: exit codes, last lines, messages, files.

usage: command_test.py MASKWORK_BINARY
"""
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import unittest

BINARY = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else None

ADD = """!!NVcp5.0
OPTION NV_shader_storage_buffer;
GROUP_SIZE 8;
STORAGE s[] = { program.storage[0] };
STORAGE o[] = { program.storage[1] };
PARAM k = program.local[0];
TEMP R0, R1;
SHL.U R0.x, invocation.localindex, 2;
LDB.U32 R1.x, s[R0.x];
ADD.U R1.x, R1.x, k.x;
STB.U32 R1, o[R0.x];
END
"""


def words(*values):
    return struct.pack(f"<{len(values)}I", *values)


class Frame(unittest.TestCase):
    """A folder with a program, and ways to run the command in it."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.dir = pathlib.Path(self.folder.name)
        (self.dir / "add.nvcp").write_text(ADD)

    def tearDown(self):
        self.folder.cleanup()

    def run_it(self, *arguments, code=0):
        r = subprocess.run([BINARY, *map(str, arguments)], cwd=self.dir, capture_output=True, text=True, timeout=300)
        self.assertEqual(r.returncode, code, f"{arguments}\n{r.stdout}\n{r.stderr}")
        return r

    def job(self, **changes):
        j = {"program": "add.nvcp", "dispatch": [1, 1, 1], "params": {"local": [{"index": 0, "type": "u32", "value": [100, 0, 0, 0]}]},
             "storage": [{"binding": 0, "type": "u32", "init": list(range(8))}, {"binding": 1, "type": "u32", "zeros": 8, "output": True}],
             "expect": {"storage": [{"binding": 1, "data": [100 + i for i in range(8)]}]}}
        j.update(changes)
        (self.dir / "add.json").write_text(json.dumps(j))
        return "add.json"


class Command(Frame):
    # ---------------------------------------------------------------------------------------------------------- asm, dis
    def test_listing(self):
        text = self.run_it("asm", "add.nvcp", "--listing").stdout
        for part in ("flow mode", "registers", "microcode", "semaphores", "wait axi; acquire axi", "LDB.U32"):
            self.assertIn(part, text)
        for line in ADD.splitlines():
            self.assertIn(line[:43], text)
        self.assertFalse((self.dir / "add.mwo").exists())
        self.run_it("asm", "add.nvcp", "--listing", "-o", "listed.mwo")
        self.assertTrue((self.dir / "listed.mwo").exists())
        self.run_it("asm", "listed.mwo", "--listing", code=2)

    def test_object_and_text_round_trip(self):
        self.run_it("asm", "add.nvcp")
        text = self.run_it("dis", "add.mwo").stdout
        self.assertIn("LDB.U32", text)
        (self.dir / "again.mwu").write_text(text)
        self.run_it("asm", "again.mwu", "-o", "again.mwo")
        self.assertEqual((self.dir / "add.mwo").read_bytes(), (self.dir / "again.mwo").read_bytes())
        self.run_it("asm", "add.nvcp", "--text", "-o", "direct.mwu")
        self.assertEqual((self.dir / "direct.mwu").read_text(), text)

    def test_errors_like_a_compiler(self):
        (self.dir / "bad.nvcp").write_text(ADD.replace("R1.x, k.x", "R1.x, q.x").replace("o[R0.x]", "p[R0.x]"))
        r = self.run_it("asm", "bad.nvcp", code=2)
        self.assertIn("bad.nvcp:10:", r.stderr)
        self.assertIn("bad.nvcp:11:", r.stderr)  # more than one per run
        self.assertIn("^", r.stderr)
        self.assertIn("2 errors", r.stderr)
        self.assertFalse((self.dir / "bad.mwo").exists())

    def test_explain(self):
        text = self.run_it("asm", "--explain", "L46").stdout
        for part in "L46: ", "Refused:", "[L46]", "^~~", "Loads:":
            self.assertIn(part, text)
        rules = self.run_it("asm", "--explain", "all").stdout.splitlines()
        self.assertTrue(all(r.startswith(("L", "W", "later")) for r in rules) and len(rules) > 60)
        self.assertIn("there is no such rule", self.run_it("asm", "--explain", "L77", code=2).stderr)
        self.assertIn("a program is required", self.run_it("asm", code=2).stderr)

    def test_damaged_objects(self):
        self.run_it("asm", "add.nvcp")
        good = (self.dir / "add.mwo").read_bytes()
        altered = bytearray(good)
        altered[len(good) // 2] ^= 1
        for name, data in ("short.mwo", good[:-10]), ("altered.mwo", bytes(altered)), ("foreign.mwo", b"\x7fELF" + bytes(200)):
            (self.dir / name).write_bytes(data)
            r = self.run_it("run", name, "--groups", "1,1,1", "--engine", "model", code=2)
            self.assertIn(f"{name}: error: ", r.stderr)
            self.assertTrue(r.stdout.strip().splitlines()[-1].startswith("FAILED"), r.stdout)

    def test_output_does_not_replace_the_input(self):
        self.run_it("asm", "add.nvcp", "-o", "add.nvcp", code=2)
        self.assertEqual((self.dir / "add.nvcp").read_text(), ADD)

    # --------------------------------------------------------------------------------------------------------------- run
    def test_job_on_every_engine(self):
        job = self.job()
        for engine in "model", "rtl", "both":
            r = self.run_it("run", job, "--engine", engine)
            self.assertTrue(r.stdout.strip().splitlines()[-1].startswith("PASSED add"), r.stdout)
        self.assertIn("lockstep", self.run_it("run", job).stdout)  # both is the default

    def test_unmet_expectation(self):
        job = self.job(expect={"storage": [{"binding": 1, "data": [100, 101, 102, 7]}]})
        r = self.run_it("run", job, "--engine", "model", code=1)
        self.assertIn("storage 1: element 3: 103 (0x00000067), expected 7 (0x00000007)", r.stdout)
        self.assertTrue(r.stdout.strip().splitlines()[-1].startswith("FAILED add"), r.stdout)

    def test_buffer_that_is_no_output(self):
        storage = [{"binding": 0, "type": "u32", "init": list(range(8))}, {"binding": 1, "type": "u32", "zeros": 8}]
        r = self.run_it("run", self.job(storage=storage, expect={}), "--engine", "model", code=1)
        self.assertIn("storage 1: is no output, but changed: element 0: 100", r.stdout)

    def test_program_with_options(self):
        (self.dir / "in.bin").write_bytes(words(*range(8)))
        self.run_it("run", "add.nvcp", "--groups", "1,1,1", "--storage", "0=in.bin", "--storage", "1=zeros:32", "--local", "0=7", "--out", "1=out.bin")
        self.assertEqual((self.dir / "out.bin").read_bytes(), words(*[i + 7 for i in range(8)]))

    def test_output_file_whole_or_not_at_all(self):
        r = self.run_it("run", self.job(), "--engine", "model", "--out", "1=no/such/folder/out.bin", code=3)
        self.assertIn("cannot write", r.stderr)
        self.assertEqual([p for p in self.dir.iterdir() if ".part" in p.name], [])

    def test_fault_says_where(self):
        (self.dir / "odd.nvcp").write_text(ADD.replace("STB.U32 R1, o[R0.x]", "ADD.U R0.x, R0.x, 2;\nSTB.U32 R1, o[R0.x]"))
        for engine in "model", "both":
            r = self.run_it("run", self.job(program="odd.nvcp"), "--engine", engine, code=1)
            self.assertIn("odd.nvcp:12:1: fault MISALIGNED", r.stdout)
            self.assertIn("work group 0,0,0, wave 0, threads 0-7", r.stdout)
            self.assertIn("STB.U32 R1, o[R0.x];\n    ^", r.stdout)

    def test_word_budget(self):
        r = self.run_it("run", self.job(), "--engine", "model", "--budget", "2", code=1)
        self.assertIn("fault WORD_BUDGET", r.stdout)

    def test_timeout(self):
        r = self.run_it("run", self.job(), "--timeout", "20", code=1)
        self.assertIn("not finished after 20 cycles", r.stdout)
        self.assertIn("what the waves wait for", r.stdout)
        r = self.run_it("run", self.job(), "--engine", "rtl", "--timeout", "200", code=1)
        self.assertRegex(r.stdout, r"FAILED add: .*not finished after 200 cycles: [1-9][0-9]* words, [12][0-9][0-9] cycles")

    def test_bad_input(self):
        cases = [
            (["run", "add.nvcp"], "--groups"),
            (["run", "missing.json"], "missing.json: error: cannot open"),
            (["run", "missing.nvcp"], "missing.nvcp: error: cannot open"),
            (["run", "add.nvcp", "--groups", "1,1,1", "--timeout", "-1"], "--timeout"),
            (["run", "add.nvcp", "--groups", "1,1,1", "--from", "-1"], "--from"),
            (["run", "add.nvcp", "--groups", "1,x"], "--groups 1,x: 'x' is no number"),
            (["run", "add.nvcp", "--groups", "1,1,1", "--storage", "0"], "BINDING=FILE"),
            (["run", "add.nvcp", "--groups", "1,1,1", "--storage", "16=zeros:4"], "from 0 to 15"),
            (["run", "add.nvcp", "--groups", "1,1,1", "--local", "0=1,2,3,4,5"], "at most four"),
            (["run", "add.nvcp", "--groups", "1,1,1", "--out", "3=x"], "no buffer is bound to 3"),
            (["run", "add.nvcp", "--groups", "1,1,1", "--config", "huge"], "there is no configuration 'huge'"),
            (["run", "add.nvcp", "--groups", "1,1,1", "--engine", "model"], "error"),  # nothing bound
            (["run", "add.nvcp", "--groups", "1,1,1", "--engine", "model", "--trace", "x.fst"], "--trace needs the RTL"),
            (["run", "add.nvcp", "--engine", "gpu"], "engine"),
            (["run", "add.nvcp", "--groups", "1"], "--groups 1: three numbers are expected, x,y,z, not 1"),
            (["run", "add.nvcp", "--groups", "1,1"], "not 2"),
            (["run", "add.nvcp", "--groups", "1,1,1,1"], "not 4"),
            (["run", "add.nvcp", "--groups", ""], "--groups"),
            (["run", "add.nvcp", "--groups", "1,1,1", "--stats-json", ""], "--stats-json"),
            (["run", "add.nvcp", "--groups", "1,1,1", "--cbuffer", "16=zeros:4"], "from 0 to 15"),
            (["run", "add.nvcp", "--groups", "1,1,1", "--cbuffer", "0=zeros:65540"], "65540 bytes: a constant buffer has at most 65536"),
            (["run", "add.nvcp", "--groups", "1,1,1", "--subroutine", "0=256"], "from 0 to 255"),
            (["run", "add.nvcp", "--groups", "1,1,1", "--subroutine", "0"], "INDEX=NUMBER"),
            (["asm", "add.nvcp", "-o", ""], "--output"),
            (["dis", "add.nvcp", "-o", ""], "--output"),
            (["frobnicate"], "there is no command 'frobnicate'; there are: asm, dis, run, info"),
            ([], ""),
        ]
        for changes, text in (({"dispatch": [1, 1]}, "/dispatch: three numbers are expected"),
                              ({"program": "a\0b"}, "/program: a text without NUL characters is expected"),
                              ({"subroutines": [{"index": 0, "number": 1}]}, "program.subroutine[0] is not declared")):
            r = self.run_it("run", self.job(**changes), "--engine", "model", code=2)
            self.assertIn(text, r.stderr)
        for arguments, text in cases:
            r = self.run_it(*arguments, code=2)
            self.assertIn(text, r.stderr + r.stdout, arguments)
            if arguments[:1] == ["run"]:
                self.assertTrue(r.stdout.strip().splitlines()[-1].startswith("FAILED"), arguments)

    def test_job_given_to_commands_for_programs(self):
        job = self.job()
        (self.dir / "unnamed").write_text((self.dir / job).read_text())
        for command in "asm", "dis", "info":
            for name in job, "unnamed":
                r = self.run_it(command, name, code=2)
                self.assertIn(f"{name}: error: this is a job, not a program: `maskwork run {name}` runs it", r.stderr)
        r = self.run_it("run", "unnamed", "--groups", "1,1,1", code=2)
        self.assertIn("the name of a job file ends in .json", r.stderr)

    def test_outputs_of_asm_and_dis_that_cannot_be_written(self):
        for command in "asm", "dis":
            r = self.run_it(command, "add.nvcp", "-o", "no/such/folder/x", code=3)
            self.assertIn("no/such/folder/x: cannot write", r.stderr)

    def test_long_source_lines_are_cut(self):
        """A fault and a load error in a line of 100 000 characters: a window around the caret."""
        store = "STB.U32 R1, o[R0.x];"
        odd = ADD.replace(store, " " * 50000 + "ADD.U R0.x, R0.x, 2; " + store + " " * 50000 + "# end")
        (self.dir / "odd.nvcp").write_text(odd)
        r = self.run_it("run", self.job(program="odd.nvcp"), "--engine", "model", code=1)
        self.assertIn("fault MISALIGNED", r.stdout)
        self.assertLess(max(map(len, r.stdout.splitlines())), 200)
        lines = r.stdout.splitlines()
        caret = next(i for i, line in enumerate(lines) if line.strip() == "^")
        self.assertTrue(lines[caret - 1][lines[caret].index("^"):].startswith(store), lines)
        (self.dir / "odd.nvcp").write_text(odd.replace("STB.U32 R1", "STB.U32 R9"))
        r = self.run_it("asm", "odd.nvcp", code=2)
        self.assertLess(max(map(len, r.stderr.splitlines())), 200)

    def test_constant_buffers_and_subroutines(self):
        """Microcode text names the slots; the job and the options fill them."""
        (self.dir / "c.mwu").write_text(""".group 1 1 1
.registers 4
.flow partial
.slot storage 0 0 rest
.slot constant 3 4 rest
.subroutine 5 7 9
.const subroutine 5
  LDB.U32 r1, s1[0] wait(axi) acquire
  MOV.U32 r2, c0 wait(axi)
  STB.U32X2 s0[0], r1 wait(axi) acquire
  END wait(axi,shared)
""")
        job = self.job(program="c.mwu", params={}, cbuffers=[{"binding": 3, "type": "u32", "init": [1, 42]}],
                       subroutines=[{"index": 5, "number": 9}], storage=[{"binding": 0, "type": "u32", "zeros": 2, "output": True}],
                       expect={"storage": [{"binding": 0, "data": [42, 9]}]})
        self.run_it("run", job, "--engine", "model")
        r = self.run_it("run", job, "--engine", "model", "--cbuffer", "3=zeros:8", code=1)
        self.assertIn("element 0: 0 (0x00000000), expected 42", r.stdout)
        r = self.run_it("run", job, "--engine", "model", "--subroutine", "5=7", code=1)
        self.assertIn("element 1: 7 (0x00000007), expected 9", r.stdout)
        r = self.run_it("run", job, "--engine", "model", "--subroutine", "5=8", code=2)
        self.assertIn("may not call subroutine 8: its numbers are 7, 9", r.stderr)
        text = self.run_it("info", "c.mwu").stdout
        self.assertIn("program.subroutine[5] may be 7, 9", text)
        self.assertIn("constant buffer 3 from byte 4, to the end", text)
        r = self.run_it("run", self.job(program="c.mwu", params={}, expect={}), "--engine", "model", code=2)
        self.assertIn("constant buffer 3 is not bound", r.stderr)

    def test_number_beyond_every_type(self):
        (self.dir / "add.json").write_text((self.dir / self.job()).read_text().replace('"zeros": 8', '"zeros": 1e999'))
        r = self.run_it("run", "add.json", code=2)
        self.assertIn("add.json: error: number overflow", r.stderr)

    def test_files_that_cannot_be_written(self):
        r = self.run_it("run", self.job(), "--engine", "model", "--stats-json", "no/such/folder/x", code=3)
        self.assertIn("FAILED add: model on base: an output file could not be written", r.stdout)
        r = self.run_it("run", self.job(), "--config", "tiny", "--trace", "no/such/folder/x.fst", code=2)
        self.assertIn("no/such/folder/x.fst: error: cannot write", r.stderr)

    def test_program_that_does_not_fit(self):
        (self.dir / "big.nvcp").write_text(ADD.replace("GROUP_SIZE 8", "GROUP_SIZE 1024"))
        said = set()
        for engine in "model", "both":
            r = self.run_it("run", self.job(program="big.nvcp"), "--config", "tiny", "--engine", engine, code=2)
            self.assertIn("1024", r.stderr)
            self.assertIn("64", r.stderr)
            said.add(r.stderr)
        self.assertEqual(len(said), 1)  # the same on both engines

    def test_counters(self):
        self.run_it("run", self.job(), "--stats", "--stats-json", "stats.json")
        counters = json.loads((self.dir / "stats.json").read_text())["counters"]
        self.assertEqual(counters["groups"], 1)
        self.assertGreater(counters["cycles"], counters["words"])

    def test_wave_view(self):
        """The save file names ports that mw_top has, in groups that are closed again; the tables cover the program and the table of states."""
        r = subprocess.run([BINARY, "run", self.job(), "--config", "tiny", "--trace", "x.fst"], cwd=self.dir, capture_output=True, text=True, timeout=300)
        if r.returncode == 2:
            self.skipTest("this build has no waveforms")
        self.assertEqual(r.returncode, 0, r.stderr)
        top = (pathlib.Path(__file__).resolve().parents[2] / "rtl" / "mw_top.sv").read_text()
        ports = set(re.findall(r"\b(?:input|output)\s+logic\s+(?:\[[^\]]*\]\s*)?(\w+)", top))
        view = (self.dir / "x.gtkw").read_text()
        shown = set(re.findall(r"TOP\.(\w+)", view))
        self.assertGreater(len(shown), 60)
        self.assertEqual(shown - ports, set())
        self.assertEqual(view.count("@800200") + view.count("@c00200"), view.count("@1000200") + view.count("@1401200"))
        for table in re.findall(r"^\^1 (.*)$", view, re.M):
            self.assertTrue(pathlib.Path(table).is_file(), table)
        listing = [line for line in self.run_it("dis", "add.nvcp").stdout.splitlines() if line.startswith("    ")]
        words = (self.dir / "x.words.txt").read_text().splitlines()
        self.assertEqual(len(words), len(listing))
        self.assertTrue(any(w.startswith("000001 1: ") and "line " in w for w in words), words)
        self.assertEqual([line.split()[1] for line in (self.dir / "x.states.txt").read_text().splitlines()], list("ABKCRX"))

    def test_waveforms(self):
        r = subprocess.run([BINARY, "run", self.job(), "--config", "tiny", "--trace", "x.fst", "--from", "100", "--cycles", "50"], cwd=self.dir,
                           capture_output=True, text=True)
        if r.returncode == 2:
            self.assertIn("with waveforms", r.stderr)  # a build without
            self.skipTest("this build writes no waveforms")
        self.assertEqual(r.returncode, 0, r.stdout + r.stderr)
        self.assertGreater((self.dir / "x.fst").stat().st_size, 100)

    # -------------------------------------------------------------------------------------------------------------- info
    def test_info(self):
        self.assertEqual(self.run_it("info", "--names").stdout.split()[:3], ["tiny", "small", "base"])
        text = self.run_it("info").stdout
        for part in "base-l32", "registers", "65535", "49152", "16, 65536", "1024, 256":
            self.assertIn(part, text)
        self.assertIn("work groups resident", self.run_it("info", "add.nvcp").stdout)

    def test_help_is_no_error(self):
        self.assertIn("run", self.run_it("--help").stdout)
        self.assertIn("--storage", self.run_it("run", "--help").stdout)


if __name__ == "__main__":
    if BINARY is None or not os.access(BINARY, os.X_OK):
        sys.exit(__doc__)
    unittest.main()
