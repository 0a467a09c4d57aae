// SPDX-License-Identifier: Apache-2.0
//
// accept and connect. A connection is made without blocking; if it takes
// another thread's accept, the thread waits for that as for any other event.
#include <errno.h>
#include <sched.h>
#include <sys/socket.h>

#include "abi/hooks.h"
#include "descriptors.h"

using namespace heddle::rt;

namespace {

int accept_one(int number, struct sockaddr* from, socklen_t* size, int flags) {
  HEDDLE_REAL(accept4);
  Thread& self = *g.current;
  const Descriptor descriptor = examine_descriptor(number, POLLIN);
  struct pollfd watched = {number, POLLIN, 0};
  DescriptorWait wait = {&watched, 1};
  int made;
  do {
    take_descriptor_turn(self, HEDDLE_DESCRIPTOR_ACCEPT, number, descriptor.waits ? &wait : nullptr);
    const NonBlocking now(descriptor);
    made =
        static_cast<int>(record_call(self, HEDDLE_DESCRIPTOR_ACCEPT, number, real_accept4(number, from, size, flags)));
  } while (made < 0 && errno == EAGAIN && descriptor.waits);
  if (made >= 0 && from) {
    __heddle_range_written(size, sizeof *size, self.site);
    __heddle_range_written(from, *size, self.site);
  }
  return made;
}

int ask(const Descriptor& descriptor, const struct sockaddr* to, socklen_t size) {
  HEDDLE_REAL(connect);
  const NonBlocking now(descriptor);
  const int result = real_connect(descriptor.number, to, size);
  return static_cast<int>(record_call(*g.current, HEDDLE_DESCRIPTOR_CONNECT, descriptor.number, result));
}

// The connection has been asked for; how it went.
int await_connection(Thread& self, int number) {
  struct pollfd watched = {number, POLLOUT, 0};
  DescriptorWait wait = {&watched, 1};
  take_descriptor_turn(self, HEDDLE_DESCRIPTOR_CONNECT, number, &wait);
  int error = 0;
  socklen_t size = sizeof error;
  getsockopt(number, SOL_SOCKET, SO_ERROR, &error, &size);
  errno = error;
  return static_cast<int>(record_call(self, HEDDLE_DESCRIPTOR_CONNECT, number, error ? -1 : 0));
}

}  // namespace

HEDDLE_EXPORT int accept4(int number, struct sockaddr* from, socklen_t* size, int flags) {
  HEDDLE_UNLESS_PROGRAM(accept4, number, from, size, flags)
  return accept_one(number, from, size, flags);
}
HEDDLE_EXPORT int accept(int number, struct sockaddr* from, socklen_t* size) {
  HEDDLE_UNLESS_PROGRAM(accept, number, from, size)
  return accept_one(number, from, size, 0);
}

HEDDLE_EXPORT int connect(int number, const struct sockaddr* to, socklen_t size) {
  HEDDLE_UNLESS_PROGRAM(connect, number, to, size)
  Thread& self = *g.current;
  const Descriptor descriptor = examine_descriptor(number, POLLOUT);
  for (;;) {
    take_descriptor_turn(self, HEDDLE_DESCRIPTOR_CONNECT, number, nullptr);
    const int result = ask(descriptor, to, size);
    if (result == 0 || !descriptor.waits) return result;
    if (errno == EINPROGRESS) return await_connection(self, number);
    if (errno != EAGAIN) return result;
    sched_yield();  // the listener's queue is full: poll does not say when there is room
  }
}
