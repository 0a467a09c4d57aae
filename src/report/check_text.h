// SPDX-License-Identifier: Apache-2.0
//
// The result of a check for people.
#pragma once

#include <string>

#include "check/report.h"

namespace heddle::report {

struct TextOptions {
  std::string directory;  // of the run
  std::string program;    // as given on the command line
  bool is_campaign = false;  // a search, whose coverage is of interest
  bool show_outcomes = false;
};

std::string check_text(const check::Report& report, const TextOptions& options);

}  // namespace heddle::report
