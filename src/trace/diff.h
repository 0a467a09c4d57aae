// SPDX-License-Identifier: Apache-2.0
//
// How two traces differ. Threads are matched by their canonical names and their
// events by position, so two runs with different thread numbers, site numbers
// or, given namers, addresses can still be equal. Of each thread only the first
// difference is told: what follows it is its consequence more often than not.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "trace/text.h"
#include "trace/trace.h"

namespace heddle::trace {

struct DiffOptions {
  bool ignore_sequence = false;  // compare what threads did, not how they were interleaved
  bool only_visible = false;     // leave out records that hang between events
  AddressNamer first_namer;      // both or none: compare names instead of addresses
  AddressNamer second_namer;
};

struct ThreadDifference {
  std::string thread;
  size_t position = 0;         // of the difference, in the thread's events
  std::string field;           // "kind", "value", ...; "end": one has no more events; "thread": has no such thread
  std::optional<Event> first;  // absent where that trace has no event
  std::optional<Event> second;
};

struct Difference {
  std::vector<std::string> facts;         // of header and ending, as sentences
  std::vector<ThreadDifference> threads;  // at most one per thread; the earliest in the first trace comes first
  bool equal() const { return facts.empty() && threads.empty(); }
};

Difference compare(const Trace& first, const Trace& second, const DiffOptions& options = {});

// What differs, the first difference first, with both events in full; empty when equal.
std::string difference_text(const Trace& first, const Trace& second, const Difference& difference,
                            const DiffOptions& options = {});

}  // namespace heddle::trace
