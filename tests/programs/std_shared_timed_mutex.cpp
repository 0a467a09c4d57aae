// SPDX-License-Identifier: Apache-2.0
// std::shared_timed_mutex: timed attempts fail against a writer and succeed among readers.
// heddle: expect exit 0
// heddle: schedules all
#include <cassert>
#include <chrono>
#include <shared_mutex>
#include <thread>

using namespace std::chrono_literals;

int main() {
  std::shared_timed_mutex mutex;
  mutex.lock();
  std::thread([&] {
    assert(!mutex.try_lock_shared_for(1ms));
    assert(!mutex.try_lock_for(1ms));
  }).join();
  mutex.unlock();
  assert(mutex.try_lock_shared_for(1ms));
  std::thread([&] {
    assert(mutex.try_lock_shared_until(std::chrono::steady_clock::now() + 1ms));
    mutex.unlock_shared();
    assert(!mutex.try_lock_until(std::chrono::steady_clock::now() + 1ms));
  }).join();
  mutex.unlock_shared();
  return 0;
}
