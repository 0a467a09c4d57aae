# SPDX-License-Identifier: Apache-2.0
"""What the scripts of bench/check share: options, measured cells, tables.

A measurement is one `heddle check` in a private run directory; the cache of
targets is the user's, so that only the first check of a program compiles. A
number with `>` before it is that of a check that the time limit ended.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import cases

REDUCTIONS = ("mcr", "mcr-published", "dpor", "icb-dpor")
# Plain enumeration of interleavings is measured only where there are few.
ENUMERATION_SECONDS = 5


def parse_options(description, seconds, more=()):
    """`more`: further options of one script, as (name, arguments of add_argument)."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--build", type=pathlib.Path, default=cases.ROOT / "build", help="where bin/heddle is")
    parser.add_argument("--time-limit", type=int, default=seconds, help=f"seconds for one check (default {seconds})")
    parser.add_argument("--dry", action="store_true", help="print only, leave docs/evaluation.md alone")
    parser.add_argument("--check", action="store_true", help="exit code 1 when a goal is missed")
    for name, arguments in more:
        parser.add_argument(name, **arguments)
    options = parser.parse_args()
    options.heddle = options.build.resolve() / "bin/heddle"
    if not options.heddle.exists():
        sys.exit(f"{options.heddle} is missing: build it first (make), or say where with --build")
    return options


class Measurer:
    """Runs checks one after the other and says on stderr what it is doing."""

    def __init__(self, options):
        self.options = options
        self.directory = tempfile.TemporaryDirectory()
        os.environ["HEDDLE_DIR"] = self.directory.name

    def check(self, program, cflags="", memory="sc", reduction="mcr", extra=("--keep-going",)):
        limit = min(self.options.time_limit, ENUMERATION_SECONDS) if reduction == "none" else self.options.time_limit
        print(f"{program} {cflags} --memory={memory} --reduce={reduction} {' '.join(extra)}", file=sys.stderr)
        source = cases.PROGRAMS / (program if program.endswith(".cpp") else f"{program}.c")
        done = cases.check(self.options.heddle, source, memory, cflags,
                           (f"--reduce={reduction}", f"--time-limit={limit}", *extra), limit + 60)
        if done.result is None:
            print(f"  no result (exit {done.exit_code}): {done.talk.strip()[:200]}", file=sys.stderr)
        return done

    def dependence_graph(self, program, cflags=""):
        source = cases.PROGRAMS / f"{program}.c"
        done = subprocess.run([self.options.heddle, "program", "deps", source, f"--cflags={cflags}", "--format=json"],
                              capture_output=True, text=True, check=True)
        graph = json.loads(done.stdout)
        return {"seconds": graph["cpu_seconds"], "nodes": graph["nodes"], "edges": sum(graph["edges"].values())}


def ended(done):
    """Whether the check saw everything that its reduction looks at; a published one may lose states, and says so."""
    if done.result is None or timed_out(done):
        return False
    codes = {reason["code"] for reason in done.result["reasons"]}
    return done.result["verdict"] != "undecided" or codes == {"incomplete-reduction"}


def timed_out(done):
    return done.timed_out or any("time" in reason["code"] for reason in (done.result or {}).get("reasons", []))


def number(value):
    if value is None:
        return "–"
    return f"{value:,}" if isinstance(value, int) else f"{value:.2f}"


def figure(done, name):
    """One of the stats as a cell."""
    value = done.stats(name)
    if value is None:
        return "–" if done.result else "failed"
    return number(value) if ended(done) else "> " + number(value)


def found(done):
    """Executions up to the first finding, or that there was none."""
    if done.result is None:
        return "failed"
    return number(done.stats("executions")) if done.result["verdict"] == "violated" else figure(done, "executions") + " !"


def decided_share(done):
    queries = done.stats("solver_queries")
    return f"{100 * done.stats('decided_without_search') / queries:.0f} %" if queries else "–"


def table(heads, rows):
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    return "\n".join(lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows])


def publish(options, section, text):
    print(text)
    if not options.dry:
        subprocess.run([cases.ROOT / "bench/write_section", section, text, "evaluation.md"], check=True)
