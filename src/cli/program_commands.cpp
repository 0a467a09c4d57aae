// SPDX-License-Identifier: Apache-2.0
//
// heddle program: what the static analysis knows.
#include <sstream>

#include "build/sources.h"
#include "cli/commands.h"
#include "cli/program_view.h"

namespace heddle::cli {

void add_view_options(CLI::App& command, ViewOptions& options, const std::vector<std::string>& formats) {
  command
      .add_option("program", options.inputs, "program built with heddle cc, or sources (.c .cc .cpp), .bc, .ll, .o, .a")
      ->required()
      ->type_name("PROG|SRC");
  command.add_option("--cflags", options.cflags, "compiler flags for sources, as one string; may be given again")
      ->allow_extra_args(false)
      ->type_name("'FLAGS'");
  command.add_option("--format", options.format, "how to print the answer")
      ->check(CLI::IsMember(formats))
      ->capture_default_str();
}

base::Result<program::WholeProgram> take_in(const ViewOptions& options) {
  build::IntakeOptions intake_options;
  for (const std::string& text : options.cflags) {
    std::istringstream words(text);
    for (std::string word; words >> word;) intake_options.cflags.push_back(word);
  }
  return build::intake(options.inputs, intake_options);
}

base::Result<ViewedProgram> view(const ViewOptions& options, build::ViewDepth depth) {
  auto program = take_in(options);
  if (!program) return program.error();
  ViewedProgram result{program->name(), program->hash(), {}};
  auto viewed = build::view_program(std::move(*program), depth);
  if (!viewed) return viewed.error();
  result.view = std::move(*viewed);
  return result;
}

void add_program_commands(CLI::App& app, Action& action) {
  CLI::App* program =
      app.add_subcommand("program", "what the static analysis knows: dependences, sites, nondeterminism");
  program->require_subcommand(1);
  add_program_deps(*program, action);
  add_program_sites(*program, action);
  add_program_nondeterminism(*program, action);
}

}  // namespace heddle::cli
