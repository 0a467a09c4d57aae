#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every option that --help shows is used by a test.

    check_options.py HEDDLE ROOT

The options come from the table that --help is made of, as `heddle completion bash` prints it: '"trace run") words="--a --b ..."'.
An option of a command counts as tested if a line below ROOT/tests, other than in documents, has the words of the command and
the option. Exit code: 0 each is, 1 not; those without a test are printed."""
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


def lines_of_tests(root):
    for name in glob.glob(os.path.join(root, "tests", "**", "*"), recursive=True):
        if os.path.isfile(name) and not name.endswith((".md", "check_options.py")):
            with open(name, encoding="utf-8", errors="replace") as file:
                yield from file


def untested(table, lines):
    left = {(command, option) for command, options in table.items() for option in options}
    patterns = {(command, option): re.compile(r"\b" + r"\W+".join(map(re.escape, command.split())) + r"\b.*" + re.escape(option) + r"(?![a-z-])") for command, option in left}
    for line in lines:
        if "--" in line:
            left -= {pair for pair in left if pair[1] in line and patterns[pair].search(line)}
    return sorted(left)


def main(arguments):
    table = options_of(arguments[0])
    if sum(map(len, table.values())) < 60 or untested({"check": ["--races"]}, ["gives 1 check --racesome", "races --races"]) != [("check", "--races")]:
        print("the table of options cannot be read")
        return 1
    missing = untested(table, lines_of_tests(arguments[1]))
    for command, option in missing:
        print(f"no test of heddle {command} {option}")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
