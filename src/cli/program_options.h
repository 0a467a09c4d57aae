// SPDX-License-Identifier: Apache-2.0
//
// Options of every command that runs a program: which program, how it is
// compiled, carried and isolated.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "build/numbered_program.h"
#include "execute/executor.h"

namespace heddle::cli {

struct ProgramOptions {
  std::vector<std::string> inputs;
  std::vector<std::string> cflags;
  std::string isolation = "auto";
  std::string carrier = "fiber";
  std::string heap = "fresh";
  double hang_seconds = 10;
  std::vector<std::string> record;  // functions, branches, values
  bool verbose = false;
  bool dependence = false;   // find out which operations depend on which values
  bool optimised = false;    // the module as optimised for the user, which recordings speak of
  bool unoptimised = false;  // free runs: trace the program as the frontend made it
};

void add_program_options(CLI::App& command, ProgramOptions& options);

// Intake, instrumentation and code: the program as something to run.
base::Result<execute::Subject> prepare_subject(const ProgramOptions& options, const std::vector<std::string>& arguments,
                                               bool free_running = false);
// The same, and its module with the numbers that events speak of.
base::Result<execute::Subject> prepare_numbered_subject(const ProgramOptions& options,
                                                        const std::vector<std::string>& arguments,
                                                        std::optional<build::NumberedProgram>& numbered);

// An error if the schedule is not for this program and this version of Heddle.
base::Result<void> check_schedule(const schedule::Schedule& schedule, const execute::Subject& subject);

execute::ExecutorOptions executor_options(const ProgramOptions& options);

// With --verbose: what the executor chose, and why.
void explain_choices(const ProgramOptions& options, const execute::Executor& executor);

}  // namespace heddle::cli
