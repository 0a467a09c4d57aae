// SPDX-License-Identifier: Apache-2.0
//
// The result of a check as JSON (result.json, schema 1). The same check gives
// the same bytes, times aside.
#pragma once

#include <string>

#include "check/report.h"
#include "report/program_facts.h"

namespace heddle::report {

std::string check_json(const check::Report& report, const ProgramFacts& facts);

const char* verdict_name(check::Verdict verdict);

}  // namespace heddle::report
