// SPDX-License-Identifier: Apache-2.0
//
// A run as JUnit XML, which build servers show: one test case per finding that
// stands (it fails) or, without any, one for the run (it passes, or is an error
// if the question could not be decided).
#pragma once

#include <string>

#include "report/run_result.h"

namespace heddle::report {

std::string junit_text(const RunResult& run);

}  // namespace heddle::report
