// SPDX-License-Identifier: Apache-2.0
#include "cli/comparison_options.h"

#include <sstream>

#include "build/sources.h"
#include "cli/option_table.h"

namespace heddle::cli {

void add_comparison_options(CLI::App& command, ComparisonOptions& options) {
  command
      .add_option("program", options.inputs, "program built with heddle cc, or sources (.c .cc .cpp), .bc, .ll, .o, .a")
      ->type_name("PROG|SRC");
  command.add_option("--cflags", options.cflags, "compiler flags for sources, as one string; may be given again")
      ->allow_extra_args(false)
      ->type_name("'FLAGS'");
  command.add_flag("--optimised", options.optimised,
                   "inject into the code that clang -O2 makes, not into that of the source");
  command.add_option("--function", options.filter.function, "only into this function");
  command.add_option("--file", options.filter.file, "only into code of this source file");
  command.add_option("--instruction", options.filter.instruction,
                     "only into instructions of this kind: load, add, call, ...");
  command.add_option("--thread", options.filter.thread, "only into this thread, such as T0.1");
  command.add_option("--bits", options.faults.bits, "so many bits that bitflip inverts, or all that a value has")
      ->check(CLI::Range(1, 64))
      ->capture_default_str()
      ->type_name("N");
  command.add_option("--seed", options.seed, "of all that is drawn")->capture_default_str();
  seldom_needed(command, {"--optimised", "--instruction", "--thread"});
}

std::map<std::string, std::string> inject_options(const ComparisonOptions& options) {
  std::map<std::string, std::string> given = {{"function", options.filter.function},
                                              {"file", options.filter.file},
                                              {"instruction", options.filter.instruction},
                                              {"thread", options.filter.thread}};
  std::erase_if(given, [](const auto& option) { return option.second.empty(); });
  if (options.optimised) given["optimised"] = "true";
  if (options.faults.bits != propagate::FaultOptions{}.bits) given["bits"] = std::to_string(options.faults.bits);
  return given;
}

base::Result<build::ComparisonTarget> prepare_comparison(const ComparisonOptions& options) {
  build::IntakeOptions intake_options;
  if (options.optimised) intake_options.cflags.push_back("-O2");
  for (const std::string& text : options.cflags) {
    std::istringstream words(text);
    for (std::string word; words >> word;) intake_options.cflags.push_back(word);
  }
  auto program = build::intake(options.inputs, intake_options);
  if (!program) return program.error();
  return build::make_comparison_target(std::move(*program), options.optimised);
}

}  // namespace heddle::cli
