// SPDX-License-Identifier: Apache-2.0
#include "programs/expectation.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace heddle::tests {
namespace {

// Words separated by blanks; "two words" in quotes are one.
std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  bool quoted = false, any = false;
  for (const char c : text) {
    if (c == '"') {
      quoted = !quoted;
      any = true;
    } else if (c == ' ' && !quoted) {
      if (any) words.push_back(word);
      word.clear();
      any = false;
    } else {
      word += c;
      any = true;
    }
  }
  if (any) words.push_back(word);
  return words;
}

void read_line(const std::string& line, Expectation& expectation) {
  std::istringstream stream(line);
  std::string word;
  stream >> word;
  std::string rest;
  std::getline(stream, rest);
  if (!rest.empty() && rest[0] == ' ') rest.erase(0, 1);
  if (word == "expect") {
    std::istringstream parts(rest);
    parts >> expectation.outcome >> std::ws;
    std::getline(parts, expectation.detail);
  } else if (word == "stdout") {
    expectation.output.push_back(rest);
    expectation.checks_output = true;
  } else if (word == "any-schedule-stdout") {
    if (rest == "no") expectation.output_by_default_only = true;
  } else if (word == "schedules") {
    expectation.all_schedules = rest == "all";
  } else if (word == "memory") {
    if (rest != "sc") throw std::runtime_error("unknown line: " + line);
    expectation.all_memory_models = false;
  } else if (word == "args") {
    expectation.arguments = split(rest);
  } else if (word == "cflags") {
    expectation.cflags = split(rest);
  } else if (word == "contains") {
    std::istringstream parts(rest);
    std::string kind, least;
    parts >> kind >> least;
    expectation.contains.emplace_back(kind, least.empty() ? 1 : std::stoul(least.substr(2)));
  } else {
    throw std::runtime_error("unknown line: " + line);
  }
}

}  // namespace

Expectation read_expectation(const std::string& path) {
  Expectation expectation;
  std::ifstream file(path);
  const std::string mark = "// heddle: ";
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(mark)) read_line(line.substr(mark.size()), expectation);
  if (expectation.outcome.empty()) throw std::runtime_error(path + " has no expectation");
  return expectation;
}

}  // namespace heddle::tests
