# SPDX-License-Identifier: Apache-2.0
"""Every order of the operations of a program of heap_program.py, under SC.

A machine of its own: memory is a map of bytes in fours, a block is (start, size, state); with
reuse, a released block is given to the next allocation of as many units of 16 bytes, the last one
first. A thread that fails stays where it is; the others go on, and there is no outcome.
"""
import heap_program

UNIT = 16
NOBODY = ()


def units(size):
    return max(1, -(-size // UNIT))


class State:
    """What all threads share, and each has; values that can be hashed only."""

    def __init__(self, program):
        count = len(program)
        self.todo = [tuple(((i,), op) for i, op in enumerate(thread)) for thread in program]
        self.pointers = [[None, None] for _ in range(count)]
        first = 2 * UNIT + units(heap_program.BASE_SIZE) * UNIT  # behind the base, with what is between blocks
        self.next_start = [first] * count
        self.shared = [None, None]
        self.blocks = {}     # by address: size, released
        self.memory = {}
        self.lists = {}      # by units
        self.observed = {}
        self.failed = set()

    def key(self):
        return (tuple(self.todo), tuple(map(tuple, self.pointers)), tuple(self.next_start), tuple(self.shared),
                tuple(sorted(self.blocks.items())), tuple(sorted(self.memory.items())),
                tuple(sorted((length, tuple(blocks)) for length, blocks in self.lists.items())),
                tuple(sorted(self.observed.items())), frozenset(self.failed))

    def copy(self):
        other = State.__new__(State)
        other.todo, other.pointers = list(self.todo), [list(own) for own in self.pointers]
        other.next_start, other.shared = list(self.next_start), list(self.shared)
        other.blocks, other.memory = dict(self.blocks), dict(self.memory)
        other.lists = {length: list(blocks) for length, blocks in self.lists.items()}
        other.observed, other.failed = dict(self.observed), set(self.failed)
        return other


class Failure(Exception):
    pass


def block_of(state, address):
    for (thread, start), (size, released) in state.blocks.items():
        if thread == address[0] and start <= address[1] < start + units(size) * UNIT:
            return (thread, start), size, released
    return None


def access(state, address):
    found = block_of(state, address)
    if found is None:
        raise Failure("out-of-bounds")
    (_, start), size, released = found
    if released:
        raise Failure("use-after-free")
    if address[1] + 4 > start + size:
        raise Failure("out-of-bounds")


def allocate(state, thread, size, reuses):
    released = state.lists.get(units(size), [])
    if reuses and released:
        address = released.pop()
        for distance in range(0, units(size) * UNIT, 4):
            state.memory.pop((address[0], address[1] + distance), None)
    else:
        address = (thread, state.next_start[thread])
        state.next_start[thread] += (units(size) + 2) * UNIT
    state.blocks[address] = (size, False)
    return address


def release(state, address):
    found = block_of(state, address)
    if found is None or found[0] != address:
        raise Failure("bad-free")
    if found[2]:
        raise Failure("double-free")
    state.blocks[address] = (found[1], True)
    state.lists.setdefault(units(found[1]), []).append(address)


def perform(state, thread, path, op, reuses):
    """Operations that are to be done instead of it, if any."""
    own, kind = state.pointers[thread], op[0]
    name = heap_program.name_of(thread, path)
    if kind == "alloc":
        own[op[1]] = allocate(state, thread, op[2], reuses)
    elif kind == "free" and own[op[1]] is not None:
        release(state, own[op[1]])
    elif kind == "store":
        state.shared[op[1]] = own[op[2]]
    elif kind == "load":
        own[op[1]] = state.shared[op[2]]
    elif kind == "swap":
        own[op[1]], state.shared[op[2]] = state.shared[op[2]], own[op[1]]
    elif kind == "cas":
        is_equal = state.shared[op[1]] == own[op[2]]
        state.observed[name] = str(int(is_equal))
        if is_equal:
            state.shared[op[1]] = own[op[3]]
    elif kind in ("put", "get") and own[op[1]] is not None:
        address = (own[op[1]][0], own[op[1]][1] + op[2])
        access(state, address)
        if kind == "put":
            state.memory[address] = op[3]
        else:
            state.observed[name] = str(state.memory.get(address, 0))
    elif kind == "see":
        state.observed[name] = "0" if own[op[1]] is None else f"{own[op[1]][0]}+{own[op[1]][1]}"
    elif kind == "either":
        which = 0 if state.shared[op[1]] is not None else 1
        return tuple((path + (which, i), inner) for i, inner in enumerate(op[2 + which]))
    return NOBODY


def explore(program, reuses):
    outcomes, failures, seen = set(), set(), set()
    lines = heap_program.program_lines[id(program)]

    def step(state, thread):
        after = state.copy()
        (path, op), rest = after.todo[thread][0], after.todo[thread][1:]
        try:
            after.todo[thread] = perform(after, thread, path, op, reuses) + rest
        except Failure as failure:
            failures.add((str(failure), lines[thread, path]))
            after.failed.add(thread)
            after.todo[thread] = ()
        return after

    begin = State(program)
    while begin.todo[0]:  # main, alone
        begin = step(begin, 0)
    open_states = [begin]
    while open_states:
        state = open_states.pop()
        key = state.key()
        if key in seen:
            continue
        seen.add(key)
        threads = [thread for thread in range(1, len(program)) if state.todo[thread]]
        open_states += [step(state, thread) for thread in threads]
        if not threads and not state.failed:
            outcomes.add(tuple(sorted(state.observed.items())))
    return {"outcomes": outcomes, "failures": failures}
