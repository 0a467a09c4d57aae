// SPDX-License-Identifier: Apache-2.0
#include "cli/limit_options.h"

#include "base/memory_use.h"

namespace heddle::cli {

base::Watchdog::Limits LimitOptions::limits() const {
  return {.seconds = seconds, .memory = memory ? memory : base::machine_memory() / 10 * 6};
}

void add_limit_options(CLI::App& command, LimitOptions& options, const std::string& time_alias) {
  const std::string names = time_alias.empty() ? "--time-limit" : "--time-limit," + time_alias;
  command.add_option(names, options.seconds, "stop after so many seconds, with what was found by then")
      ->type_name("S")
      ->check(CLI::NonNegativeNumber);
  command
      .add_option("--memory-limit", options.memory,
                  "stop when heddle and the programs that it runs use more memory together; K, M and G are understood "
                  "(default: 60 % of the machine)")
      ->type_name("SIZE")
      ->transform(CLI::AsSizeValue(false));
}

HeddleGap gap_of(base::Stop::Why why) {
  switch (why) {
    case base::Stop::Why::kTime: return HEDDLE_GAP_TIME_LIMIT;
    case base::Stop::Why::kMemory: return HEDDLE_GAP_MEMORY_LIMIT;
    case base::Stop::Why::kInterrupted:
    case base::Stop::Why::kNone: break;
  }
  return HEDDLE_GAP_INTERRUPTED;
}

}  // namespace heddle::cli
