// SPDX-License-Identifier: Apache-2.0
#include "cli/suggest.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "abi/version.h"
#include "base/spelling.h"
#include "program/llvm_version.h"
#include "trace/format.h"

namespace heddle::cli {
std::string did_you_mean(const CLI::App& app, const std::vector<std::string>& typed) {
  const CLI::App* at = &app;
  for (const std::string& whole : typed) {
    const std::string word = whole.substr(0, whole.find('='));
    std::vector<std::string> known;
    if (word.starts_with("--")) {
      for (const CLI::Option* option : at->get_options())
        for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    } else {
      for (const CLI::App* command : at->get_subcommands([](const CLI::App*) { return true; }))
        known.push_back(command->get_name());
    }
    if (std::find(known.begin(), known.end(), word) != known.end()) {
      if (!word.starts_with("--")) at = at->get_subcommand(word);
      continue;
    }
    const std::vector<std::string_view> candidates(known.begin(), known.end());
    const std::string best(base::nearest_word(word, candidates));
    if (!best.empty()) return best;
  }
  return "";
}

std::string version_text() {
  return fmt::format("heddle {} (LLVM {}, instrumentation {}, trace format {}, schedule format {})", HEDDLE_VERSION,
                     program::llvm_version(), HEDDLE_INSTRUMENTATION_VERSION, trace::kFormatVersion,
                     HEDDLE_SCHEDULE_VERSION);
}

}  // namespace heddle::cli
