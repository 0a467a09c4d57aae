// SPDX-License-Identifier: Apache-2.0
#include "check/learn/touched.h"

#include "check/learn/machine.h"

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
  if (point.kind == HEDDLE_LOAD || point.kind == HEDDLE_AWAIT) {
    touched.reads = places;
  } else {
    touched.writes = places;
  }
  if (point.kind == HEDDLE_AWAIT) touched.writes.push_back(held(point.object));
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

Touched touched_by_kind(const Point& point, bool posts_order) {
  const uint32_t object = point.object, other = point.other_object;
  switch (point.kind) {
    case HEDDLE_LOAD:
    case HEDDLE_STORE:
    case HEDDLE_RMW:
    case HEDDLE_CAS:
    case HEDDLE_EXTERN_WRITE:
    case HEDDLE_AWAIT: return memory(point);
    case HEDDLE_FREE: return {{}, {held(point.block)}};
    case HEDDLE_FAIL: return {};
    case HEDDLE_SEM_POST:
      if (posts_order) return {{}, {held(object), tried(object)}};
      return {{tried(object)}, {}};
    // Whoever unlocks holds the lock: nobody who simply waits for it can tell.
    case HEDDLE_MUTEX_UNLOCK:
    case HEDDLE_RWLOCK_UNLOCK:
    case HEDDLE_ONCE_DONE: return {{tried(object)}, {}};
    case HEDDLE_MUTEX_LOCK:
    case HEDDLE_RWLOCK_WRITE:
    case HEDDLE_SEM_WAIT:
    case HEDDLE_ONCE_ENTER:
    case HEDDLE_COND_SIGNAL:
    case HEDDLE_COND_BROADCAST:
    case HEDDLE_NOTIFY:
    case HEDDLE_BARRIER_ARRIVE: return {{}, {held(object)}};
    case HEDDLE_RWLOCK_READ: return {{held(object)}, {}};
    case HEDDLE_COND_WAIT: return {{tried(other)}, {held(object)}};
    case HEDDLE_COND_RESUME:
      return point.may_time_out ? Touched{{}, {held(other), held(object)}} : Touched{{}, {held(other)}};
    case HEDDLE_AWAIT_RESUME: return point.may_time_out ? Touched{{}, {held(object)}} : Touched();
    case HEDDLE_BARRIER_LEAVE: return {};
    default: break;
  }
  if (!object) return {};
  return {{}, {held(object), tried(object)}};  // attempts, initialisation, destruction
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
