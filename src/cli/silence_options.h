// SPDX-License-Identifier: Apache-2.0
//
// Options of commands that have findings: which of them do not count.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "report/silence.h"

namespace heddle::cli {

struct SilenceOptions {
  std::string suppressions, baseline;  // paths; empty: none
};

void add_silence_options(CLI::App& command, SilenceOptions& options);

// Says, on standard error, which lines of the suppressions file were for nothing.
void tell_unused(const report::Silencer& silencer);

}  // namespace heddle::cli
