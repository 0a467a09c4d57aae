// SPDX-License-Identifier: Apache-2.0
#include "build/compiler_driver.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>

#include "base/files.h"
#include "base/process.h"
#include "base/standard_streams.h"
#include "build/compile_job.h"
#include "build/driver_arguments.h"
#include "build/driver_plan.h"
#include "build/job_files.h"
#include "build/link_job.h"

namespace heddle::build {
namespace {

using base::Result;

constexpr int kFailed = 1;  // as clang

int fail(const base::Error& error) {
  fmt::print(stderr, "heddle: error: {}\n", error.message);
  if (!error.hint.empty()) fmt::print(stderr, "heddle: note: {}\n", error.hint);
  return kFailed;
}

int become(const std::string& program, const std::vector<std::string>& arguments) {
  std::vector<char*> raw = {const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) raw.push_back(const_cast<char*>(argument.c_str()));
  raw.push_back(nullptr);
  base::restore_standard_streams();
  ::execv(program.c_str(), raw.data());
  return fail({fmt::format("cannot run {}: {}", program, std::strerror(errno)), ""});
}

// clang is planned for with its messages caught, so it must be told when they
// end up on a terminal.
bool shows_colour() {
  const char* terminal = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) && terminal && std::strcmp(terminal, "dumb") != 0;
}

std::vector<std::string> with_own_flags(const DriverArguments& user) {
  std::vector<std::string> all = {"--start-no-unused-arguments"};
  if (shows_colour()) all.push_back("-fcolor-diagnostics");
  for (std::string& flag : heddle_source_flags()) all.push_back(std::move(flag));
  all.push_back("--end-no-unused-arguments");
  all.insert(all.end(), user.arguments.begin(), user.arguments.end());
  return all;
}

// clang's plan names temporary files that only clang would remove: every
// output that a later command reads. They move to `directory`, with names that
// are the same in every build.
void move_temporaries(DriverPlan& plan, const std::string& directory) {
  std::error_code ignored;
  const std::filesystem::path temporary = std::filesystem::temp_directory_path(ignored);
  std::map<std::string, std::string> moved;
  for (size_t i = 0; i < plan.jobs.size(); ++i) {
    for (std::string& word : plan.jobs[i].command)
      if (const auto place = moved.find(word); place != moved.end()) word = place->second;
    const std::string output = plan.jobs[i].value_of("-o");
    if (output.empty() || moved.contains(output) || i + 1 == plan.jobs.size()) continue;
    const std::filesystem::path path = output;
    bool is_read_later = false;
    for (size_t later = i + 1; later < plan.jobs.size(); ++later)
      for (const std::string& word : plan.jobs[later].command) is_read_later |= word == output;
    const bool is_temporary = path.parent_path() == temporary;
    if (!is_read_later || !is_temporary) continue;
    const std::string stem = std::filesystem::path(plan.jobs[i].command.back()).stem().string();
    const std::string folder = fmt::format("{}/{}", directory, i);
    std::filesystem::create_directory(folder, ignored);
    const std::string replacement = folder + "/" + stem + path.extension().string();
    moved[output] = replacement;
    for (std::string& word : plan.jobs[i].command)
      if (word == output) word = replacement;
  }
}

class PlanRunner {
 public:
  PlanRunner(const std::string& clang, const DriverPlan& plan, bool verbose, const std::string& directory)
      : clang_(clang), plan_(plan), verbose_(verbose), directory_(directory) {}

  // Like clang: every command whose inputs could be made is run.
  int run() {
    if (verbose_) std::fputs(plan_.header.c_str(), stderr);
    std::fputs(plan_.warnings.c_str(), stderr);
    int result = 0;
    std::set<std::string> missing;
    for (const Job& job : plan_.jobs) {
      if (reads_any(job, missing)) continue;
      if (verbose_) fmt::print(stderr, "{}\n", shell_text(job.command));
      const int code = run_job(job);
      if (code == 0) continue;
      missing.insert(job.value_of("-o"));
      if (result == 0) result = code;
    }
    return result;
  }

 private:
  static bool reads_any(const Job& job, const std::set<std::string>& missing) {
    for (const std::string& word : job.command)
      if (missing.contains(word)) return true;
    return false;
  }

  int run_job(const Job& job) {
    Result<int> code = 0;
    if (job.kind == JobKind::compile) {
      code = run_compile_job(job, directory_);
    } else if (job.kind == JobKind::link) {
      code = run_link_job(job, directory_);
      if (code && *code != 0)
        fmt::print(stderr, "{}: error: linker command failed with exit code {} (use -v to see invocation)\n",
                   std::filesystem::path(clang_).filename().string(), *code);
    } else {
      Result<base::ProcessOutput> output = run_job_command(job.command, directory_, {});
      if (!output) return fail(output.error());
      code = output->exit_code;
    }
    return code ? *code : fail(code.error());
  }

  const std::string& clang_;
  const DriverPlan& plan_;
  bool verbose_;
  const std::string& directory_;
};

}  // namespace

int run_compiler(Language language, const std::vector<std::string>& arguments) {
  Result<std::string> clang = find_clang(language);
  if (!clang) return fail(clang.error());
  const DriverArguments user = prepare_arguments(arguments);
  const std::vector<std::string> all = with_own_flags(user);
  if (user.only_shows) return become(*clang, all);
  Result<std::optional<DriverPlan>> plan = plan_jobs(*clang, all);
  if (!plan) return fail(plan.error());
  if (!*plan) return become(*clang, all);

  Result<base::TemporaryDirectory> directory = base::TemporaryDirectory::create("cc");
  if (!directory) return fail(directory.error());
  move_temporaries(**plan, directory->path());
  if (user.verbose && user.dropped_lto) fmt::print(stderr, "heddle: note: compiling without link-time optimisation\n");
  return PlanRunner(*clang, **plan, user.verbose, directory->path()).run();
}

std::optional<Language> language_from_program_name(const std::string& program_name) {
  const std::string name = std::filesystem::path(program_name).filename().string();
  if (name == "heddle-cc") return Language::c;
  if (name == "heddle-c++") return Language::cxx;
  return std::nullopt;
}

}  // namespace heddle::build
