// SPDX-License-Identifier: Apache-2.0
#include "naming/alignment.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "naming/compare_events.h"

namespace heddle::naming {
namespace {

// The events of one thread that are to be matched, each with its key.
class ThreadWalk {
 public:
  ThreadWalk(const Names& names, std::optional<uint32_t> thread, bool other_records)
      : names_(names), other_records_(other_records) {
    if (thread) events_ = names.order().events_of(*thread);
    settle();
  }

  bool at_end() const { return at_ == events_.size(); }
  uint32_t event() const { return events_[at_]; }
  // Records hang before the visible event of their index.
  std::tuple<uint32_t, bool, uint32_t> key() const { return {record().index, trace::is_visible(record()), ordinal_}; }

  void next() {
    const HeddleRecord& left = record();
    ++at_;
    settle();
    const bool same =
        !at_end() && !trace::is_visible(left) && !trace::is_visible(record()) && record().index == left.index;
    ordinal_ = same ? ordinal_ + 1 : 0;
  }

 private:
  const HeddleRecord& record() const { return names_.trace().events[events_[at_]].record; }
  void settle() {
    while (!at_end() && !other_records_ && !trace::is_visible(record())) ++at_;
  }

  const Names& names_;
  const bool other_records_;
  std::span<const uint32_t> events_;
  size_t at_ = 0;
  uint32_t ordinal_ = 0;
};

class Aligner {
 public:
  Aligner(const Names& first, const Names& second, const AlignOptions& options)
      : first_(first), second_(second), options_(options) {}

  Alignment align() {
    alignment_.counterpart.assign(first_.trace().events.size(), kNoEvent);
    match_threads();
    for (ThreadPair& pair : alignment_.threads) match_events(pair);
    match_objects();
    find_first_difference();
    return std::move(alignment_);
  }

 private:
  // Merges the threads of both runs, each in the order of the tree.
  void match_threads() {
    std::unordered_map<std::string, uint32_t> in_second;
    for (uint32_t i = 0; i < second_.trace().threads.size(); ++i) in_second.emplace(second_.thread_name(i), i);
    for (const uint32_t thread : threads_in_tree_order(first_.trace())) {
      ThreadPair pair;
      pair.name = first_.thread_name(thread);
      pair.first = thread;
      const auto found = in_second.find(pair.name);
      if (found != in_second.end()) pair.second = found->second;
      if (found != in_second.end()) in_second.erase(found);
      alignment_.threads.push_back(std::move(pair));
    }
    // Threads of the second run alone come last.
    for (const uint32_t thread : threads_in_tree_order(second_.trace())) {
      const auto found = in_second.find(second_.thread_name(thread));
      if (found == in_second.end() || found->second != thread) continue;
      ThreadPair pair;
      pair.name = found->first;
      pair.second = thread;
      alignment_.threads.push_back(std::move(pair));
    }
  }

  void match_events(ThreadPair& pair) {
    ThreadWalk a(first_, pair.first, options_.other_records);
    ThreadWalk b(second_, pair.second, options_.other_records);
    while (!a.at_end() || !b.at_end()) {
      if (b.at_end() || (!a.at_end() && a.key() < b.key())) {
        ++pair.only_first;
        note(pair, DifferenceKind::kOnlyFirst, a.event(), kNoEvent);
        a.next();
      } else if (a.at_end() || b.key() < a.key()) {
        ++pair.only_second;
        note(pair, DifferenceKind::kOnlySecond, kNoEvent, b.event());
        b.next();
      } else {
        match(pair, a.event(), b.event());
        a.next();
        b.next();
      }
    }
  }

  void match(ThreadPair& pair, uint32_t a, uint32_t b) {
    alignment_.counterpart[a] = b;
    const auto kind = compare_events(first_, a, second_, b, options_);
    ++(kind ? pair.different : pair.equal);
    if (kind) note(pair, *kind, a, b);
  }

  void note(ThreadPair& pair, DifferenceKind kind, uint32_t a, uint32_t b) {
    if (pair.difference) return;
    const std::string name =
        a != kNoEvent ? first_.event_name(first_.trace().events[a]) : second_.event_name(second_.trace().events[b]);
    pair.difference = Difference{kind, name, a, b};
  }

  void match_objects() {
    const auto all_first = first_.objects().all();
    const auto all_second = second_.objects().all();
    std::unordered_map<std::string, uint32_t> in_second;
    for (uint32_t i = 0; i < all_second.size(); ++i) in_second.emplace(second_.object_name(all_second[i]), i);
    std::vector<bool> matched(all_second.size());
    for (uint32_t i = 0; i < all_first.size(); ++i) {
      const auto found = in_second.find(first_.object_name(all_first[i]));
      if (found == in_second.end()) {
        alignment_.objects_only_first.push_back(i);
      } else {
        matched[found->second] = true;
        alignment_.objects.emplace_back(i, found->second);
      }
    }
    for (uint32_t i = 0; i < all_second.size(); ++i) {
      if (!matched[i]) alignment_.objects_only_second.push_back(i);
    }
  }

  void find_first_difference() {
    // Those that the first run has come before those that only the second has.
    const auto rank = [&](const Difference& difference) {
      const bool in_first = difference.first != kNoEvent;
      return std::pair(!in_first,
                       in_first ? first_.order().time(difference.first) : second_.order().time(difference.second));
    };
    std::optional<Difference>& earliest = alignment_.first_difference;
    for (const ThreadPair& pair : alignment_.threads) {
      if (pair.difference && (!earliest || rank(*pair.difference) < rank(*earliest))) earliest = pair.difference;
    }
  }

  const Names& first_;
  const Names& second_;
  const AlignOptions& options_;
  Alignment alignment_;
};

}  // namespace

const char* difference_text(DifferenceKind kind) {
  switch (kind) {
    case DifferenceKind::kOnlyFirst: return "only in the first run";
    case DifferenceKind::kOnlySecond: return "only in the second run";
    case DifferenceKind::kOperation: return "another operation";
    case DifferenceKind::kPlace: return "another place in the source";
    case DifferenceKind::kObject: return "another object";
    case DifferenceKind::kValue: return "another value";
  }
  return "?";
}

Alignment align(const Names& first, const Names& second, const AlignOptions& options) {
  return Aligner(first, second, options).align();
}

}  // namespace heddle::naming
