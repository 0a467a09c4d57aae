// SPDX-License-Identifier: Apache-2.0
#include "propagate/engine/crossings.h"

#include <algorithm>
#include <set>

#include "propagate/engine/object_names.h"

namespace heddle::propagate {
namespace {

const HeddleMark* mark_of(const HeddleComparison& channel, uint64_t address, uint32_t lane) {
  const uint64_t key = heddle_mark_key(address, lane);
  const HeddleMark* end = channel.mark + HEDDLE_MOST_MARKS;
  const HeddleMark* found = std::find_if(channel.mark, end, [&](const HeddleMark& mark) { return mark.key == key; });
  return found == end ? nullptr : found;
}

// Who can have passed the error on to this thread: the one with the fault, and whoever
// deviated before. Threads that wait for ever may wait for each other.
std::set<uint32_t> carriers(const FaultFreeRun& run, const ThreadDeviation& deviation,
                            const std::vector<ThreadDeviation>& all) {
  std::set<uint32_t> lanes = {run.server().channel().fault.lane};
  for (const ThreadDeviation& other : all)
    if (other.order < deviation.order || other.order == UINT64_MAX) lanes.insert(other.lane);
  lanes.erase(deviation.lane);
  return lanes;
}

uint32_t only_one(const std::set<uint32_t>& lanes) { return lanes.size() == 1 ? *lanes.begin() : HEDDLE_NO_LANE; }

// The thread waits for ever, or it ended where it did not before.
void fill_in_wait(const FaultFreeRun& run, SyncCalls& calls, const ThreadDeviation& deviation,
                  const std::vector<ThreadDeviation>& all, Crossing& crossing) {
  const HeddleLane& told = told_of(run, deviation.lane);
  const bool blocked = told.kind == HEDDLE_DEVIATION_NONE;
  if (blocked && told.joins && told.joins <= HEDDLE_MOST_LANES) {
    crossing.by = "pthread_join";
    crossing.from = told.joins - 1;
    crossing.through = "end of " + run.thread_name(crossing.from);
    return;
  }
  auto call = blocked ? calls.call_before(deviation.lane, deviation.word)
                      : calls.synchronised_before(deviation.lane, deviation.word);
  if (!call) return;
  crossing.by = call->function;
  crossing.through = call->joins ? "end of a thread" : "call of " + call->function;
  if (!call->object) return;
  crossing.through = object_name(run, *call->object, deviation.lane, call->header);
  std::set<uint32_t> candidates;
  const std::set<uint32_t>& givers = calls.givers(*call->object);
  const std::set<uint32_t> able = carriers(run, deviation, all);
  std::set_intersection(able.begin(), able.end(), givers.begin(), givers.end(),
                        std::inserter(candidates, candidates.end()));
  if (!candidates.empty()) crossing.from = only_one(candidates);
}

}  // namespace

const build::ComparedSlot* slot_of(const FaultFreeRun& run, uint32_t lane) {
  const HeddleLane& told = told_of(run, lane);
  const auto& segments = run.target().code.segments;
  if (told.kind == HEDDLE_DEVIATION_NONE || told.kind == HEDDLE_DEVIATION_EXTRA || told.kind == HEDDLE_DEVIATION_END)
    return nullptr;
  if (told.segment >= segments.size() || told.slot >= segments[told.segment].slots.size()) return nullptr;
  return &segments[told.segment].slots[told.slot];
}

Crossing find_crossing(const FaultFreeRun& run, SyncCalls& calls, const ThreadDeviation& deviation,
                       const std::vector<ThreadDeviation>& all) {
  const HeddleComparison& channel = run.server().channel();
  const HeddleLane& told = told_of(run, deviation.lane);
  const build::ComparedSlot* slot = slot_of(run, deviation.lane);
  Crossing crossing;
  crossing.to = deviation.lane;
  crossing.through = "unknown";
  if (told.source && told.source <= HEDDLE_MOST_LANES) {
    crossing.from = told.source - 1;
    crossing.mark = mark_of(channel, told.address, crossing.from);
    if (!crossing.mark) crossing.mark = mark_of(channel, told.address + 7, crossing.from);
    crossing.through = crossing.mark && crossing.mark->joined
                           ? "result of pthread_join"
                           : object_name(run, told.address, deviation.lane, told.word);
    return crossing;
  }
  const bool at_begin = slot && slot->kind == build::SlotKind::kParameter && told.word == told.slot + uint64_t{1};
  const uint32_t parent = deviation.lane < run.lanes() ? channel.known[deviation.lane].parent : told.parent;
  // The one that was to create it had not come so far.
  const bool parent_cut_short = deviation.kind == HEDDLE_DEVIATION_NONE && channel.end == HEDDLE_END_EXIT &&
                                parent < run.lanes() && told_of(run, parent).kind == HEDDLE_DEVIATION_NONE &&
                                told_of(run, parent).state != HEDDLE_LANE_ENDED;
  if ((at_begin || deviation.kind == HEDDLE_DEVIATION_EXTRA || deviation.kind == HEDDLE_DEVIATION_NONE) &&
      !parent_cut_short) {
    crossing.from = parent;
    crossing.through = "thread creation";
    return crossing;
  }
  if (parent_cut_short || (deviation.kind == HEDDLE_DEVIATION_END && deviation.word == HEDDLE_NO_WORD)) {
    crossing.through = "end of the program";
  } else if (deviation.kind == HEDDLE_DEVIATION_END) {
    fill_in_wait(run, calls, deviation, all, crossing);
  } else if (slot && slot->kind == build::SlotKind::kResult) {
    crossing.through = "result of " + run.target().code.words[slot->callee];
  } else if (deviation.kind == HEDDLE_DEVIATION_VALUE && told.address) {
    // Nobody wrote a wrong value there: somebody went another way and did not write the right one.
    crossing.through = object_name(run, told.address, deviation.lane, told.word);
  }
  if (crossing.from == HEDDLE_NO_LANE) crossing.from = only_one(carriers(run, deviation, all));
  return crossing;
}

}  // namespace heddle::propagate
