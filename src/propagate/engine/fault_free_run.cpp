// SPDX-License-Identifier: Apache-2.0
#include "propagate/engine/fault_free_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/check.h"

namespace heddle::propagate {

FaultFreeRun::FaultFreeRun(const build::ComparisonTarget& target, const ComparisonServer& server)
    : target_(target),
      server_(server),
      output_(server.output()),
      exit_code_(server.channel().code),
      seconds_(server.seconds()) {
  find_headers();
}

FaultFreeRun::FaultFreeRun(const build::ComparisonTarget& target, const ComparisonServer& server,
                           const FaultFreeRun& other)
    : target_(target), server_(server), output_(other.output_), exit_code_(other.exit_code_), seconds_(other.seconds_) {
  find_headers();
}

void FaultFreeRun::find_headers() {
  headers_.resize(lanes());
  for (uint32_t lane = 0; lane < lanes(); ++lane) {
    const uint64_t* stream = server_.stream(lane);
    for (uint64_t at = 0; at < words(lane);) {
      HEDDLE_CHECK(stream[at] >= 1 && stream[at] <= target_.code.segments.size(), "a stream is a sequence of segments");
      headers_[lane].push_back(at);
      at += 1 + target_.code.segments[stream[at] - 1].slots.size();
    }
    instructions_ += words(lane) - headers_[lane].size();
  }
}

std::optional<WordPlace> FaultFreeRun::place(uint32_t lane, uint64_t word) const {
  if (lane >= lanes() || word >= words(lane)) return std::nullopt;
  const auto after = std::upper_bound(headers_[lane].begin(), headers_[lane].end(), word);
  const uint64_t header = *(after - 1);
  if (header == word) return std::nullopt;
  return WordPlace{segment_at(lane, header), static_cast<uint32_t>(word - header - 1)};
}

uint64_t FaultFreeRun::instruction_number(uint32_t lane, uint64_t word) const {
  const auto not_before = std::lower_bound(headers_[lane].begin(), headers_[lane].end(), word);
  return word - static_cast<uint64_t>(not_before - headers_[lane].begin());
}

bool FaultFreeRun::writes_nothing() const {
  return std::all_of(output_.begin(), output_.end(), [](const auto& file) {
    return file.first == kStandardOutput && file.second && file.second->empty();
  });
}

std::string FaultFreeRun::thread_name(uint32_t lane) const {
  const HeddleComparison& channel = server_.channel();
  std::string name;
  while (lane != HEDDLE_NO_LANE && lane < HEDDLE_MOST_LANES) {
    const HeddleLane& told = lane < channel.known_lanes ? channel.known[lane] : channel.run[lane];
    if (told.parent == HEDDLE_NO_LANE) return "T0" + name;
    name = fmt::format(".{}", told.child_number) + name;
    lane = told.parent;
  }
  return "T?" + name;
}

std::string FaultFreeRun::function(uint32_t segment) const {
  if (segment >= target_.code.segments.size()) return "";
  return target_.code.words[target_.code.functions[target_.code.segments[segment].function]];
}

std::string FaultFreeRun::source_place(const build::ComparedSlot& slot) const {
  const build::ComparedPlace& place = target_.code.places[slot.place];
  const std::string& file = target_.code.words[place.file];
  if (file.empty()) return "";
  return fmt::format("{}:{}:{}", std::filesystem::path(file).filename().string(), place.line, place.column);
}

}  // namespace heddle::propagate
