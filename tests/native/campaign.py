# SPDX-License-Identifier: Apache-2.0
"""Many random sequences: which differ, which of these differences are accepted, and what was seen on the way."""
import collections
import concurrent.futures
import dataclasses
import random

import accepted
import comparison
import sequences


@dataclasses.dataclass
class Found:
    seed: int
    sequence: sequences.Sequence
    difference: comparison.Difference


@dataclasses.dataclass
class Campaign:
    counts: collections.Counter  # (family, what was seen natively): "sequences", "calls", "blocked", "crashed"
    found: list                  # differences that are not accepted
    accepted: collections.Counter  # by line of accepted_differences.txt


def run_part(native, judged, generate, seeds):
    entries = accepted.read()
    part = Campaign(collections.Counter(), [], collections.Counter())
    compared = comparison.Comparison(native, judged)
    for seed in seeds:
        sequence = generate(random.Random(seed))
        difference, native = compared.compare(sequence)
        count(part.counts, sequence.family, native)
        if difference:
            entry = accepted.entry_for(entries, sequence, difference)
            if entry:
                part.accepted[entry.line] += 1
            else:
                part.found.append(Found(seed, sequence, difference))
    compared.end()
    return part


def count(counts, family, native):
    counts[family, "sequences"] += 1
    counts[family, "crashed"] += native.ending != "exit 0"
    for here in native.seen.values():
        if here != "skipped":
            counts[family, "calls"] += 1
            counts[family, "blocked"] += "blocked" in here.values()


def run(native, judged, generate, first_seed, number, jobs):
    """Compares the sequences that `generate` makes of `number` seeds."""
    seeds = range(first_seed, first_seed + number)
    whole = Campaign(collections.Counter(), [], collections.Counter())
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        for part in pool.map(run_part, *zip(*[(native, judged, generate, seeds[i::jobs]) for i in range(jobs)])):
            whole.counts += part.counts
            whole.found += part.found
            whole.accepted += part.accepted
    return whole


def describe(native, judged, found, minimise):
    """The differences by kind, the most frequent first, each with a short sequence that shows it."""
    groups = collections.defaultdict(list)
    for one in found:
        groups[one.difference.kind()].append(one)
    compared = comparison.Comparison(native, judged) if minimise else None
    lines = []
    for (call, expected, got), ones in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])):
        one = min(ones, key=lambda each: (len(each.sequence.steps), each.seed))
        sequence = compared.minimise(one.sequence, one.difference) if compared else one.sequence
        lines.append(f"{len(ones):5}  {call}: natively {expected}; Heddle {got}   (seed {one.seed})\n       {sequence.text()}")
    if compared:
        compared.end()
    return "\n".join(lines)
