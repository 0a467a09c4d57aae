// SPDX-License-Identifier: Apache-2.0
//
// Gaps (abi/gap.h) as values, and the sets in which analyses collect them.
//
//   gaps.raise(HEDDLE_GAP_CHOICE_VALUES);
//   gaps.raise(HEDDLE_GAP_NOT_MODELLED, "signals between threads");
//
// Two switches are for tests of the tests (scripts/mutate_gaps): each call of
// raise() is a place, known by its file and line.
//
//   HEDDLE_TEST_GAP_LOG=FILE         places that raise a gap are appended to the file
//   HEDDLE_TEST_MUTED_GAP=FILE:LINE  what that place raises is forgotten
//
// Places in the runtime are called runtime:NUMBER, after the number of their gap.
#pragma once

#include <compare>
#include <cstddef>
#include <set>
#include <source_location>
#include <string>

#include "abi/gap.h"

namespace heddle::gaps {

struct Gap {
  HeddleGap kind;
  std::string detail;  // which operation, function, number, ...; report::gap_text() puts it into the sentence

  const char* code() const { return heddle_gap_code(kind); }
  auto operator<=>(const Gap&) const = default;
};

// A set of gaps. Not synchronised.
class Gaps {
 public:
  void raise(HeddleGap kind, std::string detail = {}, std::source_location place = std::source_location::current());
  // One that the target raised while it ran.
  void raise_of_target(HeddleGap kind, std::string detail);
  // Takes all of the other set over.
  void merge(const Gaps& other) { gaps_.insert(other.gaps_.begin(), other.gaps_.end()); }
  // Adds one that was raised before, e.g. read from a file.
  void add(Gap gap) { gaps_.insert(std::move(gap)); }

  bool empty() const { return gaps_.empty(); }
  size_t size() const { return gaps_.size(); }
  bool has(HeddleGap kind) const;
  auto begin() const { return gaps_.begin(); }
  auto end() const { return gaps_.end(); }

 private:
  void raise_at(HeddleGap kind, std::string detail, const std::string& place);

  std::set<Gap> gaps_;
};

}  // namespace heddle::gaps
