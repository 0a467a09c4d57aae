// SPDX-License-Identifier: Apache-2.0
//
// oracle: the checker against brute force, by hand.
//
//   oracle --seed=7 --count=1000 --size=12 --memory=tso --reduce=mcr
//   oracle --count=2000 --usual
//   oracle --count=1000 --reduce=mcr,dpor --solver=native,z3 --jobs=1,2 --all-ways
//
// Lists are drawn from by each program's seed; --all-ways takes every
// combination. Exit code 0: no difference; 1: differences, printed; 3: a set
// could not be compiled.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "oracle/run_set.h"

int main(int count, char** arguments) {
  using namespace heddle::oracle;
  CLI::App app("the checker against brute force on random programs");
  SetOptions options;
  bool with_races = false, without_races = false, subset = false;
  const std::map<std::string, MemoryModel> models = {
      {"sc", MemoryModel::kSc}, {"tso", MemoryModel::kTso}, {"pso", MemoryModel::kPso}};
  // First of all, so that the others change what it says.
  app.add_flag_callback(
      "--usual", [&] { draw_as_usual(options); }, "draw reductions, solvers and races as `make test` does");
  app.add_option("--seed", options.seed, "of the first program");
  app.add_option("--count", options.count, "how many programs");
  app.add_option("--size", options.size, "operations of a program, at most")->check(CLI::Range(2, 24));
  app.add_flag("--pointers", options.pointers,
               "programs with pointers, blocks of the heap and threads created only sometimes");
  app.add_flag("--twins", options.twins, "programs with threads that do the same; only what main reads is compared");
  app.add_option("--memory", options.models, "sc, tso, pso; all if not given")
      ->delimiter(',')
      ->transform(CLI::CheckedTransformer(models));
  app.add_option("--reduce", options.reductions, "reductions")->delimiter(',');
  app.add_option("--solver", options.solvers, "solvers")->delimiter(',');
  app.add_option("--jobs", options.jobs, "numbers of workers")->delimiter(',');
  app.add_option("--states", options.limits.states, "skip programs with more states than that");
  app.add_option("--executions", options.most_executions, "a check that takes more is done with mcr instead");
  app.add_flag("--races", with_races, "always look for races");
  app.add_flag("--no-races", without_races, "never look for races");
  app.add_flag("--all-ways", options.all_ways, "every combination, not one drawn for each program");
  app.add_flag("--subset", subset, "the checker need not find everything");
  CLI11_PARSE(app, count, arguments);
  if (with_races) options.races = {true};
  if (without_races) options.races = {false};
  if (subset) options.demand = Demand::kSubset;

  const auto summary = run_set(options, check_program);
  if (!summary) {
    fmt::print(stderr, "oracle: {}\n", summary.error().message);
    return 3;
  }
  if (summary->kept_apart) fmt::print("equal threads did not change places in {} checks\n", summary->kept_apart);
  fmt::print("{}seed {}: {} checks, {} skipped, {} done with mcr instead, {} left to mcr by learn, {} different\n",
             summary->text, options.seed, summary->checks, summary->skipped, summary->replaced, summary->left_to_mcr,
             summary->different);
  return summary->different ? 1 : 0;
}
