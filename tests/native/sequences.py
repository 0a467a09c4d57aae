# SPDX-License-Identifier: Apache-2.0
"""Random sequences of synchronisation calls, as sequences/main.c performs them, and what was seen of one.

A sequence is an order of creation, the places of its objects and its steps, all of them words:

    123 0=heap:zero 1:mutex_lock:0 2:mutex_timedlock:0:near 1:mutex_unlock:0
"""
import dataclasses
import re

PLACES = ["global"] * 4 + ["heap"] * 3 + ["stack", "tls", "mmap", "mmap_shared", "file", "shm", "sbrk", "library"]
NOWHERE = ["null", "unmapped", "noncanonical"]
ABSOLUTE = ["near", "past", "zero", "before_1970", "far", "far", "nsec_negative", "nsec_too_big", "far_nsec_too_big",
            "far_nsec_negative", "null"]
CLOCKS = ["realtime", "monotonic", "realtime", "monotonic", "cpu", "coarse", "99"]


def deadline(rng, near=True):
    return rng.choice(ABSOLUTE if near else ABSOLUTE[1:])


def clocked(rng):
    clock = rng.choice(CLOCKS)
    return f"{clock}:{deadline(rng, clock in ('realtime', 'monotonic'))}"


@dataclasses.dataclass
class Family:
    """Objects with what their memory may hold, and calls with their weights; a call is text with {a}, {m} for objects."""
    contents: list
    calls: list  # (weight, text or function of the generator)
    inits: list = dataclasses.field(default_factory=list)
    partner: str = ""  # family of a second object


def number(*values):
    return lambda rng: f"#{rng.choice(values)}"


FAMILIES = {
    "mutex": Family(
        ["zero", "mutex_normal", "mutex_recursive", "mutex_errorcheck", "mutex_adaptive"],
        [(8, "mutex_lock:{a}"), (4, "mutex_trylock:{a}"), (9, "mutex_unlock:{a}"), (2, "mutex_timedlock:{a}:{d}"),
         (2, "mutex_clocklock:{a}:{c}"), (1, "mutex_destroy:{a}"), (1, "mutex_consistent:{a}"), (1, "{init}")],
        ["mutex_init:{a}", "mutex_init_type:{a}:#0", "mutex_init_type:{a}:#1", "mutex_init_type:{a}:#2",
         "mutex_init_type:{a}:#3", "mutex_init_type:{a}:#1", "mutex_init_type:{a}:#2", "mutex_init_shared:{a}:#0",
         "mutex_init_shared:{a}:#1", "mutex_init_robust:{a}:#0", "mutex_init_inherit:{a}:#0"]),
    "spin": Family(
        ["zero"],
        [(6, "spin_lock:{a}"), (4, "spin_trylock:{a}"), (7, "spin_unlock:{a}"), (1, "spin_destroy:{a}"), (1, "{init}")],
        ["spin_init:{a}:#0", "spin_init:{a}:#1"]),
    "rwlock": Family(
        ["zero", "rwlock_reader", "rwlock_writer", "rwlock_writer"],
        [(6, "rwlock_rdlock:{a}"), (3, "rwlock_tryrdlock:{a}"), (1, "rwlock_timedrdlock:{a}:{d}"),
         (1, "rwlock_clockrdlock:{a}:{c}"), (5, "rwlock_wrlock:{a}"), (2, "rwlock_trywrlock:{a}"),
         (1, "rwlock_timedwrlock:{a}:{d}"), (1, "rwlock_clockwrlock:{a}:{c}"), (9, "rwlock_unlock:{a}"),
         (1, "rwlock_destroy:{a}"), (1, "{init}")],
        ["rwlock_init:{a}", "rwlock_init_kind:{a}:#0", "rwlock_init_kind:{a}:#1", "rwlock_init_kind:{a}:#2"]),
    "condition": Family(
        ["zero", "condition"],
        [(5, "cond_wait:{a}:{m}"), (2, "cond_timedwait:{a}:{m}:{d}"), (2, "cond_clockwait:{a}:{m}:{c}"), (4, "cond_signal:{a}"),
         (3, "cond_broadcast:{a}"), (1, "cond_destroy:{a}"), (1, "{init}"), (7, "mutex_lock:{m}"), (7, "mutex_unlock:{m}"),
         (2, "mutex_trylock:{m}"), (1, "mutex_destroy:{m}")],
        ["cond_init:{a}", "cond_init_clock:{a}:monotonic", "cond_init_clock:{a}:realtime"], "mutex"),
    "barrier": Family(
        ["zero"],
        [(8, "barrier_wait:{a}"), (1, "barrier_destroy:{a}"), (2, "{init}")],
        ["barrier_init:{a}:#1", "barrier_init:{a}:#2", "barrier_init:{a}:#2", "barrier_init:{a}:#3", "barrier_init:{a}:#0",
         "barrier_init:{a}:#-1"]),
    "semaphore": Family(
        ["zero"],
        [(5, "sem_wait:{a}"), (2, "sem_trywait:{a}"), (2, "sem_timedwait:{a}:{d}"), (2, "sem_clockwait:{a}:{c}"),
         (6, "sem_post:{a}"), (2, "sem_getvalue:{a}"), (1, "sem_destroy:{a}"), (1, "{init}")],
        ["sem_init:{a}:#0", "sem_init:{a}:#1", "sem_init:{a}:#2", "sem_init:{a}:#2147483647", "sem_init:{a}:#-1",
         "sem_init_shared:{a}:#1"]),
    "once": Family(
        ["zero", "once"],
        [(3, "once:{a}"), (3, "once_waiting:{a}:{m}"), (1, "once_again:{a}"), (3, "sem_post:{m}")], [], "semaphore"),
    "word": Family(
        ["zero", "one"],
        [(3, "futex_wait:{a}:{v}"), (3, "futex_wait_private:{a}:{v}"), (1, "futex_wait:{a}:{v}:relative:{r}"),
         (2, "futex_wait_until:{a}:{v}:{k}:{b}"), (3, "futex_wake:{a}:{n}"), (3, "futex_wake_private:{a}:{n}"),
         (3, "store:{a}:{v}")]),
    "mtx": Family(
        ["zero"],
        [(8, "mtx_lock:{a}"), (4, "mtx_trylock:{a}"), (9, "mtx_unlock:{a}"), (2, "mtx_timedlock:{a}:{d}"),
         (1, "mtx_destroy:{a}"), (1, "{init}")],
        ["mtx_init:{a}:#0", "mtx_init:{a}:#1", "mtx_init:{a}:#2", "mtx_init:{a}:#3", "mtx_init:{a}:#7"]),
    "cnd": Family(
        ["zero"],
        [(5, "cnd_wait:{a}:{m}"), (2, "cnd_timedwait:{a}:{m}:{d}"), (4, "cnd_signal:{a}"), (3, "cnd_broadcast:{a}"),
         (1, "cnd_destroy:{a}"), (1, "{init}"), (7, "mtx_lock:{m}"), (7, "mtx_unlock:{m}")],
        ["cnd_init:{a}"], "mtx"),
    "call_once": Family(["zero"], [(1, "call_once:{a}")]),
    "std_semaphore": Family(
        ["zero"],
        [(5, "std_semaphore_acquire:{a}"), (2, "std_semaphore_try_acquire:{a}"), (1, "std_semaphore_try_acquire_for:{a}:{t}"),
         (5, "std_semaphore_release:{a}:{n}")], ["std_semaphore_init:{a}:#0", "std_semaphore_init:{a}:#2"]),
    "std_barrier": Family(
        ["zero"], [(6, "std_barrier_arrive_and_wait:{a}"), (1, "std_barrier_arrive_and_drop:{a}")],
        ["std_barrier_init:{a}:#1", "std_barrier_init:{a}:#2", "std_barrier_init:{a}:#3"]),
    "std_latch": Family(
        ["zero"],
        [(4, "std_latch_wait:{a}"), (2, "std_latch_try_wait:{a}"), (3, "std_latch_count_down:{a}:#1"),
         (3, "std_latch_arrive_and_wait:{a}")], ["std_latch_init:{a}:#1", "std_latch_init:{a}:#2", "std_latch_init:{a}:#3"]),
    "std_call_once": Family(["zero"], [(1, "std_call_once:{a}:#0"), (1, "std_call_once:{a}:#1")]),
    "std_atomic": Family(
        ["zero", "one"],
        [(5, "std_atomic_wait:{a}:{v}"), (3, "std_atomic_store:{a}:{v}"), (3, "std_atomic_notify_one:{a}"),
         (2, "std_atomic_notify_all:{a}")]),
}


def std_mutex(name, timed=False, shared=False):
    calls = [(8, "lock:{a}"), (4, "try_lock:{a}"), (9, "unlock:{a}")]
    if timed:
        calls += [(2, "try_lock_for:{a}:{t}"), (1, "try_lock_until:{a}:realtime:{u}")]
    if shared:
        calls += [(7, "lock_shared:{a}"), (3, "try_lock_shared:{a}"), (7, "unlock_shared:{a}")]
    if timed and shared:
        calls += [(2, "try_lock_shared_for:{a}:{t}")]
    FAMILIES[name] = Family(["zero"], [(weight, f"{name}_{text}") for weight, text in calls], [name + "_init:{a}"])


def std_condition(name):
    calls = [(5, "wait:{a}:{m}"), (1, "wait_for:{a}:{m}:{t}"), (1, "wait_until:{a}:{m}:realtime:{u}"), (4, "notify_one:{a}"),
             (3, "notify_all:{a}")]
    FAMILIES[name] = Family(["zero"], [(weight, f"{name}_{text}") for weight, text in calls]
                            + [(7, "std_mutex_lock:{m}"), (7, "std_mutex_unlock:{m}")], [name + "_init:{a}"], "std_mutex")


std_mutex("std_mutex")
std_mutex("std_recursive")
std_mutex("std_timed", timed=True)
std_mutex("std_recursive_timed", timed=True)
std_mutex("std_shared", shared=True)
std_mutex("std_shared_timed", timed=True, shared=True)
std_condition("std_condition")
std_condition("std_condition_any")
WEIGHTS = {"mutex": 5, "spin": 2, "rwlock": 5, "condition": 6, "barrier": 2, "semaphore": 3, "once": 1, "word": 2, "mtx": 2,
           "cnd": 2, "call_once": 0.3, "std_mutex": 0.3, "std_recursive": 0.5, "std_timed": 0.5, "std_recursive_timed": 0.5,
           "std_shared": 1, "std_shared_timed": 1, "std_condition": 1, "std_condition_any": 1, "std_semaphore": 1,
           "std_barrier": 0.7, "std_latch": 0.7, "std_call_once": 0.2, "std_atomic": 1}


@dataclasses.dataclass
class Sequence:
    objects: list  # "heap:zero"
    steps: list    # "1:mutex_lock:0"
    order: str = "123"
    family: str = ""  # what it is about mainly

    def text(self):
        return " ".join([self.order] + [f"{i}={o}" for i, o in enumerate(self.objects)] + self.steps)

    @staticmethod
    def parse(text):
        words = text.split()
        objects = [word[2:] for word in words[1:] if word[1] == "="]
        return Sequence(objects, [word for word in words[1:] if word[1] != "="], words[0])


def fill(rng, family, text, a, m):
    if text == "{init}":
        text = rng.choice(family.inits) if family.inits else family.calls[0][1]
    near = "cond_timedwait" not in text  # its clock may be another one
    return text.format(a=a, m=m, d=deadline(rng, near) if "{d}" in text else "", c=clocked(rng) if "{c}" in text else "",
                       v=f"#{rng.choice([0, 0, 0, 1])}", n=f"#{rng.choice([0, 1, 1, 2, 2147483647])}",
                       t="relative:" + rng.choice(["near", "near", "far", "zero", "before_1970"]),
                       u=rng.choice(["near", "far", "past", "before_1970"]), r=rng.choice(["near", "far", "zero", "nsec_negative", "nsec_too_big"]),
                       k=rng.choice(["realtime", "monotonic"]), b=rng.choice(["near", "past", "zero", "far", "nsec_too_big"]))


def generate(rng):
    name = rng.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
    family = FAMILIES[name]
    partner = FAMILIES.get(family.partner)
    same = rng.choice(PLACES)
    objects, steps = [], []
    threads = rng.choice([1, 1, 2, 2, 2, 3, 3])
    nowhere = rng.random() < 0.04

    def add(kind):
        place = rng.choice(NOWHERE) if nowhere and rng.random() < 0.7 else same if rng.random() < 0.7 else rng.choice(PLACES)
        objects.append(f"{place}:{rng.choice(kind.contents)}")
        return len(objects) - 1

    a = add(family)
    m = add(partner) if partner else None
    second = add(family) if rng.random() < 0.2 else a
    begin = rng.randrange(threads) + 1
    for kind, number in ((family, a), (partner, m), (family, second if second != a else None)):
        if kind and kind.inits and number is not None and rng.random() < 0.65:
            steps.append(f"{begin}:" + rng.choice(kind.inits).format(a=number))
    length = rng.choice([2, 3, 4, 5, 6, 8, 10, 14])
    texts, weights = [text for _, text in family.calls], [weight for weight, _ in family.calls]
    for _ in range(length):
        text = rng.choices(texts, weights)[0]
        steps.append(f"{rng.randrange(threads) + 1}:" + fill(rng, family, text, rng.choice([a, second]), m))
    if objects[a].startswith("heap") and rng.random() < 0.1:
        steps.insert(rng.randrange(1, len(steps) + 1), f"1:free:{a}")
    if objects[a].startswith(("mmap", "file")) and rng.random() < 0.1:
        steps.insert(rng.randrange(1, len(steps) + 1), f"1:munmap:{a}")
    return Sequence(objects, steps, "123"[:threads], name)


def generate_for_c(rng):
    while True:
        sequence = generate(rng)
        if not sequence.family.startswith("std_"):
            return sequence


# What the machines of src/semantics know: no invalid arguments, no memory, no routines that wait.
MACHINE_FAMILIES = ("mutex", "spin", "rwlock", "condition", "barrier", "semaphore", "once")
NOT_FOR_MACHINES = re.compile(r"nsec_|null|:cpu|:coarse|:99|#-1|robust|inherit|once_|free:|munmap|consistent")


def generate_for_machines(rng):
    while True:
        sequence = generate(rng)
        steps = [step for step in sequence.steps if not NOT_FOR_MACHINES.search(step)]
        if steps and sequence.family in MACHINE_FAMILIES:
            objects = ["global:" + place.split(":")[1] for place in sequence.objects]
            return Sequence(objects, steps, sequence.order, sequence.family)


BEGINS, RETURNED, BLOCKED, SKIPPED = 1, 2, 3, 4


@dataclasses.dataclass
class Seen:
    """What was seen of a sequence. seen[i]: of step i, {thread: "0", "22", "-1 errno 11" or "blocked"}, or "skipped"; a step that
    did not come to an end has no entry for its thread. misuse: the steps in which Heddle reported one."""
    ending: str
    seen: dict
    misuse: list

    @staticmethod
    def parse(line):
        ending, _, words = line.partition(":")
        seen, misuse, step = {}, [], None
        for word in words.split():
            if word == "misuse":
                misuse.append(step)
                continue
            value = int(word) & 0xffffffffffffffff
            what, thread, error, low = value >> 56, (value >> 48) & 0xff, (value >> 32) & 0xffff, value & 0xffffffff
            low = low - (1 << 32) if low >> 31 else low
            if what == BEGINS:
                step = low
                seen[step] = {}
            elif what == SKIPPED:
                seen[low] = "skipped"
            elif what == BLOCKED:
                seen[step][thread + 1] = "blocked"
            elif what == RETURNED:
                seen[step][thread + 1] = f"{low} errno {error}" if error else str(low)
        return Seen(ending.strip(), seen, misuse)
