// SPDX-License-Identifier: Apache-2.0
//
// What a memory model allows is seen under some random schedule, what it forbids
// under none; every run is valid by the rules of `heddle trace validate`, and
// its schedule gives the same run again.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "execute/target_for_test.h"
#include "paths.h"
#include "schedule/from_trace.h"
#include "trace/kinds.h"
#include "trace/text.h"
#include "trace/validate.h"

namespace heddle::tests {
namespace {

using schedule::MemoryModel;

// Exit codes of litmus.c: which show up under all models, and what tso and pso add.
struct Litmus {
  int number;
  const char* name;
  std::set<uint64_t> sc;
  std::set<uint64_t> tso_adds;
  std::set<uint64_t> pso_adds;
};

// r[0] counts 8, r[1] 4, r[2] 2, r[3] 1.
const Litmus kLitmus[] = {
    {0, "store_buffering", {4, 8, 12}, {0}, {0}},
    {1, "store_buffering_with_forwarding", {8 + 2 + 1, 8 + 4 + 2, 15}, {8 + 2}, {8 + 2}},
    {2, "store_buffering_with_fences", {4, 8, 12}, {}, {}},
    {3, "store_buffering_sequentially_consistent", {4, 8, 12}, {}, {}},
    {4, "store_buffering_with_updates_between", {4, 8, 12}, {}, {}},
    {5, "message_passing_plain", {0, 4, 12}, {}, {8}},
    {6, "message_passing_by_release_store", {0, 4, 12}, {}, {}},
    {7, "message_passing_by_release_fence", {0, 4, 12}, {}, {}},
    {8, "load_buffering", {0, 4, 8}, {}, {}},
    {9, "two_writes_each", {12, 21, 22}, {}, {11}},
    {10, "partly_forwarded_load_waits", {8 + 2, 8 + 4, 8 + 4 + 2}, {}, {}},
    {11, "one_location_is_coherent", {0, 4, 12, 16, 8 + 16, 32 + 16}, {}, {}},
    {12, "overlapping_stores_keep_their_order", {0, 1, 2, 12}, {}, {10, 11}},
    {13, "readers_agree_on_the_order_of_writes", {}, {}, {}},
    {14, "release_does_not_order_later_stores", {0, 1, 11}, {}, {10}},
    {15, "store_buffering_with_failed_exchanges_between", {4, 8, 12}, {}, {}},
    {16, "store_buffering_with_acquire_fence", {4, 8, 12}, {0}, {0}},
};

class MemoryModels : public testing::TestWithParam<Litmus> {
 protected:
  std::set<uint64_t> allowed(MemoryModel model) const {
    std::set<uint64_t> codes = GetParam().sc;
    if (model == MemoryModel::kTso) codes.insert(GetParam().tso_adds.begin(), GetParam().tso_adds.end());
    if (model == MemoryModel::kPso) codes.insert(GetParam().pso_adds.begin(), GetParam().pso_adds.end());
    return codes;
  }

  void expect_replays(execute::Executor& executor, const trace::Trace& trace) {
    const schedule::Schedule schedule = schedule::from_trace(trace);
    execute::RunRequest request;
    request.prefix = &schedule;
    auto again = executor.run(request);
    ASSERT_TRUE(again);
    const trace::Trace second = executor.to_trace(*again, request);
    EXPECT_EQ(second.ending, trace.ending) << second.ending.message;
    EXPECT_EQ(second.events, trace.events);
  }
};

TEST_P(MemoryModels, AllowWhatTheyShould) {
  auto executor = start_program(std::string(kTestsFolder) + "/execute/litmus.c", {std::to_string(GetParam().number)});
  for (const MemoryModel model : {MemoryModel::kSc, MemoryModel::kTso, MemoryModel::kPso}) {
    SCOPED_TRACE(schedule::memory_model_name(model));
    std::vector<execute::RunRequest> batch(3000);
    for (size_t i = 0; i < batch.size(); ++i) {
      batch[i].strategy = i % 4 ? HEDDLE_STRATEGY_RANDOM : HEDDLE_STRATEGY_PCT;
      batch[i].pct_length = 40;
      batch[i].seed = i;
      batch[i].memory = model;
    }
    std::set<uint64_t> codes;
    std::vector<trace::Trace> some;
    auto done = executor->run_batch(batch, [&](size_t number, execute::Run& run) {
      EXPECT_EQ(run.ending.outcome, HEDDLE_OUTCOME_EXIT) << run.ending.message;
      const bool is_new = codes.insert(run.ending.detail).second;
      const trace::Trace trace = executor->to_trace(run, batch[number]);
      const auto problems = trace::validate(trace);
      EXPECT_TRUE(problems.empty()) << trace::problems_text(trace, problems);
      if (is_new || number % 100 == 0) some.push_back(trace);
    });
    ASSERT_TRUE(done) << done.error().message;
    for (const trace::Trace& trace : some) expect_replays(*executor, trace);
    // Four threads have too many outcomes to list: the one that matters is that
    // two readers never see two writes in different orders (8 + 2).
    if (GetParam().number == 13) {
      EXPECT_FALSE(codes.contains(8 + 2));
      EXPECT_GE(codes.size(), 12u);
    } else {
      EXPECT_EQ(codes, allowed(model));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Litmus, MemoryModels, testing::ValuesIn(kLitmus),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace heddle::tests
