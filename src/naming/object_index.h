// SPDX-License-Identifier: Apache-2.0
//
// Which of many memory ranges, some at the same addresses one after the other,
// covers an address at some time? A segment tree over the ends of all ranges:
// a range stands in O(log n) nodes, and the nodes on the way from a leaf to the
// root hold exactly the ranges that cover that leaf, each node in order of age.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace heddle::naming {

struct Range {
  uint64_t begin = 0;
  uint64_t end = 0;  // not included; greater than begin
};

class ObjectIndex {
 public:
  ObjectIndex() = default;
  // Ranges are known by their number here; number them in order of birth.
  explicit ObjectIndex(const std::vector<Range>& ranges);

  // The highest number below `limit` whose range covers `address`.
  std::optional<uint32_t> last_below(uint64_t address, uint32_t limit) const;
  // The lowest number from `limit` on whose range covers `address`.
  std::optional<uint32_t> first_from(uint64_t address, uint32_t limit) const;

 private:
  // Nodes on the way from the leaf of `address` to the root; calls visit(begin, end) of each list.
  template <typename Visit>
  void climb(uint64_t address, Visit visit) const;

  std::vector<uint64_t> ends_;        // all begins and ends, ascending, each once
  std::vector<uint32_t> node_begin_;  // of each node's list in members_, and one past the last
  std::vector<uint32_t> members_;
};

}  // namespace heddle::naming
