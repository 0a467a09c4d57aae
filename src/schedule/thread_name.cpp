// SPDX-License-Identifier: Apache-2.0
#include "schedule/thread_name.h"

#include <charconv>

#include "base/check.h"

namespace heddle::schedule {

std::optional<ThreadName> ThreadName::parse(std::string_view text) {
  if (!text.starts_with("T0")) return std::nullopt;
  std::vector<uint32_t> path;
  const char* next = text.data() + 2;
  const char* const end = text.data() + text.size();
  while (next != end) {
    if (*next++ != '.' || next == end || path.size() == kMaxDepth) return std::nullopt;
    const bool leading_zero = *next == '0' && next + 1 != end && next[1] != '.';
    uint32_t number = 0;
    const auto [after, error] = std::from_chars(next, end, number);
    if (leading_zero || error != std::errc()) return std::nullopt;
    path.push_back(number);
    next = after;
  }
  return ThreadName(std::move(path));
}

std::string ThreadName::text() const {
  std::string text = "T0";
  for (const uint32_t number : path_) text += '.' + std::to_string(number);
  return text;
}

ThreadName ThreadName::child(uint32_t number) const {
  std::vector<uint32_t> path = path_;
  path.push_back(number);
  return ThreadName(std::move(path));
}

ThreadName ThreadName::parent() const {
  HEDDLE_CHECK(!path_.empty(), "T0 has no parent");
  return ThreadName({path_.begin(), path_.end() - 1});
}

}  // namespace heddle::schedule
