// SPDX-License-Identifier: Apache-2.0
//
// The reversibility check against all orders of random small runs, and against
// Z3 on the whole formula.
#include <gtest/gtest.h>

#include "all_orders.h"
#include "propagate/reversibility/reversibility.h"
#include "random_run.h"
#include "solve/order_problem.h"
#include "trace/kinds.h"

namespace heddle::propagate {
namespace {

constexpr uint64_t kGlobals = 0x10000, kLocks = 0x20000, kBarrier = 0x30000;

HeddleKind kind_of(Act act, bool is_reader_lock) {
  switch (act) {
    case Act::kCreate:
      return HEDDLE_THREAD_CREATE;
    case Act::kStart:
      return HEDDLE_THREAD_START;
    case Act::kEnd:
      return HEDDLE_THREAD_END;
    case Act::kJoin:
      return HEDDLE_THREAD_JOIN;
    case Act::kLock:
      return is_reader_lock ? HEDDLE_RWLOCK_WRITE : HEDDLE_MUTEX_LOCK;
    case Act::kLockShared:
      return HEDDLE_RWLOCK_READ;
    case Act::kUnlock:
      return is_reader_lock ? HEDDLE_RWLOCK_UNLOCK : HEDDLE_MUTEX_UNLOCK;
    case Act::kArrive:
      return HEDDLE_BARRIER_ARRIVE;
    case Act::kLeave:
      return HEDDLE_BARRIER_LEAVE;
    case Act::kLoad:
      return HEDDLE_LOAD;
    case Act::kStore:
      return HEDDLE_STORE;
    case Act::kExchange:
      return HEDDLE_RMW;
    case Act::kAllocate:
      return HEDDLE_ALLOC;
    case Act::kFree:
      return HEDDLE_FREE;
  }
  return HEDDLE_EVENT_NONE;
}

// As a controlled or a free run would write it down. Threads are numbered in the
// order of creation, which is that of the run.
trace::Trace trace_of(const RandomRun& run, bool is_free) {
  trace::Trace trace;
  trace.header.mode = is_free ? trace::Mode::kFree : trace::Mode::kControlled;
  trace.header.memory_model = "sc";
  trace.complete = true;
  trace.sites.emplace_back();
  trace.threads.push_back({});
  for (uint32_t i = 1; i < run.threads(); ++i) trace.threads.push_back({0, i - 1});
  std::vector<trace::Event> events;
  bool has_left = false;
  for (const Step& step : run.steps()) {
    trace::Event event{};
    HeddleRecord& record = event.record;
    record.kind = static_cast<uint8_t>(kind_of(step.act, step.object == 1));
    record.thread = step.thread;
    const bool is_access = step.act >= Act::kLoad && step.act <= Act::kExchange;
    if (is_access) record.size = static_cast<uint8_t>(step.size);
    if (step.address) record.address = step.address + step.offset;
    if (is_access && !step.address) record.address = kGlobals + 8 * step.object + step.offset;
    if (is_access) (step.act == Act::kExchange ? record.value2 : record.value) = step.value;
    if (step.act == Act::kAllocate) record.value = 16;
    if (step.act == Act::kCreate || step.act == Act::kJoin) record.value = step.object;
    if (step.act == Act::kLock || step.act == Act::kLockShared || step.act == Act::kUnlock)
      record.address = kLocks + 64 * step.object;
    if (step.act == Act::kArrive || step.act == Act::kLeave) record.address = kBarrier;
    if (step.act == Act::kLeave && !has_left) record.flags = HEDDLE_FLAG_SERIAL;
    has_left |= step.act == Act::kLeave;
    const trace::KindInfo* info = trace::find_kind(record.kind);
    event.sequence = !is_free ? events.size() : info->synchronises ? events.size() + 1 : 0;
    events.push_back(event);
  }
  trace::Event exit{};
  exit.record.kind = HEDDLE_EXIT;
  exit.sequence = is_free ? events.size() + 1 : events.size();
  events.push_back(exit);
  if (is_free) {
    for (uint32_t thread = 0; thread < run.threads(); ++thread) {
      for (const trace::Event& event : events)
        if (event.record.thread == thread) trace.events.push_back(event);
    }
  } else {
    trace.events = events;
  }
  return trace;
}

// The formula as it is printed: a variable for each event, all constraints, and
// one disjunction over all dependent pairs.
solve::OrderProblem whole_formula(const RandomRun& run) {
  solve::OrderProblem problem;
  const auto& steps = run.steps();
  problem.events = static_cast<uint32_t>(steps.size());
  problem.locks.resize(2);
  solve::Clause reversed;
  std::vector<std::vector<uint32_t>> own(run.threads());
  for (uint32_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    if (!own[step.thread].empty()) problem.edges.push_back({own[step.thread].back(), i});
    own[step.thread].push_back(i);
    if (step.act == Act::kUnlock) {
      auto& sections = problem.locks[step.object].sections;
      for (solve::Section& section : sections)
        if (steps[section.acquire].thread == step.thread && section.release == solve::kNoEvent) section.release = i;
    }
    if (step.act == Act::kLock || step.act == Act::kLockShared)
      problem.locks[step.object].sections.push_back({i, solve::kNoEvent, step.act == Act::kLockShared});
    for (uint32_t j = 0; j < i; ++j) {
      const bool starts = step.act == Act::kStart && steps[j].act == Act::kCreate && steps[j].object == step.thread;
      const bool joins = step.act == Act::kJoin && steps[j].act == Act::kEnd && steps[j].thread == step.object;
      const bool leaves = step.act == Act::kLeave && steps[j].act == Act::kArrive;
      if (starts || joins || leaves) problem.edges.push_back({j, i});
      if (are_dependent(steps[j], step)) reversed.push_back(solve::Literal::before(i, j));
    }
  }
  problem.clauses.push_back(reversed);
  return problem;
}

TEST(ReversibilityOracle, AgreesWithAllOrdersAndTheFormula) {
  constexpr uint32_t kWanted = 1000;
  uint32_t runs = 0, reversible = 0, kept_by_locks = 0, asked = 0;
  const auto z3 = solve::make_z3_solver();
  for (uint32_t seed = 1; runs < kWanted; ++seed) {
    const RandomRun run(seed);
    if (run.steps().empty()) continue;
    ++runs;
    const bool expected = AllOrders(run).is_reversible();
    reversible += expected;
    for (const bool is_free : {false, true}) {
      const auto result = check_reversibility(trace_of(run, is_free));
      ASSERT_TRUE(result) << "seed " << seed << ": " << result.error().message;
      const auto wanted = expected ? Reversibility::Verdict::kReversible : Reversibility::Verdict::kFixed;
      ASSERT_EQ(result->verdict, wanted) << "seed " << seed << (is_free ? ", free" : ", controlled")
                                         << (result->reasons.empty() ? "" : ": " + result->reasons[0]);
      kept_by_locks += !expected && result->candidates > 0;
      asked += result->queries > 0;
    }
    if (runs % 4) continue;
    const solve::OrderProblem formula = whole_formula(run);
    const bool solved = !formula.clauses[0].empty() && z3->solve(formula).kind == solve::Answer::Kind::kOrder;
    ASSERT_EQ(solved, expected) << "seed " << seed;
  }
  // Enough of each kind that the test means something.
  EXPECT_GT(reversible, 200u);
  EXPECT_GT(runs - reversible, 200u);
  EXPECT_GT(kept_by_locks, 20u);
  EXPECT_GT(asked, 10u);
  RecordProperty("reversible", static_cast<int>(reversible));
  RecordProperty("kept_by_locks", static_cast<int>(kept_by_locks));
  RecordProperty("asked", static_cast<int>(asked));
}

}  // namespace
}  // namespace heddle::propagate
