// SPDX-License-Identifier: Apache-2.0
//
// What heddle predict says of one run of a random program, against brute force
// over all runs that agree with it. No program is compiled or run: the machine of
// brute force makes the trace.
#include <gtest/gtest.h>

#include <iostream>

#include "oracle/judged_runs.h"
#include "oracle/kept_interferences.h"
#include "predict/atomicity_search.h"
#include "predict/observed_races.h"
#include "predict/race_search.h"
#include "property/happens_before.h"
#include "solve/order_problem.h"
#include "trace/validate.h"

namespace heddle::oracle {
namespace {

struct Predicted {
  std::set<Pair> racing, enabled_at_once;
  gaps::Gaps gaps;
};

Predicted predict_races(const trace::Trace& trace, uint64_t window) {
  predict::Options options;
  options.window = window;
  predict::Statistics statistics;
  Predicted predicted;
  const auto solver = solve::make_native_solver();
  predict::find_races(
      trace, options, *solver,
      [&](const predict::PredictedRace& race) {
        const Pair pair = std::minmax(static_cast<int>(race.first_site) - 1, static_cast<int>(race.second_site) - 1);
        predicted.racing.insert(pair);
        if (race.enabled_at_once) predicted.enabled_at_once.insert(pair);
        return true;
      },
      statistics, predicted.gaps);
  return predicted;
}

TEST(PredictOracle, MaximalModelAgreesWithBruteForce) {
  size_t races = 0;
  const JudgedSet set = judge_runs(1000, [&](const JudgedRun& run) -> std::optional<bool> {
    const Races truth = find_kept_races(run.program, run.run, {.states = 20'000});
    if (!truth.within_limits) return std::nullopt;
    races += truth.racing.size();
    const Predicted whole = predict_races(run.trace, predict::kWholeTrace);
    bool is_same = whole.racing == truth.racing && whole.enabled_at_once == truth.enabled_at_once && whole.gaps.empty();
    EXPECT_TRUE(is_same) << "predicted" << to_text(whole.racing) << " at once" << to_text(whole.enabled_at_once)
                         << "\nbrute force" << to_text(truth.racing) << " at once" << to_text(truth.enabled_at_once)
                         << "\n"
                         << (whole.gaps.empty() ? "" : whole.gaps.begin()->code()) << "\n"
                         << run.text();
    // Windows may lose races, but invent none, and their orders hold on the trace.
    for (const uint64_t window : {3, 7}) {
      const Predicted part = predict_races(run.trace, window);
      for (const gaps::Gap& gap : part.gaps) {
        is_same = is_same && gap.kind != HEDDLE_GAP_WITNESS_REFUSED;
        EXPECT_NE(gap.kind, HEDDLE_GAP_WITNESS_REFUSED) << "window " << window << ": " << gap.detail << "\n"
                                                        << run.text();
      }
      for (const Pair& pair : part.racing) {
        is_same = is_same && truth.racing.count(pair);
        EXPECT_TRUE(truth.racing.count(pair)) << "window " << window << " invents" << to_text({pair}) << "\n"
                                              << run.text();
      }
    }
    return is_same;
  });
  std::cout << set.text() << ", " << races << " races\n";
  EXPECT_GT(races * 2, set.count) << "there is little to find";
}

std::set<Triple> predict_interferences(const trace::Trace& trace, uint64_t window, gaps::Gaps& gaps) {
  std::vector<predict::AtomicBlock> threads;  // each is a block
  for (uint32_t thread = 0; thread < trace.threads.size(); ++thread) threads.push_back({thread, 0, ~0u, 0, 0});
  predict::Options options;
  options.window = window;
  predict::Statistics statistics;
  std::set<Triple> found;
  const auto solver = solve::make_native_solver();
  predict::find_interferences(
      trace, predict::AtomicBlocks(threads), options, *solver,
      [&](const predict::Interference& one) {
        found.insert({static_cast<int>(one.first_site) - 1, static_cast<int>(one.middle_site) - 1,
                      static_cast<int>(one.last_site) - 1});
        return true;
      },
      statistics, gaps);
  return found;
}

std::string to_text(const std::set<Triple>& triples) {
  std::string text;
  for (const auto& [first, middle, last] : triples)
    text += " (" + std::to_string(first) + "," + std::to_string(middle) + "," + std::to_string(last) + ")";
  return text;
}

TEST(PredictOracle, AtomicityAgreesWithBruteForce) {
  size_t interferences = 0;
  const JudgedSet set = judge_runs(1000, [&](const JudgedRun& run) -> std::optional<bool> {
    const Interferences truth = find_kept_interferences(run.program, run.run, {.states = 20'000});
    if (!truth.within_limits) return std::nullopt;
    interferences += truth.harmful.size();
    gaps::Gaps gaps;
    const std::set<Triple> whole = predict_interferences(run.trace, predict::kWholeTrace, gaps);
    bool is_same = whole == truth.harmful && gaps.empty();
    EXPECT_TRUE(is_same) << "predicted" << to_text(whole) << "\nbrute force" << to_text(truth.harmful) << "\n"
                         << (gaps.empty() ? "" : gaps.begin()->code()) << "\n"
                         << run.text();
    for (const Triple& triple : predict_interferences(run.trace, 5, gaps)) {
      is_same = is_same && truth.harmful.count(triple);
      EXPECT_TRUE(truth.harmful.count(triple)) << "a window invents" << to_text({triple}) << "\n" << run.text();
    }
    return is_same;
  });
  std::cout << set.text() << ", " << interferences << " interferences\n";
  EXPECT_GT(interferences * 2, set.count) << "there is little to find";
}

// Event by event and with a clock for each event: the same races.
TEST(PredictOracle, ObservedRacesAreThoseOfTheHappensBeforeChecker) {
  size_t races = 0;
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    const Program program = generate(seed, size_for(12));
    const trace::Trace trace = trace_of_run(program, random_run(program, seed));
    std::vector<HeddleRecord> records;
    for (const trace::Event& event : trace.events) records.push_back(event.record);
    causal::ThreadTable threads;
    causal::Histories histories;
    const causal::Execution execution =
        causal::make_execution(records, trace.threads, trace.ending, threads, histories);
    const property::HappensBefore order(execution, execution.order, schedule::MemoryModel::kSc);
    const property::HappensBefore proof(execution, execution.order, schedule::MemoryModel::kSc,
                                        property::RacyReads::kOrder);
    std::map<Pair, bool> wanted, found;  // whether it follows from another race
    for (const auto& [one, other] : order.races()) {
      const Pair pair = std::minmax(static_cast<int>(execution.operation(one).site) - 1,
                                    static_cast<int>(execution.operation(other).site) - 1);
      wanted[pair] = proof.before(one, other);
    }
    for (const predict::ObservedRace& observed : predict::find_observed_races(trace))
      found[std::minmax(static_cast<int>(observed.race.first_site) - 1,
                        static_cast<int>(observed.race.second_site) - 1)] = observed.follows;
    EXPECT_EQ(found, wanted) << "seed " << seed << "\n" << to_text(program);
    races += found.size();
  }
  EXPECT_GT(races, 500u);
}

TEST(PredictOracle, TracesOfTheMachineMakeSense) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const Program program = generate(seed, size_for(12));
    const trace::Trace trace = trace_of_run(program, random_run(program, seed));
    const auto problems = trace::validate(trace);
    EXPECT_TRUE(problems.empty()) << trace::problems_text(trace, problems) << "seed " << seed << "\n"
                                  << to_text(program);
  }
}

}  // namespace
}  // namespace heddle::oracle
