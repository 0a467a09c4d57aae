// SPDX-License-Identifier: Apache-2.0
// condition_variable_any::wait with a stop token returns false when stop comes before the predicate.
// heddle: expect exit 0
// heddle: schedules all
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

int main() {
  std::mutex mutex;
  std::condition_variable_any changed;
  bool ready = false;
  bool result = true;
  {
    std::jthread thread([&](std::stop_token token) {
      std::unique_lock<std::mutex> lock(mutex);
      result = changed.wait(lock, token, [&] { return ready; });
      assert(lock.owns_lock());
    });
  }
  assert(!result);
  return 0;
}
