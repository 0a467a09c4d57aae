#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every example that --help shows can be typed as it is.

    check_help.py HEDDLE ROOT

Each command has a short help (-h) and a long one (--help) that begins with examples. The examples of a command are run one
after the other in a folder with what they speak of: prog.c, a program that loses an update unless it is
lucky; prog, built from it; steady.c, which does the same in every schedule; run.trace, other.trace, rapid.std, 7.schedule;
examples/; and run 1, a check with two findings. Exit code: 0 all is well, 1 not."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

PROG = """#include <assert.h>
#include <pthread.h>
#include <unistd.h>
static int counter;
static void *increment(void *unused) {
  int seen = counter;
  usleep(20000);
  counter = seen + 1;
  return unused;
}
int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, increment, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  assert(counter == 2);
  return 0;
}
"""
PREPARE = """set -e
heddle cc -g -O1 -pthread prog.c -o prog
heddle trace run prog.c -o run.trace || true
heddle trace run prog -o other.trace --strategy=random --seed=3 --schedule-output=7.schedule || true
heddle trace export --to=std run.trace > rapid.std
printf 'all: prog2\\nprog2: prog.c\\n\\t$(CC) -pthread $< -o $@\\n' > Makefile
"""
# Codes that are an answer: what these examples are there to show. Others must come to 0.
ANSWERS = {"check": (0, 1, 4), "predict": (0, 1, 4), "record": (0, 134), "trace run": (0, 1), "trace reversible": (0, 1), "trace sanitize": (0, 1), "trace diff": (0, 1), "": (0, 1)}
# These begin with nothing kept, so that the numbers of runs in them are right.
WITHOUT_RUNS = ("check", "record", "reproduce")
LONGEST_SHORT_HELP = 30  # lines


def run(heddle, folder, command, runs="runs"):
    """`runs`: where results are kept; another one for each command, so that numbers of runs begin at 1."""
    environment = dict(os.environ, PATH=os.path.dirname(heddle) + ":" + os.environ["PATH"], HEDDLE_DIR=os.path.join(folder, runs))
    return subprocess.run(["bash", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=180, check=False)


def section(text, title):
    """The lines below "title:"."""
    found = re.search(rf"^{title}:\n((?:  .*\n)+)", text, re.MULTILINE)
    return found[1].split("\n")[:-1] if found else []


def commands(heddle, folder, name=""):
    """(name, short help, long help) of a command and all below it; cc and c++ are clang's."""
    helps = [run(heddle, folder, f"heddle {name} {flag}") for flag in ("-h", "--help")]
    assert all(done.returncode == 0 and not done.stderr for done in helps), name
    yield name, helps[0].stdout, helps[1].stdout
    for line in section(helps[1].stdout, "Commands"):
        if re.match(r"  [a-z]", line) and line.split()[0] not in ("cc", "c++"):
            yield from commands(heddle, folder, f"{name} {line.split()[0]}".strip())


def problems_of(heddle, folder, name, short, long):
    shown = [re.split(r"  +# ", line)[0].strip() for line in section(long, "Examples")]
    if name not in ("trace", "program") and not shown:
        yield f"heddle {name} --help has no example"
    if shown and not long.split("\n")[3].startswith("Examples:"):
        yield f"heddle {name} --help does not begin with examples"
    if name and (len(short.split("\n")) > LONGEST_SHORT_HELP or len(short) > len(long) + 60 or "--help says more" not in short):
        yield f"heddle {name} -h is not short"
    runs = "runs-" + name.replace(" ", "-")
    if name not in WITHOUT_RUNS:
        run(heddle, folder, "heddle check --races --keep-going prog", runs)
    for number, example in enumerate(shown):
        if example == "heddle demo":  # docs_test.sh runs it
            continue
        done = run(heddle, folder, example, f"{runs}-{number}" if name == "check" else runs)
        if done.returncode not in ANSWERS.get(name, (0,)) or "heddle: " in done.stdout:
            yield f"heddle {name} --help: {example}: exit code {done.returncode}: {(done.stdout + done.stderr)[-400:]}"


def main(arguments):
    heddle, root = map(os.path.realpath, arguments)
    found, examples = [], 0
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.path.join(root, "examples"), os.path.join(folder, "examples"))
        shutil.copy(os.path.join(root, "examples/03_bit_flip/bit_flip.c"), os.path.join(folder, "steady.c"))
        with open(os.path.join(folder, "prog.c"), "w", encoding="utf-8") as file:
            file.write(PROG)
        done = run(heddle, folder, PREPARE)
        if done.returncode:
            print(done.stdout, done.stderr)
            return 1
        for name, short, long in commands(heddle, folder):
            examples += len(section(long, "Examples"))
            found += problems_of(heddle, folder, name, short, long)
    if examples < 35:
        found.append(f"only {examples} examples are shown")
    for problem in found:
        print(problem)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
