// SPDX-License-Identifier: Apache-2.0
#include "predict/recipe_search.h"

#include <algorithm>
#include <map>
#include <optional>

#include "predict/candidates.h"
#include "predict/observed_races.h"
#include "predict/recipe_question.h"
#include "predict/recipe_window.h"
#include "predict/recipe_witness.h"
#include "property/happens_before.h"
#include "solve/term_solver.h"

namespace heddle::predict {
namespace {

// Of a pair of places, in one window and in all: more are not asked about.
constexpr size_t kMostInWindow = 30;
constexpr uint64_t kMostInAll = 150;

// What the last accesses find may be anything, unless one must find something in order to write.
std::optional<EventId> must_exchange(const HeddleRecord& one, const HeddleRecord& other) {
  const auto surely_writes = [](const HeddleRecord& record) {
    return record.kind == HEDDLE_STORE || record.kind == HEDDLE_RMW;
  };
  if (surely_writes(one) || surely_writes(other)) return std::nullopt;
  const HeddleRecord& exchanges = one.kind == HEDDLE_CAS && !gave_up(one) ? one : other;
  return EventId{exchanges.thread, exchanges.index};
}

class RecipeSearch {
 public:
  RecipeSearch(const trace::Trace& trace, symbolic::WalkedTrace& recipe, const RecipeOptions& options,
               const std::function<bool(const PredictedRace&)>& take, Statistics& statistics, gaps::Gaps& gaps)
      : trace_(trace),
        recipe_(recipe),
        options_(options),
        take_(take),
        statistics_(statistics),
        gaps_(gaps),
        places_(number_places(trace.sites)),
        known_(options.known),
        solver_(recipe.terms),
        candidates_(
            trace, [this](const HeddleRecord& one, const HeddleRecord& other) { return is_open(one, other); },
            ReadsKeep::kNothing),
        witness_(trace) {}

  void run() {
    for (const ObservedRace& seen : find_observed_races(trace_))
      seen_.insert(places_of(seen.race.first_site, seen.race.second_site));
    for_each_window(trace_, options_.window, options_.stops,
                    [&](size_t begin, size_t end, const CarriedState& state, const std::vector<uint32_t>& first) {
                      look_at(begin, end, state, first);
                      look_at_detours(begin, end, state, first);
                    });
    if (candidates_.left_out() > 0 || gave_up_) gaps_.raise(HEDDLE_GAP_ACCESS_PAIRS);
    if (!is_complete_) gaps_.raise(HEDDLE_GAP_VALUE_QUESTIONS);
    statistics_.value_questions += questions_;
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
    if (known_.count(places)) return false;
    const auto asked = asked_.find(places);
    if (asked == asked_.end() || asked->second < kMostInAll) return true;
    gave_up_ = true;
    return false;
  }

  void look_at(size_t begin, size_t end, const CarriedState& state, const std::vector<uint32_t>& starts) {
    const std::vector<CandidatePair>& pairs = candidates_.find(begin, end, state, kMostInWindow);
    if (pairs.empty()) return;
    const RecipeWindow window(trace_, recipe_, begin, end, state, starts, options_.knows_outside);
    if (window.rules().simplifies()) gaps_.raise(HEDDLE_GAP_VALUE_QUESTIONS);
    for (const auto& [one, other] : pairs) ask(window, one, other);
  }

  void look_at_detours(size_t begin, size_t end, const CarriedState& state, const std::vector<uint32_t>& starts) {
    std::map<uint64_t, std::vector<EventId>> accesses;  // by word
    std::vector<uint32_t> ends = starts;
    for (size_t at = begin; at < end; ++at) {
      const HeddleRecord& record = trace_.events[at].record;
      if (!trace::is_visible(record)) continue;
      ends[record.thread] = record.index + 1;
      if (record.kind >= HEDDLE_LOAD && record.kind <= HEDDLE_CAS)
        accesses[record.address / 8].push_back({record.thread, record.index});
    }
    for (uint32_t t = 0; t < ends.size(); ++t) {
      const std::vector<symbolic::Detour>& detours = recipe_.symbolic.threads[t].detours;
      for (const symbolic::Detour& detour : detours) {
        if (detour.first_operation < starts[t] || detour.first_operation > ends[t] || starts[t] == ends[t]) continue;
        std::optional<RecipeWindow> window;  // made when it is needed
        for (const symbolic::Operation& operation : detour.operations) {
          const auto others = accesses.find(recipe_.terms.observed(operation.address) / 8);
          if (others == accesses.end()) continue;
          for (const EventId other : others->second) {
            if (other.thread == t || known_.count(places_of(operation.site, site_of(other)))) continue;
            if (!window)
              window.emplace(trace_, recipe_, begin, end, state, starts, options_.knows_outside,
                             WindowDetour{t, &detour});
            ask(*window, {t, operation.index}, other);
          }
        }
      }
    }
  }

  uint32_t site_of(EventId event) const { return recipe_.symbolic.threads[event.thread].operations[event.index].site; }

  void ask(const RecipeWindow& window, EventId one, EventId other) {
    if (!window.has(one) || !window.has(other)) return;
    const HeddleRecord &first = window.record(one), &second = window.record(other);
    if (!property::conflict(first, second) || !is_open(first, second)) return;
    ++asked_[places_of(first.site, second.site)];
    const std::optional<EventId> exact = must_exchange(first, second);
    RecipeQuestion question(window, recipe_.terms, solver_);
    ++questions_;
    const auto plan = question.answer({{one, other}, exact});
    if (plan) settle(window, one, other, exact, *plan);
    is_complete_ = is_complete_ && question.is_complete();
  }

  void settle(const RecipeWindow& window, EventId one, EventId other, std::optional<EventId> exact,
              std::vector<property::PlannedStep> plan) {
    const EventId both[] = {one, other};
    const std::string refused = check(window, plan, both, exact);
    const HeddleRecord &first = window.record(one), &second = window.record(other);
    plan.push_back(property::step_of(one, first));
    plan.push_back(property::step_of(other, second));
    if (!refused.empty()) {
      gaps_.raise(HEDDLE_GAP_WITNESS_REFUSED, refused);
      return;
    }
    PredictedRace race;
    race.first = one;
    race.second = other;
    race.first_site = first.site;
    race.second_site = second.site;
    race.enabled_at_once = true;
    race.is_hidden = seen_.count(places_of(first.site, second.site)) == 0;
    race.is_on_detour = window.is_on_detour(one) || window.is_on_detour(other);
    race.has_other_values = true;
    race.order = {window.begin(), std::move(plan)};
    if (take_(race)) known_.insert(places_of(first.site, second.site));
  }

  // Locks and threads allow it whatever is read, and so do the values.
  std::string check(const RecipeWindow& window, const std::vector<property::PlannedStep>& plan,
                    std::span<const EventId> next, std::optional<EventId> exact) {
    std::vector<EventId> all;
    std::vector<property::PlannedStep> seen;  // what a detour does, accesses, is not in the trace
    for (const property::PlannedStep& step : plan) {
      all.push_back(step.event);
      if (!window.is_on_detour(step.event)) seen.push_back(step);
    }
    std::string refused = witness_.check(window.begin(), seen, all);
    if (!refused.empty()) return refused;
    for (const EventId event : next)
      if (window.is_on_detour(event)) return check_detour(window, event.thread, plan, next);
    return check_values(trace_, recipe_, window.begin(), plan, next, exact);
  }

  // The thread's trace with the detour in it, for as long as the check takes.
  std::string check_detour(const RecipeWindow& window, uint32_t thread, const std::vector<property::PlannedStep>& plan,
                           std::span<const EventId> next) {
    symbolic::ThreadTrace& own = recipe_.symbolic.threads[thread];
    const symbolic::Detour& detour = window.detour();
    std::vector<symbolic::Operation> operations(own.operations.begin(),
                                                own.operations.begin() + detour.first_operation);
    operations.insert(operations.end(), detour.operations.begin(), detour.operations.end());
    std::vector<symbolic::Condition> conditions = window.conditions(thread);
    std::swap(own.operations, operations);
    std::swap(own.conditions, conditions);
    const std::string refused = check_values(trace_, recipe_, window.begin(), plan, next, std::nullopt);
    std::swap(own.operations, operations);
    std::swap(own.conditions, conditions);
    return refused;
  }

  const trace::Trace& trace_;
  symbolic::WalkedTrace& recipe_;
  const RecipeOptions& options_;
  const std::function<bool(const PredictedRace&)>& take_;
  Statistics& statistics_;
  gaps::Gaps& gaps_;
  const std::vector<uint32_t> places_;
  std::set<Places> known_, seen_;
  std::map<Places, uint64_t> asked_;
  solve::TermSolver solver_;
  CandidateFinder candidates_;
  Witness witness_;
  uint64_t questions_ = 0;
  bool is_complete_ = true, gave_up_ = false;
};

}  // namespace

void find_recipe_races(const trace::Trace& trace, symbolic::WalkedTrace& recipe, const RecipeOptions& options,
                       const std::function<bool(const PredictedRace&)>& take, Statistics& statistics,
                       gaps::Gaps& gaps) {
  const auto is_untracked = [](const trace::Event& event) { return event.record.kind == HEDDLE_UNTRACKED; };
  if (std::any_of(trace.events.begin(), trace.events.end(), is_untracked)) {
    gaps.raise(HEDDLE_GAP_VALUES_UNSEEN);
    return;
  }
  RecipeSearch(trace, recipe, options, take, statistics, gaps).run();
}

}  // namespace heddle::predict
