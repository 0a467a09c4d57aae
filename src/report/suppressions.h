// SPDX-License-Identifier: Apache-2.0
//
// Findings that a user does not want to hear of (docs/howto/silence_a_finding.md).
// A file has a line for each sort of them:
//
//   # counters that may be wrong
//   race           src/statistics.c   count_*
//   *              third_party/*
//   use-after-free *                  Cache::evict(int)
//
// Kind, file and function; in files and functions * stands for anything, ? for one
// character, and a file without folder means that file in any folder. What stands
// after the file, blanks included, is the function; nothing there is all of them. A
// line is for findings that have such a function among those that one of their
// threads is in.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "property/finding.h"
#include "report/circumstances.h"

namespace heddle::report {

class Suppressions {
 public:
  // An error names the line. `path` is for messages.
  static base::Result<Suppressions> parse(std::string_view text, const std::string& path);

  // The line that the finding is for, as "PATH:LINE"; empty: none. `places` may be
  // empty; then only the finding's own places count.
  std::string line_for(const property::Finding& finding, const std::vector<Circumstances>& places);

  // Lines that no finding was for so far, as "PATH:LINE: what it says".
  std::vector<std::string> unused() const;

 private:
  struct Line {
    size_t number = 0;
    std::string kind, file, function;
    bool is_used = false;
  };
  static bool matches(const Line& line, const std::string& file, const std::string& function);

  std::string path_;
  std::vector<Line> lines_;
};

}  // namespace heddle::report
