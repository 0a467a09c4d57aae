// SPDX-License-Identifier: Apache-2.0
// std::condition_variable_any waits with any lock, here a shared_lock of a shared_mutex.
// heddle: expect exit 0
// heddle: schedules all
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

int main() {
  std::shared_mutex mutex;
  std::condition_variable_any changed;
  int value = 0;
  auto reader = [&] {
    std::shared_lock lock(mutex);
    changed.wait(lock, [&] { return value != 0; });
    assert(value == 9);
  };
  std::thread first(reader), second(reader);
  {
    std::unique_lock lock(mutex);
    value = 9;
  }
  changed.notify_all();
  first.join();
  second.join();
  return 0;
}
