// SPDX-License-Identifier: Apache-2.0
//
// 64-bit values as small numbers, so that a state of the product is a short row
// of 32-bit words. The value 0 has the number 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::check::learn {

class Numbers {
 public:
  Numbers() : values_{0}, table_(1024, 0) {}

  uint64_t value(uint32_t number) const { return values_[number]; }

  uint32_t number(uint64_t value) {
    if (value == 0) return 0;
    size_t place = hash(value) & (table_.size() - 1);
    while (table_[place]) {
      if (values_[table_[place]] == value) return table_[place];
      place = (place + 1) & (table_.size() - 1);
    }
    if (values_.size() * 2 > table_.size()) {
      grow();
      return number(value);
    }
    table_[place] = static_cast<uint32_t>(values_.size());
    values_.push_back(value);
    return table_[place];
  }

 private:
  static size_t hash(uint64_t value) {
    value *= 0x9e3779b97f4a7c15;
    return value ^ (value >> 32);
  }
  void grow() {
    table_.assign(table_.size() * 2, 0);
    for (uint32_t number = 1; number < values_.size(); ++number) {
      size_t place = hash(values_[number]) & (table_.size() - 1);
      while (table_[place]) place = (place + 1) & (table_.size() - 1);
      table_[place] = number;
    }
  }

  std::vector<uint64_t> values_;
  std::vector<uint32_t> table_;  // open addressing; 0: free
};

}  // namespace heddle::check::learn
