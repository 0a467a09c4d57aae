// SPDX-License-Identifier: Apache-2.0
#include "predict/findings.h"

namespace heddle::predict {

using property::Finding;

namespace {

property::Place place_of(const trace::Trace& trace, uint32_t thread, uint32_t site) {
  const trace::Site& where = trace.sites[site < trace.sites.size() ? site : 0];
  return {where.file, where.line, where.function, trace.thread_name(thread)};
}

}  // namespace

Finding finding_of(const trace::Trace& trace, const PredictedRace& race) {
  Finding finding;
  finding.kind = "race";
  finding.places = {place_of(trace, race.first.thread, race.first_site),
                    place_of(trace, race.second.thread, race.second_site)};
  finding.enabled_at_once = race.enabled_at_once;
  const std::string variable = race.first_site < trace.sites.size() ? trace.sites[race.first_site].variable : "";
  finding.message = finding.places[0].thread + " and " + finding.places[1].thread + " access " +
                    (variable.empty() ? "the same memory" : variable) +
                    (race.enabled_at_once ? " at the same time" : " without an order between them");
  if (race.is_hidden) finding.message += "; happens-before of the run that was seen orders them";
  if (race.is_on_detour) finding.message += "; one is on the side of a branch that the run that was seen did not take";
  if (race.has_other_values) finding.message += "; what was read before it is not what the run that was seen read";
  return finding;
}

Finding finding_of(const trace::Trace& trace, const PredictedBug& bug) {
  Finding finding;
  std::string threads;
  for (const PredictedBug::Where& where : bug.places) {
    finding.places.push_back(place_of(trace, where.event.thread, where.site));
    threads += (threads.empty() ? "" : ", ") + finding.places.back().thread;
  }
  const bool is_use = bug.kind == PredictedBug::Kind::kUseAfterFree;
  finding.kind = is_use ? property::finding_kind(HEDDLE_FAILURE_USE_AFTER_FREE) : "deadlock";
  finding.message = is_use ? finding.places[0].thread + " uses memory that " + finding.places[1].thread + " has freed"
                    : bug.kind == PredictedBug::Kind::kLockCycle ? "threads wait for each other: " + threads
                                                                 : "every thread is blocked: " + threads;
  return finding;
}

Finding finding_of(const trace::Trace& trace, const Interference& found) {
  Finding finding;
  finding.kind = "atomicity";
  finding.places = {place_of(trace, found.first.thread, found.first_site),
                    place_of(trace, found.middle.thread, found.middle_site),
                    place_of(trace, found.last.thread, found.last_site)};
  const auto site = [&](uint32_t number) -> const trace::Site& {
    return trace.sites[number < trace.sites.size() ? number : 0];
  };
  const std::string& variable = site(found.first_site).variable;
  const std::string& function = site(found.block->function_site).function;
  finding.message = finding.places[1].thread + " comes between two accesses of " + finding.places[0].thread + " to " +
                    (variable.empty() ? "the same memory" : variable) + " that belong together: " + found.pattern +
                    (found.block->lock ? ", under one lock in " : ", in ") +
                    (function.empty() ? "one call" : "one call of " + function);
  return finding;
}

Finding finding_of(const trace::Trace& trace, const PredictedFailure& failure) {
  Finding finding;
  const bool is_null = failure.kind == PredictedFailure::Kind::kNull;
  finding.kind = property::finding_kind(is_null ? HEDDLE_FAILURE_NULL : HEDDLE_FAILURE_ASSERTION);
  finding.places = {place_of(trace, failure.thread, failure.site)};
  finding.message = finding.places[0].thread +
                    (is_null ? " accesses memory through a null pointer" : ": an assertion fails") +
                    " when what was read before it is not what the run that was seen read";
  return finding;
}

Evidence evidence_of(const PredictedRace& race) {
  if (race.is_on_detour) return {};
  return {{race.first, race.second}, race.ordered_by};
}

Evidence evidence_of(const PredictedBug& bug) {
  Evidence evidence;
  for (const PredictedBug::Where& where : bug.places) evidence.events.push_back(where.event);
  return evidence;
}

Evidence evidence_of(const Interference& found) { return {{found.first, found.middle, found.last}, {}}; }

}  // namespace heddle::predict
