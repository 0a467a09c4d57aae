// SPDX-License-Identifier: Apache-2.0
//
// What is recorded on request hangs between the operations: it changes neither
// their numbers nor their order, and a schedule made without it still fits.
#include <gtest/gtest.h>

#include "build/sources.h"
#include "build/target.h"
#include "execute/executor.h"
#include "execute/subject.h"
#include "paths.h"
#include "schedule/from_trace.h"

namespace heddle::tests {
namespace {

execute::Subject subject_of(const char* source, const build::TargetOptions& options) {
  auto program = build::intake({std::string(kTestsFolder) + "/programs/" + source}, {});
  EXPECT_TRUE(program) << program.error().message;
  auto target = build::make_target(std::move(*program), options);
  EXPECT_TRUE(target) << target.error().message;
  return execute::subject_of(*target);
}

std::vector<HeddleRecord> visible(const execute::Run& run) {
  std::vector<HeddleRecord> events;
  for (const HeddleRecord& record : run.records)
    if (trace::is_visible(record)) events.push_back(record);
  return events;
}

size_t count(const execute::Run& run, uint8_t kind) {
  size_t found = 0;
  for (const HeddleRecord& record : run.records) found += record.kind == kind;
  return found;
}

TEST(LocalRecords, DoNotChangeTheOperations) {
  const char* const program = "bounded_buffer.c";
  build::TargetOptions everything;
  everything.functions = everything.branches = everything.values = true;
  auto plain = execute::Executor::start(subject_of(program, {}), {});
  auto recorded = execute::Executor::start(subject_of(program, everything), {});
  ASSERT_TRUE(plain && recorded);
  execute::RunRequest random;
  random.strategy = HEDDLE_STRATEGY_RANDOM;
  random.seed = 4;
  auto first = (*plain)->run(random);
  ASSERT_TRUE(first);
  EXPECT_EQ(count(*first, HEDDLE_BRANCH), 0u);

  const schedule::Schedule schedule = schedule::from_trace((*plain)->to_trace(*first, random));
  execute::RunRequest replay;
  replay.prefix = &schedule;
  auto again = (*recorded)->run(replay);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->ending.outcome, first->ending.outcome) << again->ending.message;
  EXPECT_GT(count(*again, HEDDLE_BRANCH), 0u);
  EXPECT_GT(count(*again, HEDDLE_LOCAL_VALUE), 0u);
  EXPECT_GT(count(*again, HEDDLE_FUNCTION_ENTER), 0u);

  const auto a = visible(*first), b = visible(*again);
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].kind, b[i].kind);
    EXPECT_EQ(a[i].thread, b[i].thread);
    EXPECT_EQ(a[i].index, b[i].index);
    EXPECT_EQ(a[i].site, b[i].site);
  }
}

}  // namespace
}  // namespace heddle::tests
