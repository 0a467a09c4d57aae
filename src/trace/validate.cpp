// SPDX-License-Identifier: Apache-2.0
#include "trace/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>

#include "trace/tables.h"
#include "trace/text.h"
#include "trace/validate_rules.h"

namespace heddle::trace {
namespace {

// Places of the events that are ordered between threads, in that order.
std::vector<size_t> total_order(const Trace& trace) {
  std::vector<size_t> places;
  const bool free_running = trace.header.mode == Mode::kFree;
  for (size_t i = 0; i < trace.events.size(); ++i) {
    if (!free_running || trace.events[i].sequence != 0) places.push_back(i);
  }
  if (free_running) {
    std::sort(places.begin(), places.end(), [&](size_t a, size_t b) {
      return std::pair(trace.events[a].sequence, a) < std::pair(trace.events[b].sequence, b);
    });
  }
  return places;
}

// The table must be good before any rule may rely on it.
std::optional<Problem> thread_table_problem(const Trace& trace) {
  ThreadRule rule;
  for (const Thread& thread : trace.threads) {
    if (std::string problem = rule.add(thread); !problem.empty()) return Problem{"tables", std::nullopt, problem};
  }
  return std::nullopt;
}

// After a misuse its thread goes on.
bool has_fail_event(const Trace& trace) {
  return std::any_of(trace.events.begin(), trace.events.end(), [&](const Event& event) {
    return event.record.kind == HEDDLE_FAIL &&
           (event.record.value != HEDDLE_FAILURE_MISUSE || trace.ending.detail == HEDDLE_FAILURE_MISUSE);
  });
}

}  // namespace

std::vector<Problem> validate(const Trace& trace, size_t limit) {
  if (auto problem = thread_table_problem(trace)) return {*problem};

  std::vector<Problem> problems;
  const auto apply = [&](std::unique_ptr<Rule> rule, const std::vector<size_t>& places) {
    size_t found = 0;
    for (const size_t place : places) {
      std::string text = rule->take(trace.events[place]);
      if (text.empty()) continue;
      problems.push_back({rule->name(), place, std::move(text)});
      if (++found >= limit) return;
    }
  };
  std::vector<size_t> as_they_stand(trace.events.size());
  std::iota(as_they_stand.begin(), as_they_stand.end(), size_t{0});

  // Other rules use threads and sites as indices: they run on good events only.
  apply(make_table_rule(trace), as_they_stand);
  if (problems.empty()) {
    const std::vector<size_t> ordered = total_order(trace);
    for (auto make : {make_index_rule, make_order_rule, make_thread_life_rule, make_thread_order_rule, make_lock_rule,
                      make_memory_rule}) {
      auto rule = make(trace);
      const std::vector<size_t>& places = rule->wants_total_order() ? ordered : as_they_stand;
      apply(std::move(rule), places);
    }
  }
  if (trace.complete && trace.ending.outcome == HEDDLE_OUTCOME_FAILURE && !has_fail_event(trace)) {
    problems.push_back({"ending", std::nullopt, "the run ended with a failure, but no event says which"});
  }
  std::sort(problems.begin(), problems.end(),
            [](const Problem& a, const Problem& b) { return std::tie(a.event, a.rule) < std::tie(b.event, b.rule); });
  if (problems.size() > limit) problems.resize(limit);
  return problems;
}

std::string problems_text(const Trace& trace, const std::vector<Problem>& problems) {
  std::string text;
  for (const Problem& problem : problems) {
    const std::string where = problem.event ? event_text(trace, trace.events[*problem.event]) : "trace";
    text += fmt::format("{}: {}: {}\n", where, problem.rule, problem.text);
  }
  return text;
}

}  // namespace heddle::trace
