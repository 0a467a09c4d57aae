// SPDX-License-Identifier: Apache-2.0
#include "predict/observed_races.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "causal/operation.h"
#include "predict/observed_order.h"

namespace heddle::predict {

namespace {

using property::RacyReads;

class Search {
 public:
  explicit Search(const trace::Trace& trace)
      : trace_(trace),
        places_(number_places(trace.sites)),
        order_(trace.threads.size(), RacyReads::kOrderNothing),
        proof_(trace.threads.size(), RacyReads::kOrder) {}

  std::vector<ObservedRace> run() {
    for (size_t at = 0; at < trace_.events.size(); ++at) {
      const HeddleRecord& record = trace_.events[at].record;
      if (!trace::is_visible(record)) continue;
      order_.apply(record);
      proof_.apply(record);
      if (record.size > 0 && (causal::reads_memory(record) || causal::writes_memory(record))) look_at(record, at);
    }
    std::vector<ObservedRace> races;
    for (const auto& [where, race] : found_) races.push_back(race);
    return races;
  }
  bool leaves_out() const { return leaves_out_; }

 private:
  static bool is_same_kind(const HeddleRecord& one, const HeddleRecord& other) {
    return one.thread == other.thread && one.site == other.site && one.kind == other.kind &&
           one.address == other.address && one.size == other.size && one.order == other.order &&
           one.flags == other.flags;
  }

  void look_at(const HeddleRecord& record, size_t at) {
    const uint64_t end = record.address + record.size;
    for (uint64_t word = record.address / 8; word * 8 < end; ++word) {
      std::vector<size_t>& earlier = words_[word];  // places in the trace
      size_t same = earlier.size();
      for (size_t i = 0; i < earlier.size(); ++i) {
        const HeddleRecord& other = trace_.events[earlier[i]].record;
        if (other.thread == record.thread) {
          if (is_same_kind(other, record)) same = i;
        } else if (property::conflict(other, record) && !order_.before(other.thread, other.index)) {
          note(other, record, at);
        }
      }
      if (same < earlier.size()) earlier.erase(earlier.begin() + static_cast<ptrdiff_t>(same));
      if (earlier.size() >= kMostOfAWord) {
        earlier.erase(earlier.begin());
        leaves_out_ = true;
      }
      earlier.push_back(at);
    }
  }

  void note(const HeddleRecord& one, const HeddleRecord& other, size_t at) {
    const auto place = [&](const HeddleRecord& record) {
      return record.site < places_.size() ? places_[record.site] : 0;
    };
    const auto known = found_.find(std::minmax(place(one), place(other)));
    if (known != found_.end() && !known->second.follows) return;
    const bool follows = proof_.before(one.thread, one.index);
    if (known != found_.end() && follows) return;
    ObservedRace race;
    race.race.first = {one.thread, one.index};
    race.race.second = {other.thread, other.index};
    race.race.first_site = one.site;
    race.race.second_site = other.site;
    race.race.order.history = at + 1;
    race.follows = follows;
    found_[std::minmax(place(one), place(other))] = std::move(race);
  }

  const trace::Trace& trace_;
  const std::vector<uint32_t> places_;
  ObservedOrder order_, proof_;
  bool leaves_out_ = false;
  std::unordered_map<uint64_t, std::vector<size_t>> words_;
  std::map<std::pair<uint32_t, uint32_t>, ObservedRace> found_;
};

}  // namespace

std::vector<ObservedRace> find_observed_races(const trace::Trace& trace, bool* left_out) {
  Search search(trace);
  std::vector<ObservedRace> found = search.run();
  if (left_out) *left_out = search.leaves_out();
  return found;
}

}  // namespace heddle::predict
