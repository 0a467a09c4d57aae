// SPDX-License-Identifier: Apache-2.0
#include "check/learn/touched.h"

#include <algorithm>
#include <utility>

#include "check/learn/machine.h"
#include "check/learn/recorded_operation.h"

namespace heddle::check::learn {

namespace {

// Halves of a word; of a block or an object: its state, what attempts see.
uint32_t lower(uint32_t slot) { return 2 * slot; }
uint32_t upper(uint32_t slot) { return 2 * slot + 1; }
uint32_t held(uint32_t slot) { return 2 * slot; }
uint32_t tried(uint32_t slot) { return 2 * slot + 1; }

Touched memory(const Point& point) {
  std::vector<uint32_t> places;
  for (uint64_t half = point.address / 4; half <= (point.address + point.size - 1) / 4; ++half) {
    const uint32_t slot = point.words[half / 2 - point.address / 8];
    places.push_back(half % 2 ? upper(slot) : lower(slot));
  }
  Touched touched;
  const bool only_reads = point.kind == HEDDLE_LOAD || point.kind == HEDDLE_AWAIT;
  (only_reads ? touched.reads : touched.writes) = std::move(places);
  return touched;
}

// Whoever releases a block, and whoever gets one, change the list that it is in. (A block that nobody
// had before concerns nobody before its address is known.)
void add_lists(const HeapBlocks& heap, const Point& point, Touched& touched) {
  const HeapBlocks::Region* region = heap.find(point.address);
  if (!region) return;
  for (const HeapBlock& block : region->seen)
    if (const uint32_t list = heap.list_slot(HeapBlocks::granules(block.size))) touched.writes.push_back(held(list));
}

Touched allocation(const Model& model, const Point& point) {
  const uint64_t length = HeapBlocks::granules(point.value);
  const uint32_t list = model.heap.reuses() ? model.heap.list_slot(length) : 0;
  if (!list || point.value2 == HEDDLE_ALLOCATOR_MAP) return {};
  Touched touched = {{}, {held(list)}};
  for (const Edge& edge : point.edges) {
    const uint64_t start = edge.result.lesson.value;
    const HeapBlocks::Region* region = start == point.address ? nullptr : model.heap.find(start);
    if (!region) continue;
    touched.writes.push_back(held(region->slot));
    if (model.memory == MemoryModel::kSc) continue;
    for (const auto& [address, slot] : region->words) {  // stores may still be on their way there
      if (address < start || address >= start + 16 * length) continue;
      touched.writes.push_back(lower(slot));
      touched.writes.push_back(upper(slot));
    }
  }
  return touched;
}

// Then a reader keeps others from coming in beside it, if a writer waits.
bool prefers_writers(const Point& lock) {
  return static_cast<semantics::RwlockType>(lock.value2) == semantics::RwlockType::kPreferWriterNonrecursive;
}

Touched object(const Point& point, bool posts_order) {
  const uint32_t object = point.object, other = point.other_object;
  const bool is_of_condition = point.family == HEDDLE_FAMILY_CONDITION;
  const bool is_blocking = point.form == HEDDLE_FORM_BLOCKING;
  const Touched everything = {{}, {held(object), tried(object)}};
  const bool may_fail = std::any_of(point.edges.begin(), point.edges.end(), [](const Edge& edge) {
    return edge.flags & (HEDDLE_FLAG_FAILED | HEDDLE_FLAG_MISUSE);
  });
  switch (point.effect) {
    case HEDDLE_EFFECT_POST:
      if (posts_order || may_fail) return everything;
      return {{tried(object)}, {}};
    // A thread that unlocks mostly holds the lock: no thread that simply waits for it can tell.
    case HEDDLE_EFFECT_RELEASE: return may_fail ? everything : Touched{{tried(object)}, {}};
    case HEDDLE_EFFECT_FINISH: return {{tried(object)}, {}};
    case HEDDLE_EFFECT_ACQUIRE:
    case HEDDLE_EFFECT_TAKE: return is_blocking ? Touched{{}, {held(object)}} : everything;
    case HEDDLE_EFFECT_SHARE:
      if (!is_blocking) return everything;
      return prefers_writers(point) ? Touched{{}, {held(object)}} : Touched{{held(object)}, {}};
    case HEDDLE_EFFECT_ENTER:
    case HEDDLE_EFFECT_WAKE:
    case HEDDLE_EFFECT_ARRIVE: return {{}, {held(object)}};
    case HEDDLE_EFFECT_WAIT: {
      if (is_of_condition && may_fail) return {{}, {held(other), tried(other), held(object)}};
      if (is_of_condition) return {{tried(other)}, {held(object)}};
      Touched touched = memory(point);
      touched.writes.push_back(held(object));
      return touched;
    }
    case HEDDLE_EFFECT_RESUME: {
      Touched touched;
      if (is_of_condition) touched.writes.push_back(held(other));
      if (point.may_time_out) touched.writes.push_back(held(object));
      return touched;
    }
    case HEDDLE_EFFECT_DEPART: return {};
    default: return everything;  // initialisation, destruction
  }
}

Touched touched_by_kind(const Point& point, bool posts_order) {
  if (point.topic == Topic::kObject) return object(point, posts_order);
  if (point.object) return {{}, {held(point.object)}};  // joins and detaches a thread
  if (point.kind == HEDDLE_FREE) return {{}, {held(point.block)}};
  return has_memory(point.kind) ? memory(point) : Touched();
}

}  // namespace

Touched touched_by(const Model& model, const Point& point) {
  if (point.kind == HEDDLE_ALLOC) return allocation(model, point);
  Touched touched = touched_by_kind(point, model.races != nullptr);
  if (point.kind == HEDDLE_FREE && model.heap.reuses()) add_lists(model.heap, point, touched);
  if (point.block && point.kind != HEDDLE_FREE) touched.reads.push_back(held(point.block));
  return touched;
}

}  // namespace heddle::check::learn
