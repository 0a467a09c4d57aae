// SPDX-License-Identifier: Apache-2.0
//
// A memory object of one run: where it was, how long, and who made it.
#pragma once

#include <cstdint>

#include "abi/event.h"

namespace heddle::naming {

inline constexpr uint32_t kNoEvent = 0xffffffffu;
// Addresses below are a null pointer plus an offset.
inline constexpr uint64_t kFirstPage = 4096;

enum class ObjectKind : uint8_t {
  kGlobal,   // index: its number in Trace::globals
  kHeap,     // index: number of the allocation in its thread, failed ones counted
  kStack,    // index: number of the stack object in its thread
  kUnknown,  // eight bytes that nobody was seen to allocate; index: see objects.h
};

struct Object {
  ObjectKind kind = ObjectKind::kUnknown;
  uint32_t thread = HEDDLE_NO_THREAD;  // whose object it is; globals are nobody's
  uint32_t index = 0;
  uint64_t address = 0;
  uint64_t size = 0;
  // Places in Trace::events. The object is valid from the event that made it to
  // the one that ended it, both included: a free, the end of its scope or of its
  // thread, or another object of its kind in its place.
  uint32_t born = kNoEvent;  // kNoEvent: before the run
  uint32_t died = kNoEvent;  // kNoEvent: never
};

}  // namespace heddle::naming
