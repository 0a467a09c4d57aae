// SPDX-License-Identifier: Apache-2.0
//
// What was predicted, as JSON (result.json, schema 1).
#pragma once

#include <string>

#include "predict/report.h"
#include "report/program_facts.h"

namespace heddle::report {

std::string predict_json(const predict::Report& report, const ProgramFacts& facts);

}  // namespace heddle::report
