// SPDX-License-Identifier: Apache-2.0
#include "propagate/engine/propagation.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace heddle::propagate {
namespace {

using Kind = PropagationEvent::Kind;

// What happened in each lane, in its order.
class Lanes {
 public:
  Lanes(const FaultFreeRun& run, const std::vector<ThreadDeviation>& deviations, const std::vector<Crossing>& crossings)
      : fault_lane_(run.server().channel().fault.lane), deviations_(deviations), crossings_(crossings) {
    const HeddleComparison& channel = run.server().channel();
    if (channel.injected)
      events_[fault_lane_].push_back({Kind::kFault, 0, fault_lane_, channel.fault.word, nullptr, 0});
    for (size_t i = 0; i < deviations.size(); ++i) {
      const ThreadDeviation& deviation = deviations[i];
      events_[deviation.lane].push_back({Kind::kDeviates, 0, deviation.lane, deviation.word, nullptr, i});
    }
    for (const HeddleMark& mark : channel.mark)
      if (mark.key)
        events_[mark.lane].push_back({Kind::kCorrupts, 0, mark.lane, run.plausible(mark.lane, mark.word), &mark, 0});
    for (auto& [lane, events] : events_) {
      std::sort(events.begin(), events.end(), [](const PropagationEvent& a, const PropagationEvent& b) {
        return std::tuple(a.kind != Kind::kFault, a.word, a.kind, a.mark ? a.mark->exact : 0) <
               std::tuple(b.kind != Kind::kFault, b.word, b.kind, b.mark ? b.mark->exact : 0);
      });
    }
    for (auto& [lane, events] : events_) give_times(lane, events);
  }

  std::map<uint32_t, std::vector<PropagationEvent>>& events() { return events_; }

 private:
  // The time of the first thing in a lane: after what it has the error from.
  uint64_t first_time(uint32_t lane, const std::vector<PropagationEvent>& events) {
    if (lane == fault_lane_) return 0;
    const auto deviates =
        std::find_if(events.begin(), events.end(), [](const PropagationEvent& e) { return e.kind == Kind::kDeviates; });
    if (deviates == events.end()) return 1;
    const Crossing& crossing = crossings_[deviates->deviation];
    const auto source = events_.find(crossing.from);
    if (source == events_.end() || source->first == lane) return 1;
    give_times(source->first, source->second);
    for (const PropagationEvent& event : source->second)
      if (crossing.mark && event.mark == crossing.mark) return event.time + 1;
    // Without a mark: who waits in vain does so since the fault, others have it from what the thread did differently.
    for (const PropagationEvent& event : source->second)
      if (event.kind == Kind::kDeviates && crossing.by.empty() &&
          deviations_[event.deviation].kind != HEDDLE_DEVIATION_END)
        return event.time + 1;
    return source->second.front().time + 1;
  }

  void give_times(uint32_t lane, std::vector<PropagationEvent>& events) {
    if (std::exchange(timed_[lane], true)) return;  // also ends a circle of threads that wait for each other
    uint64_t time = first_time(lane, events);
    for (PropagationEvent& event : events) event.time = time++;
  }

  uint32_t fault_lane_;
  const std::vector<ThreadDeviation>& deviations_;
  const std::vector<Crossing>& crossings_;
  std::map<uint32_t, std::vector<PropagationEvent>> events_;
  std::map<uint32_t, bool> timed_;
};

}  // namespace

std::vector<PropagationEvent> find_propagation(const FaultFreeRun& run, const std::vector<ThreadDeviation>& deviations,
                                               const std::vector<Crossing>& crossings) {
  Lanes lanes(run, deviations, crossings);
  std::map<uint32_t, std::vector<uint32_t>> places;
  std::vector<PropagationEvent> all;
  for (auto& [lane, events] : lanes.events()) {
    places[lane] = tree_place(run.server().channel(), lane);
    all.insert(all.end(), events.begin(), events.end());
  }
  std::sort(all.begin(), all.end(), [&](const PropagationEvent& a, const PropagationEvent& b) {
    return a.time != b.time ? a.time < b.time : places[a.lane] < places[b.lane];
  });
  return all;
}

}  // namespace heddle::propagate
