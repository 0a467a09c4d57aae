// SPDX-License-Identifier: Apache-2.0
#include "propagate/engine/injection_points.h"

#include <algorithm>

#include "base/check.h"

namespace heddle::propagate {
namespace {

bool passes(const FaultFreeRun& run, const PointFilter& filter, uint32_t segment, const build::ComparedSlot& slot) {
  if (!filter.function.empty() && run.function(segment) != filter.function) return false;
  if (!filter.file.empty() && !run.source_place(slot).starts_with(filter.file + ":")) return false;
  return filter.instruction.empty() || run.target().code.words[slot.instruction] == filter.instruction;
}

}  // namespace

InjectionPoints::InjectionPoints(const FaultFreeRun& run, const FaultModel& model, const PointFilter& filter)
    : run_(run) {
  const build::ComparedProgram& code = run.target().code;
  slots_.resize(code.segments.size());
  for (uint32_t segment = 0; segment < code.segments.size(); ++segment)
    for (uint32_t slot = 0; slot < code.segments[segment].slots.size(); ++slot) {
      const build::ComparedSlot& described = code.segments[segment].slots[slot];
      if (model.applies({code, described, {}}) && passes(run, filter, segment, described))
        slots_[segment].push_back(slot);
    }
  for (uint32_t lane = 0; lane < run.lanes(); ++lane) {
    if (!filter.thread.empty() && run.thread_name(lane) != filter.thread) continue;
    LaneCounts counts{lane, count_, {}};
    uint64_t sum = 0;
    for (const uint64_t header : run.headers(lane))
      counts.through.push_back(sum += slots_[run.segment_at(lane, header)].size());
    count_ += sum;
    lanes_.push_back(std::move(counts));
  }
}

InjectionPoint InjectionPoints::at(uint64_t number) const {
  HEDDLE_CHECK(number < count_, "there is such a point");
  auto lane = std::upper_bound(lanes_.begin(), lanes_.end(), number,
                               [](uint64_t n, const LaneCounts& counts) { return n < counts.before; }) -
              1;
  while (lane->through.empty() || number >= lane->before + lane->through.back()) --lane;  // lanes without points
  const uint64_t within = number - lane->before;
  const auto segment =
      static_cast<size_t>(std::upper_bound(lane->through.begin(), lane->through.end(), within) - lane->through.begin());
  const uint64_t header = run_.headers(lane->lane)[segment];
  const uint32_t static_segment = run_.segment_at(lane->lane, header);
  const uint64_t earlier = segment == 0 ? 0 : lane->through[segment - 1];
  const uint32_t slot = slots_[static_segment][within - earlier];
  return {lane->lane, header + 1 + slot, {static_segment, slot}};
}

}  // namespace heddle::propagate
