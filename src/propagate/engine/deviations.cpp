// SPDX-License-Identifier: Apache-2.0
#include "propagate/engine/deviations.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "propagate/engine/object_names.h"

namespace heddle::propagate {
namespace {

using nlohmann::json;

constexpr size_t kMostObjects = 64;

const char* kind_name(HeddleDeviation kind) {
  switch (kind) {
    case HEDDLE_DEVIATION_VALUE: return "value";
    case HEDDLE_DEVIATION_PATH: return "path";
    case HEDDLE_DEVIATION_END: return "end";
    case HEDDLE_DEVIATION_EXTRA: return "extra-thread";
    case HEDDLE_DEVIATION_CRASH: return "crash";
    default: return "missing-thread";
  }
}

const HeddleLane& lane_of(const FaultFreeRun& run, uint32_t lane) { return run.server().channel().run[lane]; }

// The instruction at which a thread first deviated, if it was one.
const build::ComparedSlot* slot_of(const FaultFreeRun& run, const HeddleLane& told) {
  const auto& segments = run.target().code.segments;
  if (told.kind == HEDDLE_DEVIATION_EXTRA || told.kind == HEDDLE_DEVIATION_END) return nullptr;
  if (told.segment >= segments.size() || told.slot >= segments[told.segment].slots.size()) return nullptr;
  return &segments[told.segment].slots[told.slot];
}

json first_deviation(const FaultFreeRun& run, const ThreadDeviation& deviation) {
  const HeddleLane& told = lane_of(run, deviation.lane);
  json entry = {{"thread", run.thread_name(deviation.lane)}, {"kind", kind_name(deviation.kind)}};
  if (deviation.kind == HEDDLE_DEVIATION_NONE) return entry;
  entry["function"] = run.function(told.segment);
  if (deviation.lane < run.lanes()) entry["index"] = run.instruction_number(deviation.lane, told.word);
  if (const build::ComparedSlot* slot = slot_of(run, told)) {
    entry["place"] = run.source_place(*slot);
    if (deviation.kind == HEDDLE_DEVIATION_VALUE) {
      entry["instruction"] = run.target().code.words[slot->instruction];
      entry["expected"] = told.expected;
      entry["actual"] = told.actual;
      if (told.address) entry["object"] = object_name(run, told.address, deviation.lane, told.word);
    }
  }
  entry["deviations"] = told.deviations;
  entry["divergences"] = told.divergences;
  entry["rejoined"] = told.rejoined;
  return entry;
}

const HeddleMark* mark_at(const HeddleComparison& channel, uint64_t address) {
  const uint64_t place = address & ~uint64_t{7};
  const auto* found = std::find_if(channel.mark, channel.mark + HEDDLE_MOST_MARKS, [&](const HeddleMark& mark) { return mark.address == place; });
  return found == channel.mark + HEDDLE_MOST_MARKS ? nullptr : found;
}

// How the error came to a thread: through memory that another wrote, with what it was
// created with, or with what a call returned.
json crossing(const FaultFreeRun& run, const ThreadDeviation& deviation) {
  const HeddleComparison& channel = run.server().channel();
  const HeddleLane& told = lane_of(run, deviation.lane);
  json entry = {{"to", run.thread_name(deviation.lane)}};
  if (told.address) {
    if (const HeddleMark* mark = mark_at(channel, told.address); mark && mark->lane != deviation.lane) {
      entry["from"] = run.thread_name(mark->lane);
      entry["through"] = object_name(run, told.address, deviation.lane, told.word);
      return entry;
    }
  }
  const build::ComparedSlot* slot = slot_of(run, told);
  const bool at_begin = slot && slot->kind == build::SlotKind::kParameter && told.word == told.slot + uint64_t{1};
  if (at_begin || deviation.kind == HEDDLE_DEVIATION_EXTRA || deviation.kind == HEDDLE_DEVIATION_NONE) {
    const uint32_t parent = deviation.lane < run.lanes() ? channel.known[deviation.lane].parent : told.parent;
    entry["from"] = run.thread_name(parent);
    entry["through"] = "thread creation";
  } else if (slot && slot->kind == build::SlotKind::kResult) {
    entry["through"] = "result of " + run.target().code.words[slot->callee];
  } else {
    entry["through"] = "unknown";
  }
  return entry;
}

}  // namespace

Deviations find_deviations(const FaultFreeRun& run) {
  const HeddleComparison& channel = run.server().channel();
  Deviations result;
  const uint32_t lanes = std::min(std::max(channel.lanes, channel.known_lanes), HEDDLE_MOST_LANES);
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    const HeddleLane& told = channel.run[lane];
    if (told.kind != HEDDLE_DEVIATION_NONE) {
      result.threads.push_back({lane, static_cast<HeddleDeviation>(told.kind), told.order, told.word});
    } else if (lane < channel.known_lanes && 
               (channel.end == HEDDLE_END_EXIT || channel.end == HEDDLE_END_BLOCKED) && channel.known[lane].state == HEDDLE_LANE_ENDED &&
               told.state != HEDDLE_LANE_ENDED) {
      // It was never created, or the program ended before it did, or it waits for ever.
      const HeddleDeviation kind = told.state == HEDDLE_LANE_UNUSED ? HEDDLE_DEVIATION_NONE : HEDDLE_DEVIATION_END;
      result.threads.push_back({lane, kind, UINT64_MAX, told.words});
    }
  }
  std::sort(result.threads.begin(), result.threads.end(),
            [](const ThreadDeviation& a, const ThreadDeviation& b) { return std::pair(a.order, a.lane) < std::pair(b.order, b.lane); });
  return result;
}

std::string describe_first(const FaultFreeRun& run) {
  const Deviations deviations = find_deviations(run);
  if (deviations.threads.empty()) return "";
  const ThreadDeviation& first = deviations.threads.front();
  const HeddleLane& told = lane_of(run, first.lane);
  const std::string thread = run.thread_name(first.lane);
  const build::ComparedSlot* slot = slot_of(run, told);
  const std::string where = fmt::format("{} in {}", slot ? run.source_place(*slot) : "", run.function(told.segment));
  switch (first.kind) {
    case HEDDLE_DEVIATION_VALUE:
      return fmt::format("{} has {:#x} instead of {:#x} at {}", thread, told.actual, told.expected, where);
    case HEDDLE_DEVIATION_PATH: return fmt::format("{} takes another way to {}", thread, run.function(told.segment));
    case HEDDLE_DEVIATION_EXTRA: return fmt::format("{} is not there in the first run", thread);
    case HEDDLE_DEVIATION_CRASH: return fmt::format("{} ends by signal {} at {}", thread, told.actual, where);
    case HEDDLE_DEVIATION_END: return fmt::format("{} ends earlier", thread);
    default: return fmt::format("{} is not there any more", thread);
  }
}

void fill_in_deviations(const FaultFreeRun& run, ExperimentResult& result) {
  const HeddleComparison& channel = run.server().channel();
  const Deviations deviations = find_deviations(run);
  json first = json::array(), reached = json::array(), crossings = json::array();
  for (const ThreadDeviation& deviation : deviations.threads) {
    first.push_back(first_deviation(run, deviation));
    reached.push_back(run.thread_name(deviation.lane));
    if (deviation.lane != channel.fault.lane) crossings.push_back(crossing(run, deviation));
    if (deviation.lane == channel.fault.lane && deviation.lane < run.lanes() && deviation.word > channel.fault.word)
      result.instructions_until_deviation =
          run.instruction_number(deviation.lane, deviation.word) - run.instruction_number(deviation.lane, channel.fault.word);
  }
  std::vector<const HeddleMark*> marks;
  for (const HeddleMark& mark : channel.mark)
    if (mark.address) marks.push_back(&mark);
  std::sort(marks.begin(), marks.end(), [](const HeddleMark* a, const HeddleMark* b) { return a->order < b->order; });
  json objects = json::array();
  std::set<std::string> seen;
  for (const HeddleMark* mark : marks) {
    if (seen.size() == kMostObjects) break;
    std::string name = object_name(run, mark->exact, mark->lane, mark->word);
    if (seen.insert(name).second) objects.push_back(std::move(name));
  }
  json functions = json::array();
  const auto& names = run.target().code.functions;
  for (uint32_t i = 0; i < names.size() && i < HEDDLE_MOST_FUNCTIONS; ++i)
    if (channel.function_reached[i]) functions.push_back(run.target().code.words[names[i]]);
  result.deviated = !deviations.threads.empty();
  result.first_deviation = first.dump();
  result.threads_reached = reached.dump();
  result.crossings = crossings.dump();
  result.objects = objects.dump();
  result.functions = functions.dump();
  result.instructions = run.instructions() + channel.spent;
}

}  // namespace heddle::propagate
