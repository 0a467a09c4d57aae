// SPDX-License-Identifier: Apache-2.0
#include "report/suppressions.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <sstream>

namespace heddle::report {

namespace {

constexpr std::array kKinds = {
    "*",         "race",   "deadlock",  "livelock",           "atomicity",        "use-after-free",
    "assertion", "abort",  "crash",     "uncaught-exception", "null-dereference", "double-free",
    "bad-free",  "misuse", "exit-code", "out-of-bounds"};

constexpr const char* kBlanks = " \t\r";

std::string trimmed(const std::string& text) {
  const size_t begin = text.find_first_not_of(kBlanks);
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

bool is_like(const std::string& text, const std::string& pattern) {
  return fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

}  // namespace

base::Result<Suppressions> Suppressions::parse(std::string_view text, const std::string& path) {
  Suppressions result;
  result.path_ = path;
  std::istringstream lines{std::string(text)};
  size_t number = 0;
  for (std::string content; std::getline(lines, content);) {
    ++number;
    content = trimmed(content);
    if (content.empty() || content[0] == '#') continue;
    Line line;
    line.number = number;
    std::istringstream words(content);
    words >> line.kind >> line.file;
    std::getline(words, line.function);
    line.function = trimmed(line.function);
    const auto damaged = [&](const std::string& what) {
      return base::Error{fmt::format("{}:{}: {}", path, number, what),
                         "a line is: KIND FILE [FUNCTION], such as: race src/cache.c evict_*"};
    };
    if (content.find('\0') != std::string::npos) return damaged("this is no text");
    if (std::find(kKinds.begin(), kKinds.end(), line.kind) == kKinds.end())
      return damaged(fmt::format("there is no kind of finding called {}", line.kind));
    if (line.file.empty()) return damaged("which file is missing");
    if (line.function.empty()) line.function = "*";
    result.lines_.push_back(std::move(line));
  }
  return result;
}

bool Suppressions::matches(const Line& line, const std::string& file, const std::string& function) {
  return (is_like(file, line.file) || is_like(file, "*/" + line.file)) && is_like(function, line.function);
}

std::string Suppressions::line_for(const property::Finding& finding, const std::vector<Circumstances>& places) {
  const auto is_meant = [&](const Line& line) {
    if (line.kind != "*" && line.kind != finding.kind) return false;
    for (const property::Place& place : finding.places)
      if (matches(line, place.file, place.function)) return true;
    for (const Circumstances& here : places)
      for (const Frame& frame : here.stack)
        if (matches(line, frame.file, frame.function)) return true;
    return false;
  };
  const auto line = std::find_if(lines_.begin(), lines_.end(), is_meant);
  if (line == lines_.end()) return "";
  line->is_used = true;
  return fmt::format("{}:{}", path_, line->number);
}

std::vector<std::string> Suppressions::unused() const {
  std::vector<std::string> texts;
  for (const Line& line : lines_)
    if (!line.is_used)
      texts.push_back(fmt::format("{}:{}: {} {} {}", path_, line.number, line.kind, line.file, line.function));
  return texts;
}

}  // namespace heddle::report
