// SPDX-License-Identifier: Apache-2.0
//
// What is in a trace, counted: for `heddle trace stats`, and for tests that hold
// the format to its size.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "trace/trace.h"

namespace heddle::trace {

struct ThreadStats {
  std::string name;
  uint64_t events = 0;
  uint64_t visible = 0;
  uint64_t reads = 0;  // of memory; a read-modify-write is both
  uint64_t writes = 0;
  uint64_t synchronisation = 0;
};

struct Stats {
  uint64_t events = 0;
  uint64_t visible = 0;
  uint64_t accesses = 0;  // loads, stores, read-modify-writes
  uint64_t synchronisation = 0;
  uint64_t addresses = 0;        // different ones that were accessed
  uint64_t sites = 0;            // different ones that occur
  uint64_t thread_switches = 0;  // controlled: neighbours in the order by different threads
  uint64_t encoded_bytes = 0;    // of the events in a file, before packing
  std::map<uint8_t, uint64_t> by_kind;
  std::vector<ThreadStats> by_thread;  // by number

  // Of encoded_bytes; 0 without accesses.
  double bytes_per_access() const;
};

Stats collect_stats(const Trace& trace);

// A page of text: facts about the run, then counts.
std::string stats_text(const Trace& trace, const Stats& stats);

}  // namespace heddle::trace
