// SPDX-License-Identifier: Apache-2.0
// std::recursive_mutex may be locked again by its owner and only by its owner.
// heddle: expect exit 0
// heddle: schedules all
#include <cassert>
#include <mutex>
#include <thread>

std::recursive_mutex mutex;

int factorial(int n) {
  std::lock_guard<std::recursive_mutex> guard(mutex);
  return n < 2 ? 1 : n * factorial(n - 1);
}

bool other_gets_it() {
  bool got = false;
  std::thread([&] {
    got = mutex.try_lock();
    if (got) mutex.unlock();
  }).join();
  return got;
}

int main() {
  assert(factorial(4) == 24);
  mutex.lock();
  assert(mutex.try_lock());
  mutex.unlock();
  assert(!other_gets_it());
  mutex.unlock();
  assert(other_gets_it());
  return 0;
}
