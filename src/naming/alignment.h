// SPDX-License-Identifier: Apache-2.0
//
// Two runs of a program side by side: threads matched by name, events by thread
// and index, objects by name, and where the runs first differ in each thread
// (TraceSanitizer, IV-C.8). The order between threads is not compared.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "naming/names.h"

namespace heddle::naming {

enum class DifferenceKind : uint8_t {
  kOnlyFirst,   // the event has no counterpart in the second run
  kOnlySecond,  // nor in the first
  kOperation,   // kind, size, order or flags
  kPlace,       // another place in the source
  kObject,      // another object, or elsewhere in it
  kValue,       // another value, or another thread where the value is one
};

// "only in the first run", "another object", ...
const char* difference_text(DifferenceKind kind);

struct Difference {
  DifferenceKind kind = DifferenceKind::kOnlyFirst;
  std::string event;  // its name in both runs
  // Places in Trace::events; kNoEvent where there is none.
  uint32_t first = kNoEvent;
  uint32_t second = kNoEvent;
};

struct ThreadPair {
  std::string name;
  std::optional<uint32_t> first;  // number in each run
  std::optional<uint32_t> second;
  uint64_t equal = 0;  // matched events without difference
  uint64_t different = 0;
  uint64_t only_first = 0;
  uint64_t only_second = 0;
  std::optional<Difference> difference;  // the first in this thread
};

struct Alignment {
  std::vector<ThreadPair> threads;    // in the order of the tree; those of the second run alone last
  std::vector<uint32_t> counterpart;  // by event of the first run: that of the second, or kNoEvent
  // Numbers in Objects::all() of each run, ascending in the first.
  std::vector<std::pair<uint32_t, uint32_t>> objects;
  std::vector<uint32_t> objects_only_first;
  std::vector<uint32_t> objects_only_second;

  // Of the threads' first differences the one that comes earliest in the first
  // run; those in events that only the second run has come after all others.
  // Nothing if the runs are the same.
  std::optional<Difference> first_difference;
};

struct AlignOptions {
  bool compare_values = true;
  bool abstract_values = true;  // pointers are equal when they point to the same place of the same object
  bool compare_places = true;   // places in the source
  bool other_records = false;   // match also what has no number, by its order between visible events
};

Alignment align(const Names& first, const Names& second, const AlignOptions& options = {});

}  // namespace heddle::naming
