// SPDX-License-Identifier: Apache-2.0
//
// The races that the model recipe implies from one run of a random program: each
// must be a race in brute force over all interleavings, and those of the maximal
// causal model must be among them.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "oracle/judged_runs.h"
#include "oracle/symbolic_of_run.h"
#include "predict/recipe_search.h"

namespace heddle::oracle {
namespace {

struct Found {
  std::set<Pair> pairs;
  std::set<property::Reason> reasons;
  predict::Statistics statistics;
};

Found find(const Program& program, const trace::Trace& trace, uint64_t window) {
  Found found;
  symbolic::WalkedTrace recipe = symbolic_of_run(program, trace);
  predict::RecipeOptions options;
  options.window = window;
  predict::find_recipe_races(trace, recipe, options, [&](const predict::PredictedRace& race) {
    found.pairs.insert(std::minmax(static_cast<int>(race.first_site) - 1, static_cast<int>(race.second_site) - 1));
    return true;
  }, found.statistics, found.reasons);
  return found;
}

// What the search for other values does not do: operations of some objects change their order, reads find parts of
// what several writes wrote, a compare-and-exchange is the only one of the two accesses that may write.
bool is_complete_for(const Program& program) {
  std::vector<const Operation*> accesses;
  for (const Thread& thread : program.threads) {
    for (const Operation& operation : thread.operations) {
      if (operation.kind >= OperationKind::kTryLock && operation.kind <= OperationKind::kBarrier) return false;
      if (operation.kind == OperationKind::kCompareExchange) return false;
      if (is_access(operation.kind)) accesses.push_back(&operation);
    }
  }
  for (const Operation* one : accesses)
    for (const Operation* other : accesses)
      if (overlap(*one, *other) && one->size != other->size) return false;
  return true;
}

bool is_subset(const std::set<Pair>& part, const std::set<Pair>& whole) {
  return std::includes(whole.begin(), whole.end(), part.begin(), part.end());
}

TEST(RecipeOracle, EveryRaceIsRealAndThoseOfTheMaximalModelAreThere) {
  size_t complete = 0, kept = 0, found_in_all = 0, more = 0, questions = 0;
  double seconds = 0;
  const JudgedSet set = judge_runs(1000, [&](const JudgedRun& run) -> std::optional<bool> {
    const Races maximal = find_kept_races(run.program, run.run, {.states = 20'000});
    const Races all = find_races(run.program, MemoryModel::kSc, {.states = 20'000});
    if (!maximal.within_limits || !all.within_limits) return std::nullopt;
    const Found whole = find(run.program, run.trace, predict::kWholeTrace), parts = find(run.program, run.trace, 5);
    questions += whole.statistics.value_questions;
    seconds += whole.statistics.value_seconds;
    bool is_right = true;
    for (const Found* found : {&whole, &parts}) {
      const bool is_real = is_subset(found->pairs, all.enabled_at_once) && found->reasons.empty();
      is_right = is_right && is_real;
      EXPECT_TRUE(is_real) << "predicted" << to_text(found->pairs) << "\nbrute force" << to_text(all.enabled_at_once) << "\n"
                           << (found->reasons.empty() ? "" : found->reasons.begin()->text) << "\n" << run.text();
    }
    if (is_complete_for(run.program)) {
      ++complete;
      const bool has_all = is_subset(maximal.enabled_at_once, whole.pairs);
      is_right = is_right && has_all;
      EXPECT_TRUE(has_all) << "predicted" << to_text(whole.pairs) << "\nmaximal model" << to_text(maximal.enabled_at_once) << "\n" << run.text();
    }
    kept += maximal.enabled_at_once.size();
    found_in_all += whole.pairs.size();
    more += std::any_of(whole.pairs.begin(), whole.pairs.end(), [&](const Pair& pair) { return !maximal.enabled_at_once.count(pair); });
    return is_right;
  });
  std::cout << set.text() << ", " << found_in_all << " races, " << kept << " in the maximal model, " << more << " programs with more; "
            << questions << " questions, " << (questions ? 1000 * seconds / static_cast<double>(questions) : 0) << " ms each\n";
  EXPECT_GT(more * 50, set.judged) << "values make no difference";
  EXPECT_GT(complete * 10, set.judged) << "the maximal model is hardly compared";
}

}  // namespace
}  // namespace heddle::oracle
