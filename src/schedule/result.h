// SPDX-License-Identifier: Apache-2.0
//
// What a run came to, in a form so short that two runs of one schedule can be
// compared by it: "exit 0", "deadlock", "assertion: counter == 2". A schedule may
// carry it; then following the schedule means to come to the same.
#pragma once

#include <string>
#include <vector>

#include "trace/trace.h"

namespace heddle::schedule {

// One word: "exit", "assertion", "null-dereference", "deadlock", ...
std::string outcome_kind(const trace::Ending& ending);

// The same of a whole run: one that went on after a misuse and exited has come to that misuse.
std::string outcome_kind(const trace::Trace& trace);
std::string result_of(const trace::Trace& trace);

// The places in `events` of misuses that the run went on after, and what they were.
std::vector<size_t> misuses_of(const trace::Trace& trace);
std::string misuse_text(const trace::Trace& trace, size_t misuse);

// Empty if the run did not come to anything of its own: it diverged, was killed
// or interrupted, reached a bound, or used something not supported.
std::string result_of(const trace::Ending& ending);

}  // namespace heddle::schedule
