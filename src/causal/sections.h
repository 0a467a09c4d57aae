// SPDX-License-Identifier: Apache-2.0
//
// Sections of an execution in which a thread holds something that others must
// wait for: a mutex or spin lock, a reader-writer lock (shared or not), the
// running of a one-time initialisation. Waiting on a condition ends the section
// of its mutex and begins another.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "causal/execution.h"

namespace heddle::causal {

inline constexpr uint32_t kNotReleased = ~0u;

struct HeldSection {
  uint64_t lock = 0;  // its address
  ThreadId thread = 0;
  uint32_t acquire = 0;  // index of the operation
  uint32_t release = kNotReleased;
  bool is_shared = false;
};

// Does the operation begin or end a section, and of which lock?
struct SectionStep {
  enum class Kind : uint8_t { kNone, kAcquire, kAcquireShared, kRelease } kind = Kind::kNone;
  uint64_t lock = 0;
};
SectionStep section_step(const HeddleRecord& operation);

// Sections of one thread's operations, in the order of their beginnings.
std::vector<HeldSection> sections_of(ThreadId thread, std::span<const HeddleRecord> operations);

}  // namespace heddle::causal
