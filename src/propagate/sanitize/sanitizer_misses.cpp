// SPDX-License-Identifier: Apache-2.0
//
// Addresses where nothing seemed to live when they were used: objects that have
// ended, objects that in a free run may have been there already, and memory that
// nobody was seen to allocate. They are few, and are looked at after the pass.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "naming/objects.h"
#include "propagate/sanitize/sanitizer.h"

namespace heddle::propagate {

using Kind = Reference::Kind;

void Sanitizer::put(const Miss& miss, Reference reference) {
  switch (miss.field) {
    case Miss::Field::kAddress: addresses_[miss.event] = reference; break;
    case Miss::Field::kValue:
      if (values_[miss.event].kind == Kind::kNumber) values_[miss.event] = reference;
      break;
    case Miss::Field::kSecondValue: second_values_[miss.event] = reference; break;
  }
}

void Sanitizer::settle_misses() {
  std::vector<naming::Range> ranges;
  std::vector<uint32_t> births;  // 1 + time
  for (size_t i = trace_.globals.size(); i < objects_.size(); ++i) {
    ranges.push_back({objects_[i].address, objects_[i].address + std::max<uint64_t>(objects_[i].size, 1)});
    births.push_back(1 + order_.time(objects_[i].born));
  }
  const naming::ObjectIndex index = misses_.empty() ? naming::ObjectIndex() : naming::ObjectIndex(ranges);
  std::vector<Miss> unknown;
  for (const Miss& miss : misses_) {
    Reference found = find_in_time(miss, index, births);
    if (found.kind == Kind::kNumber && miss.field != Miss::Field::kAddress) {
      found = ending_at(miss.address, find_in_time({miss.event, miss.address - 1, miss.field}, index, births));
    }
    if (found.kind == Kind::kNumber) {
      unknown.push_back(miss);
    } else {
      put(miss, found);
    }
  }
  misses_.clear();
  name_unknown_objects(std::move(unknown));
}

Reference Sanitizer::find_in_time(const Miss& miss, const naming::ObjectIndex& index,
                                  const std::vector<uint32_t>& births) const {
  const auto first = static_cast<uint32_t>(trace_.globals.size());
  const auto limit = static_cast<uint32_t>(std::upper_bound(births.begin(), births.end(), 1 + order_.time(miss.event)) -
                                           births.begin());
  const auto surely_dead = [&](uint32_t object) {
    return objects_[object].died != naming::kNoEvent && order_.surely_before(objects_[object].died, miss.event);
  };
  const auto last = index.last_below(miss.address, limit);
  for (auto one = last; one; one = index.last_below(miss.address, *one)) {
    if (surely_born(first + *one, miss.event) && !surely_dead(first + *one)) return {Kind::kObject, first + *one};
  }
  if (last && !surely_dead(first + *last)) return {Kind::kObject, first + *last};
  const auto next = index.first_from(miss.address, limit);
  if (next && !order_.surely_before(miss.event, objects_[first + *next].born)) return {Kind::kObject, first + *next};
  if (!last) return {};
  // Whether a pointer's object still lives is no matter of the one who has the pointer.
  return {miss.field == Miss::Field::kAddress ? Kind::kEndedObject : Kind::kObject, first + *last};
}

// By the rule of naming/objects.h: an unknown object belongs to the first thread,
// in the order of the tree, that touches it, and what visible events touch is
// numbered first. Values only point to what somebody touches.
void Sanitizer::name_unknown_objects(std::vector<Miss> misses) {
  constexpr uint64_t kUnknownSize = 8;
  const std::vector<uint32_t> threads = naming::threads_in_tree_order(trace_);
  std::vector<uint32_t> rank(threads.size());
  for (uint32_t i = 0; i < threads.size(); ++i) rank[threads[i]] = i;
  const auto key = [&](const Miss& miss) {
    const HeddleRecord& record = trace_.events[miss.event].record;
    return std::tuple(miss.field != Miss::Field::kAddress, !trace::is_visible(record), rank[record.thread], miss.event);
  };
  std::sort(misses.begin(), misses.end(), [&](const Miss& a, const Miss& b) { return key(a) < key(b); });
  std::unordered_map<uint64_t, uint32_t> known;
  std::vector<std::unordered_set<uint64_t>> touched(threads.size());
  for (const Miss& miss : misses) {
    const uint64_t word = miss.address / kUnknownSize;
    if (miss.field == Miss::Field::kAddress) {
      const uint32_t thread = trace_.events[miss.event].record.thread;
      const auto index = static_cast<uint32_t>(touched[thread].size());
      if (touched[thread].insert(word).second && known.emplace(word, static_cast<uint32_t>(objects_.size())).second) {
        objects_.push_back({naming::ObjectKind::kUnknown, thread, index, word * kUnknownSize, kUnknownSize});
      }
    }
    if (const auto object = known.find(word); object != known.end()) put(miss, {Kind::kObject, object->second});
  }
}

}  // namespace heddle::propagate
