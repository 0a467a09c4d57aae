// SPDX-License-Identifier: Apache-2.0
//
// heddle: the command line. `heddle cc` and `heddle c++` hand over to the
// compiler driver at once; everything else is a command of one file each.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "abi/version.h"
#include "base/standard_streams.h"
#include "build/compiler_driver.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/guard.h"
#include "cli/help.h"
#include "cli/option_table.h"
#include "cli/output.h"
#include "cli/suggest.h"
#include "cli/terminal.h"

namespace heddle::cli {

int report(const base::Error& error) {
  tell("heddle: {}\n", error.message);
  if (!error.hint.empty()) tell("heddle: {}\n", error.hint);
  return kBadInput;
}

namespace {

bool is_command(const CLI::App& app, const std::string& name) {
  const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
  return std::any_of(commands.begin(), commands.end(),
                     [&](const CLI::App* command) { return command->get_name() == name; });
}

int run(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  if (const auto language = build::language_from_program_name(argv[0]))
    return build::run_compiler(*language, arguments);
  if (!arguments.empty() && (arguments[0] == "cc" || arguments[0] == "c++")) {
    const auto language = arguments[0] == "cc" ? build::Language::c : build::Language::cxx;
    arguments.erase(arguments.begin());
    return build::run_compiler(language, arguments);
  }

  ProgramArguments program_arguments;
  const auto dashes = std::find(arguments.begin(), arguments.end(), "--");
  if (dashes != arguments.end()) {
    program_arguments.assign(dashes + 1, arguments.end());
    arguments.erase(dashes, arguments.end());
  }

  // The parser would take the next argument for the value that is not there.
  std::erase(arguments, "--cflags=");
  for (const std::string& argument : arguments) {
    if (argument.size() > 3 && argument.starts_with("--") && argument.ends_with('=')) {
      tell("heddle: {} needs a value\n", argument.substr(0, argument.size() - 1));
      return kUsage;
    }
  }

  CLI::App app("Heddle: one run of a concurrent C or C++ program, and what all the runs it stands for can do.",
               "heddle");
  app.set_version_flag("--version", version_text(), "which version this is, and of which formats");
  app.require_subcommand(0, 1);
  prepare_help(app);
  set_help(app,
           {{{"heddle demo", "what it does, on examples"},
             {"heddle check examples/01_lost_update/lost_update.c; heddle replay", "a bug, and its order once more"},
             {"CC=\"heddle cc\" CXX=\"heddle c++\" make", "programs keep their bitcode; then: heddle check prog"}},
            "",
            "0 nothing found, 1 finding, 2 wrong usage, 3 bad input, 4 undecided, 70 internal error, 130 interrupted"});
  Action action;
  add_check_command(app, action, program_arguments);
  add_predict_command(app, action, program_arguments);
  add_record_command(app, action, program_arguments);
  add_propagate_command(app, action, program_arguments);
  add_inject_command(app, action, program_arguments);
  add_trace_commands(app, action, program_arguments);
  add_program_commands(app, action);
  add_reproduce_command(app, action);
  add_replay_command(app, action, program_arguments);
  add_report_commands(app, action);
  add_explain_command(app, action);
  add_demo_command(app, action);
  add_doctor_command(app, action);
  add_manual_command(app, action);
  add_completion_command(app, action);
  app.add_subcommand("cc", "compile and link C; like clang, and the program keeps its bitcode");
  app.add_subcommand("c++", "compile and link C++; likewise");

  std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
  try {
    app.parse(arguments);
  } catch (const CLI::CallForHelp&) {
    say("{}", help_of_chosen(app, false, terminal_width()));
    return 0;
  } catch (const CLI::CallForAllHelp&) {
    say("{}", help_of_chosen(app, true, terminal_width()));
    return 0;
  } catch (const CLI::CallForVersion&) {
    say("{}\n", version_text());
    return 0;
  } catch (const CLI::ParseError& error) {
    if (argc > 1 && argv[1][0] != '-' && !is_command(app, argv[1])) {
      tell("heddle: there is no command '{}'\n", argv[1]);
    } else {
      tell("heddle: {}\n", error.what());
    }
    const std::string meant = did_you_mean(app, std::vector<std::string>(argv + 1, argv + argc));
    if (!meant.empty()) tell("heddle: did you mean {}?\n", meant);
    tell("heddle: see {} -h\n", chosen_name(app).empty() ? "heddle" : "heddle " + chosen_name(app));
    return kUsage;
  }
  if (!action) {
    say("{}", help_of_chosen(app, false, terminal_width()));
    return kUsage;
  }
  return action();
}

}  // namespace
}  // namespace heddle::cli

int main(int argc, char** argv) {
  using namespace heddle::cli;
  heddle::base::guard_standard_streams();
  return code_of_answer(guarded([&] { return run(argc, argv); }));
}
