// SPDX-License-Identifier: Apache-2.0
#include "cli/suggest.h"

#include <fmt/format.h>

#include <algorithm>

#include "abi/version.h"
#include "program/llvm_version.h"
#include "trace/format.h"

namespace heddle::cli {
namespace {

size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t above = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

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
    std::string best;
    size_t best_distance = 3;
    for (const std::string& name : known) {
      const size_t distance = edit_distance(word, name);
      if (distance < best_distance) best = name, best_distance = distance;
    }
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
