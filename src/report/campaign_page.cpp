// SPDX-License-Identifier: Apache-2.0
#include "report/campaign_page.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "report/campaign_ways.h"
#include "report/run_result.h"

namespace heddle::report {

using Json = nlohmann::ordered_json;
using propagate::ExperimentResult;

namespace {

constexpr size_t kMostObjects = 8;          // of one crossing
constexpr size_t kMostExperiments = 20000;  // in one page

Json list_of(const std::string& text) {
  Json json = Json::parse(text, nullptr, false);
  return json.is_array() ? json : Json::array();
}

// "table+80" and "table+88" are one object on the way of errors.
std::string without_offset(const std::string& object) {
  const size_t plus = object.rfind('+');
  const bool is_offset = plus != std::string::npos && plus + 1 < object.size() &&
                         object.find_first_not_of("0123456789", plus + 1) == std::string::npos;
  return is_offset ? object.substr(0, plus) : object;
}

struct Crossing {
  uint64_t count = 0;
  std::map<std::string, uint64_t> through;
};

// Most frequent first, then by name.
template <typename Key, typename Value, typename Count>
std::vector<std::pair<Key, Value>> by_count(const std::map<Key, Value>& all, Count count) {
  std::vector<std::pair<Key, Value>> sorted(all.begin(), all.end());
  std::sort(sorted.begin(), sorted.end(), [&](const auto& a, const auto& b) {
    const uint64_t first = count(a.second), second = count(b.second);
    return first != second ? first > second : a.first < b.first;
  });
  return sorted;
}

struct Gathered {
  std::map<std::string, std::pair<uint64_t, uint64_t>> threads;  // faults in it, experiments that reached it
  std::map<std::pair<std::string, std::string>, Crossing> crossings;
  std::map<std::string, std::map<std::string, uint64_t>> functions;  // outcomes
};

void gather(const ExperimentResult& result, Gathered& all) {
  if (!result.injected) return;
  ++all.threads[result.thread].first;
  ++all.functions[result.function][std::string(propagate::outcome_name(result.outcome))];
  for (const Json& thread : list_of(result.threads_reached))
    if (thread.is_string()) ++all.threads[thread.get<std::string>()].second;
  for (const Json& crossing : list_of(result.crossings)) {
    Crossing& edge = all.crossings[{text_at(crossing, "from"), text_at(crossing, "to")}];
    ++edge.count;
    ++edge.through[without_offset(text_at(crossing, "through", "unknown"))];
  }
}

Json crossings_json(const Gathered& all) {
  Json list = Json::array();
  for (const auto& [ends, crossing] : by_count(all.crossings, [](const Crossing& one) { return one.count; })) {
    Json through = Json::array();
    for (const auto& [object, count] : by_count(crossing.through, [](uint64_t n) { return n; })) {
      if (through.size() == kMostObjects) break;
      through.push_back({object, count});
    }
    list.push_back(
        {{"from", ends.first}, {"to", ends.second}, {"count", crossing.count}, {"through", std::move(through)}});
  }
  return list;
}

Json functions_json(const Gathered& all) {
  const auto total = [](const std::map<std::string, uint64_t>& outcomes) {
    uint64_t sum = 0;
    for (const auto& [outcome, count] : outcomes) sum += count;
    return sum;
  };
  Json list = Json::array();
  for (const auto& [name, outcomes] : by_count(all.functions, total))
    list.push_back({{"name", name}, {"injected", total(outcomes)}, {"outcomes", outcomes}});
  return list;
}

}  // namespace

Json campaign_page(std::span<const ExperimentResult> results) {
  Gathered all;
  Json experiments = Json::array();
  for (const ExperimentResult& result : results) {
    gather(result, all);
    if (experiments.size() == kMostExperiments) continue;
    const std::string name = result.fault + ":" + std::to_string(result.id & 0xffffffffu);
    experiments.push_back({name, result.thread, result.function, result.place, result.instruction, result.detail,
                           propagate::outcome_name(result.outcome), result.injected ? 1 : 0, result.deviated ? 1 : 0,
                           result.instructions_until_deviation, result.reason});
  }
  Json threads = Json::array();
  for (const auto& [name, counts] : all.threads)
    threads.push_back({{"name", name}, {"faults", counts.first}, {"reached", counts.second}});
  return {{"threads", std::move(threads)},    {"crossings", crossings_json(all)},
          {"functions", functions_json(all)}, {"experiments", std::move(experiments)},
          {"ways", campaign_ways(results)},   {"experiments_in_all", results.size()}};
}

}  // namespace heddle::report
