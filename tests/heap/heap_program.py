# SPDX-License-Identifier: Apache-2.0
"""Small random programs about the heap, and their text in C.

A program is a list of threads, the first of which is main before it creates the others;
a thread is a list of operations on its own pointers r0, r1 and the shared ones p0, p1:

    ("alloc", r, size)         r = malloc(size)
    ("free", r)                if (r) free(r)
    ("store", p, r)            p = r
    ("load", r, p)             r = p
    ("swap", r, p)             r and p change places
    ("cas", p, r, s)           if p == r, p = s; whether it was is observed
    ("put", r, offset, value)  if (r) four bytes there
    ("get", r, offset)         if (r) they are observed
    ("see", r)                 which block r points to is observed
    ("either", p, (..), (..))  the one or the other, depending on whether p is null

Each thread first allocates a block of a size that nobody else uses: addresses are compared as
distances from these.
"""

BASE_SIZE = 5000
SPAN = 1 << 20  # of addresses that belong to one thread
SIZES = [8, 16, 20, 24, 32]


def generate(rng):
    main = [("alloc", 0, rng.choice(SIZES)), ("store", 0, 0)]
    if rng.random() < 0.5:
        main += [("alloc", 1, rng.choice(SIZES)), ("store", 1, 1)]
    count = 2 if rng.random() < 0.7 else 3
    sizes = rng.choice([[16], [16, 8], [20, 24], SIZES])
    threads = []
    for _ in range(count):
        pointers = [rng.choice([("load", r, rng.randrange(2)), ("alloc", r, rng.choice(sizes))]) for r in range(rng.randrange(1, 3))]
        threads.append(pointers + [operation(rng, sizes, True) for _ in range(rng.randint(3, 5) - count + 2)])
    return [main] + threads


def operation(rng, sizes, may_branch):
    pointer, shared, offset = rng.randrange(2), rng.randrange(2), rng.choice([0, 0, 4, 16, 20])
    choice = rng.random()
    if choice < 0.22:
        return ("alloc", pointer, rng.choice(sizes))
    if choice < 0.38:
        return ("free", pointer)
    if choice < 0.46:
        return ("store", shared, pointer)
    if choice < 0.60:
        return ("load", pointer, shared)
    if choice < 0.70:
        return ("swap", pointer, shared)
    if choice < 0.78:
        return ("cas", shared, pointer, rng.randrange(2))
    if choice < 0.84:
        return ("put", pointer, offset, rng.randrange(1, 4))
    if choice < 0.90:
        return ("get", pointer, offset)
    if choice < 0.95 or not may_branch:
        return ("see", pointer)
    return ("either", shared, (operation(rng, sizes, False),), (operation(rng, sizes, False),))


def name_of(thread, path):
    return f"t{thread}_" + "_".join(map(str, path))


def to_c(program):
    """One line an operation, so that a line says which one it is."""
    lines = ["#include <heddle.h>", "#include <pthread.h>", "#include <stdatomic.h>", "#include <stdlib.h>", "",
             "static _Atomic(char *) p0, p1;"]
    lines_of = {}

    def add(thread, path, op, indent):
        lines_of[thread, path] = len(lines) + 1
        name = name_of(thread, path)
        lines.append(" " * indent + {
            "alloc": lambda r, size: f"r{r} = malloc({size});",
            "free": lambda r: f"if (r{r}) free(r{r});",
            "store": lambda p, r: f"atomic_store(&p{p}, r{r});",
            "load": lambda r, p: f"r{r} = atomic_load(&p{p});",
            "swap": lambda r, p: f"r{r} = atomic_exchange(&p{p}, r{r});",
            "cas": lambda p, r, s: f"{{ char *wanted = r{r}; heddle_observe(\"{name}\", atomic_compare_exchange_strong(&p{p}, &wanted, r{s})); }}",
            "put": lambda r, offset, value: f"if (r{r}) *(int *)(r{r} + {offset}) = {value};",
            "get": lambda r, offset: f"if (r{r}) heddle_observe(\"{name}\", *(int *)(r{r} + {offset}));",
            "see": lambda r: f"heddle_observe(\"{name}\", (long)r{r});",
            "either": lambda p, *_: f"if (atomic_load(&p{p})) {{",
        }[op[0]](*op[1:]))
        if op[0] == "either":
            for which in 0, 1:
                for i, inner in enumerate(op[2 + which]):
                    add(thread, path + (which, i), inner, indent + 2)
                lines.append(" " * indent + ("} else {" if which == 0 else "}"))

    def add_body(thread):
        lines.append(f"  char *r0 = NULL, *r1 = NULL, *base = malloc({BASE_SIZE});")
        lines.append(f"  heddle_observe(\"base{thread}\", (long)base);")
        for i, op in enumerate(program[thread]):
            add(thread, (i,), op, 2)

    for thread in range(1, len(program)):
        lines.append(f"static void *thread{thread}(void *unused) {{")
        add_body(thread)
        lines.extend(["  return unused;", "}"])
    lines.append("int main(void) {")
    add_body(0)
    lines.append(f"  pthread_t threads[{len(program)}];")
    for thread in range(1, len(program)):
        lines.append(f"  pthread_create(&threads[{thread}], NULL, thread{thread}, NULL);")
    for thread in range(1, len(program)):
        lines.append(f"  pthread_join(threads[{thread}], NULL);")
    lines.extend(["  return 0;", "}", ""])
    program_lines[id(program)] = lines_of
    return "\n".join(lines)


program_lines = {}  # by id of the program: line of each operation, for who made its text


def normal(outcome):
    """Addresses as (thread, distance from its base)."""
    bases = {int(name[4:]): value for name, value in outcome.items() if name.startswith("base")}

    def value_of(value):
        for thread, base in bases.items():
            if base <= value < base + SPAN:
                return f"{thread}+{value - base}"
        return str(value)

    return tuple(sorted((name, value_of(value)) for name, value in outcome.items() if not name.startswith("base")))
