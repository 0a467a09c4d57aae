// SPDX-License-Identifier: Apache-2.0
//
// What the commands of `heddle program` share: the program, without running it.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "build/program_view.h"
#include "cli/commands.h"

namespace heddle::cli {

struct ViewedProgram {
  std::string name, hash;
  build::ProgramView view;
};

struct ViewOptions {
  std::vector<std::string> inputs;
  std::vector<std::string> cflags;
  std::string format = "text";
};

void add_view_options(CLI::App& command, ViewOptions& options, const std::vector<std::string>& formats);
base::Result<program::WholeProgram> take_in(const ViewOptions& options);
base::Result<ViewedProgram> view(const ViewOptions& options, build::ViewDepth depth);

void add_program_deps(CLI::App& program, Action& action);
void add_program_sites(CLI::App& program, Action& action);
void add_program_nondeterminism(CLI::App& program, Action& action);

}  // namespace heddle::cli
