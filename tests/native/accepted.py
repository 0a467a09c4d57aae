# SPDX-License-Identifier: Apache-2.0
"""Differences that are known and accepted: accepted_differences.txt.

A line is

    FUNCTION[:ARGUMENTS] | NATIVELY | HEDDLE | STATE | REASON

FUNCTION (the call's name), ARGUMENTS, NATIVELY and HEDDLE are regular expressions that must match all of them; no ARGUMENTS
means any.
STATE is a regular expression that must be found in what comes before the call in the sequence, its objects included; {a} in it
is the number of the object that the call uses first. A step that Heddle reported as a misuse ends in "!". An empty one is
always found. A bar stands between fields; in an expression it is written ¦.
"""
import collections
import pathlib
import re

FILE = pathlib.Path(__file__).resolve().parent / "accepted_differences.txt"
Entry = collections.namedtuple("Entry", "line function arguments native heddle state reason")


def read():
    entries = []
    for number, line in enumerate(FILE.read_text().splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        call, native, heddle, state, reason = (part.strip().replace("¦", "|") for part in line.split(" | "))
        function, _, arguments = call.partition(":")
        if not function or not reason:
            raise SystemExit(f"{FILE.name}:{number}: a function and a reason, please")
        entries.append(Entry(number, function, arguments or ".*", native, heddle, state, reason))
    return entries


def entry_for(entries, sequence, difference):
    """The entry that accepts it, or None."""
    function, _, arguments = difference.kind()[0].partition(":")
    used = re.search(r":(\d)(?=:|$)", difference.call)
    steps = [step + "!" * (number in difference.misused) for number, step in enumerate(sequence.steps[:difference.step])]
    before = " ".join([f"{i}={o}" for i, o in enumerate(sequence.objects)] + steps) + " "
    for entry in entries:
        state = entry.state.replace("{a}", used[1] if used else "0")
        if re.fullmatch(entry.function, function) and re.fullmatch(entry.arguments, arguments) and \
                re.fullmatch(entry.native, difference.native) and re.fullmatch(entry.heddle, difference.heddle) and \
                re.search(state, before):
            return entry
    return None
