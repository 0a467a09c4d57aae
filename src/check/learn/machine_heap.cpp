// SPDX-License-Identifier: Apache-2.0
//
// The heap of the machine: blocks that are released, used afterwards, and given out again.
#include "base/check.h"
#include "check/learn/machine.h"

namespace heddle::check::learn {

namespace {

constexpr Prediction kUnknown = {true, false, {}};

Prediction failure(uint64_t kind) { return {true, true, {Way::kFailed, {kind, 0}}}; }

bool is_reused(const HeapBlocks& heap, uint64_t allocator) {
  return heap.reuses() && allocator != HEDDLE_ALLOCATOR_MAP;
}

}  // namespace

uint32_t Machine::failure_by_block(const State& state, const Point& point) const {
  const bool releases = point.kind == HEDDLE_FREE;
  if (state[point.block] == HeapBlocks::kReleased)
    return releases ? HEDDLE_FAILURE_DOUBLE_FREE : HEDDLE_FAILURE_USE_AFTER_FREE;
  const HeapBlock* block = model_.heap.block_at(state[point.block], point.address);
  const bool is_inside = block && point.address - block->start < 16 * HeapBlocks::granules(block->size);
  if (releases) {
    if (!is_inside || point.address != block->start) return HEDDLE_FAILURE_BAD_FREE;
    if (block->is_released) return HEDDLE_FAILURE_DOUBLE_FREE;
    return block->allocator == point.value2 ? 0 : HEDDLE_FAILURE_BAD_FREE;
  }
  if (!is_inside) return HEDDLE_FAILURE_OUT_OF_BOUNDS;
  if (block->is_released) return HEDDLE_FAILURE_USE_AFTER_FREE;
  const uint64_t size = point.size ? point.size : 1;
  return point.address + size > block->start + block->size ? HEDDLE_FAILURE_OUT_OF_BOUNDS : 0;
}

// What a thread learns by a failure makes no difference, but each kind has to be shown.
Prediction Machine::predict_bad_block(const State& state, const Point& point) const {
  if (!model_.heap.is_tracked(point.block)) return failure(0);
  return point.standing == Standing::kPerformed ? failure(failure_by_block(state, point)) : kUnknown;
}

// At a point where nobody has seen anything but failures.
Prediction Machine::predict_failure_by_block(const State& state, const Point& point) const {
  const uint32_t region = state[point.block];
  if (const uint64_t known = model_.heap.failure(point_of(state, point.thread), region)) return failure(known);
  const HeapBlock* block = region ? model_.heap.block_at(region, point.address) : nullptr;
  if (!block || !block->is_released || point.address - block->start >= 16 * HeapBlocks::granules(block->size))
    return kUnknown;
  const bool is_double = point.value == HEDDLE_FAILURE_DOUBLE_FREE && point.address == block->start;
  return is_double || point.value == HEDDLE_FAILURE_USE_AFTER_FREE ? failure(point.value) : kUnknown;
}

Prediction Machine::predict_allocation(const State& state, const Point& point) const {
  if (!model_.heap.reuses()) return {};
  if (point.standing != Standing::kPerformed) return kUnknown;
  uint64_t start = point.address;
  const uint32_t list =
      is_reused(model_.heap, point.value2) ? model_.heap.list_slot(HeapBlocks::granules(point.value)) : 0;
  if (list && state[list]) start = model_.heap.list(state[list]).back();
  return start ? Prediction{true, true, {Way::kDone, {start, 0}}} : kUnknown;
}

void Machine::allocate(State& state, const Point& point, const Edge& edge) const {
  HeapBlocks& heap = model_.heap;
  const uint64_t start = heap.reuses() ? edge.result.lesson.value : point.address;
  const HeapBlocks::Region* region = start ? heap.find(start) : nullptr;
  if (!region || !region->is_tracked) return;
  const uint32_t list = is_reused(heap, point.value2) ? heap.list_slot(HeapBlocks::granules(point.value)) : 0;
  if (list && state[list]) {
    state.set(list, heap.without_last(state[list]));
    clear(state, *region, start, point.value);
  }
  state.set(region->slot,
            heap.with_block(state[region->slot], {start, point.value, static_cast<uint8_t>(point.value2), false}));
}

// A block that is given out again is zero, and nobody remembers the objects in it.
void Machine::clear(State& state, const HeapBlocks::Region& region, uint64_t start, uint64_t size) const {
  const uint64_t end = start + 16 * HeapBlocks::granules(size);
  for (const auto& [address, slot] : region.words)
    if (address >= start && address < end) state.set(slot, model_.numbers.number(model_.layout.initial(slot)));
  for (const auto& [address, slot] : region.objects)
    if (address >= start && address < start + size) state.set(slot, 0);
  if (region.objects.empty()) return;
  for (ThreadId thread = 0; thread < model_.thread_slots.size(); ++thread) {
    const Point& next = at(state, thread);
    const bool waits = next.object && next.is_known() && semantics::only_resumes(next.kind);
    model_.loses_waiting |= waits && next.address >= start && next.address < end;
  }
}

void Machine::release(State& state, const Point& point) const {
  if (!point.block) return;
  HeapBlocks& heap = model_.heap;
  const uint32_t region = state[point.block];
  if (!heap.is_tracked(point.block)) {
    state.set(point.block, HeapBlocks::kReleased);
    return;
  }
  const HeapBlock* known = region ? heap.block_at(region, point.address) : nullptr;
  if (!known) return;
  HeapBlock block = *known;
  block.is_released = true;
  state.set(point.block, heap.with_block(region, block));
  if (!is_reused(heap, block.allocator)) return;
  const uint32_t list = heap.list_slot(HeapBlocks::granules(block.size));
  HEDDLE_CHECK(list, "blocks of a region that are released have a list");
  state.set(list, heap.with_released(state[list], block.start));
}

}  // namespace heddle::check::learn
