// SPDX-License-Identifier: Apache-2.0
//
// What an execution says about the heap: which blocks there may be, who uses and who
// releases them, and which addresses allocations return.
#include "check/learn/execution_reader.h"
#include "check/learn/recorded_operation.h"

namespace heddle::check::learn {

// Before the execution is followed, so that the machine knows all regions from its beginning on.
void ExecutionReader::note_heap() {
  for (const causal::ThreadPart& part : execution_->threads) {
    for (const HeddleRecord& operation : part.operations) {
      if (operation.kind != HEDDLE_ALLOC || !operation.address) continue;
      if (model_.heap.add_block({operation.address, operation.value, static_cast<uint8_t>(operation.value2), false}))
        note_region(*model_.heap.find(operation.address));
    }
  }
  for (const causal::ThreadPart& part : execution_->threads)
    for (const HeddleRecord& operation : part.operations)
      if (operation.kind == HEDDLE_FREE && model_.heap.add_release(operation.address))
        note_region(*model_.heap.find(operation.address));
}

void ExecutionReader::note_region(HeapBlocks::Region& region) {
  corrects_ |= model_.heap.settle(region, model_.layout);
  if (!region.slot) return;
  for (const PointId user : region.users) {
    model_.automata[user].block = region.slot;
    footprints_.add(user);
  }
  for (const PointId giver : region.givers) footprints_.add(giver);
  if (!model_.heap.reuses()) return;
  for (const HeapBlock& block : region.seen)
    for (const PointId allocation : model_.heap.allocations(HeapBlocks::granules(block.size)))
      footprints_.add(allocation);
}

// Accesses to a heap block fail once somebody has released it.
void ExecutionReader::note_block(PointId id, const HeddleRecord& record) {
  Point& point = model_.automata[id];
  const bool fails = point.kind == HEDDLE_FAIL && (takes_a_turn(record) || concerns_block(record));
  if (!has_memory(point.kind) && !point.object && point.kind != HEDDLE_FREE && !fails) return;
  HeapBlocks::Region* region = model_.heap.find(point.address);
  if (!region) return;
  region->users.push_back(id);
  point.block = region->slot;
  if (fails && region->is_tracked) point.is_glued = !takes_a_turn(record) && !concerns_block(record);
}

void ExecutionReader::note_objects(const Point& point) {
  const auto note = [&](uint64_t address, uint32_t slot) {
    if (HeapBlocks::Region* region = slot ? model_.heap.find(address) : nullptr)
      region->objects.emplace_back(address, slot);
  };
  note(point.address, point.object);
  const bool is_of_condition = point.family == HEDDLE_FAMILY_CONDITION;
  note(is_of_condition ? point.value : point.address,
       is_of_condition && point.effect == HEDDLE_EFFECT_RESUME ? 0 : point.other_object);
}

// False: something that the machine does not have.
bool ExecutionReader::note_allocation(PointId id, const HeddleRecord& record) {
  Point& point = model_.automata[id];
  HeapBlocks& heap = model_.heap;
  if (!record.address) return !heap.reuses() || refuse("allocations that fail, where released memory is used again");
  HeapBlocks::Region& region = *heap.find(record.address);
  const bool is_new = !heap.reuses() ? point.edges.empty() : !point.find({Way::kDone, {record.address, 0}});
  if (!is_new) return true;
  region.givers.push_back(id);
  if (!heap.reuses()) return true;
  if (point.edges.empty()) heap.allocations(HeapBlocks::granules(record.value)).push_back(id);
  has_seen_reuse_ |= !point.edges.empty();
  const bool is_mapped = record.value2 == HEDDLE_ALLOCATOR_MAP;
  const uint32_t list = is_mapped ? 0 : heap.list_slot(HeapBlocks::granules(record.value));
  if (!list || !state_[list]) {
    if (!point.address) point.address = record.address;
  } else if (heap.list(state_[list]).back() != record.address) {
    return refuse("allocations with an alignment that not all released blocks of their size have");
  }
  return true;
}

}  // namespace heddle::check::learn
