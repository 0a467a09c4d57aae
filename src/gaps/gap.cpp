// SPDX-License-Identifier: Apache-2.0
#include "gaps/gap.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace heddle::gaps {

namespace {

// "src/check/session.cpp:97". The compiler may have been given an absolute path.
std::string text_of(const std::source_location& place) {
  std::string_view file = place.file_name();
  if (const size_t folder = file.rfind("src/"); folder != std::string_view::npos) file.remove_prefix(folder);
  return std::string(file) + ":" + std::to_string(place.line());
}

// For tests only: an environment without these variables costs a look at two words.
struct TestSwitches {
  const char* const muted = std::getenv("HEDDLE_TEST_MUTED_GAP");
  const char* const log = std::getenv("HEDDLE_TEST_GAP_LOG");
  bool any() const { return muted || log; }
};

const TestSwitches& switches() {
  static const TestSwitches known;
  return known;
}

void append_line(const char* path, const std::string& line) {
  if (std::FILE* file = std::fopen(path, "ae")) {
    std::fputs((line + "\n").c_str(), file);
    std::fclose(file);
  }
}

}  // namespace

void Gaps::raise(HeddleGap kind, std::string detail, std::source_location place) {
  raise_at(kind, std::move(detail), switches().any() ? text_of(place) : "");
}

void Gaps::raise_of_target(HeddleGap kind, std::string detail) {
  raise_at(kind, std::move(detail), "runtime:" + std::to_string(kind));
}

void Gaps::raise_at(HeddleGap kind, std::string detail, const std::string& place) {
  const auto& [muted, log] = switches();
  if (log) append_line(log, place);
  if (muted && place == muted) return;
  gaps_.insert({kind, std::move(detail)});
}

bool Gaps::has(HeddleGap kind) const {
  return std::any_of(gaps_.begin(), gaps_.end(), [&](const Gap& gap) { return gap.kind == kind; });
}

}  // namespace heddle::gaps
