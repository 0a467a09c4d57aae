// SPDX-License-Identifier: Apache-2.0
//
// A thread by its place in the tree of creation, which is the same in every run
// of a program: "T0" is the main thread, "T0.1" its second child, "T0.1.0" the
// first child of that. The order is that of the tree, parents first:
// T0 < T0.0 < T0.0.1 < T0.1.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::schedule {

class ThreadName {
 public:
  static constexpr size_t kMaxDepth = 4096;

  ThreadName() = default;  // T0
  // Child numbers on the way down from T0.
  explicit ThreadName(std::vector<uint32_t> path) : path_(std::move(path)) {}

  // Exactly what text() gives: no leading zeros, at most kMaxDepth numbers.
  static std::optional<ThreadName> parse(std::string_view text);
  std::string text() const;

  const std::vector<uint32_t>& path() const { return path_; }
  bool is_main() const { return path_.empty(); }
  ThreadName child(uint32_t number) const;
  // Only of threads other than T0.
  ThreadName parent() const;

  std::strong_ordering operator<=>(const ThreadName&) const = default;
  bool operator==(const ThreadName&) const = default;

 private:
  std::vector<uint32_t> path_;
};

}  // namespace heddle::schedule
