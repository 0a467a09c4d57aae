// SPDX-License-Identifier: Apache-2.0
//
// The seam between the oracle and what it judges. check_program is the only
// thing in this folder that knows the checker.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "oracle/brute_force.h"

namespace heddle::execute {
struct Subject;
}

namespace heddle::oracle {

struct CheckedResult {
  std::set<std::map<std::string, long long>> outcomes;  // what complete executions observed
  std::optional<size_t> states;                         // classes; absent where histories were merged
  bool deadlock = false;
  std::set<int> failing_assertion_lines;                              // and of accesses and releases that fail
  std::set<std::pair<int, int>> racing_lines, enabled_at_once_lines;  // the lower line first
  bool complete = false;                                              // the search left nothing out
  bool gave_up = false;                                               // at Choice::most_executions
  bool left_to_mcr = false;                                           // by learn: nothing is said about learn
  bool kept_apart = false;                                            // equal threads did not change places
  std::string text;                                                   // what the checker said, for people
};

// A reduction by this name is learn with histories kept apart, so that states can be compared.
inline constexpr const char* kLearnUnmerged = "learn-unmerged";
// And by this one learn with equal threads that change places.
inline constexpr const char* kLearnExchanging = "learn-exchanging";

// One way to check a program.
struct Choice {
  MemoryModel model = MemoryModel::kSc;
  std::string reduction = "mcr";
  std::string solver = "native";
  int jobs = 1;
  bool races = false;
  uint64_t most_executions = 0;  // 0: no limit
};

// Checks program number `program` of an emitted set, going on after findings.
CheckedResult check_program(const execute::Subject& set, int program, const Choice& choice);

using Checker = std::function<CheckedResult(const execute::Subject& set, int program, const Choice&)>;

}  // namespace heddle::oracle
