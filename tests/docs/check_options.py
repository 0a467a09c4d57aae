#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every option that --help shows is used by a test.

    check_options.py HEDDLE ROOT

The options come from the table that --help is made of, as `heddle completion bash` prints it: '"trace run") words="--a --b ..."'.
An option of a command counts as tested if a test below ROOT/tests (not a document) has a line with the words of the command
and the option. In the shell tests that must be a statement that also asks for something beside an exit code of 0: another
code, or what was printed or written. Exit code: 0 each is, 1 not; those without a test are printed."""
import glob
import os
import re
import subprocess
import sys


def options_of(heddle):
    """{command: options}"""
    text = subprocess.run([heddle, "completion", "bash"], capture_output=True, text=True, check=True).stdout
    table = {}
    for command, words in re.findall(r'^\s*"([a-z+ ]+)"\)(.*)$', text, re.MULTILINE):
        table[command] = sorted({word for word in re.findall(r"--[a-z][a-z-]*", words) if word not in ("--help", "--help-all")})
    return table


ASKS = re.compile(r"\b(answers|says|silent|cmp|grep|test|checked|diff|valid|well|same|coloured|python3)\b|gives [1-9]|\[\[? ")


def statements(text):
    """Lines of a shell test up to the `check` that judges them, as one."""
    statement = ""
    for line in text.split("\n"):
        if line.lstrip().startswith("#"):
            continue
        statement += " " + line
        if re.search(r"\bcheck \"", line) or not line.strip():
            yield statement
            statement = ""
    yield statement


def lines_of_tests(root):
    for name in glob.glob(os.path.join(root, "tests", "**", "*"), recursive=True):
        if os.path.isfile(name) and not name.endswith((".md", "check_options.py")):
            with open(name, encoding="utf-8", errors="replace") as file:
                text = file.read()
            yield from filter(ASKS.search, statements(text)) if name.endswith("_test.sh") else text.split("\n")


def untested(table, lines):
    left = {(command, option) for command, options in table.items() for option in options}
    patterns = {(command, option): re.compile(r"\b" + r"\W+".join(map(re.escape, command.split())) + r"\b.*" + re.escape(option) + r"(?![a-z-])") for command, option in left}
    for line in lines:
        if "--" in line:
            left -= {pair for pair in left if pair[1] in line and patterns[pair].search(line)}
    return sorted(left)


def main(arguments):
    table = options_of(arguments[0])
    if sum(map(len, table.values())) < 60 or untested({"check": ["--races"]}, ["gives 1 check --racesome", "races --races"]) != [("check", "--races")] \
            or len(list(filter(ASKS.search, statements('gives 0 check --races a.c; check "a"\ngives 0 check --races b.c && answers race; check "b"\n')))) != 1:
        print("the table of options cannot be read")
        return 1
    missing = untested(table, lines_of_tests(arguments[1]))
    for command, option in missing:
        print(f"no test of heddle {command} {option}")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
