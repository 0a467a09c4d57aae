// SPDX-License-Identifier: Apache-2.0
//
// The lowest number that several ascending lists have in common, and that suits
// who asks. Lists of very different lengths are common, so the shortest one says
// what to look for, and the others are searched in steps that double:
//
//   looking for 90 in 3 5 8 9 11 ... 88 90 95: at 5, 9, 14, ..., 95; then between the last two
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace heddle::check {

// Drops the numbers below `number` from the front of the list.
inline void skip_below(std::span<const uint32_t>& list, uint32_t number) {
  size_t step = 1;
  while (step < list.size() && list[step] < number) {
    list = list.subspan(step);
    step *= 2;
  }
  const auto end = list.begin() + static_cast<ptrdiff_t>(std::min(step + 1, list.size()));
  list = list.subspan(static_cast<size_t>(std::lower_bound(list.begin(), end, number) - list.begin()));
}

template <typename Suits>
std::optional<uint32_t> find_common(std::vector<std::span<const uint32_t>> lists, const Suits& suits) {
  std::sort(lists.begin(), lists.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
  while (!lists.front().empty()) {
    const uint32_t number = lists.front().front();
    uint32_t most = number;
    for (size_t i = 1; i < lists.size() && most == number; ++i) {
      skip_below(lists[i], number);
      if (lists[i].empty()) return std::nullopt;
      most = lists[i].front();
    }
    if (most == number) {
      if (suits(number)) return number;
      lists.front() = lists.front().subspan(1);
    } else {
      skip_below(lists.front(), most);
    }
  }
  return std::nullopt;
}

}  // namespace heddle::check
