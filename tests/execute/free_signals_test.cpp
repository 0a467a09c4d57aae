// SPDX-License-Identifier: Apache-2.0
//
// Signal handlers that interrupt a thread of a free run anywhere, also in the
// middle of writing an event: neither the thread nor the handler loses one.
#include "execute/free_run_fixture.h"

namespace heddle::tests {
namespace {

constexpr const char* kTimer = R"(
#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>
static volatile long ticks, rounds;
static void set_timer(long microseconds) {
  struct itimerval timer = {{0, microseconds}, {0, microseconds}};
  setitimer(ITIMER_REAL, &timer, 0);
}
)";

// Values stored to this variable by any thread, in the order of each log.
std::vector<uint64_t> stored(const trace::Trace& trace, const char* name) {
  const uint64_t address = address_of(trace, name);
  std::vector<uint64_t> values;
  for (const trace::Event& event : trace.events)
    if (event.record.kind == HEDDLE_STORE && event.record.address == address) values.push_back(event.record.value);
  return values;
}

void expect_counts_up(const std::vector<uint64_t>& values, size_t least) {
  EXPECT_GE(values.size(), least);
  for (size_t i = 0; i < values.size(); ++i) ASSERT_EQ(values[i], i + 1);
}

TEST_F(FreeRun, AHandlerThatInterruptsAHookLosesNothing) {
  const std::string source = std::string(kTimer) + R"(
static void tick(int number) { ticks = ticks + 1; (void)number; }
int main(void) {
  signal(SIGALRM, tick);
  set_timer(100);
  while (ticks < 500) rounds = rounds + 1;
  set_timer(0);
  return 0;
}
)";
  for (const bool optimise : {false, true}) {
    const trace::Trace trace = run(subject(source, optimise));
    EXPECT_EQ(trace.ending.outcome, HEDDLE_OUTCOME_EXIT) << trace.ending.message;
    EXPECT_EQ(trace.ending.detail, 0u);
    expect_valid(trace);
    expect_counts_up(stored(trace, "ticks"), 500);
    expect_counts_up(stored(trace, "rounds"), 500);
    ASSERT_EQ(trace.threads.size(), 2u);
    EXPECT_EQ(trace.threads[1].child_number, HEDDLE_HANDLER_CHILD);
  }
}

TEST_F(FreeRun, AHandlerMayLeaveByJumping) {
  const trace::Trace trace = run(subject(std::string(kTimer) + R"(
static sigjmp_buf start;
static void tick(int number) { ticks = ticks + 1; siglongjmp(start, number); }
int main(void) {
  signal(SIGALRM, tick);
  sigsetjmp(start, 1);
  if (ticks < 500) {
    set_timer(100);
    for (;;) rounds = rounds + 1;
  }
  set_timer(0);
  return 0;
}
)",
                                         false));
  EXPECT_EQ(trace.ending.detail, 0u);
  expect_valid(trace);
  expect_counts_up(stored(trace, "ticks"), 500);
  // A store that was written down may not have happened, and happens again.
  const std::vector<uint64_t> rounds = stored(trace, "rounds");
  for (size_t i = 1; i < rounds.size(); ++i) ASSERT_LE(rounds[i] - rounds[i - 1], 1u);
}

}  // namespace
}  // namespace heddle::tests
