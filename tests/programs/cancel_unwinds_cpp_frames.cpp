// SPDX-License-Identifier: Apache-2.0
// Cancelling a C++ thread unwinds its frames: destructors and catch-all blocks that rethrow run.
// heddle: expect exit 0
// heddle: stdout catch all
// heddle: stdout ~inner
// heddle: stdout ~outer
// heddle: schedules all
#include <pthread.h>

#include <cassert>
#include <cstdio>

struct Speaker {
  const char* name;
  ~Speaker() { std::printf("~%s\n", name); }
};

void inner() {
  Speaker speaker{"inner"};
  try {
    for (;;) pthread_testcancel();
  } catch (...) {
    std::puts("catch all");
    throw;
  }
}

void* worker(void* argument) {
  Speaker speaker{"outer"};
  inner();
  return argument;
}

int main() {
  pthread_t thread;
  void* result = nullptr;
  assert(pthread_create(&thread, nullptr, worker, nullptr) == 0);
  assert(pthread_cancel(thread) == 0);
  assert(pthread_join(thread, &result) == 0);
  assert(result == PTHREAD_CANCELED);
  return 0;
}
