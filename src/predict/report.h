// SPDX-License-Identifier: Apache-2.0
//
// What was predicted, as data.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gaps/gap.h"
#include "property/finding.h"
#include "property/plan.h"
#include "trace/trace.h"

namespace heddle::predict {

struct Statistics {
  uint64_t events = 0;   // of the trace, visible ones
  uint64_t windows = 0;  // of these, so many had something to ask about
  uint64_t asked_windows = 0;
  uint64_t candidates = 0;  // pairs that no filter kept apart
  uint64_t other_runs = 0;  // to confirm findings
  uint64_t solver_queries = 0, decided_without_search = 0, constraints = 0, reads_constrained = 0;
  double seconds = 0, cpu_seconds = 0, solver_seconds = 0;
  // By the model recipe: questions about values, and what of the run was held at its value.
  uint64_t value_questions = 0, instructions = 0, held_values = 0, lost_threads = 0;
  double value_seconds = 0;
};

// An order of a trace's events: so many as they were, then the plan.
struct Order {
  size_t history = 0;
  std::vector<property::PlannedStep> plan;
};

// In the order that was seen the second thing came after the first, and so synchronised with it.
using OrderedBy = std::pair<causal::EventId, causal::EventId>;

// What a finding is made of, in the trace's numbers of events.
struct Evidence {
  std::vector<causal::EventId> events;  // one for each place of the finding
  std::vector<OrderedBy> ordered_by;    // of a race that happens-before misses
};

struct Report {
  bool found = false;  // something that stands, and counts
  bool has_program = false;
  gaps::Gaps gaps;  // why there may be more than was found
  Statistics statistics;
  // Without a program their schedules are left empty: they may be as long as the trace.
  std::vector<property::Finding> findings;
  std::vector<Order> orders;                  // of the findings
  std::vector<Evidence> evidence;             // of the findings
  std::shared_ptr<const trace::Trace> trace;  // of the run that was seen
};

// Confirmed by a run or, where there is only a trace, validated on it.
inline bool stands(const property::Finding& finding, const Report& report) {
  return report.has_program ? finding.confirmed : finding.validated;
}

}  // namespace heddle::predict
