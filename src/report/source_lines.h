// SPDX-License-Identifier: Apache-2.0
//
// Lines of source files, for showing beside what a program did. Files that
// cannot be read, or that have become shorter, give nothing.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace heddle::report {

class SourceLines {
 public:
  // Without blanks around it, each tab and control character a blank; `line`
  // counts from 1. Nothing for an empty line, too.
  std::optional<std::string> line(const std::string& file, uint32_t line);

 private:
  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace heddle::report
