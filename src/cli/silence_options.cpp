// SPDX-License-Identifier: Apache-2.0
#include "cli/silence_options.h"

#include <fmt/format.h>

#include <cstdio>

#include "cli/option_table.h"
#include "cli/output.h"

namespace heddle::cli {

void add_silence_options(CLI::App& command, SilenceOptions& options) {
  command
      .add_option("--suppress", options.suppressions,
                  "findings that do not count: a file with lines KIND FILE [FUNCTION]")
      ->type_name("FILE");
  command.add_option("--baseline", options.baseline, "what an earlier result.json has already does not count")
      ->type_name("RESULT");
  seldom_needed(command, {"--suppress", "--baseline"});
}

void tell_unused(const report::Silencer& silencer) {
  for (const std::string& line : silencer.unused()) tell("heddle: suppresses nothing: {}\n", line);
}

}  // namespace heddle::cli
