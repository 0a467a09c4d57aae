// SPDX-License-Identifier: Apache-2.0
// std::atomic_flag as a spin lock, then as an event with wait and notify.
// heddle: expect exit 0
// heddle: schedules all
#include <atomic>
#include <cassert>
#include <thread>

std::atomic_flag lock = ATOMIC_FLAG_INIT, done;
int counter = 0;

int main() {
  auto work = [] {
    for (int i = 0; i < 2; i++) {
      while (lock.test_and_set(std::memory_order_acquire)) {
      }
      counter++;
      lock.clear(std::memory_order_release);
    }
  };
  std::thread first(work), second(work);
  std::thread waiter([] {
    done.wait(false);
    assert(done.test());
  });
  first.join();
  second.join();
  assert(counter == 4 && !lock.test());
  assert(!done.test_and_set());
  done.notify_all();
  waiter.join();
  return 0;
}
