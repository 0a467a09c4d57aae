// SPDX-License-Identifier: Apache-2.0
//
// Random programs, the same for the same seed everywhere. Each draws which
// features it uses, so that those that it has meet often; there are few
// variables and few values, so that equal values come from different writes.
//
// Programs keep the rules whose breach is undefined: who unlocks holds the
// lock, who waits on a condition holds its mutex, no thread locks again what it
// holds. They may deadlock: a lock may be kept, a semaphore run dry, a signal
// get lost, a barrier expect somebody who never comes.
#pragma once

#include <cstdint>

#include "oracle/program.h"

namespace heddle::oracle {

struct Size {
  int operations = 12;  // in all, at most; creations and joins, branches and assertions do not count
  int threads = 4;      // besides main, at most; at least 2
  int per_thread = 12;  // operations of one thread, at most
  // Programs have pointers to blocks of the heap, threads that are created only sometimes, conditions and
  // read-modify-writes more often than others.
  bool pointers = false;
  // Some threads do the same as the first one; main reads all variables in the end.
  bool twins = false;
};

Program generate(uint64_t seed, const Size& size);

// Programs of at most so many operations: up to 6 of three threads, up to 12 of
// four, and above that of four threads of at most 6 operations each.
Size size_for(int operations);

}  // namespace heddle::oracle
