// SPDX-License-Identifier: Apache-2.0
//
// What two numbers, not both 0, come to: worked out once, then looked up.
#pragma once

#include <cstdint>
#include <vector>

#include "check/learn/numbers.h"

namespace heddle::check::learn {

class Memo {
 public:
  static constexpr uint32_t kUnknown = UINT32_MAX;

  uint32_t& at(uint32_t one, uint32_t other) {
    const uint32_t place = keys_.number(uint64_t{one} << 32 | other);
    if (place >= results_.size()) results_.resize(place + 1, kUnknown);
    return results_[place];
  }

 private:
  Numbers keys_;
  std::vector<uint32_t> results_;
};

}  // namespace heddle::check::learn
