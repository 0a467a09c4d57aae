// SPDX-License-Identifier: Apache-2.0
//
// Ends of a run. Each of these records what happened, tells the host, and gives
// control back to the server; none returns but record_misuse.
//
// If the request says so (HEDDLE_REQUEST_GO_ON), a failure is not the end: the
// thread stays where it is, with its locks, and the others go on until nothing
// can happen any more. Then the run ends as the first failure did. An exit is
// performed only when no other thread can go on, or when a step names it. At the
// end of such a run WAITING records say what each thread would do next.
#pragma once

#include "state.h"

namespace heddle::rt {

// The run is over; `text` may be null.
[[noreturn]] void finish_run(HeddleOutcome outcome, uint64_t detail, const char* text);

// The running thread did something wrong. `address` and `detail` as in HeddleFailure.
[[noreturn]] void fail(HeddleFailure failure, uint64_t address, uint64_t detail, const char* text, uint8_t flags = 0);

// The same for a fault: the process cannot be trusted any more and ends with the
// run. Called in the signal handler, which is never returned from. `code`: where it happened.
[[noreturn]] void crash(HeddleFailure failure, uint64_t address, uint64_t detail, const char* text, uint64_t code);

// The program uses something that Heddle does not model.
[[noreturn]] void unsupported(const char* what);

// The program brings something along that it must not: what the user can mend.
[[noreturn]] void bad_input(const char* what);

// Records the announced operation, and the misuse that it is ("unlock of a mutex that is not held"); the thread goes
// on. `flags` beside HEDDLE_FLAG_MISUSE.
void record_misuse(Thread& self, uint64_t value, uint64_t value2, uint8_t flags, const char* what);

}  // namespace heddle::rt
