// SPDX-License-Identifier: Apache-2.0
// A thread that drops out of a std::barrier arrives for this phase and is not awaited in later ones.
// heddle: expect exit 0
// heddle: schedules all
#include <barrier>
#include <cassert>
#include <thread>

int main() {
  std::barrier<> barrier(2);
  int before = 0;
  std::thread leaver([&] {
    before = 1;
    barrier.arrive_and_drop();
  });
  barrier.arrive_and_wait();
  assert(before == 1);
  barrier.arrive_and_wait();
  barrier.wait(barrier.arrive());
  leaver.join();
  return 0;
}
