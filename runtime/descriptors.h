// SPDX-License-Identifier: Apache-2.0
//
// System calls that may block. A thread that reads from a pipe which another
// thread of the program writes to must not sleep in the kernel: nobody else
// would run. So such a call is an operation like any other: it can happen when
// poll() says so, and then it does not block.
//
// When no thread can go on but some wait for descriptors, only the outside (a
// child process, a network) can help: then the target really waits, and the host
// ends the run when that takes too long.
//
// Not covered: calls inside libraries (fgets, std::getline, open of a FIFO).
#pragma once

#include <dlfcn.h>
#include <poll.h>
#include <sys/types.h>

#include "scheduler.h"
#include "state.h"
#include "store_buffer.h"

namespace heddle::rt {

// What a thread waits for: any of these.
struct DescriptorWait {
  struct pollfd* watched;
  uint32_t count;
};

constexpr uint32_t kMostWatched = 1024;

// All descriptors are one thing to spin detection: a place that is no address.
constexpr uint64_t kDescriptorPlace = 16;

struct Descriptor {
  int number;
  bool waits;     // a call in this direction may block, and poll says when not
  bool switches;  // it is the program's own: it may be made non-blocking for a moment
  bool socket;
};
// How a call that reads (POLLIN) or writes (POLLOUT) has to treat it.
Descriptor examine_descriptor(int number, short events);

// Call it before the program can change them: descriptors that others share.
void note_outside_descriptors();

// The C library's function behind the one of this name, as real_NAME.
#define HEDDLE_REAL(name) static const auto real_##name = reinterpret_cast<decltype(&name)>(dlsym(RTLD_NEXT, #name))

// A library's own call goes to the C library. The program's own looks at what it
// is given, past the hooks, and is an operation that waits for its stores anyway.
#define HEDDLE_UNLESS_PROGRAM(name, ...)                 \
  if (!called_by_program(__builtin_return_address(0))) { \
    HEDDLE_REAL(name);                                   \
    return real_##name(__VA_ARGS__);                     \
  }                                                      \
  settle(*g.current);

// True if calls by this return address are the program's own, not a library's.
bool called_by_program(const void* return_address);

// Takes the turn for an operation of this kind. `wait` is null if it need not
// wait. Ends the thread if it is cancelled meanwhile.
Turn take_descriptor_turn(Thread& self, uint8_t kind, int descriptor, DescriptorWait* wait, bool may_time_out = false);

// Records it, with what the call returned (errno says why if that is negative);
// returns that.
ssize_t record_call(Thread& self, uint8_t kind, int descriptor, ssize_t result, uint8_t flags = 0);

// Makes a descriptor non-blocking as long as this lives.
class NonBlocking {
 public:
  explicit NonBlocking(const Descriptor& descriptor);
  ~NonBlocking();
  NonBlocking(const NonBlocking&) = delete;

 private:
  int number_;
  int flags_;  // -1: left as it was
};

// For the scheduler. Really waits until a descriptor that some thread waits for
// is ready; false if no thread waits for any, or the run has failed.
bool wait_for_outside();
// A schedule says that this thread goes on now: true if its descriptor becomes
// ready soon.
bool comes_from_outside(const Thread& thread);

}  // namespace heddle::rt
