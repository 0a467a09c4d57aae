// SPDX-License-Identifier: Apache-2.0
//
// --time-limit and --memory-limit, the same for all commands.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "abi/gap.h"
#include "base/watchdog.h"

namespace heddle::cli {

struct LimitOptions {
  double seconds = 0;   // 0: none
  uint64_t memory = 0;  // bytes; 0: the default

  base::Watchdog::Limits limits() const;
};

// `time_alias`: what the option was called before; may be empty.
void add_limit_options(CLI::App& command, LimitOptions& options, const std::string& time_alias = "");

HeddleGap gap_of(base::Stop::Why why);

}  // namespace heddle::cli
