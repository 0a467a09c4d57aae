// SPDX-License-Identifier: Apache-2.0
// epoll_wait waits until another thread writes to one of the descriptors.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains descriptor-poll
#include <assert.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <unistd.h>

static int ends[2];

static void* writer(void* argument) {
  assert(write(ends[1], "x", 1) == 1);
  return argument;
}

int main(void) {
  pthread_t thread;
  struct epoll_event event = {EPOLLIN, {.u32 = 17}};
  const int set = epoll_create1(0);
  assert(pipe(ends) == 0 && set >= 0);
  assert(epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &event) == 0);
  assert(pthread_create(&thread, NULL, writer, NULL) == 0);
  event.data.u32 = 0;
  assert(epoll_wait(set, &event, 1, -1) == 1);
  assert(event.events == EPOLLIN && event.data.u32 == 17);
  assert(pthread_join(thread, NULL) == 0);
  return 0;
}
