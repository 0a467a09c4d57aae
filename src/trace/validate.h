// SPDX-License-Identifier: Apache-2.0
//
// Does a trace make sense? The reader guarantees that a file is intact; this
// asks whether a program could have done what it says: indices count up, threads
// are created before they start, a lock is given back by the one who holds it, a
// load sees what was last stored.
//
// The rules, by name:
//   tables    threads form a tree; kinds, orders, threads and sites exist
//   index     visible events of a thread are numbered 0, 1, 2, ...; other records
//             carry the number of the next one
//   order     sequence numbers rise (controlled) or are unique and rise within
//             their thread (free)
//   threads   created once, by its parent, before its start; nothing before the
//             start or after the end; joined after the end
//   locks     one holder; given back by it, or by a misuse; a condition wait holds its mutex;
//             readers wait behind writers that are lined up
//   memory    sizes are legal; under "sc", a controlled load sees the last store
//             to every byte whose last writer is in the trace
//   ending    a failure has its FAIL event
//
// Cross-thread rules on a free trace look at the events that have a sequence
// number, in that order. Each rule is one file, validate_RULE.cpp.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "trace/trace.h"

namespace heddle::trace {

struct Problem {
  std::string rule;
  std::optional<size_t> event;  // place in Trace::events; none: the trace as a whole
  std::string text;
};

// The trace as a whole first, then in the order of events, at most `limit`; empty for a trace that makes sense.
std::vector<Problem> validate(const Trace& trace, size_t limit = 100);

// "T0.1 12 mutex_unlock ...: locks: held by T0", one line each.
std::string problems_text(const Trace& trace, const std::vector<Problem>& problems);

}  // namespace heddle::trace
