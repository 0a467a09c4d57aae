// SPDX-License-Identifier: Apache-2.0
#include "naming/objects.h"

#include <algorithm>
#include <unordered_set>

#include "naming/addresses.h"
#include "naming/object_collector.h"

namespace heddle::naming {
namespace {

constexpr uint64_t kUnknownSize = 8;

Range range_of(const Object& object) {
  const uint64_t extent = std::max<uint64_t>(object.size, 1);
  return {object.address, object.address > UINT64_MAX - extent ? UINT64_MAX : object.address + extent};
}

}  // namespace

Objects::Objects(const trace::Trace& trace, const EventOrder& order) : trace_(trace), order_(order) {
  for (uint32_t i = 0; i < trace.globals.size(); ++i) {
    const trace::Global& global = trace.globals[i];
    objects_.push_back({ObjectKind::kGlobal, HEDDLE_NO_THREAD, i, global.address, global.size, kNoEvent, kNoEvent});
  }
  // Of globals at one place (aliases) the first in the table counts, so it is the youngest.
  for (uint32_t i = static_cast<uint32_t>(objects_.size()); i-- > 0;) add_to(memory_, i);
  for (const Object& object : ObjectCollector(trace, order).collect()) {
    objects_.push_back(object);
    add_to(object.kind == ObjectKind::kStack ? stacks_ : memory_, static_cast<uint32_t>(objects_.size() - 1));
  }
  finish(memory_);
  finish(stacks_);
  find_unknown_objects();
}

void Objects::add_to(Layer& layer, uint32_t object) {
  if (objects_[object].address == UINT64_MAX) return;  // has no end
  layer.members.push_back(object);
  layer.births.push_back(objects_[object].born == kNoEvent ? 0 : 1 + order_.time(objects_[object].born));
}

void Objects::finish(Layer& layer) {
  std::vector<Range> ranges;
  ranges.reserve(layer.members.size());
  for (const uint32_t member : layer.members) ranges.push_back(range_of(objects_[member]));
  layer.index = ObjectIndex(ranges);
}

bool Objects::surely_dead(const Object& object, uint32_t event) const {
  return object.died != kNoEvent && order_.surely_before(object.died, event);
}

std::optional<Place> Objects::find_in(const Layer& layer, uint32_t event, uint64_t address) const {
  const auto place = [&](uint32_t member, bool alive) {
    const uint32_t object = layer.members[member];
    return Place{object, address - objects_[object].address, alive};
  };
  // The number of members born up to now.
  const auto limit = static_cast<uint32_t>(
      std::upper_bound(layer.births.begin(), layer.births.end(), 1 + order_.time(event)) - layer.births.begin());
  const auto last = layer.index.last_below(address, limit);
  if (trace_.header.mode == trace::Mode::kFree) {
    // Of those that surely were there, the youngest; another may have come before or after.
    for (auto one = last; one; one = layer.index.last_below(address, *one)) {
      const Object& object = objects_[layer.members[*one]];
      const bool born = object.born == kNoEvent || object.born == event || order_.surely_before(object.born, event);
      if (born && !surely_dead(object, event)) return place(*one, true);
    }
  }
  if (last && !surely_dead(objects_[layer.members[*last]], event)) return place(*last, true);
  if (trace_.header.mode == trace::Mode::kFree) {
    const auto next = layer.index.first_from(address, limit);
    if (next && !order_.surely_before(event, objects_[layer.members[*next]].born)) return place(*next, true);
  }
  if (last) return place(*last, false);
  return std::nullopt;
}

std::optional<Place> Objects::find_known(uint32_t event, uint64_t address) const {
  const auto on_stack = find_in(stacks_, event, address);
  if (on_stack && on_stack->alive) return on_stack;
  const auto in_memory = find_in(memory_, event, address);
  if (!on_stack || !in_memory) return on_stack ? on_stack : in_memory;
  if (in_memory->alive) return in_memory;
  const auto birth = [&](const Place& place) { return order_.time(objects_[place.object].born); };
  return birth(*on_stack) > birth(*in_memory) ? on_stack : in_memory;
}

std::optional<Place> Objects::find(uint32_t event, uint64_t address) const {
  if (address < kFirstPage) return std::nullopt;
  if (const auto known = find_known(event, address)) return known;
  const auto unknown = unknown_.find(address / kUnknownSize);
  if (unknown == unknown_.end()) return std::nullopt;
  return Place{unknown->second, address % kUnknownSize, true};
}

void Objects::find_unknown_objects() {
  const std::vector<uint32_t> threads = threads_in_tree_order(trace_);
  std::vector<std::unordered_set<uint64_t>> touched(trace_.threads.size());
  for (const bool visible : {true, false}) {
    for (const uint32_t thread : threads) {
      for (const uint32_t event : order_.events_of(thread)) {
        const HeddleRecord& record = trace_.events[event].record;
        if (trace::is_visible(record) != visible) continue;
        for_each_address(record, [&](uint64_t address) {
          const uint64_t place = address / kUnknownSize;
          if (address < kFirstPage || touched[thread].contains(place) || find_known(event, address)) return;
          const auto index = static_cast<uint32_t>(touched[thread].size());
          touched[thread].insert(place);
          if (!unknown_.emplace(place, static_cast<uint32_t>(objects_.size())).second) return;
          objects_.push_back({ObjectKind::kUnknown, thread, index, place * kUnknownSize, kUnknownSize});
        });
      }
    }
  }
}

std::vector<uint32_t> threads_in_tree_order(const trace::Trace& trace) {
  std::vector<std::vector<uint32_t>> paths(trace.threads.size());
  std::vector<uint32_t> threads(trace.threads.size());
  for (uint32_t i = 0; i < threads.size(); ++i) {
    threads[i] = i;
    const trace::Thread& thread = trace.threads[i];
    if (thread.parent >= i) continue;  // T0
    paths[i] = paths[thread.parent];
    paths[i].push_back(thread.child_number);
  }
  std::sort(threads.begin(), threads.end(),
            [&](uint32_t a, uint32_t b) { return paths[a] != paths[b] ? paths[a] < paths[b] : a < b; });
  return threads;
}

}  // namespace heddle::naming
