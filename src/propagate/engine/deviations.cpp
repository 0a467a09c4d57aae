// SPDX-License-Identifier: Apache-2.0
#include "propagate/engine/deviations.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "propagate/engine/object_names.h"
#include "propagate/engine/propagation.h"

namespace heddle::propagate {
namespace {

using nlohmann::json;

constexpr size_t kMostObjects = 64;
constexpr size_t kMostEvents = 128;

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

// A thread that only waits has not ended.
const char* kind_of(const FaultFreeRun& run, const ThreadDeviation& deviation) {
  const bool waits = deviation.kind == HEDDLE_DEVIATION_END &&
                     told_of(run, deviation.lane).kind == HEDDLE_DEVIATION_NONE &&
                     run.server().channel().end == HEDDLE_END_BLOCKED;
  return waits ? "blocked" : kind_name(deviation.kind);
}

// Where a thread waits for ever, or ended.
const build::ComparedSlot* last_slot_before(const FaultFreeRun& run, uint32_t lane, uint64_t word) {
  if (lane >= run.lanes() || word == HEDDLE_NO_WORD || word == 0) return nullptr;
  const auto place = run.place(lane, word - 1);
  return place ? &run.slot(*place) : nullptr;
}

void add_place(const FaultFreeRun& run, const ThreadDeviation& deviation, json& entry) {
  const HeddleLane& told = told_of(run, deviation.lane);
  const bool known = deviation.lane < run.lanes() && deviation.word != HEDDLE_NO_WORD;
  if (known) entry["index"] = run.instruction_number(deviation.lane, deviation.word);
  if (told.kind != HEDDLE_DEVIATION_NONE) {
    entry["function"] = run.function(told.segment);
  } else if (known && deviation.word > 0) {
    if (const auto before = run.place(deviation.lane, deviation.word - 1))
      entry["function"] = run.function(before->segment);
  }
  const build::ComparedSlot* slot = deviation.kind == HEDDLE_DEVIATION_END
                                        ? last_slot_before(run, deviation.lane, deviation.word)
                                        : slot_of(run, deviation.lane);
  if (!slot) return;
  entry["place"] = run.source_place(*slot);
  if (deviation.kind != HEDDLE_DEVIATION_VALUE) return;
  entry["instruction"] = run.target().code.words[slot->instruction];
  entry["expected"] = told.expected;
  entry["actual"] = told.actual;
  if (told.address) entry["object"] = object_name(run, told.address, deviation.lane, told.word);
}

json first_deviation(const FaultFreeRun& run, const ThreadDeviation& deviation, uint64_t time) {
  const HeddleLane& told = told_of(run, deviation.lane);
  json entry = {{"thread", run.thread_name(deviation.lane)}, {"kind", kind_of(run, deviation)}, {"time", time}};
  if (deviation.kind == HEDDLE_DEVIATION_NONE) return entry;
  add_place(run, deviation, entry);
  entry["deviations"] = told.deviations;
  entry["divergences"] = told.divergences;
  entry["rejoined"] = told.rejoined;
  return entry;
}

json crossing_json(const FaultFreeRun& run, const Crossing& crossing) {
  json entry = {{"to", run.thread_name(crossing.to)}, {"through", crossing.through}};
  if (crossing.from != HEDDLE_NO_LANE) entry["from"] = run.thread_name(crossing.from);
  if (!crossing.by.empty()) entry["by"] = crossing.by;
  return entry;
}

// What a page needs to draw the way of the error; a bounded number of events.
class EventList {
 public:
  explicit EventList(const FaultFreeRun& run) : run_(run) {}

  void add(const PropagationEvent& event, const char* kind, const Crossing* crossing, const std::string& object) {
    if (list_.size() == kMostEvents) {
      ++left_out_;
      return;
    }
    json entry = {{"time", event.time}, {"thread", run_.thread_name(event.lane)}, {"kind", kind}};
    if (event.lane < run_.lanes() && event.word != HEDDLE_NO_WORD)
      entry["index"] = run_.instruction_number(event.lane, event.word);
    if (!object.empty()) entry["object"] = object;
    if (crossing && crossing->from != HEDDLE_NO_LANE) entry["from"] = run_.thread_name(crossing->from);
    if (crossing) entry["through"] = crossing->through;
    list_.push_back(std::move(entry));
  }

  std::string text() const { return json{{"events", list_}, {"left_out", left_out_}}.dump(); }

 private:
  const FaultFreeRun& run_;
  json list_ = json::array();
  uint64_t left_out_ = 0;
};

}  // namespace

Deviations find_deviations(const FaultFreeRun& run) {
  const HeddleComparison& channel = run.server().channel();
  Deviations result;
  const uint32_t lanes = std::min(std::max(channel.lanes, channel.known_lanes), HEDDLE_MOST_LANES);
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    const HeddleLane& told = channel.run[lane];
    if (told.kind != HEDDLE_DEVIATION_NONE) {
      result.threads.push_back(
          {lane, static_cast<HeddleDeviation>(told.kind), told.order, run.plausible(lane, told.word)});
    } else if (lane < channel.known_lanes && (channel.end == HEDDLE_END_EXIT || channel.end == HEDDLE_END_BLOCKED) &&
               channel.known[lane].state == HEDDLE_LANE_ENDED && told.state != HEDDLE_LANE_ENDED) {
      // It was never created, or the program ended before it did, or it waits for ever.
      const HeddleDeviation kind = told.state == HEDDLE_LANE_UNUSED ? HEDDLE_DEVIATION_NONE : HEDDLE_DEVIATION_END;
      result.threads.push_back(
          {lane, kind, UINT64_MAX, kind == HEDDLE_DEVIATION_END ? run.plausible(lane, told.words) : HEDDLE_NO_WORD});
    }
  }
  std::sort(result.threads.begin(), result.threads.end(), [](const ThreadDeviation& a, const ThreadDeviation& b) {
    return std::pair(a.order, a.lane) < std::pair(b.order, b.lane);
  });
  return result;
}

std::string describe_first(const FaultFreeRun& run) {
  const Deviations deviations = find_deviations(run);
  if (deviations.threads.empty()) return "";
  const ThreadDeviation& first = deviations.threads.front();
  const HeddleLane& told = told_of(run, first.lane);
  const std::string thread = run.thread_name(first.lane);
  const build::ComparedSlot* slot = slot_of(run, first.lane);
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

void fill_in_deviations(const FaultFreeRun& run, SyncCalls& calls, ExperimentResult& result) {
  const HeddleComparison& channel = run.server().channel();
  const Deviations deviations = find_deviations(run);
  std::vector<Crossing> ways;
  for (const ThreadDeviation& deviation : deviations.threads) {
    ways.push_back(deviation.lane == channel.fault.lane ? Crossing{}
                                                        : find_crossing(run, calls, deviation, deviations.threads));
    if (deviation.lane == channel.fault.lane && deviation.lane < run.lanes() && deviation.word > channel.fault.word &&
        deviation.word != HEDDLE_NO_WORD)
      result.instructions_until_deviation = run.instruction_number(deviation.lane, deviation.word) -
                                            run.instruction_number(deviation.lane, channel.fault.word);
  }
  json first = json::array(), reached = json::array(), crossings = json::array(), objects = json::array();
  std::set<std::string> seen;
  std::set<std::pair<uint32_t, std::string>> seen_of_lane;
  EventList events(run);
  for (const PropagationEvent& event : find_propagation(run, deviations.threads, ways)) {
    if (event.kind == PropagationEvent::Kind::kFault) {
      events.add(event, "fault", nullptr, "");
    } else if (event.kind == PropagationEvent::Kind::kDeviates) {
      const ThreadDeviation& deviation = deviations.threads[event.deviation];
      const bool crossed = deviation.lane != channel.fault.lane;
      first.push_back(first_deviation(run, deviation, event.time));
      reached.push_back(run.thread_name(deviation.lane));
      if (crossed) crossings.push_back(crossing_json(run, ways[event.deviation]));
      events.add(event, kind_of(run, deviation), crossed ? &ways[event.deviation] : nullptr, "");
    } else if (seen_of_lane.size() < kMostObjects) {
      std::string name = object_name(run, event.mark->exact, event.lane, event.word);
      if (!seen_of_lane.insert({event.lane, name}).second) continue;
      events.add(event, "corrupts", nullptr, name);
      if (seen.insert(name).second) objects.push_back(std::move(name));
    }
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
  result.propagation = events.text();
  result.instructions = run.instructions() + channel.spent;
}

}  // namespace heddle::propagate
