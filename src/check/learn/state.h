// SPDX-License-Identifier: Apache-2.0
//
// A state of the product: a row of words (layout.h), and how it came to be what it
// is. Every change is kept, so that a search can go back to an earlier state without
// having a copy of it, and can tell what a step changed without looking at all words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "check/learn/layout.h"

namespace heddle::check::learn {

class State {
 public:
  struct Change {
    uint32_t slot, before, after;
  };
  using Mark = size_t;  // a moment: how many changes there were

  State() = default;
  explicit State(size_t size) : words_(size, 0) {}

  size_t size() const { return words_.size(); }
  const Row& words() const { return words_; }
  uint32_t operator[](size_t slot) const { return words_[slot]; }

  void set(size_t slot, uint32_t word) {
    const uint32_t before = words_[slot];
    if (before == word) return;
    words_[slot] = word;
    changes_.push_back({static_cast<uint32_t>(slot), before, word});
  }
  // More slots have been discovered.
  void grow(size_t size) {
    if (words_.size() < size) words_.resize(size, 0);
  }

  Mark now() const { return changes_.size(); }
  std::span<const Change> since(Mark mark) const { return std::span(changes_).subspan(mark); }
  void go_back(Mark mark) {
    while (changes_.size() > mark) {
      words_[changes_.back().slot] = changes_.back().before;
      changes_.pop_back();
    }
  }

 private:
  Row words_;
  std::vector<Change> changes_;
};

}  // namespace heddle::check::learn
