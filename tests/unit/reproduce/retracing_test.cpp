// SPDX-License-Identifier: Apache-2.0
#include "reproduce/retracing.h"

#include <gtest/gtest.h>

#include <random>

#include "hand_made_run.h"
#include "record/recording.h"

namespace heddle::reproduce {
namespace {

using schedule::MemoryModel;

constexpr uint64_t kFirst = 0x1000;
constexpr uint64_t kUnsure = 60;  // of times; an operation takes 10

// What all reads find when the operations are performed in some order, by thread and operation. About when each was
// performed is known, as from stamps.
std::map<OperationId, uint64_t> performed_at_random(FailingRun& run, MemoryModel model, std::mt19937_64& random) {
  Machine machine(run, model);
  std::map<OperationId, uint64_t> found;
  run.about.resize(run.threads.size());
  uint64_t time = 100;
  while (true) {
    std::vector<std::pair<uint32_t, bool>> able;
    for (uint32_t t = 0; t < run.threads.size(); ++t) {
      if (machine.can_step(t)) able.push_back({t, false});
      if (machine.has_stores(t)) able.push_back({t, true});
    }
    if (able.empty()) return found;
    const auto [thread, is_flush] = able[random() % able.size()];
    const OperationId id = {thread, machine.position(thread)};
    if (!is_flush && reads_memory(run.at(id))) found[id] = machine.would_read(thread);
    time += 10;
    if (!is_flush) run.about[thread].push_back(time + random() % kUnsure);
    if (is_flush)
      machine.flush(thread, machine.flushable(thread).front());
    else
      machine.step(thread);
  }
}

// Threads that store different values to a few places, and read them.
HandMadeRun random_run(std::mt19937_64& random, uint32_t threads, uint32_t operations, uint32_t places) {
  HandMadeRun made(threads);
  uint64_t value = 1;
  for (uint32_t t = 1; t < threads; ++t) {
    for (uint32_t i = 0; i < operations; ++i) {
      const uint64_t place = kFirst + 64 * (random() % places);
      if (random() % 2)
        made.write(t, place, made.number(value++));
      else
        made.read(t, place);
    }
  }
  return made;
}

void retrace_random_runs(MemoryModel model) {
  uint32_t retraced = 0;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    std::mt19937_64 random(seed);
    HandMadeRun made = random_run(random, 4, 60, 16);
    const std::map<OperationId, uint64_t> recorded = performed_at_random(made.run, model, random);
    for (const auto& [read, value] : recorded)
      made.run.threads[read.thread].operations[read.index].check = record::check_of(value);
    ExplanationOptions options;
    options.memory = model;
    options.only_retraces = true;
    options.seconds = 10;
    const Explanation answer = explain(made.run, options);
    if (answer.kind != Explanation::Kind::kFound) continue;  // it may give up
    ++retraced;
    Machine machine(made.run, model);
    for (const OrderStep& step : answer.order) {
      const OperationId id = step.operation;
      if (!step.is_flush && reads_memory(made.run.at(id))) EXPECT_EQ(machine.would_read(id.thread), recorded.at(id));
      if (step.is_flush)
        machine.flush(id.thread, id.index);
      else
        machine.step(id.thread);
    }
    for (uint32_t t = 0; t < made.run.threads.size(); ++t) EXPECT_TRUE(machine.has_ended(t));
  }
  EXPECT_GE(retraced, 20u);
}

TEST(Retracing, EveryReadFindsWhatWasRecorded) { retrace_random_runs(MemoryModel::kSc); }
TEST(Retracing, AlsoOutOfStoreBuffers) { retrace_random_runs(MemoryModel::kTso); }

TEST(Retracing, WithoutChecksThereIsNothingToGoBy) {
  std::mt19937_64 random(1);
  const HandMadeRun made = random_run(random, 3, 4, 2);
  base::Patience patience;
  EXPECT_FALSE(Retracing::can_retrace(System(made.run, MemoryModel::kSc, false, patience)));
}

// Nobody ever writes what the check asks for.
TEST(Retracing, AValueThatNobodyWroteIsNotFound) {
  HandMadeRun made(2);
  made.read(1, kFirst);
  made.write(1, kFirst, made.number(7));
  made.run.threads[1].operations[1].check = record::check_of(8);
  ExplanationOptions options;
  options.only_retraces = true;
  EXPECT_EQ(explain(made.run, options).kind, Explanation::Kind::kGaveUp);
}

// A handle of eight bytes that its thread alone writes is another one in each run.
TEST(Retracing, HandlesAreExcused) {
  HandMadeRun made(2);
  made.read(1, kFirst);
  made.run.threads[1].operations[1].size = 8;
  made.run.threads[1].operations[1].check = record::check_of(8);
  ExplanationOptions options;
  options.only_retraces = true;
  EXPECT_EQ(explain(made.run, options).kind, Explanation::Kind::kFound);
}

}  // namespace
}  // namespace heddle::reproduce
