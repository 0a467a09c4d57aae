// SPDX-License-Identifier: Apache-2.0
//
// A set of keys of 128 bits that is filled and emptied again and again: emptying
// takes no time, and memory is kept.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace heddle::property {

class VisitedSet {
 public:
  using Key = std::pair<uint64_t, uint64_t>;  // already well mixed

  // True: it was not there.
  bool insert(const Key& key) {
    if (2 * (count_ + 1) > places_.size()) grow();
    Place& place = place_of(key);
    if (place.round == round_) return false;
    place = {key, round_};
    ++count_;
    return true;
  }

  void clear() {
    ++round_;
    count_ = 0;
  }

 private:
  struct Place {
    Key key;
    uint64_t round = 0;  // of an older round: free
  };

  // Where the key is, or would be.
  Place& place_of(const Key& key) {
    for (size_t at = key.first;; ++at) {
      Place& place = places_[at & (places_.size() - 1)];
      if (place.round != round_ || place.key == key) return place;
    }
  }

  void grow() {
    std::vector<Place> old(places_.empty() ? 64 : 2 * places_.size());
    old.swap(places_);
    for (const Place& place : old)
      if (place.round == round_) place_of(place.key) = place;
  }

  std::vector<Place> places_;  // as many as a power of two; at most half of them are used
  uint64_t round_ = 1;
  size_t count_ = 0;
};

}  // namespace heddle::property
