// SPDX-License-Identifier: Apache-2.0
//
// The result of a check as JSON (result.json, schema 1). The same check gives
// the same bytes, times aside.
#pragma once

#include <map>
#include <string>

#include "check/options.h"
#include "check/report.h"
#include "report/invocation.h"

namespace heddle::report {

struct ProgramFacts {
  std::string name;
  std::string hash;
  std::map<std::string, std::string> options;  // as the user would write them
  uint64_t seed = 0;
  Invocation invocation;
};

// Where the schedule and the trace of a finding lie, relative to the run directory.
std::string schedule_file(size_t finding);
std::string trace_file(size_t finding);

std::string check_json(const check::Report& report, const ProgramFacts& facts);

const char* verdict_name(check::Verdict verdict);

}  // namespace heddle::report
