// SPDX-License-Identifier: Apache-2.0
#include "predict/recipe_search.h"

#include <algorithm>
#include <map>

#include "predict/candidates.h"
#include "predict/observed_races.h"
#include "predict/recipe_question.h"
#include "predict/recipe_window.h"
#include "predict/recipe_witness.h"
#include "predict/window.h"
#include "solve/term_solver.h"

namespace heddle::predict {
namespace {

// Of a pair of places, in one window and in all: more are not asked about.
constexpr size_t kMostInWindow = 10;
constexpr uint64_t kMostInAll = 50;
constexpr double kSecondsOfAQuestion = 0.5;

class RecipeSearch {
 public:
  RecipeSearch(const trace::Trace& trace, RecipeTrace& recipe, const RecipeOptions& options,
               const std::function<bool(const PredictedRace&)>& take, Statistics& statistics, std::set<property::Reason>& reasons)
      : trace_(trace), recipe_(recipe), options_(options), take_(take), statistics_(statistics), reasons_(reasons),
        places_(number_places(trace.sites)), known_(options.known), solver_(recipe.terms),
        candidates_(trace, [this](const HeddleRecord& one, const HeddleRecord& other) { return is_open(one, other); }, ReadsKeep::kNothing),
        state_(trace.threads.size()), first_(trace.threads.size(), 0), witness_(trace) {}

  void run() {
    for (const ObservedRace& seen : find_observed_races(trace_)) seen_.insert(places_of(seen.race.first_site, seen.race.second_site));
    for (size_t begin = 0, end; begin < trace_.events.size(); begin = end) {
      end = end_of_window(trace_, begin, options_.window);
      look_at(begin, end);
      for (size_t at = begin; at < end; ++at) {
        const HeddleRecord& record = trace_.events[at].record;
        if (!trace::is_visible(record)) continue;
        state_.apply(record);
        first_[record.thread] = record.index + 1;
      }
    }
    if (!is_complete_) reasons_.insert({"recipe", "some questions about values were too large or took too long"});
    statistics_.value_questions += solver_.questions();
    statistics_.value_seconds += solver_.seconds();
  }

 private:
  using Places = std::pair<uint32_t, uint32_t>;
  Places places_of(uint32_t one, uint32_t other) const {
    const auto place = [&](uint32_t site) { return site < places_.size() ? places_[site] : 0; };
    return std::minmax(place(one), place(other));
  }

  bool is_open(const HeddleRecord& one, const HeddleRecord& other) {
    const Places places = places_of(one.site, other.site);
    return !known_.count(places) && asked_[places] < kMostInAll;
  }

  void look_at(size_t begin, size_t end) {
    const std::vector<CandidatePair>& pairs = candidates_.find(begin, end, state_, kMostInWindow);
    if (pairs.empty()) return;
    const RecipeWindow window(trace_, recipe_, begin, end, state_, first_, options_.knows_outside);
    RecipeQuestion question(window, recipe_.terms, solver_);
    for (const auto& [one, other] : pairs) {
      if (!window.has(one) || !window.has(other)) continue;
      const HeddleRecord &first = window.record(one), &second = window.record(other);
      if (!is_open(first, second)) continue;
      ++asked_[places_of(first.site, second.site)];
      const auto plan = question.answer({{one, other}, {}, {}}, kSecondsOfAQuestion);
      if (plan) settle(window, one, other, *plan);
    }
    is_complete_ = is_complete_ && question.is_complete();
  }

  void settle(const RecipeWindow& window, EventId one, EventId other, std::vector<property::PlannedStep> plan) {
    const EventId both[] = {one, other};
    const std::string refused = check(window.begin(), plan, both);
    const HeddleRecord &first = window.record(one), &second = window.record(other);
    plan.push_back(property::step_of(one, first));
    plan.push_back(property::step_of(other, second));
    if (!refused.empty()) {
      reasons_.insert({"witness", "an order did not hold on the trace: " + refused});
      return;
    }
    PredictedRace race;
    race.first = one;
    race.second = other;
    race.first_site = first.site;
    race.second_site = second.site;
    race.enabled_at_once = true;
    race.is_hidden = seen_.count(places_of(first.site, second.site)) == 0;
    race.has_other_values = true;
    race.order = {window.begin(), std::move(plan)};
    if (take_(race)) known_.insert(places_of(first.site, second.site));
  }

  // Locks and threads allow it whatever is read, and so do the values.
  std::string check(size_t begin, const std::vector<property::PlannedStep>& plan, std::span<const EventId> next) {
    std::vector<EventId> all;
    for (const property::PlannedStep& step : plan) all.push_back(step.event);
    const std::string refused = witness_.check(begin, plan, all);
    return refused.empty() ? check_values(trace_, recipe_, begin, plan, next) : refused;
  }

  const trace::Trace& trace_;
  RecipeTrace& recipe_;
  const RecipeOptions& options_;
  const std::function<bool(const PredictedRace&)>& take_;
  Statistics& statistics_;
  std::set<property::Reason>& reasons_;
  const std::vector<uint32_t> places_;
  std::set<Places> known_, seen_;
  std::map<Places, uint64_t> asked_;
  solve::TermSolver solver_;
  CandidateFinder candidates_;
  CarriedState state_;
  std::vector<uint32_t> first_;
  Witness witness_;
  bool is_complete_ = true;
};

}  // namespace

void find_recipe_races(const trace::Trace& trace, RecipeTrace& recipe, const RecipeOptions& options,
                       const std::function<bool(const PredictedRace&)>& take, Statistics& statistics,
                       std::set<property::Reason>& reasons) {
  const auto is_untracked = [](const trace::Event& event) { return event.record.kind == HEDDLE_UNTRACKED; };
  if (std::any_of(trace.events.begin(), trace.events.end(), is_untracked)) {
    reasons.insert({"recipe", "memory changed and nobody saw who did it: no other values are looked for"});
    return;
  }
  RecipeSearch(trace, recipe, options, take, statistics, reasons).run();
}

}  // namespace heddle::predict
