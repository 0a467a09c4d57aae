# SPDX-License-Identifier: Apache-2.0
"""Cases of `heddle check`: the heddle-check lines of a program, and running one.

    // heddle-check: cflags='-DN=3' sc=holds tso=violated finding=assertion classes=5/6

bench/programs/README.md says what the words mean. Tests and benchmarks read
the same lines, so a program and what is known of it stay in one file.
"""
import dataclasses
import json
import os
import pathlib
import re
import resource
import shlex
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = ROOT / "bench/programs"
MODELS = ("sc", "tso", "pso")
EXIT_CODES = {"holds": 0, "violated": 1, "undecided": 4}
MARK = "// heddle-check:"
WORDS = {"all", *MODELS, "finding", "without", "classes", "within", "executions", "per-class", "cflags", "options", "reason", "reduce", "instead", "test"}


class BadLine(Exception):
    """A heddle-check line that says nothing sensible; the text names file and line."""


@dataclasses.dataclass
class Case:
    program: pathlib.Path
    verdicts: dict  # memory model -> verdict
    classes: dict  # memory model -> number, where known
    within: dict  # memory model -> most executions up to the first finding
    executions: dict  # memory model -> most executions of an exhaustive check
    cflags: str = ""
    options: tuple = ()
    finding: str = ""
    without: str = ""
    reason: str = ""
    per_class: float = 2.0
    tested: bool = True
    reductions: tuple = ()  # only these are to be tried; empty: all
    instead: str = ""  # the reduction that learn leaves it to

    def name(self):
        return " ".join([self.program.name, self.cflags, *self.options]).replace("  ", " ").strip()


def numbers_per_model(text):
    """'3/4/4' or '3', '-' where nothing is known."""
    parts = text.split("/")
    if len(parts) == 1:
        parts *= 3
    if len(parts) != 3:
        raise ValueError(f"{text} is neither one number nor three")
    return {model: int(part) for model, part in zip(MODELS, parts) if part != "-"}


def parse_case(program, text):
    words = {}
    for word in shlex.split(text):
        key, equals, value = word.partition("=")
        if not equals or key not in WORDS:
            raise ValueError(f"{word} is not understood")
        words[key] = value
    verdicts = {model: words[key] for key in ("all", *MODELS) if key in words for model in MODELS if key in ("all", model)}
    if not verdicts or not set(verdicts.values()) <= set(EXIT_CODES):
        raise ValueError("it gives no verdict, or one that does not exist")
    if words.get("test", "no") != "no":
        raise ValueError("test= can only be no")
    return Case(program, verdicts, numbers_per_model(words.get("classes", "-")), numbers_per_model(words.get("within", "-")),
                numbers_per_model(words.get("executions", "-")),
                words.get("cflags", ""), tuple(shlex.split(words.get("options", ""))), words.get("finding", ""),
                words.get("without", ""), words.get("reason", ""), float(words.get("per-class", 2.0)), "test" not in words,
                tuple(words["reduce"].split(",")) if "reduce" in words else (), words.get("instead", ""))


def read_cases(program):
    cases = []
    for number, line in enumerate(program.read_text().splitlines(), 1):
        if line.startswith(MARK):
            try:
                cases.append(parse_case(program, line[len(MARK):]))
            except ValueError as problem:
                raise BadLine(f"{program}:{number}: {problem}") from None
    if not cases:
        raise BadLine(f"{program} has no heddle-check line")
    return cases


def checked_programs():
    """Those of bench/programs; the others are recorded, or get faults."""
    return [program for program in sorted(PROGRAMS.glob("*.c")) if MARK in program.read_text()]


def known_classes(program, cflags):
    """Classes per memory model of that case, as far as its line says."""
    for case in read_cases(program):
        if case.cflags == cflags and not case.options:
            return case.classes
    return {}


@dataclasses.dataclass
class Checked:
    """What one `heddle check` came to. `result` is result.json, or None if it printed none."""
    exit_code: int
    result: dict
    talk: str
    cpu_seconds: float  # of the command with all its children, compilation included
    timed_out: bool = False

    def instead(self):
        """The reduction that explored instead of learn; empty: none."""
        notes = self.result.get("notes", []) if self.result else []
        return next((found[1] for note in notes if (found := re.match(r"explored by (\S+) instead of learn", note))), "")

    def stats(self, name):
        return self.result["stats"].get(name) if self.result else None

    def kinds(self):
        return {finding["kind"] for finding in self.result["findings"] if finding["confirmed"]} if self.result else set()


def check(heddle, program, memory="sc", cflags="", options=(), seconds=600):
    """Runs `heddle check` in the environment's HEDDLE_DIR."""
    command = [str(heddle), "check", str(program), f"--memory={memory}", "--format=json", *options]
    if cflags:
        command.append(f"--cflags={cflags}")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                              timeout=seconds, env=os.environ)
    except subprocess.TimeoutExpired:
        return Checked(-1, None, f"did not end within {seconds} s", float(seconds), True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    try:
        result = json.loads(done.stdout)
    except json.JSONDecodeError:
        result = None
    return Checked(done.returncode, result, done.stderr, cpu)
