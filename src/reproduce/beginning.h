// SPDX-License-Identifier: Apache-2.0
//
// The beginning of a long run, taken as one controlled run did it: only what comes
// after it has to be explained. All runs that follow begin with the same steps, so
// what threads read there is known, and nothing of it is a matter of order any more.
//
//   run     T0.0 ==========|===x         T0.1 ==========|==x
//                          cut                          cut
//
// What of it matters to the rest: what memory holds, and what lasts (locks that are held,
// threads that exist or wait, tokens of semaphores). For sequential consistency.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "reproduce/known_paths.h"
#include "schedule/schedule.h"

namespace heddle::reproduce {

struct Beginning {
  schedule::Schedule schedule;      // leads there
  std::vector<uint32_t> performed;  // by thread, as known: so many of its operations
  std::vector<HeddleRecord>
      lasting;  // operations that, performed in this order, leave what the beginning leaves but for memory
  std::vector<HeddleRecord> asleep;    // of these, waits that nobody has ended
  std::map<uint64_t, uint8_t> memory;  // bytes that were written
  uint64_t operations() const;
};

// The longest part of the run after which each thread still has operations of its recorded way to do, `left` of them in
// all; nothing: there is none, or it is not worth it. `known` has learned from this run alone.
std::optional<Beginning> beginning_of(const trace::Trace& trace, const KnownPaths& known, uint64_t left);

// Operations of the recorded ways that are known, by thread.
std::vector<uint64_t> known_operations(const KnownPaths& known);

}  // namespace heddle::reproduce
