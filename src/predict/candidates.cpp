// SPDX-License-Identifier: Apache-2.0
#include "predict/candidates.h"

#include <algorithm>
#include <tuple>

#include "causal/operation.h"
#include "property/happens_before.h"
#include "semantics/meaning.h"

namespace heddle::predict {

namespace {

bool is_access(const HeddleRecord& record) {
  return trace::is_visible(record) && record.size > 0 &&
         (causal::reads_memory(record) || causal::writes_memory(record));
}

bool is_atomic(const HeddleRecord& record) {
  return record.order != HEDDLE_ORDER_NOT_ATOMIC || record.kind == HEDDLE_AWAIT;
}

uint64_t written(const HeddleRecord& record) {
  return record.kind == HEDDLE_RMW || record.kind == HEDDLE_CAS ? record.value2 : record.value;
}

// Does a read that takes what the write wrote learn what its thread knew?
bool orders(const HeddleRecord& write, const HeddleRecord& read) {
  if (!is_atomic(write) || !is_atomic(read)) return true;
  return semantics::releases(write.order) && semantics::acquires(read.order);
}

}  // namespace

const std::vector<CandidatePair>& CandidateFinder::find(size_t begin, size_t end, const CarriedState& state,
                                                        size_t most_of_a_place) {
  begin_ = begin;
  pairs_.clear();
  collect_groups(end);
  const auto is_contested = [](const Group& group) { return group.is_contested; };
  if (std::none_of(groups_.begin(), groups_.end(), is_contested)) return pairs_;
  servers_.assign(end - begin, kNoServer);
  if (reads_keep_ == ReadsKeep::kValues)
    for (const Group& group : groups_) collect_servers(group, state);
  order_.follow(begin, end, state, servers_);
  taken_.clear();
  for (const Group& group : groups_)
    if (group.is_contested) compare(group, most_of_a_place);
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  return pairs_;
}

// Only words that two threads use, and one of them writes.
void CandidateFinder::collect_groups(size_t end) {
  accesses_.clear();
  groups_.clear();
  for (uint32_t place = 0; begin_ + place < end; ++place) {
    const HeddleRecord& access = record(place);
    if (!is_access(access)) continue;
    const uint64_t last = (access.address + access.size - 1) / 8;
    for (uint64_t word = access.address / 8; word <= last; ++word) accesses_.push_back({word, place});
  }
  std::sort(accesses_.begin(), accesses_.end(), [](const Access& one, const Access& other) {
    return std::tie(one.word, one.place) < std::tie(other.word, other.place);
  });
  for (size_t begin = 0, next; begin < accesses_.size(); begin = next) {
    bool is_shared = false, is_written = false, has_plain = false;
    const uint32_t thread = record(accesses_[begin].place).thread;
    for (next = begin; next < accesses_.size() && accesses_[next].word == accesses_[begin].word; ++next) {
      const HeddleRecord& access = record(accesses_[next].place);
      is_shared |= access.thread != thread;
      is_written |= causal::writes_memory(access);
      has_plain |= !is_atomic(access);
    }
    if (is_shared && is_written) groups_.push_back({begin, next, has_plain});
  }
}

// Where all accesses are of the same bytes and one write alone wrote a value, who
// reads it has it from there.
void CandidateFinder::collect_servers(const Group& group, const CarriedState& state) {
  const HeddleRecord& first = record(accesses_[group.begin].place);
  if (first.size > 8 || first.address / 8 != (first.address + first.size - 1) / 8) return;
  std::vector<std::pair<uint64_t, uint32_t>> writes;  // value, place
  for (size_t i = group.begin; i < group.end; ++i) {
    const HeddleRecord& access = record(accesses_[i].place);
    if (access.address != first.address || access.size != first.size) return;
    if (causal::writes_memory(access)) writes.push_back({written(access), accesses_[i].place});
  }
  std::sort(writes.begin(), writes.end());
  std::optional<uint64_t> initial = state.memory().at(first.address, first.size);
  if (!initial && causal::reads_memory(first)) initial = first.value;
  if (!initial && first.kind == HEDDLE_STORE && (first.flags & HEDDLE_FLAG_REPLACED)) initial = first.value2;
  for (size_t i = group.begin; i < group.end; ++i) {
    const HeddleRecord& read = record(accesses_[i].place);
    if (!causal::reads_memory(read) || (initial && *initial == read.value)) continue;
    const auto from = std::lower_bound(writes.begin(), writes.end(), std::pair<uint64_t, uint32_t>(read.value, 0));
    if (from == writes.end() || from->first != read.value) continue;
    if (std::next(from) != writes.end() && std::next(from)->first == read.value) continue;
    const HeddleRecord& write = record(from->second);
    if (from->second < accesses_[i].place && write.thread != read.thread && orders(write, read))
      servers_[accesses_[i].place] = from->second;
  }
}

void CandidateFinder::compare(const Group& group, size_t most_of_a_place) {
  std::vector<uint32_t> places;
  for (size_t i = group.begin; i < group.end; ++i) places.push_back(accesses_[i].place);
  const auto key = [this](uint32_t place) {
    const HeddleRecord& access = record(place);
    return std::tuple(access.thread, access.site, order_.locks_at(place), access.kind, access.order, access.address,
                      access.size, access.flags);
  };
  std::sort(places.begin(), places.end(),
            [&](uint32_t one, uint32_t other) { return std::pair(key(one), one) < std::pair(key(other), other); });
  std::vector<std::span<const uint32_t>> classes;
  for (size_t begin = 0, next; begin < places.size(); begin = next) {
    for (next = begin; next < places.size() && key(places[next]) == key(places[begin]); ++next) {
    }
    classes.push_back(std::span<const uint32_t>(places).subspan(begin, next - begin));
  }
  for (size_t i = 0; i < classes.size(); ++i) {
    for (size_t k = i + 1; k < classes.size(); ++k) {
      const uint32_t one = classes[i].front(), other = classes[k].front();
      if (!property::conflict(record(one), record(other)) || !is_open_(record(one), record(other))) continue;
      if (order_.exclude_each_other(one, other)) continue;
      compare_classes(classes[i], classes[k], most_of_a_place);
    }
  }
}

// For each access of one class, those of the other that are neither before nor
// after it stand together.
void CandidateFinder::compare_classes(std::span<const uint32_t> one, std::span<const uint32_t> other,
                                      size_t most_of_a_place) {
  const HeddleRecord &first = record(one.front()), &second = record(other.front());
  size_t& taken = taken_[std::minmax(first.site, second.site)];
  size_t low = 0, high = 0;
  for (const uint32_t place : other) {
    const HeddleRecord& access = record(place);
    const uint32_t known = order_.known_at(place, first.thread);
    while (low < one.size() && record(one[low]).index < known) ++low;
    while (high < one.size() && order_.known_at(one[high], second.thread) <= access.index) ++high;
    for (size_t i = low; i < high; ++i) {
      if (taken >= most_of_a_place) {
        left_out_ += high - i;
        break;
      }
      ++taken;
      pairs_.push_back({{first.thread, record(one[i]).index}, {access.thread, access.index}});
    }
  }
}

}  // namespace heddle::predict
