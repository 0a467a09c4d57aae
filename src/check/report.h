// SPDX-License-Identifier: Apache-2.0
//
// What a check found out, as data.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "check/exploration_tree.h"
#include "gaps/gap.h"
#include "gaps/verdict.h"
#include "property/finding.h"

namespace heddle::check {

using gaps::Verdict;
using property::Finding;
using property::Place;

struct CheckStatistics {
  uint64_t executions = 0;  // complete and blocked and cut short
  uint64_t blocked = 0;
  uint64_t other_runs = 0;
  uint64_t states = 0;
  bool states_are_known = true;                                   // false where histories were merged
  uint64_t product_states = 0, product_bytes = 0, histories = 0;  // of learn
  uint64_t product_steps = 0;  // of learn: all states that it came through, kept or not, as often as it did
  double product_seconds = 0;
  uint64_t late_states = 0;  // first seen in the last quarter of the executions
  uint64_t events = 0;
  uint64_t solver_queries = 0, decided_without_search = 0, constraints = 0, reads_constrained = 0;
  uint64_t prefixes =
      0;  // begun executions that were to be continued in all ways; more than one may share an execution
  uint64_t shared_bytes = 0;  // kept so that they can
  double seconds = 0, cpu_seconds = 0, solver_seconds = 0;
};

using Outcome = std::map<std::string, int64_t>;

// What an exploration knows without having run it.
struct Explored {
  std::optional<uint64_t> states;  // none: histories were merged
  std::set<Outcome> outcomes = {};
  uint64_t product_states = 0, product_steps = 0, histories = 0, bytes = 0;
  double seconds = 0;  // CPU time for the product
};

struct Report {
  Verdict verdict;
  gaps::Gaps gaps;  // why there may be more than was found
  CheckStatistics statistics;
  std::vector<std::string> notes;  // about the way it went
  std::set<Outcome> outcomes;
  std::vector<Finding> findings;
  Exploration exploration;         // what was run, since it was resumed
  bool has_checkpoint = false;     // there is more to do, and it can be resumed
  std::string checkpoint_problem;  // why it could not be written; empty: nothing
};

}  // namespace heddle::check
