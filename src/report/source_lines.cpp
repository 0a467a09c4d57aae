// SPDX-License-Identifier: Apache-2.0
#include "report/source_lines.h"

#include <sstream>

#include "base/files.h"
#include "report/source_path.h"

namespace heddle::report {
namespace {

std::string clean(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = ' ';
  const size_t begin = text.find_first_not_of(' ');
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

std::vector<std::string> read_lines(const std::string& path) {
  std::vector<std::string> lines;
  const auto content = base::read_file(source_path(path));
  if (!content) return lines;
  std::istringstream stream(*content);
  for (std::string line; std::getline(stream, line);) lines.push_back(clean(line));
  return lines;
}

}  // namespace

std::optional<std::string> SourceLines::line(const std::string& file, uint32_t line) {
  if (file.empty() || line == 0) return std::nullopt;
  auto place = files_.find(file);
  if (place == files_.end()) place = files_.emplace(file, read_lines(file)).first;
  if (line > place->second.size() || place->second[line - 1].empty()) return std::nullopt;
  return place->second[line - 1];
}

}  // namespace heddle::report
