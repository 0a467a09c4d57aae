// SPDX-License-Identifier: Apache-2.0
//
// heddle inject: one experiment of a campaign again, and all that came of it.
#include <fmt/format.h>

#include <memory>

#include "cli/commands.h"
#include "cli/comparison_options.h"
#include "cli/exit_codes.h"
#include "cli/option_table.h"
#include "cli/output.h"
#include "execute/standard_input.h"
#include "propagate/engine/experiment_runner.h"
#include "report/propagate_json.h"

namespace heddle::cli {
namespace {

struct Choices {
  ComparisonOptions comparison;
  std::string experiment;
  std::string format = "text";
};

int run(const Choices& choices, const ProgramArguments& arguments) {
  auto name = propagate::parse_experiment_name(choices.experiment);
  if (!name) {
    report(name.error());
    return kUsage;
  }
  auto target = prepare_comparison(choices.comparison);
  if (!target) return report(target.error());
  propagate::ServerSettings settings;
  settings.arguments = arguments;
  settings.input = execute::rereadable_standard_input();
  auto runner =
      propagate::ExperimentRunner::start(*target, settings, choices.comparison.filter, choices.comparison.faults);
  if (!runner) return report(runner.error());
  if ((*runner)->points(*name->model) == 0)
    return report(
        {fmt::format("the fault {} has no place in this program: {}", name->model->name, name->model->summary), ""});
  if ((*runner)->fault_free_run().writes_nothing()) tell("heddle: {}\n", kWritesNothing);
  for (int i = 0; i < 3; ++i) {
    auto differs = (*runner)->differs_without_fault();
    if (!differs) return report(differs.error());
    if (differs->empty()) continue;
    tell("heddle: not all that is reported need be the fault's doing: without any, {}\n", *differs);
    break;
  }
  auto result = (*runner)->run(*name, choices.comparison.seed);
  if (!result) return report(result.error());
  say("{}", choices.format == "json" ? report::experiment_json(*result, name->text())
                                     : report::experiment_text(*result, name->text()));
  return kNothingFound;
}

}  // namespace

void add_inject_command(CLI::App& app, Action& action, const ProgramArguments& arguments) {
  auto choices = std::make_shared<Choices>();
  CLI::App* command = app.add_subcommand("inject", "one experiment of heddle propagate again");
  add_comparison_options(*command, choices->comparison);
  command->get_option("program")->required();
  command->add_option("--experiment", choices->experiment, "a fault and a number, such as bitflip:17")
      ->required()
      ->type_name("ID");
  command->add_option("--format", choices->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  set_help(*command,
           {{{"heddle inject steady.c --experiment=bitflip:17", "the one that heddle propagate has under this name"}},
            "",
            "0 done, 3 bad input"});
  command->callback(
      [choices, &action, &arguments] { action = [choices, &arguments] { return run(*choices, arguments); }; });
}

}  // namespace heddle::cli
