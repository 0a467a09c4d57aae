// SPDX-License-Identifier: Apache-2.0
//
// Threads that wait for each other, predicted from one run of a random program,
// against brute force over all runs that agree with it.
#include <gtest/gtest.h>

#include <iostream>

#include "oracle/judged_runs.h"
#include "oracle/kept_cycles.h"
#include "oracle/operations.h"
#include "oracle/random_numbers.h"
#include "predict/lock_cycle_search.h"
#include "solve/order_problem.h"

namespace heddle::oracle {
namespace {

using Circles = std::set<std::vector<int>>;

std::vector<int> operations_of(const predict::PredictedBug& bug) {
  std::vector<int> circle;
  for (const auto& where : bug.places) circle.push_back(static_cast<int>(where.site) - 1);
  std::sort(circle.begin(), circle.end());
  return circle;
}

struct Predicted {
  Circles circles;
  gaps::Gaps gaps;
};

// `window` 0: the whole trace.
Predicted predict_circles(const trace::Trace& trace, uint64_t window) {
  Predicted predicted;
  const auto solver = solve::make_native_solver();
  const property::AskSolver ask = [&](const solve::OrderProblem& problem) { return solver->solve(problem); };
  const predict::TakeBug take = [&](const predict::PredictedBug& bug) {
    predicted.circles.insert(operations_of(bug));
    return true;
  };
  predict::Options options;
  options.window = window ? window : predict::kWholeTrace;
  if (window) {
    predict::find_cycles_in_windows(trace, options, ask, take, predicted.gaps);
    return predicted;
  }
  std::vector<HeddleRecord> records;
  for (const trace::Event& event : trace.events) records.push_back(event.record);
  causal::ThreadTable threads;
  causal::Histories histories;
  const causal::Execution execution = causal::make_execution(records, trace.threads, trace.ending, threads, histories);
  predict::Witness witness(trace);
  predict::LockCycleSearch(ask, take, witness, predicted.gaps).find(causal::Dependences(execution));
  return predicted;
}

std::string to_text(const Circles& circles) {
  std::string text;
  for (const auto& circle : circles) {
    text += " (";
    for (const int number : circle) text += (text.back() == '(' ? "" : ",") + std::to_string(number);
    text += ")";
  }
  return text;
}

// Little but sections of locks in each other, around accesses on which some depend, semaphores and waits.
Program nested_locks(uint64_t seed) {
  RandomNumbers random(seed);
  std::vector<std::vector<Operation>> workers(static_cast<size_t>(2 + random.below(2)));
  for (auto& own : workers) {
    std::vector<Operation> open;  // what ends the sections
    const int steps = 4 + random.below(4);
    bool has_lock[3] = {};
    for (int step = 0; step < steps; ++step) {
      const int choice = random.below(10), lock_number = random.below(3);
      if (choice < 4 && !has_lock[lock_number]) {
        has_lock[lock_number] = true;
        const bool is_shared = random.below(2);
        own.push_back(lock_number < 2 ? lock(lock_number)
                                      : synchronise(is_shared ? OperationKind::kReadLock : OperationKind::kWriteLock));
        Operation end = lock_number < 2 ? unlock(lock_number) : synchronise(OperationKind::kReadWriteUnlock);
        end.mutex = lock_number;  // to find it again
        open.push_back(end);
      } else if (choice < 6 && !open.empty()) {
        has_lock[open.back().mutex] = false;
        own.push_back(open.back());
        open.pop_back();
      } else if (choice == 6) {
        own.push_back(store(0, static_cast<uint64_t>(random.below(2)), MemoryOrder::kRelaxed));
      } else if (choice == 7) {
        own.push_back(load(0, 0, MemoryOrder::kRelaxed));
        own.push_back(branch(0, 1, 1));
        own.push_back(store(8, 1, MemoryOrder::kRelaxed));
      } else if (choice == 8) {
        own.push_back(synchronise(random.below(2) ? OperationKind::kSemaphorePost : OperationKind::kSemaphoreWait));
      } else if (has_lock[0] && random.below(2)) {
        own.push_back(condition_wait(0));
      } else {
        own.push_back(synchronise(random.below(2) ? OperationKind::kSignal : OperationKind::kBroadcast));
      }
    }
    for (; !open.empty(); open.pop_back()) own.push_back(open.back());
  }
  std::vector<Operation> main;
  if (random.below(4) == 0) main.push_back(lock(random.below(2)));
  Program program = with_main(std::move(workers), main);
  program.semaphore_values[0] = 1;
  return program;
}

class CyclesOracle : public testing::Test {
 protected:
  void judge(uint64_t count, const std::function<Program(uint64_t)>& make, size_t at_least_of_1000) {
    size_t circles = 0;
    const JudgedSet set = judge_runs(
        count,
        [&](const JudgedRun& run) -> std::optional<bool> {
          const Cycles truth = find_kept_cycles(run.program, run.run, {.states = 20'000});
          if (!truth.within_limits) return std::nullopt;
          circles += truth.found.size();
          const Predicted whole = predict_circles(run.trace, 0);
          bool is_same = whole.circles == truth.found && whole.gaps.empty();
          EXPECT_TRUE(is_same) << "predicted" << to_text(whole.circles) << "\nbrute force" << to_text(truth.found)
                               << "\n"
                               << (whole.gaps.empty() ? "" : whole.gaps.begin()->code()) << "\n"
                               << run.text();
          for (const uint64_t window : {4, 9}) {
            const Predicted part = predict_circles(run.trace, window);
            for (const auto& circle : part.circles) {
              is_same = is_same && truth.found.count(circle);
              EXPECT_TRUE(truth.found.count(circle)) << "window " << window << " invents" << to_text({circle}) << "\n"
                                                     << run.text();
            }
            EXPECT_TRUE(part.gaps.empty()) << part.gaps.begin()->code() << "\n" << run.text();
          }
          return is_same;
        },
        make);
    std::cout << set.text() << ", " << circles << " circles\n";
    EXPECT_GT(circles * 1000, at_least_of_1000 * set.count) << "there is little to find";
  }
};

TEST_F(CyclesOracle, LocksInEachOtherAgreeWithBruteForce) { judge(1000, nested_locks, 50); }

}  // namespace
}  // namespace heddle::oracle
