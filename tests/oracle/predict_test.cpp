// SPDX-License-Identifier: Apache-2.0
//
// What heddle predict says of one run of a random program, against brute force
// over all runs that agree with it. No program is compiled or run: the machine of
// brute force makes the trace. HEDDLE_ORACLE_SEED and HEDDLE_ORACLE_COUNT choose
// another set and its size.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "oracle/generate.h"
#include "oracle/kept_interferences.h"
#include "oracle/kept_races.h"
#include "oracle/trace_of_run.h"
#include "predict/atomicity_search.h"
#include "predict/observed_races.h"
#include "predict/race_search.h"
#include "property/happens_before.h"
#include "solve/order_problem.h"
#include "trace/text.h"
#include "trace/validate.h"

namespace heddle::oracle {
namespace {

uint64_t from_environment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

struct Predicted {
  std::set<Pair> racing, enabled_at_once;
  std::set<property::Reason> reasons;
};

Predicted predict_races(const trace::Trace& trace, uint64_t window) {
  predict::Options options;
  options.window = window;
  predict::Statistics statistics;
  Predicted predicted;
  const auto solver = solve::make_native_solver();
  predict::find_races(trace, options, *solver, [&](const predict::PredictedRace& race) {
    const Pair pair = std::minmax(static_cast<int>(race.first_site) - 1, static_cast<int>(race.second_site) - 1);
    predicted.racing.insert(pair);
    if (race.enabled_at_once) predicted.enabled_at_once.insert(pair);
    return true;
  }, statistics, predicted.reasons);
  return predicted;
}

std::string to_text(const std::set<Pair>& pairs) {
  std::string text;
  for (const Pair& pair : pairs) text += " (" + std::to_string(pair.first) + "," + std::to_string(pair.second) + ")";
  return text;
}

std::string describe(uint64_t seed, const Program& program, const trace::Trace& trace) {
  std::string text = "seed " + std::to_string(seed) + "\n" + to_text(program);
  trace::write_text(trace, [&](std::string_view piece) { text += piece; });
  return text;
}

TEST(PredictOracle, MaximalModelAgreesWithBruteForce) {
  const uint64_t first = from_environment("HEDDLE_ORACLE_SEED", 0);
  const uint64_t count = from_environment("HEDDLE_ORACLE_COUNT", 1000);
  size_t skipped = 0, races = 0, different = 0;
  for (uint64_t seed = first; seed < first + count && different < 3; ++seed) {
    const Program program = generate(seed, size_for(seed % 3 == 0 ? 12 : 8));
    const RandomRun run = random_run(program, seed);
    const trace::Trace trace = trace_of_run(program, run);
    const Races truth = find_kept_races(program, run, {.states = 20'000});
    if (!truth.within_limits) {
      ++skipped;
      continue;
    }
    races += truth.racing.size();
    const Predicted whole = predict_races(trace, predict::kWholeTrace);
    const bool is_same = whole.racing == truth.racing && whole.enabled_at_once == truth.enabled_at_once;
    different += !is_same;
    EXPECT_TRUE(is_same) << "predicted" << to_text(whole.racing) << " at once" << to_text(whole.enabled_at_once)
                         << "\nbrute force" << to_text(truth.racing) << " at once" << to_text(truth.enabled_at_once) << "\n"
                         << describe(seed, program, trace);
    EXPECT_TRUE(whole.reasons.empty()) << whole.reasons.begin()->text << "\n" << describe(seed, program, trace);
    // Windows may lose races, but invent none.
    for (const uint64_t window : {3, 7}) {
      const Predicted part = predict_races(trace, window);
      for (const Pair& pair : part.racing) {
        different += truth.racing.count(pair) == 0;
        EXPECT_TRUE(truth.racing.count(pair)) << "window " << window << " invents" << to_text({pair}) << "\n"
                                              << describe(seed, program, trace);
      }
    }
  }
  std::cout << "seed " << first << ": " << count << " programs, " << races << " races, " << skipped << " skipped\n";
  EXPECT_LT(skipped * 20, count) << "brute force gives up too often to judge anything";
  EXPECT_GT(races * 2, count) << "there is little to find";
}

std::set<Triple> predict_interferences(const trace::Trace& trace, uint64_t window, std::set<property::Reason>& reasons) {
  std::vector<predict::AtomicBlock> threads;  // each is a block
  for (uint32_t thread = 0; thread < trace.threads.size(); ++thread) threads.push_back({thread, 0, ~0u, 0, 0});
  predict::Options options;
  options.window = window;
  predict::Statistics statistics;
  std::set<Triple> found;
  const auto solver = solve::make_native_solver();
  predict::find_interferences(trace, predict::AtomicBlocks(threads), options, *solver, [&](const predict::Interference& one) {
    found.insert({static_cast<int>(one.first_site) - 1, static_cast<int>(one.middle_site) - 1, static_cast<int>(one.last_site) - 1});
    return true;
  }, statistics, reasons);
  return found;
}

std::string to_text(const std::set<Triple>& triples) {
  std::string text;
  for (const auto& [first, middle, last] : triples)
    text += " (" + std::to_string(first) + "," + std::to_string(middle) + "," + std::to_string(last) + ")";
  return text;
}

TEST(PredictOracle, AtomicityAgreesWithBruteForce) {
  const uint64_t first = from_environment("HEDDLE_ORACLE_SEED", 0);
  const uint64_t count = from_environment("HEDDLE_ORACLE_COUNT", 1000);
  size_t skipped = 0, interferences = 0, different = 0;
  for (uint64_t seed = first; seed < first + count && different < 3; ++seed) {
    const Program program = generate(seed, size_for(seed % 3 == 0 ? 12 : 8));
    const RandomRun run = random_run(program, seed);
    const trace::Trace trace = trace_of_run(program, run);
    const Interferences truth = find_kept_interferences(program, run, {.states = 20'000});
    if (!truth.within_limits) {
      ++skipped;
      continue;
    }
    interferences += truth.harmful.size();
    std::set<property::Reason> reasons;
    const std::set<Triple> whole = predict_interferences(trace, predict::kWholeTrace, reasons);
    different += whole != truth.harmful;
    EXPECT_EQ(whole, truth.harmful) << "predicted" << to_text(whole) << "\nbrute force" << to_text(truth.harmful) << "\n"
                                    << describe(seed, program, trace);
    EXPECT_TRUE(reasons.empty()) << reasons.begin()->text << "\n" << describe(seed, program, trace);
    for (const Triple& triple : predict_interferences(trace, 5, reasons)) {
      different += truth.harmful.count(triple) == 0;
      EXPECT_TRUE(truth.harmful.count(triple)) << "a window invents" << to_text({triple}) << "\n" << describe(seed, program, trace);
    }
  }
  std::cout << "seed " << first << ": " << count << " programs, " << interferences << " interferences, " << skipped << " skipped\n";
  EXPECT_LT(skipped * 20, count) << "brute force gives up too often to judge anything";
  EXPECT_GT(interferences * 2, count) << "there is little to find";
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
    const causal::Execution execution = causal::make_execution(records, trace.threads, trace.ending, threads, histories);
    const property::HappensBefore order(execution, execution.order, schedule::MemoryModel::kSc);
    const property::HappensBefore proof(execution, execution.order, schedule::MemoryModel::kSc, property::RacyReads::kOrder);
    std::map<Pair, bool> wanted, found;  // whether it follows from another race
    for (const auto& [one, other] : order.races()) {
      const Pair pair = std::minmax(static_cast<int>(execution.operation(one).site) - 1,
                                    static_cast<int>(execution.operation(other).site) - 1);
      wanted[pair] = proof.before(one, other);
    }
    for (const predict::ObservedRace& observed : predict::find_observed_races(trace))
      found[std::minmax(static_cast<int>(observed.race.first_site) - 1, static_cast<int>(observed.race.second_site) - 1)] =
          observed.follows;
    EXPECT_EQ(found, wanted) << describe(seed, program, trace);
    races += found.size();
  }
  EXPECT_GT(races, 500u);
}

TEST(PredictOracle, TracesOfTheMachineMakeSense) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const Program program = generate(seed, size_for(12));
    const trace::Trace trace = trace_of_run(program, random_run(program, seed));
    const auto problems = trace::validate(trace);
    EXPECT_TRUE(problems.empty()) << trace::problems_text(trace, problems) << describe(seed, program, trace);
  }
}

}  // namespace
}  // namespace heddle::oracle
