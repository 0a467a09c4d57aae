// SPDX-License-Identifier: Apache-2.0
#include "build/link_trace.h"

#include <algorithm>
#include <optional>

#include "base/files.h"

namespace heddle::build {
namespace {

// Names may hold parentheses themselves, so only what exists counts.
std::optional<LinkedFile> parse_line(const std::string& line) {
  if (base::is_file(line)) return LinkedFile{line, ""};
  if (line.starts_with("(")) {
    for (size_t close = line.find(')'); close != std::string::npos; close = line.find(')', close + 1))
      if (const std::string archive = line.substr(1, close - 1); base::is_file(archive))
        return LinkedFile{archive, line.substr(close + 1)};
  } else if (line.ends_with(")")) {
    for (size_t open = line.rfind('('); open != std::string::npos && open > 0; open = line.rfind('(', open - 1))
      if (const std::string archive = line.substr(0, open); base::is_file(archive))
        return LinkedFile{archive, line.substr(open + 1, line.size() - open - 2)};
  }
  return std::nullopt;
}

}  // namespace

LinkTrace parse_link_trace(std::string_view text) {
  LinkTrace trace;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::optional<LinkedFile> file = parse_line(line);
    if (!file)
      trace.other_output += line + "\n";
    else if (std::find(trace.files.begin(), trace.files.end(), *file) == trace.files.end())
      trace.files.push_back(*file);
  }
  return trace;
}

}  // namespace heddle::build
