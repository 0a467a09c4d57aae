// SPDX-License-Identifier: Apache-2.0
//
// heddle trace reversible: does what threads learn depend on the schedule?
#include "cli/trace_reversible.h"

#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "cli/exit_codes.h"
#include "cli/option_table.h"
#include "cli/output.h"
#include "propagate/reversibility/reversibility.h"
#include "trace/reader.h"

namespace heddle::cli {
namespace {

int check(const std::string& file) {
  auto trace = trace::read_trace(file);
  if (!trace) return report(trace.error());
  auto result = propagate::check_reversibility(*trace);
  if (!result) return report(result.error());
  switch (result->verdict) {
    case propagate::Reversibility::Verdict::kFixed:
      say("no two dependent events can change places: {} accesses to shared memory\n", result->shared_accesses);
      return kNothingFound;
    case propagate::Reversibility::Verdict::kReversible:
      say("{}", propagate::reversal_text(*trace, *result->reversal));
      return kFinding;
    case propagate::Reversibility::Verdict::kRefused:
      for (const std::string& reason : result->reasons) say("undecided: {}\n", reason);
      return kUndecided;
  }
  return kUndecided;
}

}  // namespace

void add_trace_reversible(CLI::App& trace, Action& action) {
  auto file = std::make_shared<std::string>();
  CLI::App* command =
      trace.add_subcommand("reversible", "can dependent events change places? 0 no, 1 yes and how, 4 undecided");
  command->add_option("trace", *file, "trace file, binary or text, of a run that ended with exit")
      ->required()
      ->type_name("FILE");
  set_help(*command,
           {{{"heddle trace run prog --free --unoptimised -o prog.trace && heddle trace reversible prog.trace", ""}},
            "",
            "0 the same in every schedule, 1 not, 3 bad input, 4 undecided"});
  command->callback([file, &action] { action = [file] { return check(*file); }; });
}

}  // namespace heddle::cli
