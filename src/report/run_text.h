// SPDX-License-Identifier: Apache-2.0
//
// A run for people, made again from its directory: what the command itself printed.
#pragma once

#include <string>

#include "report/columns.h"
#include "report/run_result.h"

namespace heddle::report {

// Commands that this version does not know get verdict, reasons and findings.
std::string run_text(RunResult run, const ColumnOptions& columns);

}  // namespace heddle::report
