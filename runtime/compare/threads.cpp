// SPDX-License-Identifier: Apache-2.0
//
// Threads of the program: each gets its lane, and its stack among the lane's
// addresses. They run as they like.
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "crashes.h"
#include "export.h"
#include "lane.h"
#include "memory_layout.h"

using namespace heddle::compare;

namespace {

struct Start {
  void* (*routine)(void*);
  void* argument;
  uint32_t lane;
};

pthread_key_t end_key;

// Keys are cleaned up last, after the destructors of thread_local objects.
void at_thread_end(void*) { leave_lane(); }

__attribute__((constructor(102))) void make_end_key() { pthread_key_create(&end_key, at_thread_end); }

void* begin_thread(void* given) {
  const Start start = *static_cast<Start*>(given);
  enter_lane(start.lane);
  use_signal_stack();
  pthread_setspecific(end_key, &end_key);
  return start.routine(start.argument);
}

}  // namespace

HEDDLE_EXPORT int pthread_create(pthread_t* result, const pthread_attr_t* wanted, void* (*routine)(void*), void* argument) {
  static const auto create =
      reinterpret_cast<int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>(dlsym(RTLD_NEXT, "pthread_create"));
  if (!channel) return create(result, wanted, routine, argument);
  const uint32_t number = find_lane(lane.number, lane.children++);
  map_lane_memory(number);
  pthread_attr_t attributes;
  size_t stack_bytes = 0;
  if (wanted) {
    memcpy(&attributes, wanted, sizeof attributes);
  } else {
    pthread_attr_init(&attributes);
  }
  pthread_attr_getstacksize(&attributes, &stack_bytes);
  if (stack_bytes == 0 || stack_bytes > kStackBytes) stack_bytes = kStackBytes;
  pthread_attr_setstack(&attributes, reinterpret_cast<void*>(lane_address(number) + kLaneBytes - stack_bytes), stack_bytes);
  auto* start = static_cast<Start*>(malloc(sizeof(Start)));
  *start = {routine, argument, number};
  return create(result, &attributes, begin_thread, start);
}
