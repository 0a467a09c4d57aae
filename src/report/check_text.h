// SPDX-License-Identifier: Apache-2.0
//
// The result of a check for people: findings, each with its counterexample and
// the command that replays it; then the verdict and what it does not cover; then
// figures.
#pragma once

#include <string>

#include "check/options.h"
#include "check/report.h"
#include "report/answer.h"
#include "report/columns.h"

namespace heddle::report {

struct TextOptions {
  std::string directory;     // of the run
  bool is_campaign = false;  // a search, whose coverage is of interest
  bool show_outcomes = false;
  bool heap_is_fresh = true;  // no address was used twice
  bool races = false;         // were looked for
  schedule::MemoryModel memory = schedule::MemoryModel::kSc;
  ColumnOptions columns;
};

// `answer`: the report's (answer_of), or that of a stored result from which the report was filled.
std::string check_text(const check::Report& report, const Answer& answer, const TextOptions& options);
Answer answer_of(const check::Report& report);

}  // namespace heddle::report
