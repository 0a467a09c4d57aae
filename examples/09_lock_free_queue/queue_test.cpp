// SPDX-License-Identifier: Apache-2.0
//
// Two producers, and main as the consumer: what comes out went in. With
// -DHANDOVER=std::memory_order_relaxed the queue has the bug that the page beside
// is about.
#include <cassert>
#include <pthread.h>

#include "queue.hpp"

#ifndef HANDOVER
#define HANDOVER std::memory_order_release
#endif

static Queue<2, HANDOVER> queue;

static void* push_one(void*) {
  queue.push(1);
  return nullptr;
}

static void* push_two(void*) {
  queue.push(2);
  return nullptr;
}

int main() {
  pthread_t one, two;
  pthread_create(&one, nullptr, push_one, nullptr);
  pthread_create(&two, nullptr, push_two, nullptr);
  if (const auto value = queue.pop()) assert(*value == 1 || *value == 2);
  pthread_join(one, nullptr);
  pthread_join(two, nullptr);
  return 0;
}
