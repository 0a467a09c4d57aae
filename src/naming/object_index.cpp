// SPDX-License-Identifier: Apache-2.0
#include "naming/object_index.h"

#include <algorithm>
#include <numeric>

namespace heddle::naming {
namespace {

// Calls visit(node) for the nodes that together cover the leaves [first, last).
template <typename Visit>
void cover(size_t leaves, size_t first, size_t last, Visit visit) {
  for (first += leaves, last += leaves; first < last; first /= 2, last /= 2) {
    if (first & 1) visit(first++);
    if (last & 1) visit(--last);
  }
}

}  // namespace

ObjectIndex::ObjectIndex(const std::vector<Range>& ranges) {
  for (const Range& range : ranges) {
    ends_.push_back(range.begin);
    ends_.push_back(range.end);
  }
  std::sort(ends_.begin(), ends_.end());
  ends_.erase(std::unique(ends_.begin(), ends_.end()), ends_.end());
  if (ends_.empty()) return;

  const size_t leaves = ends_.size() - 1;
  const auto leaf_of = [&](uint64_t end) {
    return static_cast<size_t>(std::lower_bound(ends_.begin(), ends_.end(), end) - ends_.begin());
  };
  node_begin_.assign(2 * leaves + 1, 0);
  for (const Range& range : ranges) {
    cover(leaves, leaf_of(range.begin), leaf_of(range.end), [&](size_t node) { ++node_begin_[node + 1]; });
  }
  std::partial_sum(node_begin_.begin(), node_begin_.end(), node_begin_.begin());
  members_.resize(node_begin_.back());
  std::vector<uint32_t> filled = node_begin_;
  for (uint32_t number = 0; number < ranges.size(); ++number) {
    const Range& range = ranges[number];
    cover(leaves, leaf_of(range.begin), leaf_of(range.end), [&](size_t node) { members_[filled[node]++] = number; });
  }
}

template <typename Visit>
void ObjectIndex::climb(uint64_t address, Visit visit) const {
  const auto above = std::upper_bound(ends_.begin(), ends_.end(), address);
  if (above == ends_.begin() || above == ends_.end()) return;
  const size_t leaf = static_cast<size_t>(above - ends_.begin()) - 1;
  for (size_t node = leaf + ends_.size() - 1; node > 0; node /= 2) {
    const auto begin = members_.begin() + node_begin_[node];
    const auto end = members_.begin() + node_begin_[node + 1];
    if (begin != end) visit(begin, end);
  }
}

std::optional<uint32_t> ObjectIndex::last_below(uint64_t address, uint32_t limit) const {
  std::optional<uint32_t> found;
  climb(address, [&](auto begin, auto end) {
    const auto place = std::lower_bound(begin, end, limit);
    if (place != begin && (!found || place[-1] > *found)) found = place[-1];
  });
  return found;
}

std::optional<uint32_t> ObjectIndex::first_from(uint64_t address, uint32_t limit) const {
  std::optional<uint32_t> found;
  climb(address, [&](auto begin, auto end) {
    const auto place = std::lower_bound(begin, end, limit);
    if (place != end && (!found || *place < *found)) found = *place;
  });
  return found;
}

}  // namespace heddle::naming
