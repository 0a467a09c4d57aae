// SPDX-License-Identifier: Apache-2.0
//
// Random numbers that are the same on every machine and with every library
// (the distributions of <random> are not). SplitMix64.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace heddle::oracle {

class RandomNumbers {
 public:
  explicit RandomNumbers(uint64_t seed) : state_(seed) {}

  uint64_t next() {
    uint64_t mixed = state_ += 0x9e3779b97f4a7c15;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    return mixed ^ (mixed >> 31);
  }

  // From 0 up to and without `count`, which is positive.
  int below(int count) { return static_cast<int>(next() % static_cast<uint64_t>(count)); }
  int between(int lowest, int highest) { return lowest + below(highest - lowest + 1); }
  bool chance(int percent) { return below(100) < percent; }

  template <typename T>
  T one_of(std::initializer_list<T> values) {
    return values.begin()[below(static_cast<int>(values.size()))];
  }

  // The place of one of the weights, each as likely as it is large.
  int weighted(std::initializer_list<int> weights) {
    int sum = 0;
    for (const int weight : weights) sum += weight;
    int left = below(sum), place = 0;
    for (const int weight : weights) {
      if (left < weight) return place;
      left -= weight;
      ++place;
    }
    return place;
  }

 private:
  uint64_t state_;
};

}  // namespace heddle::oracle
