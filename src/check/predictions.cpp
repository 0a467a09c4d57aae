// SPDX-License-Identifier: Apache-2.0
#include "check/predictions.h"

#include <map>

#include "causal/needs.h"
#include "check/findings.h"
#include "property/schedule_of.h"
#include "property/use_after_free.h"

namespace heddle::check {

using property::schedule_of;

std::vector<uint32_t> number_lines(const execute::Subject& subject) {
  std::map<std::pair<std::string, uint32_t>, uint32_t> numbers;
  std::vector<uint32_t> places;
  for (const trace::Site& site : *subject.sites)
    places.push_back(numbers.try_emplace({site.file, site.line}, static_cast<uint32_t>(numbers.size())).first->second);
  return places;
}

Predictions::Predictions(const execute::Subject& subject, const Options& options, const causal::ThreadTable& threads,
                         QuerySolver& solver)
    : subject_(subject),
      options_(options),
      threads_(threads),
      ask_([&solver](const solve::OrderProblem& problem) { return solver.ask(problem); }),
      races_(options.memory, options.races ? number_lines(subject) : std::vector<uint32_t>(), ask_) {}

Predictions::Predicted Predictions::predict(const ExecutionRef& execution, LatestDependences& dependences,
                                            const IsKnown& is_known) const {
  Predicted predicted;
  const ExecutionRef known = causal::before_first_misuse(execution);
  if (property::may_deadlock(*known)) predict_deadlocks(*dependences.of(known), is_known, predicted);
  if (property::may_use_after_free(*known)) predict_uses(*dependences.of(known), is_known, predicted);
  return predicted;
}

void Predictions::predict_deadlocks(const causal::Dependences& dependences, const IsKnown& is_known,
                                    Predicted& predicted) const {
  const auto is_new = [&](const std::vector<property::BlockedThread>& blocked) { return !is_known(deadlock(blocked)); };
  const property::DeadlockSearch search = property::find_deadlocks(dependences, options_.memory, ask_, is_new);
  if (!search.is_complete) predicted.gaps.raise(HEDDLE_GAP_DEADLOCK_ORDERS);
  for (const property::Deadlock& found : search.found) {
    Finding finding = deadlock(found.blocked);
    if (found.is_livelock) finding.kind = "livelock";
    finding.schedule = schedule_of(found.plan, subject_, options_.memory, threads_);
    predicted.findings.push_back(std::move(finding));
  }
}

void Predictions::predict_uses(const causal::Dependences& dependences, const IsKnown& is_known,
                               Predicted& predicted) const {
  const auto is_new = [&](const HeddleRecord& use) { return !is_known(use_after_free(use)); };
  const property::UseAfterFreeSearch search =
      property::find_uses_after_free(dependences, options_.memory, ask_, is_new);
  if (!search.is_complete) predicted.gaps.raise(HEDDLE_GAP_RELEASE_ORDERS);
  for (const property::UseAfterFree& found : search.found) {
    Finding finding = use_after_free(dependences.execution().operation(found.use));
    finding.schedule = schedule_of(found.plan, subject_, options_.memory, threads_);
    predicted.findings.push_back(std::move(finding));
  }
}

void Predictions::predict_races(const ExecutionRef& execution, const std::function<bool(Finding)>& take) {
  const ExecutionRef known = causal::before_first_misuse(execution);
  const causal::Dependences dependences(*known);
  races_.find(dependences, [&](const property::Race& found) { return take(race(*known, found)); });
}

std::optional<Finding> Predictions::finding_of(const causal::Execution& execution, const property::Race& shown) const {
  for (const causal::EventId event : {shown.first, shown.second})
    if (event.thread >= execution.threads.size() || event.index >= execution.length(event.thread)) return std::nullopt;
  return race(execution, shown);
}

Finding Predictions::deadlock(const std::vector<property::BlockedThread>& blocked) const {
  Finding finding;
  finding.kind = "deadlock";
  for (const property::BlockedThread& thread : blocked) {
    finding.places.push_back(place_of(thread.thread, thread.operation.site));
    if (!finding.message.empty()) finding.message += ", ";
    finding.message += finding.places.back().thread;
  }
  finding.message = "every thread is blocked: " + finding.message;
  return finding;
}

Finding Predictions::use_after_free(const HeddleRecord& use) const {
  Finding finding;
  finding.kind = finding_kind(HEDDLE_FAILURE_USE_AFTER_FREE);
  finding.message = "use of freed memory";
  finding.places.push_back(place_of(use.thread, use.site));
  return finding;
}

Finding Predictions::race(const causal::Execution& execution, const property::Race& race) const {
  Finding finding;
  finding.kind = "race";
  finding.enabled_at_once = race.enabled_at_once;
  finding.schedule = schedule_of(race.plan, subject_, options_.memory, threads_);
  for (const causal::EventId event : {race.first, race.second})
    finding.places.push_back(place_of(event.thread, execution.operation(event).site));
  const uint32_t site = execution.operation(race.first).site;
  const std::string variable = site < subject_.sites->size() ? (*subject_.sites)[site].variable : "";
  finding.message = finding.places[0].thread + " and " + finding.places[1].thread + " access " +
                    (variable.empty() ? "the same memory" : variable) +
                    (race.enabled_at_once ? " at the same time" : " without an order between them");
  return finding;
}

Place Predictions::place_of(causal::ThreadId thread, uint32_t site) const {
  const std::vector<trace::Site>& sites = *subject_.sites;
  const trace::Site& where = sites[site < sites.size() ? site : 0];
  return {where.file, where.line, where.function, threads_.name(thread).text()};
}

}  // namespace heddle::check
