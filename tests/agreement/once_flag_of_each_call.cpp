// SPDX-License-Identifier: Apache-2.0
//
// A function with a flag of its own, called twice, each time by several threads.
//
// agree: holds
// agree-undecided: mcr mcr-s se-mcr none
#include <cassert>
#include <mutex>
#include <thread>

static int initialise_together() {
  std::once_flag flag;
  int done = 0;
  std::thread other([&] { std::call_once(flag, [&] { ++done; }); });
  std::call_once(flag, [&] { ++done; });
  other.join();
  return done;
}

int main() {
  assert(initialise_together() == 1);
  assert(initialise_together() == 1);
  return 0;
}
