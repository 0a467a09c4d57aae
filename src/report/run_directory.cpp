// SPDX-License-Identifier: Apache-2.0
#include "report/run_directory.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace heddle::report {

std::string runs_directory() {
  const char* chosen = std::getenv("HEDDLE_DIR");
  return (std::filesystem::path(chosen && *chosen ? chosen : ".heddle") / "runs").string();
}

base::Result<std::string> make_run_directory(const std::string& command) {
  const std::filesystem::path runs = runs_directory();
  std::error_code error;
  std::filesystem::create_directories(runs, error);
  if (error)
    return base::Error{fmt::format("cannot create {}: {}", runs.string(), error.message()),
                       "set HEDDLE_DIR to a directory that can be written"};
  unsigned number = 0;
  for (const auto& entry : std::filesystem::directory_iterator(runs, error))
    number = std::max(number, static_cast<unsigned>(std::strtoul(entry.path().filename().c_str(), nullptr, 10)));
  for (int attempts = 0; attempts < 1000; ++attempts) {
    const std::string path = (runs / fmt::format("{:03}-{}", ++number, command)).string();
    if (mkdir(path.c_str(), 0777) == 0) return path;  // atomic: another heddle gets another number
    if (errno != EEXIST)
      return base::Error{fmt::format("cannot create {}: {}", path, std::strerror(errno)),
                         "set HEDDLE_DIR to a directory that can be written"};
  }
  return base::Error{"cannot find a free number in " + runs.string(), "remove old runs"};
}

std::vector<std::string> all_runs() {
  std::vector<std::pair<unsigned long, std::string>> numbered;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(runs_directory(), error))
    if (entry.is_directory(error))
      numbered.emplace_back(std::strtoul(entry.path().filename().c_str(), nullptr, 10), entry.path().string());
  std::sort(numbered.begin(), numbered.end());
  std::vector<std::string> runs;
  for (auto& [number, path] : numbered) runs.push_back(std::move(path));
  return runs;
}

base::Result<std::string> latest_run() {
  const std::vector<std::string> runs = all_runs();
  if (runs.empty())
    return base::Error{"there is no run in " + runs_directory(),
                       "run heddle check first, or name the directory of a run"};
  return runs.back();
}

std::string html_file(const std::string& directory) { return directory + "/report.html"; }

std::string checkpoint_file(const std::string& directory) { return directory + "/checkpoint"; }

base::Result<std::string> find_run(const std::string& run) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (fs::is_directory(run, error)) return run;
  if (fs::path(run).filename() == "result.json" && fs::exists(run, error)) {
    const std::string parent = fs::path(run).parent_path().string();
    return parent.empty() ? "." : parent;
  }
  std::string directory;
  const bool is_number = !run.empty() && run.find_first_not_of("0123456789") == std::string::npos;
  for (const auto& entry : fs::directory_iterator(runs_directory(), error)) {
    const std::string name = entry.path().filename().string();
    const bool has_number =
        is_number && std::strtoul(name.c_str(), nullptr, 10) == std::strtoul(run.c_str(), nullptr, 10);
    if (name == run || has_number) directory = entry.path().string();
  }
  if (directory.empty())
    return base::Error{fmt::format("there is no run {} in {}", run, runs_directory()),
                       "give its number or its directory"};
  return directory;
}

base::Result<std::string> find_checkpoint(const std::string& run) {
  std::error_code error;
  if (std::filesystem::is_regular_file(run, error)) return run;
  auto directory = find_run(run);
  if (!directory) return directory;
  if (!std::filesystem::is_regular_file(checkpoint_file(*directory), error))
    return base::Error{fmt::format("{} has no checkpoint", *directory),
                       "only checks by mcr that ended early can be resumed"};
  return checkpoint_file(*directory);
}

}  // namespace heddle::report
