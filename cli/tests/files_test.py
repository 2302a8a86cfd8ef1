#!/usr/bin/env python3
"""Files from outside: outputs that cannot be written, devices and pipes, interrupted runs, inputs that are no files; and one verdict of all engines.

usage: files_test.py MASKWORK_BINARY
"""
import os
import resource
import signal
import stat
import subprocess
import sys
import time
import unittest

import command_test
from command_test import ADD, Frame


class Files(Frame):
    def binary(self, arguments, **more):
        return subprocess.run([command_test.BINARY, *arguments], cwd=self.dir, stderr=subprocess.PIPE, text=True, timeout=300, **more)

    def last(self, r):
        return r.stdout.strip().splitlines()[-1]

    def left_over(self):
        return [p.name for p in self.dir.iterdir() if ".part" in p.name or p.name.endswith(".hier")]

    # ----------------------------------------------------------------------------------------------------------- outputs
    def test_standard_output_that_is_full(self):
        """Whatever prints: what did not arrive is an error."""
        job = self.job()
        for arguments in (["dis", "add.nvcp"], ["info"], ["info", "add.nvcp"], ["info", "--names"], ["asm", "--explain", "all"], ["asm", "--explain", "L46"],
                          ["asm", "--explain", "W03"], ["asm", "add.nvcp", "--listing"], ["run", job, "--engine", "model", "--stats"], ["--help"], ["run", "--help"],
                          ["--version"]):
            with open("/dev/full", "w") as full:
                r = self.binary(arguments, stdout=full)
            self.assertEqual(r.returncode, 3, arguments)
            self.assertIn("maskwork: error: cannot write to the standard output: No space left on device", r.stderr, arguments)

    def test_outputs_on_a_full_device(self):
        """Every option that names an output: the same words, the same exit code, and the device stays one."""
        job = self.job()
        for arguments in (["run", job, "--engine", "model", "--out", "1=/dev/full"], ["run", job, "--engine", "model", "--stats-json", "/dev/full"],
                          ["run", job, "--config", "tiny", "--records", "/dev/full"], ["run", job, "--config", "tiny", "--engine", "rtl", "--records", "/dev/full"]):
            r = self.run_it(*arguments, code=3)
            self.assertIn("an output file could not be written: ", self.last(r), arguments)
            self.assertNotIn(": 0 words", self.last(r), arguments)
            self.assertIn("maskwork: error: /dev/full: cannot write: No space left on device", r.stderr, arguments)
        for arguments in (["asm", "add.nvcp", "-o", "/dev/full"], ["dis", "add.nvcp", "-o", "/dev/full"]):
            r = self.run_it(*arguments, code=3)
            self.assertIn("maskwork: error: /dev/full: cannot write: No space left on device", r.stderr, arguments)
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/full").st_mode))
        self.assertEqual(self.left_over(), [])

    def test_outputs_to_pipes_and_links(self):
        job = self.job()
        os.mkfifo(self.dir / "pipe")
        for arguments in (["asm", "add.nvcp", "--text", "-o", "pipe"], ["dis", "add.nvcp", "-o", "pipe"], ["run", job, "--engine", "model", "--out", "1=pipe"],
                          ["run", job, "--config", "tiny", "--records", "pipe"]):
            reader = subprocess.Popen(["cat", "pipe"], cwd=self.dir, stdout=subprocess.PIPE)
            self.run_it(*arguments)
            self.assertGreater(len(reader.communicate(timeout=60)[0]), 20, arguments)
            self.assertTrue(stat.S_ISFIFO(os.stat(self.dir / "pipe").st_mode))
        for path in "pipe", "/dev/null":
            mode = os.stat(self.dir / path).st_mode
            r = self.run_it("run", job, "--config", "tiny", "--trace", path, code=2)
            self.assertIn(f"{path}: error: waveforms cannot be written to a device or pipe", r.stderr)
            self.assertEqual(os.stat(self.dir / path).st_mode, mode)
        # A link stays a link; the file behind it is replaced.
        (self.dir / "behind").write_text("old")
        (self.dir / "link").symlink_to("behind")
        self.run_it("dis", "add.nvcp", "-o", "link")
        self.assertTrue((self.dir / "link").is_symlink())
        self.assertIn("maskwork-microcode", (self.dir / "behind").read_text())
        # /dev/stdout may be a regular file: it is written to, not replaced.
        with open(self.dir / "here", "wb") as here:
            self.binary(["dis", "add.nvcp", "-o", "/dev/stdout"], stdout=here)
        self.assertIn("maskwork-microcode", (self.dir / "here").read_text())
        self.assertTrue(os.path.islink("/dev/stdout"))

    def test_trace_without_space(self):
        """The limit of file sizes stands for a full disk: whatever write or mapped access fails first, the run says so and leaves no cut trace."""
        job = self.job()
        for limit in 0, 4096, 32768, 100000:
            r = self.binary(["run", job, "--config", "tiny", "--engine", "rtl", "--trace", "x.fst"], stdout=subprocess.PIPE,
                            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
            if r.returncode == 2 and "with waveforms" in r.stderr:
                self.skipTest("this build writes no waveforms")
            if r.returncode == 0:
                break
            self.assertEqual(r.returncode, 3, (limit, r.stdout, r.stderr))
            self.assertIn("an output file could not be written", self.last(r))
            self.assertIn("waveforms", r.stderr)
            self.assertEqual([p.name for p in self.dir.iterdir() if ".fst" in p.name], [], limit)
        self.assertGreater(limit, 0)

    def endless_job(self):
        (self.dir / "loop.nvcp").write_text(ADD.replace("ADD.U R1.x, R1.x, k.x;", "REP;\nADD.U R1.x, R1.x, k.x;\nBRK (FL.x);\nENDREP;"))
        return self.job(program="loop.nvcp", budget=0)

    def test_interrupted_run(self):
        """Ctrl-C or SIGTERM ends the simulation in order: counts, waveforms that are whole, records that end with a line."""
        job = self.endless_job()
        for which in signal.SIGINT, signal.SIGTERM:
            for f in "rec", "x.fst":
                (self.dir / f).unlink(missing_ok=True)
            p = subprocess.Popen([command_test.BINARY, "run", job, "--config", "tiny", "--records", "rec", "--trace", "x.fst"], cwd=self.dir, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, text=True)
            end = time.time() + 120
            while p.poll() is None and time.time() < end and not ((self.dir / "rec").exists() and (self.dir / "rec").stat().st_size > 0):
                time.sleep(0.1)
            p.send_signal(which)
            out, err = p.communicate(timeout=120)
            if p.returncode == 2:
                self.skipTest("this build writes no waveforms")
            self.assertEqual(p.returncode, 128 + which, out + err)
            self.assertRegex(out.strip().splitlines()[-1], r"FAILED add: .*: interrupted: [1-9][0-9]* words, [1-9][0-9]* cycles")
            self.assertIn("waveforms up to there: x.fst", out)
            self.assertIn("records up to there: rec", out)
            self.assertTrue((self.dir / "rec").read_text().endswith("\n"))
            self.assertGreater((self.dir / "x.fst").stat().st_size, 1000)
            self.assertEqual(self.left_over(), [])

    def test_timeout_keeps_what_was_written(self):
        r = self.binary(["run", self.endless_job(), "--config", "tiny", "--timeout", "3000", "--records", "rec", "--trace", "x.fst"], stdout=subprocess.PIPE)
        if r.returncode == 2:
            self.skipTest("this build writes no waveforms")
        self.assertEqual(r.returncode, 1)
        self.assertRegex(self.last(r), r"not finished after 3000 cycles: [1-9][0-9]* words, [1-9][0-9]* cycles")
        self.assertTrue((self.dir / "rec").read_text().endswith("\n"))
        self.assertGreater((self.dir / "x.fst").stat().st_size, 1000)
        self.assertEqual(self.left_over(), [])

    # ------------------------------------------------------------------------------------------------------------ inputs
    def test_inputs_that_are_no_files(self):
        """Wherever a file is read: a device or what cannot be read is bad input, told at once."""
        for path, text in ("/dev/zero", "is a device, not a file"), ("/proc/self/mem", "cannot read"), (".", "is a directory"):
            storage = [{"binding": 0, "type": "u32", "file": path}, {"binding": 1, "type": "u32", "zeros": 8, "output": True}]
            for name, changes in ("a", {"storage": storage, "expect": {}}), ("b", {"expect": {"storage": [{"binding": 1, "file": path}]}}), ("c", {"program": path}):
                (self.dir / f"{name}.json").write_text((self.dir / self.job(**changes)).read_text())
            for arguments in (["run", "a.json", "--engine", "model"], ["run", "b.json", "--engine", "model"], ["run", "c.json", "--engine", "model"],
                              ["run", path, "--groups", "1,1,1"], ["asm", path, "-o", "x"], ["dis", path], ["info", path],
                              ["run", "add.nvcp", "--groups", "1,1,1", "--storage", "0=" + path], ["run", "add.nvcp", "--groups", "1,1,1", "--cbuffer", "0=" + path]):
                r = self.run_it(*arguments, code=2)
                self.assertIn(text, r.stderr, arguments)
        with open(self.dir / "large.nvcp", "wb") as large:
            large.truncate(1 << 31)
        self.assertIn("at most 64 MiB are read", self.run_it("asm", "large.nvcp", code=2).stderr)
        self.assertIn("at most 1024 MiB are read", self.run_it("run", "add.nvcp", "--groups", "1,1,1", "--storage", "0=large.nvcp", code=2).stderr)
        r = subprocess.run(f"{command_test.BINARY} dis <(cat add.nvcp)", shell=True, executable="/bin/bash", cwd=self.dir, capture_output=True, text=True, timeout=60)
        self.assertIn("maskwork-microcode", r.stdout)

    def test_expectation_of_nothing(self):
        (self.dir / "empty.bin").write_bytes(b"")
        for item, place in ({"data": []}, "data"), ({"file": "empty.bin"}, "file"):
            r = self.run_it("run", self.job(expect={"storage": [{"binding": 1, **item}]}), "--engine", "model", code=2)
            self.assertIn(f"/expect/storage/0/{place}: no element: nothing would be compared", r.stderr)

    def test_source_that_has_changed(self):
        """A fault of an object shows the source line only if it is the one that was assembled."""
        odd = ADD.replace("STB.U32 R1, o[R0.x]", "ADD.U R0.x, R0.x, 2;\nSTB.U32 R1, o[R0.x]")
        (self.dir / "odd.nvcp").write_text(odd)
        self.run_it("asm", "odd.nvcp", "-o", "odd.mwo")
        self.run_it("dis", "odd.mwo", "-o", "odd.mwu")
        for program in "odd.mwo", "odd.mwu":
            (self.dir / "odd.nvcp").write_text(odd)
            r = self.run_it("run", self.job(program=program), "--engine", "model", code=1)
            self.assertIn("odd.nvcp:12:1: fault MISALIGNED", r.stdout)
            self.assertIn("STB.U32 R1, o[R0.x];", r.stdout)
            for edited in (odd.replace("GROUP_SIZE 8;", "GROUP_SIZE 8;\n# a new line"), odd + "# behind", odd.replace("R1.x, k.x", "R1.x, k.y")):
                (self.dir / "odd.nvcp").write_text(edited)
                r = self.run_it("run", self.job(program=program), "--engine", "model", code=1)
                self.assertIn("odd.nvcp:12:1: fault MISALIGNED", r.stdout)
                self.assertIn("odd.nvcp has changed since it was assembled", r.stdout)
                self.assertNotIn("^", r.stdout)

    def test_microcode_text_without_source(self):
        (self.dir / "m.mwu").write_text(".registers 2\n.shared 16\n  MOV.U32 r1, 2\n  STS.U32 [r1], r0\n  END wait(axi,shared)\n")
        r = self.run_it("run", "m.mwu", "--groups", "1,1,1", "--engine", "model", code=1)
        self.assertIn("m.mwu: pc 1: fault MISALIGNED", r.stdout)

    # ---------------------------------------------------------------------------------------------------------- verdicts
    def test_register_used_before_its_load(self):
        """Model, RTL and lockstep give one verdict, with the place."""
        (self.dir / "early.mwu").write_text(".group 32 1 1\n.registers 4\n.slot storage 0 0 rest\n  LDB.U32 r1, s0[0]\n  ADD.U32 r2, r1, 1\n"
                                            "  STB.U32 s0[4], r2 wait(axi) acquire\n  END wait(axi,shared)\n")
        for engine in "model", "rtl", "both":
            r = self.run_it("run", "early.mwu", "--groups", "1,1,1", "--storage", "0=zeros:64", "--config", "tiny", "--engine", engine, code=1)
            self.assertIn("early.mwu: pc 1: fault SEM_USE: ", r.stdout, engine)
            self.assertIn("work group 0,0,0, wave 0", r.stdout, engine)
            self.assertRegex(self.last(r), r"FAILED early: .*fault SEM_USE: [1-9]")
            self.assertNotIn("ssert", r.stdout + r.stderr)

    def test_fill_off(self):
        """Each engine by itself may leave what was there; in lockstep they would differ where nothing is wrong."""
        job = self.job(fill="off")
        for engine in "model", "rtl":
            self.run_it("run", job, "--engine", engine, "--config", "tiny")
        r = self.run_it("run", job, "--config", "tiny", code=2)
        self.assertIn("in lockstep use zero or pattern", r.stderr)
        self.run_it("run", job, "--config", "tiny", "--fill", "zero")

    def test_names_that_explain_knows(self):
        self.assertIn("not have yet", self.run_it("asm", "--explain", "later").stdout)
        self.assertIn("type not defined for the operation", self.run_it("asm", "--explain", "W03").stdout)
        self.assertIn("1024 TEMP vectors", self.run_it("asm", "--explain", "L99").stdout)
        self.assertIn("object format", self.run_it("--version").stdout)

    def test_messages_have_one_form(self):
        for arguments in (["run"], ["asm", "--frob"], ["run", "add.nvcp", "--engine", "gpu"], []):
            self.assertTrue(self.run_it(*arguments, code=2).stderr.startswith("maskwork: error: "), arguments)
        (self.dir / "add.json").write_text('{\n  "program": "add.nvcp",\n  "dispatch": [1, 1, 1],\n  "program": "x"\n}\n')
        self.assertIn("add.json:4:3: error: key 'program' is there twice in one object", self.run_it("run", "add.json", code=2).stderr)


if __name__ == "__main__":
    if command_test.BINARY is None or not os.access(command_test.BINARY, os.X_OK):
        sys.exit(__doc__)
    unittest.main()
