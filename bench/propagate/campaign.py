# SPDX-License-Identifier: Apache-2.0
"""Runs of `heddle propagate` and of the programs themselves, measured.

CPU time is that of the command and of all its children. A campaign that gives no result keeps its exit code and what it
said; its cells are dashes, never numbers.
"""
import dataclasses
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = ROOT / "bench/programs"
INPUT = ROOT / "bench/propagate/input"


@dataclasses.dataclass
class Measured:
    """One command: how it ended, what it said, what it took."""
    exit_code: int
    out: str
    talk: str
    cpu_seconds: float
    most_memory: int  # bytes, of the largest process

    @property
    def result(self):
        try:
            return json.loads(self.out)
        except json.JSONDecodeError:
            return None

    def stats(self, name):
        return (self.result or {}).get("stats", {}).get(name)

    def fault(self, name):
        """The statistics of one fault type, or None."""
        return next((fault for fault in self.stats("faults") or [] if fault["fault"] == name), None)


def run_measured(command, timeout=None):
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as talk:
        process = subprocess.Popen(["timeout", str(timeout), *map(str, command)] if timeout else list(map(str, command)),
                                   stdout=out, stderr=talk)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        talk.seek(0)
        return Measured(process.returncode, out.read(), talk.read(), usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


def input_of(program):
    path = INPUT / f"{program}.bin"
    return path if path.exists() else INPUT / "sum.bin"


def propagate(heddle, program, cflags="", options=(), timeout=None):
    command = [heddle, "propagate", PROGRAMS / f"{program}-fault.c", f"--cflags={cflags} -lm".replace("= ", "="), "--format=json",
               *options, "--", input_of(program)]
    print(shlex.join(map(str, command)), file=sys.stderr)
    done = run_measured(command, timeout)
    if done.result is None:
        print(f"  no result (exit {done.exit_code}): {done.talk.strip()[:300]}", file=sys.stderr)
    return done


def build_native(program, directory, cflags=("-O0",)):
    path = pathlib.Path(directory) / program
    subprocess.run(["clang-19", *cflags, "-pthread", PROGRAMS / f"{program}-fault.c", "-lm", "-o", path], check=True)
    return path


def native_cpu_seconds(binary, program, runs):
    """Of so many runs of the program itself, each in a process of its own."""
    loop = f"for i in $(seq {runs}); do {shlex.quote(str(binary))} {shlex.quote(str(input_of(program)))} >/dev/null; done"
    return run_measured(["sh", "-c", loop]).cpu_seconds


def naive_deviations(program, threads, addresses, directory, runs):
    """Runs without fault whose trace, kept by naive_trace.c, differs from that of the first one, and how many there were."""
    binary = pathlib.Path(directory) / f"{program}.naive"
    subprocess.run(["clang-19", "-O0", f"-DTHREADS={threads}", "-fsanitize-coverage=edge,no-prune,trace-pc-guard,trace-loads,trace-stores",
                    "-c", PROGRAMS / f"{program}-fault.c", "-o", f"{binary}.o"], check=True)
    subprocess.run(["clang-19", "-O1", "-pthread", f"{binary}.o", ROOT / "bench/propagate/naive_trace.c", "-lm", "-o", binary], check=True)
    environment = {**os.environ, "NAIVE_ADDRESSES": "1"} if addresses else None
    hashes = [subprocess.run([binary, input_of(program)], check=True, env=environment, stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE).stderr for _ in range(runs + 1)]
    return sum(one != hashes[0] for one in hashes[1:]), runs


def lines_of_code(program):
    """Lines that are neither blank nor comment, with the header they share."""
    lines = [line.strip() for name in (f"{program}-fault.c", "fault.h") for line in (PROGRAMS / name).read_text().splitlines()]
    return sum(bool(line) and not line.startswith("//") for line in lines)
