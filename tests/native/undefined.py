# SPDX-License-Identifier: Apache-2.0
"""Which calls of a sequence POSIX leaves undefined and Heddle promises to report, found from what was seen natively.

Follows the objects of the sequence by what the calls returned. Says nothing about what comes after a thread went on in the
step of another one, or after an object was put into a state that POSIX does not know: see `is_followed`.
"""
import dataclasses
import re

RECURSIVE, ERRORCHECK = 1, 2
TYPES = {"mutex_recursive": RECURSIVE, "mutex_errorcheck": ERRORCHECK}
MTX_TYPES = {1: RECURSIVE, 3: RECURSIVE}
LOCKS = ("mutex", "mtx", "spin", "rwlock")


@dataclasses.dataclass
class Object:
    type: int = 0
    owner: int = 0     # of a mutex, the writer of a rwlock
    depth: int = 0
    readers: int = 0
    waiters: int = 0   # threads that are blocked in a wait with this mutex, or at this object
    is_destroyed: bool = False
    is_made: bool = False  # by a call: a spin lock has no static initialiser
    is_followed: bool = True


def expected_misuses(sequence, seen):
    """Numbers of the steps, up to the one where it can no longer be told: (undefined, defined) of those that can."""
    objects = [Object(TYPES.get(content.split(":")[1], 0)) for content in sequence.objects]
    undefined, defined = [], []
    for number, step in enumerate(sequence.steps):
        here = seen.seen.get(number)
        if here is None:
            break
        if here == "skipped":
            continue
        thread, call = int(step[0]), step[2:]
        if set(here) - {thread}:
            break
        name = call.split(":")[0]
        used = [objects[int(index)] for index in re.findall(r":(\d)(?=:|$)", call)]
        if not used or not all(each.is_followed for each in used) or thread not in here:
            break
        result = here[thread]
        verdict = judge(name, call, thread, used, result)
        if verdict is None:
            break
        (undefined if verdict else defined).append(number)
        if verdict:
            for each in used:
                each.is_followed = False
    return undefined, defined


def judge(name, call, thread, used, result):
    """True: undefined; False: not; None: it cannot be told. Changes the objects."""
    family, _, what = name.partition("_")
    one = used[0]
    if family == "rwlock":
        return judge_rwlock(what, thread, one, result)
    if family in ("mutex", "mtx", "spin"):
        return judge_mutex(family, what, call, thread, one, result)
    if family in ("cond", "cnd") and "wait" in what:
        return judge_wait(thread, used, result)
    if family in ("cond", "cnd", "sem"):
        return judge_simple(what, one, result)
    return None


def judge_simple(what, one, result):
    """Semaphores, and condition variables but for waits."""
    if result == "blocked":
        return None  # it is reported when it goes on
    if what.startswith("init"):
        one.is_destroyed = False
        return False if not one.waiters else None
    verdict = one.is_destroyed
    if what == "destroy":
        if one.waiters:
            return None
        one.is_destroyed = True
    return verdict


def judge_mutex(family, what, call, thread, one, result):
    if result == "blocked":
        return None
    if what.startswith("init"):
        number = int(re.search(r"#(-?\d+)", call)[1]) if "#" in call else 0
        verdict = bool(one.owner) and not one.is_destroyed
        one.type = MTX_TYPES.get(number, 0) if family == "mtx" else number if family == "mutex" else 0
        one.owner = one.depth = 0
        one.is_destroyed, one.is_made = False, True
        return verdict
    if family == "spin" and not one.is_made:
        one.is_followed = False
        return None
    if one.is_destroyed:
        return True
    if what == "destroy":
        verdict = bool(one.owner or one.waiters)
        one.is_destroyed = True
        return verdict
    if what in ("lock", "trylock", "timedlock", "clocklock"):
        if result == "0":
            one.owner, one.depth = thread, one.depth + 1
        return False
    if what == "unlock":
        if one.owner != thread:
            return one.type not in (RECURSIVE, ERRORCHECK)
        one.depth -= 1
        if not one.depth:
            one.owner = 0
        return False
    return None


def judge_rwlock(what, thread, one, result):
    if result == "blocked":
        return None
    if what.startswith("init"):
        verdict = bool(one.owner or one.readers) and not one.is_destroyed
        one.owner = one.readers = 0
        one.is_destroyed = False
        return verdict
    if what == "unlock":
        if one.owner == thread:
            one.owner = 0
            return one.is_destroyed
        if one.owner or not one.readers:
            return True
        one.readers -= 1  # whose it was POSIX cares, and nobody can tell
        return one.is_destroyed
    if what == "destroy":
        verdict = bool(one.owner or one.readers or one.is_destroyed)
        one.is_destroyed = True
        return verdict
    if result == "0":
        if "rd" in what:
            one.readers += 1
        else:
            one.owner = thread
    return one.is_destroyed if result == "0" else None


def judge_wait(thread, used, result):
    condition, mutex = used
    if result in ("1", "2", "22"):  # it failed before it began, perhaps because of its arguments
        return None
    if condition.is_destroyed or mutex.is_destroyed:
        return True
    if mutex.owner != thread:
        return mutex.type not in (RECURSIVE, ERRORCHECK)
    if result == "blocked":
        condition.waiters += 1
        mutex.waiters += 1
        mutex.depth -= 1
        if not mutex.depth:
            mutex.owner = 0
    return False
