// SPDX-License-Identifier: Apache-2.0
#include "cli/program_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <sstream>

#include "abi/version.h"
#include "build/sources.h"
#include "build/target.h"
#include "cli/option_table.h"
#include "cli/output.h"
#include "execute/subject.h"

namespace heddle::cli {
namespace {

const char* isolation_name(execute::Isolation isolation) {
  switch (isolation) {
    case execute::Isolation::kInProcess: return "in-process";
    case execute::Isolation::kFork: return "fork";
    case execute::Isolation::kFresh: return "fresh";
    default: return "auto";
  }
}

}  // namespace

void add_program_options(CLI::App& command, ProgramOptions& options) {
  command
      .add_option("program", options.inputs, "program built with heddle cc, or sources (.c .cc .cpp), .bc, .ll, .o, .a")
      ->required()
      ->type_name("PROG|SRC");
  command.add_option("--cflags", options.cflags, "compiler flags for sources, as one string; may be given again")
      ->allow_extra_args(false)
      ->type_name("'FLAGS'");
  command.add_option("--isolation", options.isolation, "how runs are kept apart")
      ->check(CLI::IsMember({"auto", "in-process", "fork", "fresh"}))
      ->capture_default_str();
  command.add_option("--carrier", options.carrier, "what threads of the program run on")
      ->check(CLI::IsMember({"fiber", "thread"}))
      ->capture_default_str();
  command
      .add_option("--heap", options.heap,
                  "fresh: no address is used twice; reuse: the block of that size that was freed last")
      ->check(CLI::IsMember({"fresh", "reuse"}))
      ->capture_default_str();
  command.add_option("--hang-seconds", options.hang_seconds, "give up when no visible operation happens for so long")
      ->check(CLI::PositiveNumber)
      ->type_name("SECONDS")
      ->capture_default_str();
  command.add_flag("--verbose", options.verbose, "say what is done and why");
  seldom_needed(command, {"--isolation", "--carrier", "--heap", "--hang-seconds", "--verbose"});
}

namespace {

// `numbered` may be null.
base::Result<execute::Subject> prepare(const ProgramOptions& options, const std::vector<std::string>& arguments,
                                       bool free_running, std::optional<build::NumberedProgram>* numbered) {
  build::IntakeOptions intake_options;
  intake_options.optimised = options.optimised;
  if (options.optimised || (free_running && !options.unoptimised)) intake_options.cflags.push_back("-O2");
  for (const std::string& text : options.cflags) {
    std::istringstream words(text);
    for (std::string word; words >> word;) intake_options.cflags.push_back(word);
  }
  auto program = build::intake(options.inputs, intake_options);
  if (!program) return program.error();
  build::TargetOptions target_options;
  target_options.free_running = free_running;
  const auto wanted = [&](const char* what) {
    return std::find(options.record.begin(), options.record.end(), what) != options.record.end();
  };
  target_options.functions = wanted("functions");
  target_options.branches = wanted("branches");
  target_options.values = wanted("values");
  target_options.dependence = options.dependence;
  target_options.optimise = free_running && !options.unoptimised;
  if (numbered) {
    auto module = build::number_program(*program, target_options.optimise);
    if (!module) return module.error();
    *numbered = std::move(*module);
  }
  auto target = build::make_target(std::move(*program), target_options);
  if (!target) return target.error();
  if (numbered)
    if (auto found = build::find_addresses(**numbered, target->executable); !found) return found.error();
  if (options.verbose) {
    tell("heddle: {} accesses instrumented, {} left out as private or constant{}\n", target->accesses,
         target->private_accesses, target->from_cache ? " (from the cache)" : "");
    for (const std::string& name : target->unknown_functions)
      tell("heddle: no bitcode for {}: its writes are found by comparing memory\n", name);
  }
  return execute::subject_of(*target, arguments);
}

}  // namespace

base::Result<execute::Subject> prepare_subject(const ProgramOptions& options, const std::vector<std::string>& arguments,
                                               bool free_running) {
  return prepare(options, arguments, free_running, nullptr);
}

base::Result<execute::Subject> prepare_numbered_subject(const ProgramOptions& options,
                                                        const std::vector<std::string>& arguments,
                                                        std::optional<build::NumberedProgram>& numbered) {
  return prepare(options, arguments, false, &numbered);
}

base::Result<void> check_schedule(const schedule::Schedule& schedule, const execute::Subject& subject) {
  if (schedule.instrumentation_version != HEDDLE_INSTRUMENTATION_VERSION)
    return base::Error{fmt::format("the schedule is for instrumentation {}, this is {}",
                                   schedule.instrumentation_version, HEDDLE_INSTRUMENTATION_VERSION),
                       "record it again"};
  if (!schedule.module_hash.empty() && schedule.module_hash != subject.module_hash)
    return base::Error{"the schedule belongs to another version of the program",
                       "record it again; sources must be given by the same paths, with the same flags"};
  return {};
}

execute::ExecutorOptions executor_options(const ProgramOptions& options) {
  execute::ExecutorOptions result;
  if (options.isolation == "in-process") result.isolation = execute::Isolation::kInProcess;
  if (options.isolation == "fork") result.isolation = execute::Isolation::kFork;
  if (options.isolation == "fresh") result.isolation = execute::Isolation::kFresh;
  result.carrier = options.carrier == "thread" ? execute::Carrier::kThread : execute::Carrier::kFiber;
  result.heap = options.heap == "reuse" ? execute::Heap::kReuse : execute::Heap::kFresh;
  result.hang_seconds = options.hang_seconds;
  return result;
}

void explain_choices(const ProgramOptions& options, const execute::Executor& executor) {
  if (!options.verbose) return;
  tell("heddle: carrier {}, isolation {}: {}\n", options.carrier, isolation_name(executor.isolation().isolation),
       executor.isolation().reason);
}

}  // namespace heddle::cli
