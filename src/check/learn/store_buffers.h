// SPDX-License-Identifier: Apache-2.0
//
// Contents of store buffers, each with a number; the empty one has 0.
//
// A content is the row of stores that wait, oldest first. A store is the point
// where it was issued, which says address and value; the lowest bit says that a
// marker stands before it (PSO: it reaches memory after all older ones). A
// marker at the end stands alone: kMarker.
//
// What a content becomes is worked out once and then looked up.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "check/learn/automata.h"
#include "check/learn/memo.h"

namespace heddle::check::learn {

class StoreBuffers {
 public:
  using Content = std::vector<uint32_t>;
  static constexpr uint32_t kMarker = 1;

  static PointId point(uint32_t entry) { return entry >> 1; }
  static bool is_marked(uint32_t entry) { return entry & 1; }

  StoreBuffers() { numbers_.emplace(Content(), 0), contents_.push_back(&numbers_.begin()->first); }

  const Content& content(uint32_t number) const { return *contents_[number]; }
  uint32_t number(const Content& content) {
    const auto [place, is_new] = numbers_.try_emplace(content, static_cast<uint32_t>(contents_.size()));
    if (is_new) contents_.push_back(&place->first);
    return place->second;
  }

  uint32_t with_store(uint32_t number, PointId store, bool marked) {
    uint32_t& known = additions_.at(number, store << 1 | marked);
    if (known != Memo::kUnknown) return known;
    Content content = this->content(number);
    if (!content.empty() && content.back() == kMarker) {
      content.pop_back();
      marked = true;
    }
    content.push_back(store << 1 | (marked && !content.empty()));
    return known = this->number(content);
  }
  uint32_t with_marker(uint32_t number) {
    Content content = this->content(number);
    if (content.empty() || content.back() == kMarker) return number;
    content.push_back(kMarker);
    return this->number(content);
  }
  // A marker that nothing stands before means nothing.
  uint32_t without(uint32_t number, uint32_t place) {
    uint32_t& known = removals_.at(number, place);
    if (known != Memo::kUnknown) return known;
    Content content = this->content(number);
    content.erase(content.begin() + place);
    if (!content.empty() && content[0] == kMarker) content.clear();
    if (!content.empty()) content[0] &= ~1u;
    return known = this->number(content);
  }

 private:
  std::map<Content, uint32_t> numbers_;
  std::vector<const Content*> contents_;
  Memo additions_, removals_;
};

}  // namespace heddle::check::learn
