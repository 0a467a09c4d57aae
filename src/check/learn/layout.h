// SPDX-License-Identifier: Apache-2.0
//
// Where in a state of the product each thing stands. A state is a row of 32-bit
// words; word k is *slot* k. What is discovered gets the next slot, and 0 means
// for every slot "as in the beginning", so that rows of different lengths can be
// compared: what lies beyond the end is 0.
//
//   thread       the point where it is (automata.h); 0: not created
//   buffer       the number of its store buffer (store_buffers.h)
//   word         of memory: the number of (what it holds) xor (what it held first)
//   object       of synchronisation: the number of its state (machine.h)
//   block        what a region of the heap holds (heap_blocks.h)
//   released     the number of the list of released blocks of one size
//   observation  1 + the number of what was observed last under a name
//   order        what somebody knows to have happened before (orders.h)
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace heddle::check::learn {

using Row = std::vector<uint32_t>;

enum class Space : uint8_t { kThread, kBuffer, kWord, kObject, kSerial, kBlock, kReleased, kObservation, kOrder };

class Layout {
 public:
  static constexpr uint32_t kEnded = 0;   // 1: the program has ended
  static constexpr uint32_t kAtomic = 1;  // 1 + the thread in an atomic section

  uint32_t slot(Space space, uint64_t key) {
    const auto [place, is_new] = slots_[static_cast<size_t>(space)].try_emplace(key, size_);
    if (is_new) {
      ++size_;
      initial_.push_back({});
    }
    return place->second;
  }
  std::optional<uint32_t> find(Space space, uint64_t key) const {
    const auto found = slots_[static_cast<size_t>(space)].find(key);
    if (found == slots_[static_cast<size_t>(space)].end()) return std::nullopt;
    return found->second;
  }
  uint32_t size() const { return size_; }

  // Slots that make no difference: words of a thread's own locals that nobody
  // else touches. What they hold follows from where the thread is, or is dead.
  const std::vector<uint8_t>& ignored() const { return ignored_; }
  uint64_t ignored_version() const { return ignored_version_; }  // grows when they change
  void ignore(uint32_t slot, bool is_ignored) {
    if (ignored_.size() <= slot) ignored_.resize(slot + 1, 0);
    ignored_version_ += ignored_[slot] != is_ignored;
    ignored_[slot] = is_ignored;
  }
  bool is_ignored(uint32_t slot) const { return slot < ignored_.size() && ignored_[slot]; }

  // What the word of this slot held before anybody wrote to it; bytes that are
  // not known are 0.
  uint64_t initial(uint32_t slot) const { return initial_[slot].value; }
  bool knows_initial(uint32_t slot, uint32_t byte) const { return initial_[slot].known >> byte & 1; }
  void set_initial(uint32_t slot, uint32_t byte, uint8_t value) {
    initial_[slot].known |= static_cast<uint8_t>(1u << byte);
    initial_[slot].value |= uint64_t{value} << (8 * byte);
  }

 private:
  struct Initial {
    uint64_t value = 0;
    uint8_t known = 0;
  };
  std::array<std::unordered_map<uint64_t, uint32_t>, 9> slots_;
  std::vector<Initial> initial_ = std::vector<Initial>(2);
  std::vector<uint8_t> ignored_;
  uint64_t ignored_version_ = 0;
  uint32_t size_ = 2;
};

}  // namespace heddle::check::learn
