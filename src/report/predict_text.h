// SPDX-License-Identifier: Apache-2.0
//
// What was predicted, for people: findings that were run, each with the run side
// by side and the command that replays it; apart from them, shortly, those that
// do not count and those that were not confirmed, and why; then the verdict and
// what it leaves open.
#pragma once

#include <string>
#include <vector>

#include "predict/report.h"
#include "report/answer.h"
#include "report/columns.h"
#include "report/explanation.h"

namespace heddle::report {

// `explanations`: of the findings; `directory`: of the run.
// `answer`: the report's (answer_of), or that of a stored result from which the report was filled.
std::string predict_text(const predict::Report& report, const Answer& answer,
                         const std::vector<Explanation>& explanations, const std::string& directory,
                         const ColumnOptions& columns);
Answer answer_of(const predict::Report& report);

}  // namespace heddle::report
