// SPDX-License-Identifier: Apache-2.0
//
// A stack whose pop compares and swaps the top pointer without a counter: if the
// top was popped, freed and allocated again in between, the swap succeeds and
// the list is broken (ABA). That takes an address that comes back.
#include <gtest/gtest.h>

#include "execute/target_for_test.h"
#include "schedule/from_trace.h"

namespace heddle::tests {
namespace {

// Three nodes; T0.0 pops one; T0.1 pops two, frees them and pushes a new one.
// At the end every node on the stack must be one that was pushed and not popped.
constexpr const char* kAba = R"(
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
typedef struct Node { struct Node *next; int value; } Node;
static _Atomic(Node *) top;
static int popped[8];
static Node *next_of[3], *node_of[3];
static void push(int value) {
  Node *node = malloc(sizeof *node);
  node->value = value;
  node->next = atomic_load(&top);
  while (!atomic_compare_exchange_strong(&top, &node->next, node)) {}
}
static Node *pop(void) {
  Node *node = atomic_load(&top);
  while (node) {
    Node *next = NULL;
    for (int i = 0; i < 3; ++i) if (node_of[i] == node) next = next_of[i];  // as if freed memory could be read
    if (atomic_compare_exchange_strong(&top, &node, next)) return node;
  }
  return NULL;
}
static void *one(void *a) { Node *n = pop(); if (n) popped[0] = 1; return a; }
static void *other(void *a) {
  Node *first = pop(), *second = pop();
  free(second);
  free(first);
  push(7);
  return a;
}
int main(void) {
  for (int i = 0; i < 3; ++i) {
    push(i);
    node_of[i] = atomic_load(&top);
    next_of[i] = i ? node_of[i - 1] : NULL;
  }
  pthread_t s, t;
  pthread_create(&s, 0, one, 0);
  pthread_create(&t, 0, other, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  for (Node *n = atomic_load(&top); n; n = n->next) assert(n->value == 7 || n->value < 3);
  return 0;
}
)";

struct Seen {
  size_t use_after_free = 0;
  size_t good = 0;
  execute::RunRequest failing;
};

Seen run_many(execute::Executor& executor) {
  Seen seen;
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    execute::RunRequest request;
    request.strategy = HEDDLE_STRATEGY_RANDOM;
    request.seed = seed;
    auto run = executor.run(request);
    EXPECT_TRUE(run);
    if (run->ending.outcome == HEDDLE_OUTCOME_EXIT) {
      ++seen.good;
    } else {
      EXPECT_EQ(run->ending.outcome, HEDDLE_OUTCOME_FAILURE) << run->ending.message;
      EXPECT_EQ(run->ending.detail, uint64_t{HEDDLE_FAILURE_USE_AFTER_FREE}) << run->ending.message;
      ++seen.use_after_free;
      seen.failing = request;
    }
  }
  return seen;
}

TEST(HeapReuse, ShowsAbaAndFreshAddressesDoNot) {
  auto fresh = start_text(kAba);
  EXPECT_EQ(run_many(*fresh).use_after_free, 0u);

  execute::ExecutorOptions options;
  options.heap = execute::Heap::kReuse;
  auto reuse = start_text(kAba, options);
  const Seen seen = run_many(*reuse);
  EXPECT_GT(seen.use_after_free, 0u);
  EXPECT_GT(seen.good, 0u);

  auto failed = reuse->run(seen.failing);
  ASSERT_TRUE(failed);
  const trace::Trace trace = reuse->to_trace(*failed, seen.failing);
  const schedule::Schedule schedule = schedule::from_trace(trace);
  execute::RunRequest replay;
  replay.prefix = &schedule;
  auto again = reuse->run(replay);
  ASSERT_TRUE(again);
  EXPECT_EQ(reuse->to_trace(*again, replay).events, trace.events) << again->ending.message;
}

TEST(HeapReuse, GivesTheLastReleasedBlockOfTheSizeZeroed) {
  execute::ExecutorOptions options;
  options.heap = execute::Heap::kReuse;
  auto executor = start_text(R"(
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int main(void) {
  int *a = malloc(24), *b = malloc(24), *large = malloc(5000);
  *a = *b = *large = 5;
  free(a); free(b); free(large);
  assert(malloc(40) != a);                      /* another size */
  int *c = malloc(20), *d = malloc(32), *e = malloc(32);
  assert(c == b && d == a && e != a && e != b); /* last in, first out */
  assert(*c == 0 && *d == 0);
  assert(malloc(4999) == large && *large == 0);
  pthread_mutex_t *lock = malloc(sizeof *lock);
  pthread_mutex_init(lock, 0);
  pthread_mutex_destroy(lock);
  free(lock);
  lock = malloc(sizeof *lock);
  *lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(lock);                     /* not the destroyed one */
  free(c);
  *c = 1;
  return 0;
}
)",
                             options);
  for (int i = 0; i < 3; ++i) {
    auto run = executor->run({});
    ASSERT_TRUE(run);
    EXPECT_EQ(run->ending.outcome, HEDDLE_OUTCOME_FAILURE);
    EXPECT_EQ(run->ending.detail, uint64_t{HEDDLE_FAILURE_USE_AFTER_FREE}) << run->ending.message;
  }
}

}  // namespace
}  // namespace heddle::tests
