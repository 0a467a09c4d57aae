// SPDX-License-Identifier: Apache-2.0
#include "report/find_finding.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <vector>

#include "report/program_facts.h"
#include "report/run_directory.h"

namespace heddle::report {

namespace fs = std::filesystem;

namespace {

std::optional<size_t> number_of(const std::string& text) {
  size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number == 0) return std::nullopt;
  return number;
}

FoundFinding in_run(const fs::path& run, size_t finding) {
  return {(run / schedule_file(finding - 1)).string(), (run / "result.json").string()};
}

base::Result<FoundFinding> existing(const FoundFinding& found) {
  if (fs::exists(found.schedule)) return found;
  return base::Error{fmt::format("there is no {}", found.schedule),
                     "result.json beside it lists the findings of that run"};
}

// Runs, latest first: numbers only grow.
std::vector<fs::path> runs() {
  std::vector<fs::path> all;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(runs_directory(), error)) all.push_back(entry.path());
  std::sort(all.begin(), all.end(), [](const fs::path& a, const fs::path& b) {
    const auto key = [](const fs::path& path) {
      return std::pair(std::strtoul(path.filename().c_str(), nullptr, 10), path.filename().string());
    };
    return key(a) > key(b);
  });
  return all;
}

base::Result<FoundFinding> latest(size_t finding) {
  for (const fs::path& run : runs())
    if (fs::exists(run / schedule_file(0))) return existing(in_run(run, finding));
  return base::Error{fmt::format("no run in {} has findings", runs_directory()),
                     "run heddle check first, or name a schedule"};
}

}  // namespace

base::Result<FoundFinding> find_finding(const std::string& text) {
  if (text.empty()) return latest(1);
  if (fs::is_directory(text)) return existing(in_run(text, 1));
  if (fs::exists(text)) {
    const fs::path result = fs::path(text).parent_path() / "result.json";
    return FoundFinding{text, fs::exists(result) ? result.string() : ""};
  }
  const size_t colon = text.rfind(':');
  const std::string run = text.substr(0, colon);
  const auto finding = colon == std::string::npos ? std::optional<size_t>(1) : number_of(text.substr(colon + 1));
  for (const fs::path& path : finding ? runs() : std::vector<fs::path>{}) {
    const std::string name = path.filename().string();
    const bool by_number =
        colon != std::string::npos && number_of(run) && std::strtoul(name.c_str(), nullptr, 10) == *number_of(run);
    if (name == run || by_number) return existing(in_run(path, *finding));
  }
  if (const auto number = number_of(text)) return latest(*number);
  return base::Error{fmt::format("there is no schedule and no run called {}", text),
                     fmt::format("give a schedule file, or RUN:NUMBER of a run in {}", runs_directory())};
}

}  // namespace heddle::report
