// SPDX-License-Identifier: Apache-2.0
#include "report/finding_kinds.h"

#include <array>

namespace heddle::report {
namespace {

constexpr std::array kKinds = {
    FindingKind{
        "assertion", "Assertion fails", "An assert or heddle_assert is false in this order of the threads.",
        "Look at what the assertion reads, and follow each value back to the step that wrote it: somewhere on the way "
        "one "
        "thread acts on a value that another has changed meanwhile.\n\n"
        "What helps: one lock around all that must be seen together; an atomic update (fetch_add, compare_exchange) in "
        "place of a read and a write; under TSO and PSO a fence, or a seq_cst or release store, between the store and "
        "the load that overtakes it.",
        "heddle check examples/01_lost_update/lost_update.c"},
    FindingKind{
        "abort", "Abort", "The program calls abort in this order of the threads.",
        "The program itself noticed that something is wrong. Libraries call abort, too: the stack in the debugger "
        "(heddle replay --gdb) says who.",
        "heddle check examples/11_kinds/abort.c"},
    FindingKind{
        "crash", "Crash", "A signal such as SIGSEGV or SIGFPE ends the program in this order of the threads.",
        "heddle replay --gdb stops at the instruction. Often a pointer or a divisor is read while another thread is "
        "about to set it.",
        "heddle check examples/11_kinds/crash.c"},
    FindingKind{
        "uncaught-exception", "Uncaught exception",
        "An exception leaves a thread, and std::terminate ends the program.",
        "Exceptions do not cross threads: catch them in the function that the thread runs, or use std::async, whose "
        "future carries them.",
        "heddle check examples/11_kinds/uncaught_exception.cpp"},
    FindingKind{
        "null-dereference", "Null dereference", "A pointer that is null in this order of the threads is followed.",
        "Either the pointer is published before it is set, or it is reset while another thread still uses it. "
        "Checking it first does not help if it may change between the check and the use: read it once into a local "
        "variable, or hold a lock for both.",
        "heddle check examples/11_kinds/null_dereference.c"},
    FindingKind{
        "use-after-free", "Use after free",
        "Memory is accessed after a thread has freed it, or after the function has returned whose local variable it "
        "was.",
        "One thread frees what another still reaches. What helps: join the thread, or count references "
        "(std::shared_ptr), or hold the lock that protects the pointer also while it is used; in lock-free code hazard "
        "pointers or epochs.\n\n"
        "--heap=fresh never uses an address twice, so every such access is seen; --heap=reuse explores what happens if "
        "the memory has a new owner.",
        "heddle check examples/08_early_free/early_free.c"},
    FindingKind{
        "double-free", "Double free", "The same memory is freed twice in this order of the threads.",
        "Two threads both take themselves for the last user. The decision who frees must be one atomic step: a counter "
        "that is decremented and tested at once, or an exchange of the pointer with null.",
        "heddle check examples/11_kinds/double_free.c"},
    FindingKind{"bad-free", "Free of a pointer that was never allocated",
                "free or delete is called with something that no allocation returned.",
                "Often the pointer was overwritten by another thread, or belongs to another allocator (new and free, "
                "new[] and delete).",
                "heddle check examples/11_kinds/bad_free.c"},
    FindingKind{"out-of-bounds", "Access outside a block", "An access just outside a block of the heap.",
                "An index or a length is read by one thread while another changes it, or changes the block.",
                "heddle check examples/11_kinds/out_of_bounds.c"},
    FindingKind{
        "misuse", "Misuse of a synchronisation object",
        "A lock, condition, barrier or the like is used in a way that POSIX leaves undefined: unlocked by another "
        "thread, destroyed while held, ... The run goes on as it does with glibc.",
        "The message says which rule is broken. Such programs may work with one implementation of threads and "
        "fail with another; a finding after this one says what comes of it here.",
        "heddle check examples/11_kinds/misuse.c"},
    FindingKind{
        "race", "Data race", "Two threads access the same memory, one of them writes, and nothing orders them.",
        "In C and C++ this is undefined behaviour, whatever the hardware does: the compiler may assume that it does "
        "not "
        "happen. Both accesses need the same lock, or both must be atomic, or something must order them (a join, a "
        "release store that an acquire load reads). A relaxed flag orders nothing.\n\n"
        "\"Enabled at once\" means that there is a moment in which both accesses are the next step of their threads.",
        "heddle check --races examples/01_lost_update/lost_update.c"},
    FindingKind{
        "deadlock", "Deadlock", "Every thread that is left waits, and none can ever go on.",
        "Take locks in the same order everywhere, or both at once (std::scoped_lock). A thread that waits for a "
        "condition must test a variable that the signalling thread sets under the same lock: a signal that comes "
        "before the wait is lost.",
        "heddle check examples/04_lock_order/lock_order.c"},
    FindingKind{"livelock", "Livelock",
                "Threads go on for ever in loops that wait for something that cannot happen any more.",
                "As a deadlock, with loops in place of waits. See who should have set what the loop reads.",
                "heddle check examples/11_kinds/livelock.c"},
    FindingKind{"exit-code", "Exit code", "The program ends with a code other than 0 in this order of the threads.",
                "--fail-on-exit=none, or =N,M for some codes only, says which codes are findings.",
                "heddle check examples/11_kinds/exit_code.c"},
    FindingKind{"atomicity", "Atomicity violation", "Steps that belong together are separated by another thread.",
                "The steps need one lock around all of them.",
                "heddle predict --find=atomicity examples/11_kinds/atomicity.c"},
    FindingKind{
        "hang", "Still running", "A recorded program had not ended after heddle record --timeout, and was killed.",
        "The recording says which call each thread was in. heddle reproduce looks for a schedule in which all of "
        "them wait for each other: then it is a deadlock.",
        "heddle record --timeout=1 examples/11_kinds/hang.c"},
    FindingKind{"stopped", "Stopped from outside",
                "A recorded program was ended by a signal that somebody sends: SIGTERM, SIGINT, SIGKILL.",
                "Whoever sent it may have had a reason: too much memory, or no answer for too long. The recording says "
                "which call each thread was in.",
                "heddle record examples/11_kinds/stopped.c"},
};

}  // namespace

std::span<const FindingKind> finding_kinds() { return kKinds; }

const FindingKind* find_finding_kind(std::string_view name) {
  for (const FindingKind& kind : kKinds)
    if (kind.name == name) return &kind;
  return nullptr;
}

}  // namespace heddle::report
