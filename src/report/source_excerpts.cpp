// SPDX-License-Identifier: Apache-2.0
#include "report/source_excerpts.h"

#include <algorithm>
#include <sstream>

#include "base/files.h"
#include "report/source_path.h"

namespace heddle::report {

using Json = nlohmann::ordered_json;

namespace {

constexpr size_t kWholeFile = 1500;  // lines
constexpr uint32_t kAround = 30;
constexpr size_t kLongLine = 400;  // letters

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (line.ends_with('\r')) line.pop_back();
    if (line.size() > kLongLine) line = line.substr(0, kLongLine) + " ...";
    lines.push_back(std::move(line));
  }
  return lines;
}

void add_part(Json& parts, const std::vector<std::string>& lines, size_t first, size_t end) {
  Json texts = Json::array();
  for (size_t i = first; i < end; ++i) texts.push_back(lines[i - 1]);
  parts.push_back({first, std::move(texts)});
}

Json parts_of(const std::vector<std::string>& lines, const std::set<uint32_t>& wanted) {
  Json parts = Json::array();
  if (lines.size() <= kWholeFile) {
    if (!lines.empty()) add_part(parts, lines, 1, lines.size() + 1);
    return parts;
  }
  size_t first = 0, end = 0;  // of the part that is growing; lines count from 1
  for (const uint32_t line : wanted) {
    if (line == 0 || line > lines.size()) continue;
    const size_t from = line > kAround ? line - kAround : 1,
                 to = std::min<size_t>(line + kAround + 1, lines.size() + 1);
    if (first && from > end) add_part(parts, lines, first, end);
    if (!first || from > end) first = from;
    end = to;
  }
  if (first) add_part(parts, lines, first, end);
  return parts;
}

}  // namespace

SourceExcerpts::SourceExcerpts(const std::string& run) {
  std::error_code error;
  const auto time = std::filesystem::last_write_time(run, error);
  if (!error) run_ = time;
}

int SourceExcerpts::refer(const std::string& file, uint32_t line) {
  if (file.empty()) return -1;
  const auto [place, is_new] = numbers_.emplace(file, static_cast<int>(files_.size()));
  if (is_new) {
    files_.push_back(file);
    lines_.emplace_back();
  }
  lines_[place->second].insert(line);
  return place->second;
}

Json SourceExcerpts::json() const {
  Json list = Json::array();
  for (size_t i = 0; i < files_.size(); ++i) {
    std::error_code error;
    const std::string path = source_path(files_[i]);
    const auto time = std::filesystem::last_write_time(path, error);
    Json file = {{"name", files_[i]}, {"changed", !error && run_ && time > *run_}, {"parts", Json::array()}};
    const bool is_file = std::filesystem::is_regular_file(path, error);
    if (auto text = is_file ? base::read_file(path) : base::Result<std::string>(std::string()); text)
      file["parts"] = parts_of(lines_of(*text), lines_[i]);
    list.push_back(std::move(file));
  }
  return list;
}

}  // namespace heddle::report
