// SPDX-License-Identifier: Apache-2.0
//
// Every way to synchronise is in the trace of a free run, and its numbers agree
// with what really came first.
#include <map>
#include <set>

#include "execute/free_run_fixture.h"

namespace heddle::tests {
namespace {

size_t count(const trace::Trace& trace, HeddleKind kind, uint64_t address = 0) {
  size_t found = 0;
  for (const trace::Event& event : trace.events)
    found += event.record.kind == kind && (!address || event.record.address == address);
  return found;
}

TEST_F(FreeRun, NumbersC11Threads) {
  const trace::Trace trace = run(subject(R"(
#include <threads.h>
static mtx_t lock;
static cnd_t turned;
static int turn;
static int work(void *me) {
  for (int i = 0; i < 200; ++i) {
    mtx_lock(&lock);
    while (turn != *(int *)me) cnd_wait(&turned, &lock);
    turn = !turn;
    cnd_broadcast(&turned);
    mtx_unlock(&lock);
  }
  return 40 + *(int *)me;
}
int main(void) {
  static int names[2] = {0, 1};
  thrd_t threads[2];
  int results[2];
  mtx_init(&lock, mtx_plain);
  cnd_init(&turned);
  for (int i = 0; i < 2; ++i) thrd_create(&threads[i], work, &names[i]);
  for (int i = 0; i < 2; ++i) thrd_join(threads[i], &results[i]);
  return results[0] != 40 || results[1] != 41;
}
)",
                                         false));
  EXPECT_EQ(trace.ending.detail, 0u);
  expect_valid(trace);
  const uint64_t lock = address_of(trace, "lock"), turned = address_of(trace, "turned"),
                 turn = address_of(trace, "turn");
  EXPECT_EQ(trace.threads.size(), 3u);
  EXPECT_EQ(count(trace, HEDDLE_THREAD_JOIN), 2u);
  EXPECT_EQ(count(trace, HEDDLE_MUTEX_LOCK, lock), 400u);
  EXPECT_EQ(count(trace, HEDDLE_MUTEX_UNLOCK, lock), 400u);
  EXPECT_EQ(count(trace, HEDDLE_COND_BROADCAST, turned), 400u);
  EXPECT_EQ(count(trace, HEDDLE_COND_WAIT, turned), count(trace, HEDDLE_COND_RESUME, turned));
  EXPECT_GT(count(trace, HEDDLE_COND_WAIT, turned), 0u);

  // In the order of the broadcasts' numbers the turn goes 1, 0, 1, 0, ...
  std::map<uint64_t, uint64_t> stored;
  std::map<uint32_t, uint64_t> last_store;
  for (const trace::Event& event : trace.events) {
    if (event.record.kind == HEDDLE_STORE && event.record.address == turn)
      last_store[event.record.thread] = event.record.value;
    if (event.record.kind == HEDDLE_COND_BROADCAST) stored[event.sequence] = last_store[event.record.thread];
  }
  uint64_t expected = 0;
  for (const auto& [sequence, value] : stored) ASSERT_EQ(value, expected = !expected) << sequence;
}

// The first to enter runs it, and is done before anybody enters and finds it done.
void expect_once(const trace::Trace& trace, uint64_t address, size_t entered, size_t failed) {
  std::map<uint64_t, const HeddleRecord*> ordered;
  for (const trace::Event& event : trace.events)
    if (event.record.address == address &&
        (event.record.kind == HEDDLE_ONCE_ENTER || event.record.kind == HEDDLE_ONCE_DONE))
      ordered[event.sequence] = &event.record;
  size_t entries = 0, failures = 0;
  bool done = false;
  for (const auto& [sequence, record] : ordered) {
    ASSERT_NE(sequence, 0u);
    if (record->kind == HEDDLE_ONCE_DONE) {
      ASSERT_FALSE(done);
      done = !(record->flags & HEDDLE_FLAG_FAILED);
      failures += !done;
    } else {
      ++entries;
      ASSERT_EQ(record->value, done ? 0u : 1u);
    }
  }
  EXPECT_TRUE(done);
  EXPECT_EQ(entries, entered);
  EXPECT_EQ(failures, failed);
}

TEST_F(FreeRun, NumbersOneTimeInitialisation) {
  const trace::Trace trace = run(subject(R"(
#include <mutex>
#include <pthread.h>
#include <thread>
#include <threads.h>
std::once_flag flag_cxx;
pthread_once_t flag_posix = PTHREAD_ONCE_INIT;
::once_flag flag_c11 = ONCE_FLAG_INIT;
int attempts, value_posix, value_c11;
int make() { std::this_thread::yield(); return 7; }
void work() {
  try {
    std::call_once(flag_cxx, [] { if (attempts++ == 0) throw 1; });
  } catch (int) {}
  pthread_once(&flag_posix, [] { value_posix = 1; });
  call_once(&flag_c11, [] { value_c11 = 1; });
  static int local = make();
  (void)local;
}
int main() {
  std::thread threads[3];
  for (auto& thread : threads) thread = std::thread(work);
  for (auto& thread : threads) thread.join();
  work();
  return attempts != 2 || !value_posix || !value_c11;
}
)",
                                         false, "program.cpp"));
  EXPECT_EQ(trace.ending.detail, 0u) << trace.ending.message;
  expect_valid(trace);
  expect_once(trace, address_of(trace, "flag_cxx"), 4, 1);
  expect_once(trace, address_of(trace, "flag_posix"), 4, 0);
  expect_once(trace, address_of(trace, "flag_c11"), 4, 0);
  // What else work() itself enters is the guard of its static.
  std::set<uint64_t> others;
  for (const trace::Event& event : trace.events) {
    const HeddleRecord& record = event.record;
    if (record.kind != HEDDLE_ONCE_ENTER || trace.sites[record.site].function != "work") continue;
    const bool is_flag = record.address == address_of(trace, "flag_cxx") ||
                         record.address == address_of(trace, "flag_posix") ||
                         record.address == address_of(trace, "flag_c11");
    if (!is_flag) others.insert(record.address);
  }
  ASSERT_EQ(others.size(), 1u);
  EXPECT_EQ(count(trace, HEDDLE_ONCE_DONE, *others.begin()), 1u);
}

TEST_F(FreeRun, NumbersFutexesUnderAtomicWaits) {
  const trace::Trace trace = run(subject(R"(
#include <atomic>
#include <thread>
#include <unistd.h>
std::atomic<int> turn;
void work(int me) {
  for (int i = 0; i < 200; ++i) {
    for (int seen; (seen = turn.load()) != me;) turn.wait(seen);
    if (i % 50 == 25) usleep(20000);  // the other one sleeps in the kernel by now
    turn.store(!me);
    turn.notify_all();
  }
}
int main() {
  std::thread other(work, 1);
  work(0);
  other.join();
  return 0;
}
)",
                                         false, "program.cpp"));
  EXPECT_EQ(trace.ending.detail, 0u);
  expect_valid(trace);
  // Nobody resumes without a notification between its two events.
  std::map<uint64_t, const HeddleRecord*> ordered;
  for (const trace::Event& event : trace.events)
    if (event.sequence) ordered[event.sequence] = &event.record;
  std::map<uint32_t, uint64_t> waits_since;
  uint64_t last_wake = 0;
  size_t woken = 0;
  for (const auto& [sequence, record] : ordered) {
    if (record->kind == HEDDLE_AWAIT) waits_since[record->thread] = sequence;
    if (record->kind == HEDDLE_NOTIFY && record->value) last_wake = sequence;
    if (record->kind != HEDDLE_AWAIT_RESUME || record->flags) continue;
    ++woken;
    EXPECT_GT(last_wake, waits_since[record->thread]);
  }
  EXPECT_GT(woken, 0u);
}

}  // namespace
}  // namespace heddle::tests
