# SPDX-License-Identifier: Apache-2.0
"""Performs sequences natively and under Heddle, and says where they differ.

Shares no code with src/ or runtime/: what is right is what the C library does.
"""
import dataclasses
import itertools
import pathlib
import re
import subprocess

import sequences
import undefined

HERE = pathlib.Path(__file__).resolve().parent
SOURCES = sorted(path.name for path in (HERE / "sequences").glob("*.c") if path.name != "exported.c")

# How Heddle calls what ends a process by a signal.
SIGNALS = {"null-dereference": 11, "out-of-bounds": 11, "use-after-free": 11, "abort": 6, "assertion": 6}


def build_native(folder):
    return build_one(["clang-19"], ["clang++-19"], folder, "sequences")


def build_controlled(heddle, folder):
    return build_one([heddle, "cc"], [heddle, "c++"], folder, "sequences.heddle")


def build_one(c_compiler, cpp_compiler, folder, name):
    """The program of sequences/ and the library that exports objects; returns its path."""
    folder.mkdir(parents=True, exist_ok=True)
    source, program, cpp_object = HERE / "sequences", folder / name, folder / f"{name}.o"
    common = ["-O0", "-g", "-pthread", f"-I{HERE.parents[1] / 'include'}"]
    library = folder / "libexported.so"
    subprocess.run(["gcc", "-shared", "-fPIC", "-O0", "-g", str(source / "exported.c"), "-o", str(library)], check=True)
    subprocess.run([*cpp_compiler, "-std=c++20", *common, "-c", str(source / "std_calls.cpp"), "-o", str(cpp_object)], check=True)
    subprocess.run([*c_compiler, *common, *(str(source / each) for each in SOURCES), str(cpp_object), f"-L{folder}", "-lexported",
                    "-lstdc++", f"-Wl,-rpath,{folder}", "-o", str(program)], check=True)
    return str(program)


class Side:
    """A process that performs one sequence a line."""

    def __init__(self, *command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def perform(self, sequence):
        self.process.stdin.write(sequence.text() + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"native: the process that performs sequences ended at: {sequence.text()}")
        return sequences.Seen.parse(line)

    def end(self):
        self.process.stdin.close()
        self.process.wait()


# Of a sequence that differs.
MORE_NATIVE_RUNS = 2


@dataclasses.dataclass(frozen=True)
class Difference:
    step: int
    call: str      # with its arguments, as in the sequence, but for objects
    native: str
    heddle: str
    misused: tuple = ()  # the steps before it that Heddle reported as misuse

    def kind(self):
        """Differences of one kind: which object it was does not matter."""
        return re.sub(r":[0-9](?=:|$)", "", self.call), self.native, self.heddle


def ending_of_native(ending):
    what, value = ending.split()
    if what == "signal":
        return f"signal {value}"
    return "" if value == "0" else f"exit {value}"


def ending_of_heddle(ending):
    """As it would be natively; "" if it came to the end of the sequence."""
    kind, detail, message = (ending.split(" ", 2) + ["", ""])[:3]
    if kind == "exit":
        return "" if detail == "0" else f"exit {detail}"
    if kind == "signal":
        named = re.search(r"SIG(\w+)", message)
        return f"signal { {'SEGV': 11, 'ABRT': 6, 'BUS': 7, 'ILL': 4, 'FPE': 8}.get(named and named[1], message)}"
    if kind in SIGNALS:
        return f"signal {SIGNALS[kind]}"
    return f"{kind} {message}"


def step_text(seen, number, thread, ending):
    """What came of a step: of its own thread first, then of others that went on."""
    here = seen.seen.get(number)
    if here is None:
        return "not reached"
    if here == "skipped":
        return here
    if number == max(seen.seen) and ending:
        return ending
    others = [f"{'thread' if other != thread else ''}{other if other != thread else ''} {text}".strip()
              for other, text in sorted(here.items(), key=lambda item: (item[0] != thread, item[0]))]
    return ", ".join(others)


def first_difference(sequence, native, heddle):
    ends = ending_of_native(native.ending), ending_of_heddle(heddle.ending)
    freed = set()
    for number, step in enumerate(sequence.steps):
        thread, call = int(step[0]), step[2:]
        texts = step_text(native, number, thread, ends[0]), step_text(heddle, number, thread, ends[1])
        used = re.findall(r":(\d)(?=:|$)", call)
        if heddle.ending.startswith(("use-after-free", "double-free", "bad-free")) and freed.intersection(used) and \
                number == max(heddle.seen):
            return None  # natively anything may happen
        if texts[0] != texts[1]:
            return Difference(number, call, *texts)
        if texts[0] == ends[0] and ends[0]:
            return None
        if call.startswith("free:"):
            freed.update(used)
    if ends[0] != ends[1]:
        return Difference(len(sequence.steps), "end", ends[0] or "exit", ends[1] or "exit")
    return None


def first_wrong_report(sequence, native, heddle, before):
    """The first step, of those before one, that is a misuse but was not reported as one, or the other way round."""
    undefined_steps, defined_steps = undefined.expected_misuses(sequence, native)
    for number in sorted(undefined_steps + defined_steps):
        if number < before and (number in undefined_steps) != (number in heddle.misuse):
            texts = ("undefined", "not reported") if number in undefined_steps else ("defined", "reported as a misuse")
            return Difference(number, sequence.steps[number][2:], *texts)
    return None


class Comparison:
    """`native` is the program of the sequences, `judged` the command that performs them under Heddle or on its machines."""

    def __init__(self, native, judged):
        self.native, self.heddle = Side(native), Side(*judged)

    def end(self):
        self.native.end()
        self.heddle.end()

    def compare(self, sequence):
        """The first difference or None, and what was seen natively. What is not determined may come out in any way: natively the
        sequence is performed again, under Heddle with other orders of creation, as by default the thread that was created first
        goes on first. Those count that do the same for longest."""
        native = self.native.perform(sequence)
        latest = self.compare_with(native, sequence)
        for _ in range(MORE_NATIVE_RUNS):
            if latest is None:
                break
            another = self.compare_with(self.native.perform(sequence), sequence)
            if another is None or another.step > latest.step:
                latest = another
        return latest, native

    def compare_with(self, native, sequence):
        latest = None
        for order in orders(sequence.order):
            heddle = self.heddle.perform(dataclasses.replace(sequence, order=order))
            if heddle.ending.startswith("not-understood"):  # by the machines
                return None
            difference = first_difference(sequence, native, heddle)
            report = first_wrong_report(sequence, native, heddle, difference.step if difference else len(sequence.steps))
            difference = report or difference
            if difference is None:
                return None
            if latest is None or difference.step > latest.step:
                latest = dataclasses.replace(difference, misused=tuple(heddle.misuse))
        return latest

    def minimise(self, sequence, difference):
        """A shorter sequence that shows the same."""
        kind = difference.kind()

        def shows(candidate):
            found, _ = self.compare(candidate)
            return found if found is not None and found.kind() == kind else None

        changed = True
        while changed:
            changed = False
            for number in reversed(range(len(sequence.steps))):
                shorter = dataclasses.replace(sequence, steps=sequence.steps[:number] + sequence.steps[number + 1:])
                if shows(shorter):
                    sequence, changed = shorter, True
        for number, place in enumerate(sequence.objects):
            for simpler in ("global:zero", "global:" + place.split(":")[1]):
                if simpler == place:
                    break
                candidate = dataclasses.replace(sequence, objects=sequence.objects[:number] + [simpler] + sequence.objects[number + 1:])
                if shows(candidate):
                    sequence = candidate
                    break
        return sequence


def orders(order):
    return ["".join(names) for names in itertools.permutations(order)]
