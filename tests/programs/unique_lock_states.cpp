// SPDX-License-Identifier: Apache-2.0
// std::unique_lock: deferred, adopted, tried, moved and released; wrong use throws std::system_error.
// heddle: expect exit 0
// heddle: schedules all
#include <cassert>
#include <mutex>
#include <system_error>
#include <utility>

template <class Action>
static bool throws(Action action, std::errc expected) {
  try {
    action();
    return false;
  } catch (const std::system_error& error) {
    return error.code() == expected;
  }
}

int main() {
  std::mutex mutex;
  std::unique_lock<std::mutex> lock(mutex, std::defer_lock);
  assert(!lock.owns_lock());
  assert(throws([&] { lock.unlock(); }, std::errc::operation_not_permitted));
  lock.lock();
  assert(throws([&] { lock.lock(); }, std::errc::resource_deadlock_would_occur));
  std::unique_lock<std::mutex> moved(std::move(lock));
  assert(moved.owns_lock() && lock.mutex() == nullptr);
  assert(throws([&] { lock.lock(); }, std::errc::operation_not_permitted));
  std::unique_lock<std::mutex> tried(mutex, std::try_to_lock);
  assert(!tried.owns_lock());
  assert(moved.release() == &mutex);
  std::unique_lock<std::mutex> adopted(mutex, std::adopt_lock);
  adopted.unlock();
  assert(tried.try_lock());
  return 0;
}
