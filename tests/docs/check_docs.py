#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks what the documents promise.

    check_docs.py links ROOT            links to files and headings lead somewhere
    check_docs.py commands ROOT HEDDLE  commands that are shown do what is shown

A command is an indented line "$ ...". It is run in a copy of the example whose file it names (the one of the command before,
if it names none). The indented lines below it must occur in what it prints, in that order; blanks do not count, nor do
times, and "..." stands for anything. A command of heddle that is shown without "$" would never be run: NOT_RUN has those
few that cannot be."""
import glob
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile


# Documents with commands that stand for those of the reader, and who runs such commands.
NOT_RUN = {
    "README.md": "building a project: tests/cli/projects_test.sh",
    "docs/explanation/reproduction.md": "an outline; docs/tutorial/production_failure.md has the commands",
    "docs/reference/commands.md": "made from the table of options; tests/docs/check_help.py runs its examples",
    "docs/reference/schedule_format.md": "what a file is for; tests/cli/trace_commands_test.sh",
    "docs/reference/trace_format.md": "what a file is for; tests/cli/trace_commands_test.sh",
    "examples/10_googletest/README.md": "needs an installed Heddle: tests/cli/docs_test.sh",
}


def documents(root):
    names = [name for pattern in ("*.md", "docs/**/*.md", "examples/**/*.md", "tests/**/*.md", "bench/**/*.md") for name in glob.glob(os.path.join(root, pattern), recursive=True)]
    return sorted(set(names))


def heading_id(text):
    return re.sub(r"[^\w\- ]", "", text.lower().replace("`", "")).strip().replace(" ", "-")


def check_links(root):
    for name in documents(root):
        with open(name, encoding="utf-8") as file:
            text = file.read()
        for target in re.findall(r"\[[^\]]*\]\(([^)\s]+)\)", re.sub(r"(?m)^    .*$|`[^`\n]*`", "", text)):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = target.partition("#")
            file = os.path.normpath(os.path.join(os.path.dirname(name), path)) if path else name
            if not os.path.exists(file):
                yield f"{name}: {target} leads nowhere"
            elif anchor and anchor not in {heading_id(line.lstrip("# ")) for line in open(file, encoding="utf-8") if line.startswith("#")}:
                yield f"{name}: {target}: there is no such heading"


def shown_commands(text):
    """(command, lines below it) for each."""
    current = None
    for line in text.split("\n"):
        if line.startswith("    $ "):
            if current:
                yield current
            current = (line[6:], [])
        elif current and line.startswith("    "):
            current[1].append(line[4:])
        elif current and line:
            yield current
            current = None
    if current:
        yield current


def shown_but_not_run(name):
    with open(name, encoding="utf-8") as file:
        for line in file:
            if re.match(r"    (.*[;&|] *)?heddle(-cc|-c\+\+)? [a-z]", line):
                yield f"{name}: is never run: {line.strip()}"


def plain(text):
    return " ".join(re.sub(r"\d+\.\d+ s\b", "TIME", text).split())


def first_missing(wanted, printed):
    """The first line that does not occur where it should."""
    at, lines = 0, [plain(line) for line in printed.split("\n")]
    for line in map(plain, wanted):
        if not line or line == "...":
            continue
        pattern = re.compile(".*".join(re.escape(part.strip()) for part in line.split("...")) if "..." in line else re.escape(line))
        while at < len(lines) and not pattern.fullmatch(lines[at]):
            at += 1
        if at == len(lines):
            return line
        at += 1
    return None


class Examples:
    """Copies of the examples, made when they are needed."""

    def __init__(self, root, work):
        self.work, self.folders, self.copies = work, {}, {}
        for folder in glob.glob(os.path.join(root, "examples", "*", "")):
            for name in os.listdir(folder):
                if name != "README.md":
                    self.folders[name] = folder

    def folder_for(self, words, before):
        for word in words:
            if word in self.folders:
                folder = self.folders[word]
                if folder not in self.copies:
                    self.copies[folder] = os.path.join(self.work, os.path.basename(os.path.dirname(folder)))
                    shutil.copytree(folder, self.copies[folder])
                return self.copies[folder]
        return before


def check_commands(root, heddle):
    count = 0
    for name in documents(root):
        if os.path.relpath(name, root) not in NOT_RUN:
            yield from shown_but_not_run(name)
        with tempfile.TemporaryDirectory() as work, open(name, encoding="utf-8") as file:
            environment = dict(os.environ, XDG_CACHE_HOME=os.path.join(os.environ.get("XDG_CACHE_HOME", work), "docs"), PATH=os.path.dirname(heddle) + ":" + os.environ["PATH"])
            environment.pop("HEDDLE_DIR", None)
            examples, folder = Examples(root, work), None
            for command, wanted in shown_commands(file.read()):
                folder = examples.folder_for(shlex.split(command), folder)
                if not folder:
                    yield f"{name}: $ {command}: of which example?"
                    continue
                count += 1
                done = subprocess.run(["bash", "-c", command + " 2>&1"], cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False)
                missing = first_missing(wanted, done.stdout)
                if missing is not None:
                    yield f"{name}: $ {command}\n  does not say: {missing}\n  it says: {done.stdout[-600:]}"
                if done.returncode in (2, 3, 70, 127) or done.returncode > 128:
                    yield f"{name}: $ {command}: exit code {done.returncode}: {done.stdout[-300:]}"
    if count < 10:
        yield f"only {count} commands are shown"


def main(arguments):
    what, root = arguments[0], os.path.realpath(arguments[1])
    problems = list(check_links(root) if what == "links" else check_commands(root, os.path.realpath(arguments[2])))
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
