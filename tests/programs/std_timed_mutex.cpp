// SPDX-License-Identifier: Apache-2.0
// try_lock_for and try_lock_until on a held timed mutex return false after their time, on a free one true.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains mutex-timedlock >=3
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

int main() {
  std::timed_mutex mutex;
  std::recursive_timed_mutex recursive;
  assert(mutex.try_lock_for(0ms));
  assert(recursive.try_lock_for(1ms));
  assert(recursive.try_lock_for(1ms));
  std::thread other([&] {
    auto start = std::chrono::steady_clock::now();
    assert(!mutex.try_lock_for(2ms));
    assert(std::chrono::steady_clock::now() - start >= 2ms);
    assert(!mutex.try_lock_until(std::chrono::system_clock::now() + 1ms));
    assert(!recursive.try_lock_for(1ms));
  });
  other.join();
  recursive.unlock();
  recursive.unlock();
  mutex.unlock();
  return 0;
}
