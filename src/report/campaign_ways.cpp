// SPDX-License-Identifier: Apache-2.0
#include "report/campaign_ways.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "report/run_result.h"

namespace heddle::report {

using Json = nlohmann::ordered_json;
using propagate::ExperimentResult;

namespace {

constexpr size_t kMostEventsOfPage = 60'000;
constexpr size_t kMostEventsOfExperiment = 128;

class Names {
 public:
  int64_t number(const std::string& name) {
    if (name.empty()) return -1;
    const auto [found, added] = numbers_.try_emplace(name, static_cast<int64_t>(list_.size()));
    if (added) list_.push_back(name);
    return found->second;
  }
  Json take() { return std::move(list_); }

 private:
  std::map<std::string, int64_t> numbers_;
  Json list_ = Json::array();
};

Json event_row(const Json& event, Names& names) {
  const auto whole = [&](const char* key) {
    const auto found = event.find(key);
    return found != event.end() && found->is_number_unsigned() ? Json(*found) : Json(-1);
  };
  return {whole("time"),
          names.number(text_at(event, "thread")),
          names.number(text_at(event, "kind")),
          whole("index"),
          names.number(text_at(event, "object")),
          names.number(text_at(event, "from")),
          names.number(text_at(event, "through"))};
}

// Those whose errors went furthest first.
std::vector<const ExperimentResult*> by_reach(std::span<const ExperimentResult> results) {
  std::vector<std::pair<int64_t, const ExperimentResult*>> ranked;
  for (const ExperimentResult& result : results) {
    if (!result.injected) continue;
    const bool crossed = result.crossings.size() > 2;
    ranked.emplace_back(crossed ? 0 : result.deviated ? 1 : 2, &result);
  }
  std::sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : a.second->id < b.second->id;
  });
  std::vector<const ExperimentResult*> sorted;
  for (const auto& [rank, result] : ranked) sorted.push_back(result);
  return sorted;
}

}  // namespace

Json campaign_ways(std::span<const ExperimentResult> results) {
  Names names;
  Json ways = Json::object();
  size_t room = kMostEventsOfPage;
  for (const ExperimentResult* result : by_reach(results)) {
    const Json propagation = Json::parse(result->propagation, nullptr, false);
    const auto events = propagation.is_object() ? propagation.find("events") : propagation.end();
    if (events == propagation.end() || !events->is_array() || events->empty()) continue;
    const size_t count = std::min(events->size(), kMostEventsOfExperiment);
    if (count > room) break;
    room -= count;
    Json rows = Json::array();
    for (size_t i = 0; i < count; ++i)
      if ((*events)[i].is_object()) rows.push_back(event_row((*events)[i], names));
    const uint64_t left_out = propagation.value("left_out", uint64_t{0}) + (events->size() - count);
    ways[result->fault + ":" + std::to_string(result->id & 0xffffffffu)] = {{"left_out", left_out},
                                                                            {"events", std::move(rows)}};
  }
  return {{"names", names.take()}, {"of", std::move(ways)}};
}

}  // namespace heddle::report
