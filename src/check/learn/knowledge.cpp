// SPDX-License-Identifier: Apache-2.0
#include "check/learn/knowledge.h"

#include <algorithm>

namespace heddle::check::learn {

void Knowledge::clear(uint32_t size) {
  words_ = (size + 63) / 64;
  set_numbers_.clear();
  sets_.clear();
  row_numbers_.clear();
  rows_.clear();
  joins_ = additions_ = removals_ = row_removals_ = Memo();
  number_of(Set(words_, 0));
  row_number({});
}

uint32_t Knowledge::number_of(const Set& set) {
  const auto [place, is_new] = set_numbers_.try_emplace(set, static_cast<uint32_t>(sets_.size()));
  if (is_new) sets_.push_back(&place->first);
  return place->second;
}

uint32_t Knowledge::joined(uint32_t one, uint32_t other) {
  if (one == other || other == 0) return one;
  if (one == 0) return other;
  uint32_t& known = joins_.at(std::min(one, other), std::max(one, other));
  if (known != Memo::kUnknown) return known;
  Set all = *sets_[one];
  for (size_t i = 0; i < words_; ++i) all[i] |= (*sets_[other])[i];
  return known = number_of(all);
}

uint32_t Knowledge::with(uint32_t set, uint32_t member) {
  uint32_t& known = additions_.at(set, member + 1);
  if (known != Memo::kUnknown) return known;
  Set more = *sets_[set];
  more[member / 64] |= uint64_t{1} << (member % 64);
  return known = number_of(more);
}

uint32_t Knowledge::without(uint32_t set, uint32_t member) {
  if (set == 0 || !has(set, member)) return set;
  uint32_t& known = removals_.at(set, member);
  if (known != Memo::kUnknown) return known;
  Set less = *sets_[set];
  less[member / 64] &= ~(uint64_t{1} << (member % 64));
  return known = number_of(less);
}

std::vector<uint32_t> Knowledge::members_added(uint32_t set, uint32_t more) const {
  std::vector<uint32_t> added;
  for (uint32_t i = 0; i < words_; ++i)
    for (uint64_t left = (*sets_[more])[i] & ~(*sets_[set])[i]; left; left &= left - 1)
      added.push_back(64 * i + static_cast<uint32_t>(__builtin_ctzll(left)));
  return added;
}

uint32_t Knowledge::row_number(Row row) {
  while (!row.empty() && row.back() == 0) row.pop_back();
  const auto [place, is_new] = row_numbers_.try_emplace(std::move(row), static_cast<uint32_t>(rows_.size()));
  if (is_new) rows_.push_back(&place->first);
  return place->second;
}

uint32_t Knowledge::row_without(uint32_t number, uint32_t member) {
  if (number == 0) return 0;
  uint32_t& known = row_removals_.at(number, member);
  if (known != Memo::kUnknown) return known;
  Row less = row(number);
  for (uint32_t& set : less) set = without(set, member);
  return known = row_number(std::move(less));
}

}  // namespace heddle::check::learn
