// SPDX-License-Identifier: Apache-2.0
// std::counting_semaphore lets two in at once, try_acquire fails at zero, timed attempts give up.
// heddle: expect exit 0
// heddle: schedules all
#include <atomic>
#include <cassert>
#include <chrono>
#include <semaphore>
#include <thread>
#include <vector>

using namespace std::chrono_literals;

int main() {
  std::counting_semaphore<4> slots(2);
  std::atomic<int> inside{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; i++) {
    threads.emplace_back([&] {
      slots.acquire();
      assert(inside.fetch_add(1) < 2);
      inside.fetch_sub(1);
      slots.release();
    });
  }
  for (auto& thread : threads) thread.join();
  assert(slots.try_acquire() && slots.try_acquire() && !slots.try_acquire());
  assert(!slots.try_acquire_for(1ms));
  assert(!slots.try_acquire_until(std::chrono::steady_clock::now()));
  slots.release(2);
  slots.acquire();
  slots.acquire();
  return 0;
}
