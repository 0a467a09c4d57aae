// SPDX-License-Identifier: Apache-2.0
//
// The parts of source files that a report shows: files of moderate length whole,
// of others the neighbourhood of each line that is referred to. A report must be
// complete in itself, so they are copied into it.
//
// Sources are read when the report is made. One that was changed after the run is
// marked, for its lines may not be those that ran.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace heddle::report {

class SourceExcerpts {
 public:
  // `run`: the result of the run, to compare ages with; may be missing.
  explicit SourceExcerpts(const std::string& run);

  // Notes that the line is needed; the number of the file, -1 for no file.
  int refer(const std::string& file, uint32_t line);

  // [{"name", "changed", "parts": [[first line, [text]]]}]; no parts: the file cannot be read.
  nlohmann::ordered_json json() const;

 private:
  std::optional<std::filesystem::file_time_type> run_;
  std::map<std::string, int> numbers_;
  std::vector<std::string> files_;
  std::vector<std::set<uint32_t>> lines_;  // by file
};

}  // namespace heddle::report
