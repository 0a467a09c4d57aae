// SPDX-License-Identifier: Apache-2.0
// std::shared_mutex: readers together, a writer alone, shared_lock and unique_lock as guards.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains rwlock-read >=2
// heddle: contains rwlock-write >=2
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

int main() {
  std::shared_mutex mutex;
  int first = 0, second = 0;
  auto write = [&] {
    std::unique_lock lock(mutex);
    first++;
    second++;
  };
  auto read = [&] {
    std::shared_lock lock(mutex);
    assert(first == second);
  };
  std::thread a(write), b(read), c(write), d(read);
  a.join();
  b.join();
  c.join();
  d.join();
  std::shared_lock reader(mutex);
  std::thread([&] {
    assert(mutex.try_lock_shared());
    mutex.unlock_shared();
    assert(!mutex.try_lock());
  }).join();
  assert(first == 2);
  return 0;
}
