// SPDX-License-Identifier: Apache-2.0
#include "propagate/reversibility/conflicts.h"

#include <algorithm>

#include "trace/kinds.h"

namespace heddle::propagate {
namespace {

bool same_object(ObjectNumber a, ObjectNumber b) { return a == b || a == kUnclear || b == kUnclear; }

// The bytes of the written value that lie in [offset, offset + size).
uint64_t part_of_value(const HeddleRecord& record, uint64_t offset, uint32_t size) {
  const bool exchange = record.kind == HEDDLE_RMW || record.kind == HEDDLE_CAS;
  uint64_t value = exchange ? record.value2 : offset >= 8 ? record.value2 : record.value;
  value >>= offset % 8 * 8;
  return size >= 8 ? value : value & ((uint64_t{1} << size * 8) - 1);
}

// Where the entry of `thread` and `object` is or belongs.
template <typename Entries, typename UseOf>
auto place_of(Entries& entries, uint32_t thread, ObjectNumber object, UseOf use_of) {
  return std::lower_bound(entries.begin(), entries.end(), std::pair(thread, object),
                          [&](const auto& entry, const auto& key) {
                            return std::pair(use_of(entry).moment.thread, use_of(entry).object) < key;
                          });
}

}  // namespace

Conflicts::Conflicts(const trace::Trace& trace, const SharedCells& cells, const MustClocks& clocks,
                     const SyncGraph& graph, Lifetimes& lifetimes)
    : trace_(trace),
      cells_(cells),
      clocks_(clocks),
      graph_(graph),
      lifetimes_(lifetimes),
      locations_(cells.locations()) {}

void Conflicts::visit(uint32_t event) {
  const HeddleRecord& record = trace_.events[event].record;
  switch (record.kind) {
    case HEDDLE_ALLOC:
    case HEDDLE_STACK_OBJECT: return visit_birth(event, record);
    case HEDDLE_FREE:
    case HEDDLE_STACK_OBJECT_END: return visit_end(event, record.thread, lifetimes_.end(event, record));
    case HEDDLE_THREAD_END:
      for (const ObjectNumber object : lifetimes_.end_thread(event, record.thread))
        visit_end(event, record.thread, object);
      return;
    default: return visit_access(event, record);
  }
}

void Conflicts::visit_access(uint32_t event, const HeddleRecord& record) {
  const bool reads = trace::read_memory(record), writes = trace::wrote_memory(record);
  if (!reads && !writes) return;
  uint32_t last_cell = SharedCells::kNoCell;
  cells_.for_each_location(
      record.address, record.size, [&](uint32_t location, uint32_t cell, uint64_t address, uint32_t size) {
        const Use use{lifetimes_.object_at(cell, address, record.thread), clocks_.now(record.thread), event};
        if (cell != last_cell) check_lifetime(use, cell);
        last_cell = cell;
        // Halves of 16-byte exchanges are not told apart: any other write differs.
        const bool wide = record.size > 8 && (record.kind == HEDDLE_RMW || record.kind == HEDDLE_CAS);
        const uint64_t value = wide ? event : part_of_value(record, address - record.address, size);
        visit_location(use, locations_[location], reads, writes, value);
        ++shared_accesses_;
      });
}

void Conflicts::visit_location(const Use& use, Location& location, bool reads, bool writes, uint64_t value) {
  if (writes) {
    for (const Use& read : location.reads) check(read, use);
  }
  check_writes(location, use, reads, value);
  if (reads) {
    const auto at = place_of(location.reads, use.moment.thread, use.object, [](const Use& entry) { return entry; });
    if (at != location.reads.end() && at->moment.thread == use.moment.thread && at->object == use.object) {
      *at = use;
    } else {
      location.reads.insert(at, use);
    }
  }
  if (!writes) return;
  const auto at =
      place_of(location.writes, use.moment.thread, use.object, [](const WriteUse& entry) { return entry.last; });
  if (at == location.writes.end() || at->last.moment.thread != use.moment.thread || at->last.object != use.object) {
    location.writes.insert(at, {use, value, false, {}, 0});
    return;
  }
  if (at->value != value) {
    at->has_other = true;
    at->other = at->last;
    at->other_value = at->value;
  }
  at->last = use;
  at->value = value;
}

// `any_value`: the later one reads, so the value of a write makes no difference.
void Conflicts::check_writes(const Location& location, const Use& later, bool any_value, uint64_t value) {
  for (const WriteUse& write : location.writes) {
    if (any_value || write.value != value) {
      check(write.last, later);
    } else if (write.has_other) {
      check(write.other, later);
    }
  }
}

// An access to an object that has ended, or is not born yet, as far as is certain.
void Conflicts::check_lifetime(const Use& use, uint32_t cell) {
  if (use.object == kNobody) return;
  const auto is_meant = [&](ObjectNumber object) { return use.object == object || use.object == kUnclear; };
  for (const ObjectNumber object : lifetimes_.objects_in(cell)) {
    if (!is_meant(object)) continue;
    const Lifetime& life = lifetimes_.lifetime(object);
    check({object, life.born, life.birth}, use);
    if (life.end != Lifetime::kNotEnded) check({object, life.ended, life.end}, use);
  }
}

void Conflicts::visit_birth(uint32_t event, const HeddleRecord& record) {
  lifetimes_.begin(event, record, [&](uint32_t cell, ObjectNumber object) { forget(cell, object); });
}

void Conflicts::visit_end(uint32_t event, uint32_t thread, ObjectNumber object) {
  if (object == kNobody) return;
  const Lifetime& life = lifetimes_.lifetime(object);
  const Use end{object, clocks_.now(thread), event};
  check({object, life.born, life.birth}, end);
  const auto [begin_cell, end_cell] = cells_.cells_in(life.address, life.size);
  for (uint32_t cell = begin_cell; cell < end_cell; ++cell) {
    for (uint32_t i = cells_.first_location(cell); i < cells_.end_location(cell); ++i) {
      for (const Use& read : locations_[i].reads) check(read, end);
      for (const WriteUse& write : locations_[i].writes) check(write.last, end);
    }
  }
}

void Conflicts::forget(uint32_t cell, ObjectNumber object) {
  for (uint32_t i = cells_.first_location(cell); i < cells_.end_location(cell); ++i) {
    std::erase_if(locations_[i].reads, [&](const Use& use) { return use.object == object; });
    std::erase_if(locations_[i].writes, [&](const WriteUse& use) { return use.last.object == object; });
  }
}

void Conflicts::check(const Use& earlier, const Use& later) {
  const uint32_t thread = later.moment.thread;
  if (earlier.moment.thread == thread || !same_object(earlier.object, later.object)) return;
  if (clocks_.before(earlier.moment, thread)) return;
  const Node before_first = graph_.node_before(earlier.event), before_second = graph_.node_before(later.event);
  if (!known_.insert(uint64_t{before_first} << 32 | before_second).second) return;
  candidates_.push_back({earlier.event, later.event});
}

}  // namespace heddle::propagate
