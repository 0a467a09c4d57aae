// SPDX-License-Identifier: Apache-2.0
#include "check/books.h"

#include <algorithm>

#include "check/bulletin.h"
#include "check/save_values.h"

namespace heddle::check {
namespace {

void save_finding(const Finding& finding, base::ByteWriter& out) {
  out.text(finding.kind);
  out.text(finding.message);
  out.number(finding.places.size());
  for (const Place& place : finding.places) {
    out.text(place.file);
    out.number(place.line);
    out.text(place.function);
    out.text(place.thread);
  }
  out.text(schedule::write_schedule(finding.schedule));
  out.number(finding.confirmed);
  out.number(finding.original_switches);
  out.number(finding.enabled_at_once);
}

Finding restore_finding(base::ByteReader& in) {
  Finding finding;
  finding.kind = in.text();
  finding.message = in.text();
  finding.places.resize(in.count(4));
  for (Place& place : finding.places) {
    place.file = in.text();
    place.line = static_cast<uint32_t>(in.number());
    place.function = in.text();
    place.thread = in.text();
  }
  if (auto schedule = schedule::parse_schedule(in.text())) {
    finding.schedule = std::move(*schedule);
  } else {
    in.fail();
  }
  finding.confirmed = in.number() != 0;
  finding.original_switches = in.number();
  finding.enabled_at_once = in.number() != 0;
  return finding;
}

}  // namespace

void Books::count(const causal::Execution& execution) {
  CheckStatistics& statistics = report.statistics;
  ++statistics.executions;
  statistics.events += execution.order.size();
  const HeddleOutcome outcome = execution.ending.outcome;
  if (outcome == HEDDLE_OUTCOME_DEADLOCK || outcome == HEDDLE_OUTCOME_LIVELOCK || outcome == HEDDLE_OUTCOME_BLOCKED ||
      outcome == HEDDLE_OUTCOME_BOUND)
    ++statistics.blocked;
  if (!execution.is_complete) return;
  std::vector<causal::HistoryId> ends;
  for (const causal::ThreadPart& part : execution.threads)
    ends.push_back(part.histories.empty() ? ~0u : part.histories.back());
  if (states_.insert(std::move(ends)).second) state_found_in_.push_back(statistics.executions);
  report.outcomes.insert(execution.observations);
}

void Books::close(const Options& options) {
  CheckStatistics& statistics = report.statistics;
  statistics.states = states_.size();
  if (explored) {
    statistics.states = explored->states.value_or(0);
    statistics.states_are_known = explored->states.has_value();
    statistics.product_states = explored->product_states;
    statistics.product_steps = explored->product_steps;
    statistics.histories = explored->histories;
    statistics.product_bytes = explored->bytes;
    statistics.product_seconds = explored->seconds;
    report.outcomes.insert(explored->outcomes.begin(), explored->outcomes.end());
  }
  const auto late = std::upper_bound(state_found_in_.begin(), state_found_in_.end(),
                                     statistics.executions - statistics.executions / 4);
  statistics.late_states = static_cast<uint64_t>(state_found_in_.end() - late);
  statistics.solver_queries = solved.queries;
  statistics.solver_seconds = solved.seconds;
  statistics.decided_without_search = solved.decided_without_search;
  statistics.constraints = solved.constraints;
  statistics.reads_constrained = solved.reads;
  settle_verdict(report, options);
}

void Books::save(base::ByteWriter& out) const {
  const CheckStatistics& statistics = report.statistics;
  for (const uint64_t number : {statistics.executions, statistics.blocked, statistics.other_runs, statistics.events})
    out.number(number);
  save_seconds(statistics.seconds, out);
  save_seconds(statistics.cpu_seconds, out);
  save_gaps(report.gaps, out);
  out.number(report.outcomes.size());
  for (const Outcome& outcome : report.outcomes) {
    out.number(outcome.size());
    for (const auto& [name, value] : outcome) {
      out.text(name);
      out.number(static_cast<uint64_t>(value));
    }
  }
  out.number(report.findings.size());
  for (const Finding& finding : report.findings) save_finding(finding, out);
  save_statistics(solved, out);
  out.number(oldest_is_counted);
  out.number(states_.size());
  for (const auto& state : states_) out.plain(state);
  out.plain(state_found_in_);
}

void Books::restore(base::ByteReader& in) {
  CheckStatistics& statistics = report.statistics;
  for (uint64_t* number : {&statistics.executions, &statistics.blocked, &statistics.other_runs, &statistics.events})
    *number = in.number();
  statistics.seconds = restore_seconds(in);
  statistics.cpu_seconds = restore_seconds(in);
  report.gaps = restore_gaps(in);
  for (size_t left = in.count(); left > 0; --left) {
    Outcome outcome;
    for (size_t names = in.count(2); names > 0; --names) {
      const std::string name = in.text();
      outcome[name] = static_cast<int64_t>(in.number());
    }
    report.outcomes.insert(std::move(outcome));
  }
  for (size_t left = in.count(8); left > 0 && !in.failed(); --left) report.findings.push_back(restore_finding(in));
  solved = restore_statistics(in);
  oldest_is_counted = in.number() != 0;
  for (size_t left = in.count(); left > 0; --left) states_.insert(in.plain<causal::HistoryId>());
  state_found_in_ = in.plain<uint64_t>();
}

}  // namespace heddle::check
