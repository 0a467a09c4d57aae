// SPDX-License-Identifier: Apache-2.0
#include "check/findings.h"

#include <algorithm>

#include "schedule/from_trace.h"
#include "schedule/result.h"

namespace heddle::check {

using causal::Execution;
using trace::Trace;

namespace {

Place place_of(const Trace& trace, uint32_t thread, uint32_t site) {
  const trace::Site& where = trace.sites[site < trace.sites.size() ? site : 0];
  return {where.file, where.line, where.function, trace.thread_name(thread)};
}

schedule::Schedule schedule_of(const Trace& trace) {
  schedule::Schedule schedule = schedule::from_trace(trace);
  schedule.check_rules = true;
  return schedule;
}

// A failure that has a turn of its own: the operation that would have been wrong did not happen.
bool is_refused_operation(const HeddleRecord& record) {
  return record.kind == HEDDLE_FAIL &&
         (record.value == HEDDLE_FAILURE_NULL || record.value == HEDDLE_FAILURE_USE_AFTER_FREE ||
          record.value == HEDDLE_FAILURE_DOUBLE_FREE || record.value == HEDDLE_FAILURE_OUT_OF_BOUNDS);
}

// Where the thread's last operation before the event is, if that is a load, which nobody else notices.
std::optional<size_t> load_before(const Trace& trace, size_t event) {
  const uint32_t thread = trace.events[event].record.thread;
  for (size_t i = event; i-- > 0;) {
    const HeddleRecord& record = trace.events[i].record;
    if (record.thread != thread || !trace::is_visible(record)) continue;
    return record.kind == HEDDLE_LOAD ? std::optional(i) : std::nullopt;
  }
  return std::nullopt;
}

// The run up to and with this event; everything after it is not needed. Threads that failed before
// just did not come that far, where that can be: a failure would be the end of the run.
schedule::Schedule schedule_up_to(Trace trace, size_t end) {
  trace.events.resize(end);
  std::vector<bool> is_left_out(end, false);
  for (size_t i = 0; i + 1 < end; ++i) {
    const HeddleRecord& record = trace.events[i].record;
    if (record.kind != HEDDLE_FAIL || record.thread == trace.events.back().record.thread) continue;
    const std::optional<size_t> load = is_refused_operation(record) ? std::optional(i) : load_before(trace, i);
    if (load) is_left_out[i] = is_left_out[*load] = true;
  }
  size_t at = 0;
  std::erase_if(trace.events, [&](const trace::Event&) { return is_left_out[at++]; });
  return schedule_of(trace);
}

bool is_failing_exit(const trace::Ending& ending, const Options& options) {
  if (ending.outcome != HEDDLE_OUTCOME_EXIT || ending.detail == 0) return false;
  return options.any_exit_fails || std::find(options.failing_exits.begin(), options.failing_exits.end(),
                                             static_cast<int>(ending.detail)) != options.failing_exits.end();
}

bool is_stuck(const trace::Ending& ending) {
  return ending.outcome == HEDDLE_OUTCOME_DEADLOCK ||
         (ending.outcome == HEDDLE_OUTCOME_LIVELOCK && ending.detail == 0);  // else only a bound was reached
}

Finding stuck(const Trace& trace) {
  Finding finding;
  const bool is_deadlock = trace.ending.outcome == HEDDLE_OUTCOME_DEADLOCK;
  finding.kind = is_deadlock ? "deadlock" : "livelock";
  finding.message = (is_deadlock ? "every thread is blocked: " : "") + trace.ending.message;
  for (const trace::Event& event : trace.events)
    if (event.record.kind == HEDDLE_WAITING)
      finding.places.push_back(place_of(trace, event.record.thread, event.record.site));
  finding.schedule = schedule_of(trace);
  return finding;
}

Finding failing_exit(const Trace& trace) {
  Finding finding;
  finding.kind = "exit-code";
  finding.message = "the program ends with exit code " + std::to_string(trace.ending.detail);
  for (auto event = trace.events.rbegin(); event != trace.events.rend(); ++event) {
    if (event->record.kind != HEDDLE_EXIT) continue;
    finding.places.push_back(place_of(trace, event->record.thread, event->record.site));
    break;
  }
  finding.schedule = schedule_of(trace);
  return finding;
}

// Without a schedule.
Finding failure(const Trace& trace, const HeddleRecord& fail, HeddleFailure kind, const std::string& message) {
  Finding finding;
  finding.kind = finding_kind(kind);
  finding.message = message;
  finding.places.push_back(place_of(trace, fail.thread, fail.site));
  return finding;
}

}  // namespace

bool has_findings(const Execution& execution, const Options& options) {
  return !execution.failures.empty() || is_stuck(execution.ending) || is_failing_exit(execution.ending, options);
}

std::vector<Finding> findings_of(const Execution& execution, const Trace& trace, const Options& options) {
  std::vector<Finding> findings;
  size_t next = 0;
  for (size_t i = 0; i < trace.events.size() && next < execution.failures.size(); ++i) {
    const HeddleRecord& record = trace.events[i].record;
    if (record.kind != HEDDLE_FAIL) continue;
    const causal::Failure& what = execution.failures[next++];
    findings.push_back(failure(trace, record, what.kind, what.message));
    findings.back().schedule = schedule_up_to(trace, i + 1);
  }
  if (is_stuck(execution.ending)) findings.push_back(stuck(trace));
  if (is_failing_exit(execution.ending, options)) findings.push_back(failing_exit(trace));
  return findings;
}

std::vector<Finding> findings_of_run(const Trace& trace, const Options& options) {
  std::vector<Finding> findings;
  for (const size_t misuse : schedule::misuses_of(trace)) {
    const HeddleRecord& record = trace.events[misuse].record;
    findings.push_back(failure(trace, record, HEDDLE_FAILURE_MISUSE, schedule::misuse_text(trace, misuse)));
    findings.back().schedule = schedule_up_to(trace, misuse + 1);
  }
  if (is_stuck(trace.ending)) findings.push_back(stuck(trace));
  if (is_failing_exit(trace.ending, options)) findings.push_back(failing_exit(trace));
  if (trace.ending.outcome != HEDDLE_OUTCOME_FAILURE) return findings;
  const auto last = std::find_if(trace.events.rbegin(), trace.events.rend(), [&](const trace::Event& event) {
    return event.record.kind == HEDDLE_FAIL && event.record.value == trace.ending.detail;
  });
  if (last == trace.events.rend()) return findings;
  findings.push_back(
      failure(trace, last->record, static_cast<HeddleFailure>(trace.ending.detail), trace.ending.message));
  findings.back().schedule = schedule_of(trace);
  return findings;
}

bool same_finding(const Finding& shown, const Finding& finding) {
  return shown.kind == "livelock" ? finding.kind == "livelock" : identity_of(shown) == identity_of(finding);
}

}  // namespace heddle::check
