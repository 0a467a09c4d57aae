// SPDX-License-Identifier: Apache-2.0
#include "predict/observed_races.h"

#include <map>

#include "property/happens_before.h"

namespace heddle::predict {

namespace {

constexpr uint64_t kMostClocks = 400'000'000;

}  // namespace

void find_observed_races(const trace::Trace& trace, const std::function<void(const PredictedRace&, bool follows)>& take,
                         std::set<property::Reason>& reasons) {
  if (trace.events.size() * trace.threads.size() > kMostClocks) {
    reasons.insert({"size", "the trace is too large for --model=hb"});
    return;
  }
  causal::ThreadTable threads;
  causal::Histories histories;
  std::vector<HeddleRecord> records;
  records.reserve(trace.events.size());
  for (const trace::Event& event : trace.events)
    if (trace::is_visible(event.record)) records.push_back(event.record);
  const causal::Execution execution = causal::make_execution(records, trace.threads, trace.ending, threads, histories);
  using property::HappensBefore;
  const HappensBefore order(execution, execution.order, schedule::MemoryModel::kSc);
  const HappensBefore proof(execution, execution.order, schedule::MemoryModel::kSc, property::RacyReads::kOrder);

  const std::vector<uint32_t> places = number_places(trace.sites);
  struct Known {
    PredictedRace race;
    bool follows;
  };
  std::map<std::pair<uint32_t, uint32_t>, Known> found;  // by places
  for (const auto& [one, other] : order.races()) {
    PredictedRace race;
    race.first = one;
    race.second = other;
    race.first_site = execution.operation(one).site;
    race.second_site = execution.operation(other).site;
    race.order.history = trace.events.size();
    const auto place = [&](uint32_t site) { return site < places.size() ? places[site] : 0; };
    const bool follows = proof.before(one, other);
    Known& known = found.try_emplace(std::minmax(place(race.first_site), place(race.second_site)), Known{race, true}).first->second;
    if (known.follows && !follows) known = {race, false};
  }
  for (const auto& [where, known] : found) take(known.race, known.follows);
}

}  // namespace heddle::predict
