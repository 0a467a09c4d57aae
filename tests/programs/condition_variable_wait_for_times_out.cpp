// SPDX-License-Identifier: Apache-2.0
// wait_for reports timeout when nobody notifies; with a predicate it returns the predicate's value.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains cond-wait >=2
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>

using namespace std::chrono_literals;

int main() {
  std::mutex mutex;
  std::condition_variable never;
  std::unique_lock<std::mutex> lock(mutex);
  auto start = std::chrono::steady_clock::now();
  while (never.wait_until(lock, start + 2ms) == std::cv_status::no_timeout) {
  }
  assert(std::chrono::steady_clock::now() - start >= 2ms);
  assert(!never.wait_for(lock, 1ms, [] { return false; }));
  assert(never.wait_for(lock, 0ms, [] { return true; }));
  assert(!never.wait_until(lock, std::chrono::system_clock::now() - 1s, [] { return false; }));
  assert(lock.owns_lock());
  return 0;
}
