// SPDX-License-Identifier: Apache-2.0
//
// Which cuts have been asked about. Every cut is asked about once, by the first
// piece of work (in the order in which work counts) that comes to it.
//
// Workers are ahead of that order, so they can only claim a cut: whoever comes
// earlier in the order has the better claim, and who has none leaves the
// question alone. A claim may turn out wrong, since the work behind it may be
// done again in another way. What counts is settled in order; then a question
// that was left alone for a wrong claim is asked after all. So claims save time
// and decide nothing.
//
// A cut is known by 128 bits made from its key: two that differ have different
// ones but for chance.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/shared_table.h"

namespace heddle::check {

struct CutKey {
  uint64_t low = 0, high = 0;
  bool operator==(const CutKey&) const = default;
};

struct CutKeyHash {
  size_t operator()(const CutKey& key) const { return key.low; }
};

CutKey cut_key(std::span<const uint32_t> words);

// Any number of threads may use it at once.
class AskedCuts {
 public:
  enum class Claim : uint8_t {
    kWon,      // for now
    kLost,     // an earlier piece of work, or the same one, has claimed it
    kSettled,  // it has been asked about
  };
  // `work` counts up in the order in which work counts.
  Claim claim(const CutKey& cut, uint64_t work);
  // By the work that counts next. True: the cut is new.
  bool settle(const CutKey& cut);

  // For checkpoints: all that are settled, in no particular order.
  std::vector<CutKey> settled();

 private:
  using Table = base::SharedTable<CutKey, CutKeyHash>;
  static constexpr uint64_t kSettled = 0;  // better than any claim
  static_assert(Table::kNone == ~uint64_t{0}, "no claim is worse than that");

  Table claims_;  // 1 + the work
};

}  // namespace heddle::check
