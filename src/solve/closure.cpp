// SPDX-License-Identifier: Apache-2.0
#include "solve/closure.h"

namespace heddle::solve {
namespace {

void merge(Word* into, const Word* from, uint32_t words) {
  if (words == 1) {  // most problems are small
    *into |= *from;
    return;
  }
  for (uint32_t i = 0; i < words; ++i) into[i] |= from[i];
}

}  // namespace

bool Closure::reset(uint32_t events, std::span<const Edge> edges) {
  events_ = events;
  words_ = (events + kWordBits - 1) / kWordBits;
  edges_.assign(edges.begin(), edges.end());
  after_.assign(size_t{events} * words_, 0);
  before_.assign(size_t{events} * words_, 0);
  first_edge_.assign(events + 1, 0);
  waiting_for_.assign(events, 0);
  targets_.resize(edges.size());
  for (const Edge& edge : edges) {
    ++first_edge_[edge.before];
    ++waiting_for_[edge.after];
  }
  uint32_t end = 0;
  for (uint32_t& first : first_edge_) first = end += first;
  for (const Edge& edge : edges) targets_[--first_edge_[edge.before]] = edge.after;

  done_.clear();
  for (Event event = 0; event < events; ++event) {
    set_bit(&after_[size_t{event} * words_], event);
    set_bit(&before_[size_t{event} * words_], event);
    if (waiting_for_[event] == 0) done_.push_back(event);
  }
  for (size_t next = 0; next < done_.size(); ++next) {
    const Event event = done_[next];
    for (uint32_t i = first_edge_[event]; i < first_edge_[event + 1]; ++i) {
      merge(&before_[size_t{targets_[i]} * words_], before_row(event), words_);
      if (--waiting_for_[targets_[i]] == 0) done_.push_back(targets_[i]);
    }
  }
  if (done_.size() != events) return false;
  for (size_t next = done_.size(); next-- > 0;) {
    const Event event = done_[next];
    for (uint32_t i = first_edge_[event]; i < first_edge_[event + 1]; ++i) {
      merge(&after_[size_t{event} * words_], after_row(targets_[i]), words_);
    }
  }
  return true;
}

bool Closure::add(Event before, Event after) {
  if (has_bit(after_row(before), after)) return before != after;
  if (has_bit(after_row(after), before)) return false;
  edges_.push_back({before, after});
  if (words_ == 1) {
    const Word earlier = before_[before], later = after_[after];
    for_each_bit_of(earlier, 0, [&](Event event) { after_[event] |= later; });
    for_each_bit_of(later, 0, [&](Event event) { before_[event] |= earlier; });
    return true;
  }
  // Rows of events that are in neither loop's set do not change, and the rows
  // that are merged are those of `after` and `before`, which do not change either.
  for_each_bit(before_row(before), words_, [&](Event event) {
    Word* row = &after_[size_t{event} * words_];
    if (!has_bit(row, after)) merge(row, after_row(after), words_);
  });
  for_each_bit(after_row(after), words_, [&](Event event) {
    Word* row = &before_[size_t{event} * words_];
    if (!has_bit(row, before)) merge(row, before_row(before), words_);
  });
  return true;
}

}  // namespace heddle::solve
