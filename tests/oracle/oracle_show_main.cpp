// SPDX-License-Identifier: Apache-2.0
//
// oracle_show: random programs and the truth about them, for looking into a
// difference by hand.
//
//   oracle_show --seed=7 --memory=tso     program 7 and what brute force says
//   oracle_show --seed=7 --c              the same as C
//   oracle_show --count=2000 --summary    how large the truth of a set is
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "oracle/compare.h"
#include "oracle/emit_c.h"
#include "oracle/generate.h"

namespace heddle::oracle {
namespace {

void show(const Program& program, uint64_t seed, MemoryModel model) {
  const Truth truth = brute_force(program, model);
  const Races races = find_races(program, model);
  fmt::print("seed {}, {}\n{}", seed, name_of(model), to_text(program));
  fmt::print("{} classes, {} states{}{}\n", truth.classes, truth.states, truth.deadlock ? ", deadlock" : "",
             truth.within_limits && races.within_limits ? "" : ", LIMIT REACHED");
  for (const Outcome& outcome : truth.outcomes) fmt::print("  outcome {}\n", to_text(outcome));
  for (const int number : truth.failing_assertions) fmt::print("  assertion #{} fails\n", number);
  for (const Pair& pair : races.racing)
    fmt::print("  race #{} #{}{}\n", pair.first, pair.second,
               races.enabled_at_once.contains(pair) ? ", enabled at once" : "");
}

void summarise(const std::vector<Program>& programs, MemoryModel model) {
  size_t outcomes = 0, classes = 0, states = 0, most = 0, skipped = 0, deadlocks = 0, failing = 0, racing = 0;
  for (const Program& program : programs) {
    const Truth truth = brute_force(program, model);
    const Races races = find_races(program, model);
    skipped += !truth.within_limits || !races.within_limits;
    if (!truth.within_limits || !races.within_limits) continue;
    outcomes += truth.outcomes.size();
    classes += truth.classes;
    states += truth.states;
    most = std::max(most, truth.states);
    deadlocks += truth.deadlock;
    failing += !truth.failing_assertions.empty();
    racing += !races.racing.empty();
  }
  fmt::print(
      "{}: {} programs ({} beyond the limits), {} outcomes, {} classes, {} states (at most {}), "
      "{} with deadlocks, {} with failing assertions, {} with races\n",
      name_of(model), programs.size(), skipped, outcomes, classes, states, most, deadlocks, failing, racing);
}

}  // namespace
}  // namespace heddle::oracle

int main(int count, char** arguments) {
  using namespace heddle::oracle;
  CLI::App app("random programs and the truth about them");
  uint64_t seed = 0;
  int programs_wanted = 1, size = 12;
  MemoryModel model = MemoryModel::kSc;
  bool as_c = false, summary = false, pointers = false;
  const std::map<std::string, MemoryModel> models = {
      {"sc", MemoryModel::kSc}, {"tso", MemoryModel::kTso}, {"pso", MemoryModel::kPso}};
  app.add_option("--seed", seed, "of the first program");
  app.add_option("--count", programs_wanted, "how many programs");
  app.add_option("--size", size, "operations of a program, at most")->check(CLI::Range(2, 24));
  app.add_option("--memory", model, "sc, tso or pso")->transform(CLI::CheckedTransformer(models));
  app.add_flag("--pointers", pointers, "programs with pointers, blocks of the heap and threads created only sometimes");
  app.add_flag("--c", as_c, "print them as one C source");
  app.add_flag("--summary", summary, "only add up");
  CLI11_PARSE(app, count, arguments);

  std::vector<Program> programs;
  Size limits = size_for(size);
  limits.pointers = pointers;
  for (int number = 0; number < programs_wanted; ++number)
    programs.push_back(generate(seed + static_cast<uint64_t>(number), limits));
  if (as_c) {
    fmt::print("{}", emit_c(programs).source);
  } else if (summary) {
    summarise(programs, model);
  } else {
    for (const Program& program : programs) show(program, seed++, model);
  }
  return 0;
}
