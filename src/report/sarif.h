// SPDX-License-Identifier: Apache-2.0
//
// A run as SARIF 2.1.0, the form in which editors and code hosts take results of
// analysers. One result per finding; its id (a fingerprint) is the same in every
// run that finds the same at the same places. The failing order is a code flow
// with one thread flow per thread; executionOrder is the number of the step.
//
// Paths are as the program was compiled with, relative ones to SRCROOT.
#pragma once

#include <string>

#include "report/run_result.h"

namespace heddle::report {

std::string sarif_text(const RunResult& run);

}  // namespace heddle::report
