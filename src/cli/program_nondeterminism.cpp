// SPDX-License-Identifier: Apache-2.0
//
// heddle program nondeterminism: places where runs may differ for other reasons
// than the order of threads.
#include <fmt/format.h>

#include <memory>

#include "cli/exit_codes.h"
#include "cli/option_table.h"
#include "cli/output.h"
#include "cli/program_view.h"
#include "program/nondeterminism.h"

namespace heddle::cli {
namespace {

int print_places(const ViewOptions& options) {
  auto program = take_in(options);
  if (!program) return report(program.error());
  for (const program::NondeterministicPlace& place : program::find_nondeterminism(*program)) say("{}\n", place.text());
  return kNothingFound;
}

}  // namespace

void add_program_nondeterminism(CLI::App& program, Action& action) {
  auto options = std::make_shared<ViewOptions>();
  CLI::App* command = program.add_subcommand(
      "nondeterminism", "list where runs may differ whatever the schedule: clocks, chance, identities, addresses");
  add_view_options(*command, *options, {"text"});
  set_help(*command, {{{"heddle program nondeterminism prog.c", ""}}, "", "0 printed, 3 bad input"});
  command->callback([options, &action] { action = [options] { return print_places(*options); }; });
}

}  // namespace heddle::cli
