// SPDX-License-Identifier: Apache-2.0
//
// Threads of the program: each gets its lane, and its stack among the lane's
// addresses. They run as they like. What a thread that is joined gives back is an
// error that crosses, if it is not what it gave in the fault-free run.
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

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

// A thread's handle is an address at the top of its stack.
uint32_t lane_of(pthread_t thread) {
  const uint64_t number = (static_cast<uint64_t>(thread) - kFirstLane) / kLaneBytes;
  return static_cast<uint64_t>(thread) >= kFirstLane && number < HEDDLE_MOST_LANES ? static_cast<uint32_t>(number)
                                                                                   : HEDDLE_NO_LANE;
}

// Waits for a thread; `given` is where the program gets its result, of so many bytes.
int join(pthread_t thread, void** result, void* given, uint64_t bytes) {
  static const auto real_join = reinterpret_cast<int (*)(pthread_t, void**)>(dlsym(RTLD_NEXT, "pthread_join"));
  const uint32_t joined = lane_of(thread);
  if (!channel || lane.number == HEDDLE_NO_LANE || joined == HEDDLE_NO_LANE) return real_join(thread, result);
  HeddleLane& told = is_learning ? channel->known[lane.number] : channel->run[lane.number];
  told.joins = joined + 1;
  const int failed = real_join(thread, result);
  told.joins = 0;
  if (failed || !given) return failed;
  uint64_t value = 0;
  memcpy(&value, result, bytes);
  if (is_learning) {
    channel->known[joined].has_result = 1;
    channel->known[joined].result = value;
  } else if (joined < channel->known_lanes && channel->known[joined].has_result &&
             !same_value(channel->known[joined].result, value)) {
    mark_result(reinterpret_cast<uint64_t>(given), joined);
  }
  return 0;
}

}  // namespace

HEDDLE_EXPORT int pthread_create(pthread_t* result, const pthread_attr_t* wanted, void* (*routine)(void*),
                                 void* argument) {
  static const auto create = reinterpret_cast<int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>(
      dlsym(RTLD_NEXT, "pthread_create"));
  if (!channel) return create(result, wanted, routine, argument);
  const uint32_t number = find_lane(lane.number, lane.children++);
  if (is_learning || number >= channel->known_lanes) map_lane_memory(number);
  pthread_attr_t attributes;
  size_t stack_bytes = 0;
  if (wanted) {
    memcpy(&attributes, wanted, sizeof attributes);
  } else {
    pthread_attr_init(&attributes);
  }
  pthread_attr_getstacksize(&attributes, &stack_bytes);
  if (stack_bytes == 0 || stack_bytes > kStackBytes) stack_bytes = kStackBytes;
  pthread_attr_setstack(&attributes, reinterpret_cast<void*>(lane_address(number) + kLaneBytes - stack_bytes),
                        stack_bytes);
  auto* start = static_cast<Start*>(malloc(sizeof(Start)));
  *start = {routine, argument, number};
  return create(result, &attributes, begin_thread, start);
}

HEDDLE_EXPORT int pthread_join(pthread_t thread, void** result) { return join(thread, result, result, sizeof *result); }

HEDDLE_EXPORT int thrd_join(thrd_t thread, int* result) {
  void* whole = nullptr;
  if (join(thread, &whole, result, sizeof *result) != 0) return thrd_error;
  if (result) memcpy(result, &whole, sizeof *result);
  return thrd_success;
}
