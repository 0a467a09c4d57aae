// SPDX-License-Identifier: Apache-2.0
//
// What was predicted, as JSON (result.json, schema 1).
#pragma once

#include <string>
#include <vector>

#include "predict/report.h"
#include "report/explanation.h"
#include "report/program_facts.h"

namespace heddle::report {

// `explanations`: of the findings.
std::string predict_json(const predict::Report& report, const std::vector<Explanation>& explanations,
                         const ProgramFacts& facts);

}  // namespace heddle::report
