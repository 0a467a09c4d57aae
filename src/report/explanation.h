// SPDX-License-Identifier: Apache-2.0
//
// Why a prediction is true, for people: what each thread does and where, in which
// functions it is, which locks it holds; and if happens-before misses a race, what
// orders its accesses in the run that was seen:
//
//   T0.0 y = 1 at hidden.c:14 in write_twice
//       holds no lock
//   T0.1 y = 2 at hidden.c:26 in write_if
//       called at hidden.c:40 in work
//       holds m, taken at hidden.c:24 in write_if
//   ordered in the run that was seen, by
//       T0.0 unlocks l at hidden.c:17, then T0.1 locks l at hidden.c:22
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "predict/report.h"
#include "report/circumstances.h"
#include "report/result_json.h"

namespace heddle::report {

struct ExplainedStep {
  std::string thread, action;
  Frame place;
};

struct Explanation {
  std::vector<Circumstances> places;  // of the finding's places
  std::vector<std::pair<ExplainedStep, ExplainedStep>> ordered_by;
};

// Of all findings, in their order.
std::vector<Explanation> explain(const predict::Report& report);

// Lines with two blanks before them.
std::string explanation_text(const property::Finding& finding, const Explanation& explanation);

// Adds "action", "stack" and "locks" to the places of a finding, and "ordered_by" to it.
void add_explanation(Json& finding, const Explanation& explanation);
// What add_explanation added; whatever else the finding says is left alone. (read_explanation.cpp)
Explanation read_explanation(const Json& finding);

}  // namespace heddle::report
