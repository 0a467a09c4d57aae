// SPDX-License-Identifier: Apache-2.0
// std::scoped_lock and std::lock take several mutexes in any order without deadlock.
// heddle: expect exit 0
// heddle: schedules all
#include <cassert>
#include <mutex>
#include <thread>

std::mutex left, right, middle;
int moved = 0;

int main() {
  std::thread first([] {
    for (int i = 0; i < 2; i++) {
      std::scoped_lock lock(left, right, middle);
      moved++;
    }
  });
  std::thread second([] {
    for (int i = 0; i < 2; i++) {
      std::lock(right, middle, left);
      std::lock_guard a(right, std::adopt_lock), b(middle, std::adopt_lock), c(left, std::adopt_lock);
      moved++;
    }
  });
  first.join();
  second.join();
  assert(moved == 4);
  assert(std::try_lock(left, right) == -1);
  std::thread([] { assert(std::try_lock(middle, right) == 1); }).join();
  assert(middle.try_lock());
  left.unlock();
  right.unlock();
  middle.unlock();
  return 0;
}
