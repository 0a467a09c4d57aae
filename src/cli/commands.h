// SPDX-License-Identifier: Apache-2.0
//
// The commands of heddle, one file each. A command adds its options to the
// parser; what it returns is the exit code.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"

namespace heddle::cli {

// What follows "--" on the command line: arguments of the program.
using ProgramArguments = std::vector<std::string>;

// Set by the command that was chosen, called after parsing.
using Action = std::function<int()>;

void add_check_command(CLI::App& app, Action& action, const ProgramArguments& program_arguments);
void add_predict_command(CLI::App& app, Action& action, const ProgramArguments& program_arguments);
void add_inject_command(CLI::App& app, Action& action, const ProgramArguments& program_arguments);
void add_propagate_command(CLI::App& app, Action& action, const ProgramArguments& program_arguments);
void add_record_command(CLI::App& app, Action& action, const ProgramArguments& program_arguments);
void add_trace_commands(CLI::App& app, Action& action, const ProgramArguments& program_arguments);
void add_program_commands(CLI::App& app, Action& action);
void add_reproduce_command(CLI::App& app, Action& action);
void add_replay_command(CLI::App& app, Action& action, const ProgramArguments& program_arguments);
void add_report_commands(CLI::App& app, Action& action);
void add_explain_command(CLI::App& app, Action& action);
void add_manual_command(CLI::App& app, Action& action);
void add_completion_command(CLI::App& app, Action& action);
void add_doctor_command(CLI::App& app, Action& action);
void add_demo_command(CLI::App& app, Action& action);

// Prints "heddle: message" and the hint to standard error; returns kBadInput.
int report(const base::Error& error);

}  // namespace heddle::cli
