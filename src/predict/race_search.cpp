// SPDX-License-Identifier: Apache-2.0
#include "predict/race_search.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "base/check.h"
#include "causal/needs.h"
#include "causal/unmodelled.h"
#include "predict/candidates.h"
#include "predict/observed_races.h"
#include "predict/window.h"
#include "property/happens_before.h"
#include "property/unordered.h"

namespace heddle::predict {

using causal::EventId;
using property::PlannedStep;

namespace {

// Of a pair of places, in one window and in all: more are not asked about.
constexpr size_t kMostInWindow = 30;
constexpr uint64_t kMostInAll = 150;
// Of a question, in looking for the parts of a window that could answer it.
constexpr size_t kMostSteps = 20000;
// Events of a window in which it is looked up what orders two accesses.
constexpr size_t kMostToExplain = 100'000;
// Orders of a pair of places that were found and did not stand.
constexpr int kMostRefused = 20;

class RaceSearch {
 public:
  RaceSearch(const trace::Trace& trace, const Options& options, solve::OrderSolver& solver,
             const std::function<bool(const PredictedRace&)>& take, Statistics& statistics, gaps::Gaps& gaps)
      : trace_(trace),
        options_(options),
        take_(take),
        statistics_(statistics),
        gaps_(gaps),
        places_(number_places(trace.sites)),
        finder_(
            schedule::MemoryModel::kSc, places_,
            [&solver](const solve::OrderProblem& problem) { return solver.solve(problem); },
            property::RacyReads::kOrder, kMostSteps),
        candidates_(trace, [this](const HeddleRecord& one, const HeddleRecord& other) { return is_open(one, other); }),
        state_(trace.threads.size()),
        witness_(trace) {
    const std::vector<causal::ThreadId> ids = threads_.ids_of(trace.threads);
    for (uint32_t number = 0; number < ids.size(); ++number)
      HEDDLE_CHECK(ids[number] == number, "a valid trace has its threads in the order of their creation");
  }

  void run() {
    observed_ = find_observed_races(trace_);
    for (const ObservedRace& seen : observed_) seen_.insert(places_of(seen.race.first_site, seen.race.second_site));
    for (size_t begin = 0, end; begin < trace_.events.size(); begin = end) {
      if (options_.stops && options_.stops(begin)) break;
      end = end_of_window(trace_, begin, options_.window);
      ++statistics_.windows;
      look_at(begin, end);
      for (size_t at = begin; at < end; ++at)
        if (trace::is_visible(trace_.events[at].record)) state_.apply(trace_.events[at].record);
    }
    take_what_was_seen();
    if (candidates_.left_out() > 0 || gave_up_) gaps_.raise(HEDDLE_GAP_ACCESS_PAIRS);
    if (!finder_.is_complete()) gaps_.raise(HEDDLE_GAP_ANSWERS_LEFT_OUT);
  }

 private:
  using Places = std::pair<uint32_t, uint32_t>;
  Places places_of(uint32_t one, uint32_t other) const {
    const auto place = [&](uint32_t site) { return site < places_.size() ? places_[site] : 0; };
    return std::minmax(place(one), place(other));
  }
  Places places_of(const HeddleRecord& one, const HeddleRecord& other) const { return places_of(one.site, other.site); }

  bool is_open(const HeddleRecord& one, const HeddleRecord& other) {
    if (!finder_.is_open(one, other)) return false;
    const auto asked = asked_.find(places_of(one, other));
    if (asked == asked_.end() || asked->second < kMostInAll) return true;
    gave_up_ = true;
    return false;
  }

  void look_at(size_t begin, size_t end) {
    const std::vector<CandidatePair>& pairs = candidates_.find(begin, end, state_, kMostInWindow);
    if (pairs.empty()) return;
    statistics_.candidates += pairs.size();
    ++statistics_.asked_windows;
    const Window window(trace_, begin, end, state_, threads_);
    const causal::Execution& execution = window.execution();
    if (causal::is_too_large(execution)) {
      gaps_.raise(HEDDLE_GAP_WINDOW_TOO_LARGE);
      return;
    }
    for (const std::string& what : causal::unmodelled(execution, {})) gaps_.raise(HEDDLE_GAP_NOT_MODELLED, what);
    const causal::Dependences dependences(execution);
    property::RaceFinder::Pairs inside;
    for (const auto& [one, other] : pairs) {
      if (!window.has(one) || !window.has(other)) continue;
      inside.push_back({window.inside(one), window.inside(other)});
      ++asked_[places_of(execution.operation(inside.back().first), execution.operation(inside.back().second))];
    }
    finder_.forget_questions();
    finder_.find_among(dependences, inside, [&](const property::Race& race) {
      settle(window, race);
      return true;
    });
  }

  void settle(const Window& window, const property::Race& race) {
    const HeddleRecord &first = window.execution().operation(race.first),
                       &second = window.execution().operation(race.second);
    PredictedRace predicted;
    predicted.first = window.outside(race.first);
    predicted.second = window.outside(race.second);
    predicted.first_site = first.site;
    predicted.second_site = second.site;
    predicted.enabled_at_once = race.enabled_at_once;
    predicted.is_hidden = seen_.count(places_of(first, second)) == 0;
    predicted.order.history = window.begin();
    predicted.order.plan = window.translate(race.plan);
    if (predicted.is_hidden) predicted.ordered_by = what_orders(window, race);
    const std::string refused = check(window, race, predicted);
    if (!refused.empty()) gaps_.raise(HEDDLE_GAP_WITNESS_REFUSED, refused);
    if (refused.empty() && take_(predicted)) return;
    if (++refused_[places_of(first, second)] < kMostRefused) {
      finder_.take_back(first, second);
    } else {
      gaps_.raise(HEDDLE_GAP_NO_ORDER_STOOD);
    }
  }

  // In the order that was seen.
  static std::vector<OrderedBy> what_orders(const Window& window, const property::Race& race) {
    const causal::Execution& execution = window.execution();
    if (execution.order.size() > kMostToExplain) return {};
    const property::HappensBefore order(execution, execution.order, schedule::MemoryModel::kSc);
    std::vector<OrderedBy> steps;
    if (!order.before(race.first, race.second) && !order.before(race.second, race.first)) return steps;
    for (const property::Synchronisation& step : order.before(race.first, race.second)
                                                     ? order.path(race.first, race.second)
                                                     : order.path(race.second, race.first))
      if (!window.is_added(step.from) && !window.is_added(step.to))
        steps.push_back({window.outside(step.from), window.outside(step.to)});
    return steps;
  }

  // Races of the order that was seen may lie in different windows.
  void take_what_was_seen() {
    for (const ObservedRace& observed : observed_) {
      HeddleRecord first = {}, second = {};
      first.site = observed.race.first_site;
      second.site = observed.race.second_site;
      if (!observed.follows && !finder_.is_known(first, second)) take_(observed.race);
    }
  }

  // Empty, or why the plan shows no race.
  std::string check(const Window& window, const property::Race& race, const PredictedRace& predicted) {
    std::vector<EventId> last;  // nothing of their threads follows them
    for (const EventId access : {predicted.first, predicted.second}) {
      const auto follows = [&](const PlannedStep& step) {
        return step.event.thread == access.thread && step.event.index > access.index;
      };
      if (std::none_of(predicted.order.plan.begin(), predicted.order.plan.end(), follows)) last.push_back(access);
    }
    std::string refused = witness_.check(predicted.order.history, predicted.order.plan, last);
    if (!refused.empty()) return refused;
    if (race.enabled_at_once) {
      // Both are next: the other order of the two is possible as well.
      std::vector<PlannedStep> swapped = predicted.order.plan;
      const auto earlier = std::find_if(swapped.begin(), swapped.end(), [&](const PlannedStep& step) {
        return step.event == predicted.first || step.event == predicted.second;
      });
      if (earlier != swapped.end()) std::rotate(earlier, earlier + 1, swapped.end());
      return witness_.check(predicted.order.history, swapped, last);
    }
    const causal::Execution& execution = window.execution();
    causal::Cut all;
    for (causal::ThreadId t = 0; t < execution.threads.size(); ++t) all.push_back(execution.length(t));
    const property::HappensBefore order(execution, property::happenings_of(race.plan, all, execution),
                                        schedule::MemoryModel::kSc, property::RacyReads::kOrder);
    return order.before(race.first, race.second) || order.before(race.second, race.first) ? "they are ordered" : "";
  }

  const trace::Trace& trace_;
  const Options& options_;
  const std::function<bool(const PredictedRace&)>& take_;
  Statistics& statistics_;
  gaps::Gaps& gaps_;
  causal::ThreadTable threads_;
  const std::vector<uint32_t> places_;
  property::RaceFinder finder_;
  CandidateFinder candidates_;
  CarriedState state_;
  Witness witness_;
  std::vector<ObservedRace> observed_;
  std::set<Places> seen_;  // of those
  std::map<Places, uint64_t> asked_;
  std::map<Places, int> refused_;
  bool gave_up_ = false;
};

}  // namespace

std::vector<uint32_t> number_places(const std::vector<trace::Site>& sites) {
  std::map<std::tuple<std::string, uint32_t, size_t>, uint32_t> numbers;
  std::vector<uint32_t> places;
  for (size_t site = 0; site < sites.size(); ++site) {
    const size_t apart = sites[site].line == 0 ? site : 0;
    places.push_back(
        numbers.try_emplace({sites[site].file, sites[site].line, apart}, static_cast<uint32_t>(numbers.size()))
            .first->second);
  }
  return places;
}

void find_races(const trace::Trace& trace, const Options& options, solve::OrderSolver& solver,
                const std::function<bool(const PredictedRace&)>& take, Statistics& statistics, gaps::Gaps& gaps) {
  RaceSearch(trace, options, solver, take, statistics, gaps).run();
}

}  // namespace heddle::predict
