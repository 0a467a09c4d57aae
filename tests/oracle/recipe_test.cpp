// SPDX-License-Identifier: Apache-2.0
//
// The races that the model recipe implies from one run of a random program: each
// must be a race in brute force over all interleavings, and those of the maximal
// causal model must be among them.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <iostream>

#include "oracle/judged_runs.h"
#include "oracle/operations.h"
#include "oracle/random_numbers.h"
#include "oracle/symbolic_of_run.h"
#include "predict/race_search.h"
#include "predict/recipe_search.h"
#include "solve/order_problem.h"

namespace heddle::oracle {
namespace {

struct Found {
  std::set<Pair> pairs;
  gaps::Gaps gaps;
  predict::Statistics statistics;
};

Pair pair_of(const predict::PredictedRace& race) {
  return std::minmax(static_cast<int>(race.first_site) - 1, static_cast<int>(race.second_site) - 1);
}

// The search for other values alone.
Found find_by_values(const Program& program, const trace::Trace& trace, uint64_t window) {
  Found found;
  symbolic::WalkedTrace recipe = symbolic_of_run(program, trace);
  predict::find_recipe_races(
      trace, recipe, {.window = window},
      [&](const predict::PredictedRace& race) {
        found.pairs.insert(pair_of(race));
        return true;
      },
      found.statistics, found.gaps);
  return found;
}

// As the command does: other values are looked for where the maximal model has found nothing.
Found find_as_command(const Program& program, const trace::Trace& trace, uint64_t window) {
  Found found;
  predict::Options options;
  options.window = window;
  predict::RecipeOptions others{.window = window};
  const std::vector<uint32_t> places = predict::number_places(trace.sites);
  const auto take = [&](const predict::PredictedRace& race) {
    found.pairs.insert(pair_of(race));
    others.known.insert(std::minmax(places[race.first_site], places[race.second_site]));
    return true;
  };
  const auto solver = solve::make_native_solver();
  symbolic::WalkedTrace recipe = symbolic_of_run(program, trace);
  predict::find_races(trace, options, *solver, take, found.statistics, found.gaps);
  predict::find_recipe_races(trace, recipe, others, take, found.statistics, found.gaps);
  return found;
}

bool is_subset(const std::set<Pair>& part, const std::set<Pair>& whole) {
  return std::includes(whole.begin(), whole.end(), part.begin(), part.end());
}

// Threads that wait for each other in many ways, and access little.
Program with_much_synchronisation(uint64_t seed) {
  RandomNumbers random(seed);
  std::vector<std::vector<Operation>> workers(static_cast<size_t>(random.between(2, 3)));
  const bool has_barrier = random.chance(30);
  for (std::vector<Operation>& worker : workers) {
    const auto add = [&](std::initializer_list<Operation> piece) { worker.insert(worker.end(), piece); };
    for (int left = workers.size() == 2 ? 4 : 3; left > 0; --left) {
      const int variable = 4 * random.below(2), semaphore = random.below(kSemaphores);
      switch (random.below(8)) {
        case 0:
        case 1: add({store(variable, static_cast<uint64_t>(random.below(3)))}); break;
        case 2: add({load(0, variable), branch(0, 0, 1, random.chance(50)), store(4 - variable, 1)}); break;
        case 3: add({synchronise(OperationKind::kSemaphoreWait, semaphore)}); break;
        case 4: add({synchronise(OperationKind::kSemaphorePost, semaphore)}); break;
        case 5: add({synchronise(OperationKind::kSemaphoreTryWait, semaphore, 1)}); break;
        case 6: add({lock(), condition_wait(), unlock()}); break;
        default: add({synchronise(random.chance(50) ? OperationKind::kSignal : OperationKind::kBroadcast)}); break;
      }
    }
    if (has_barrier) {
      const auto place = worker.begin() + random.below(2);
      worker.insert(place, synchronise(OperationKind::kBarrier, 0, 2));
    }
  }
  const int users = static_cast<int>(workers.size());
  Program program = with_main(std::move(workers));
  for (int& value : program.semaphore_values) value = random.below(2);
  for (int& count : program.barrier_counts) count = has_barrier ? users : 0;
  return program;
}

// Returns how many programs have races that the maximal model does not imply.
size_t expect_real_races_and_those_of_the_maximal_model(uint64_t usual_count,
                                                        const std::function<Program(uint64_t)>& make) {
  size_t kept = 0, found_in_all = 0, more = 0, questions = 0;
  double seconds = 0;
  const JudgedSet set = judge_runs(
      usual_count,
      [&](const JudgedRun& run) -> std::optional<bool> {
        const Races maximal = find_kept_races(run.program, run.run, {.states = 20'000});
        const Races all = find_races(run.program, MemoryModel::kSc, {.states = 20'000});
        if (!maximal.within_limits || !all.within_limits) return std::nullopt;
        const Found alone = find_by_values(run.program, run.trace, predict::kWholeTrace);
        const Found command = find_as_command(run.program, run.trace, predict::kWholeTrace);
        const Found parts = find_as_command(run.program, run.trace, 5);
        bool is_right = true;
        const auto expect = [&](bool holds, const char* what, const Found& found, const std::set<Pair>& wanted) {
          is_right = is_right && holds;
          EXPECT_TRUE(holds) << what << "\npredicted" << to_text(found.pairs) << "\nbrute force" << to_text(wanted)
                             << "\n"
                             << (found.gaps.empty() ? "" : found.gaps.begin()->code()) << "\n"
                             << run.text();
        };
        expect(is_subset(alone.pairs, all.enabled_at_once) && alone.gaps.empty(), "by values, real", alone,
               all.enabled_at_once);
        expect(is_subset(maximal.enabled_at_once, alone.pairs), "by values, those of the maximal model", alone,
               maximal.enabled_at_once);
        for (const Found* found : {&command, &parts})
          expect(is_subset(found->pairs, all.racing) && found->gaps.empty(), "real", *found, all.racing);
        expect(is_subset(maximal.racing, command.pairs), "those of the maximal model", command, maximal.racing);
        questions += alone.statistics.value_questions;
        seconds += alone.statistics.value_seconds;
        kept += maximal.racing.size();
        found_in_all += command.pairs.size();
        more += command.pairs.size() > maximal.racing.size();
        return is_right;
      },
      make);
  std::cout << set.text() << ", " << found_in_all << " races, " << kept << " in the maximal model, " << more
            << " programs with more; " << questions << " questions, "
            << (questions ? 1000 * seconds / static_cast<double>(questions) : 0) << " ms each\n";
  EXPECT_GT(kept * 2, set.judged) << "there is little to find";
  return more;
}

TEST(RecipeOracle, EveryRaceIsRealAndThoseOfTheMaximalModelAreThere) {
  EXPECT_GT(expect_real_races_and_those_of_the_maximal_model(1000, {}), 0u) << "values make no difference";
}

// One that waited when a window began is woken in it.
TEST(RecipeOracle, AlsoWithWaitsFromBeforeTheWindow) {
  expect_real_races_and_those_of_the_maximal_model(60, [](uint64_t) { return with_much_synchronisation(1001980); });
}

TEST(RecipeOracle, AlsoWithMuchSynchronisation) {
  expect_real_races_and_those_of_the_maximal_model(400, with_much_synchronisation);
}

}  // namespace
}  // namespace heddle::oracle
