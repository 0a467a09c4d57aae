#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks what `heddle trace export --to=perfetto` wrote against `heddle trace dump` of the same trace.

    check_perfetto.py EXPORT TRACE HEDDLE

Every event of the trace is there once, on the track of its thread, in order of time; a slice or instant has the fields that
the Chrome format asks for; every arrow ends after it began. Exit code: 0 all is well, 1 not."""
import json
import subprocess
import sys

KNOWN = {"M", "X", "i", "s", "f"}


def problems(document, dumped):
    events = document["traceEvents"]
    tracks = {event["tid"]: event["args"]["name"] for event in events if event["ph"] == "M" and event["name"] == "thread_name"}
    arrows, last, shown = {}, {}, []
    for event in events:
        if event["ph"] not in KNOWN or "pid" not in event:
            yield f"no such kind of event: {event}"
        if event["ph"] == "M":
            continue
        if event["tid"] not in tracks or not isinstance(event["ts"], (int, float)) or event["ts"] < 0 or "name" not in event:
            yield f"lacks what it needs: {event}"
        if event["ph"] == "X" and event["dur"] <= 0:
            yield f"takes no time: {event}"
        if event["ph"] == "s":
            arrows[event["cat"], event["id"]] = event["ts"]
        if event["ph"] == "f" and arrows.get((event["cat"], event["id"]), event["ts"]) >= event["ts"]:
            yield f"ends before it begins: {event}"
        if "event" in event.get("args", {}):
            thread, kind = event["args"]["event"].split()[0], event["args"]["event"].split()[2]
            shown.append((event["ts"], thread, kind))
            if tracks[event["tid"]] != thread:
                yield f"on the track of another thread: {event}"
            if event["ts"] < last.get(thread, 0):
                yield f"out of order: {event}"
            last[thread] = event["ts"]
    wanted = [tuple(line.split()[:3:2]) for line in dumped.split("\n") if line.startswith("T0")]
    if [entry[1:] for entry in sorted(shown, key=lambda entry: entry[0])] != wanted or not wanted:
        yield f"{len(shown)} events are shown of {len(wanted)}, or in another order"
    if not arrows:
        yield "no arrows"


def main(exported, trace, heddle):
    with open(exported, encoding="utf-8") as file:
        document = json.load(file)
    dumped = subprocess.run([heddle, "trace", "dump", trace], capture_output=True, text=True, check=True).stdout
    found = list(problems(document, dumped))
    for problem in found[:10]:
        print(problem)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:4]))
