// SPDX-License-Identifier: Apache-2.0
// std::mutex with lock_guard; the guard unlocks also when an exception leaves the block.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains mutex-lock >=6
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

std::mutex mutex;
int counter = 0;

void worker() {
  for (int i = 0; i < 3; i++) {
    try {
      std::lock_guard<std::mutex> guard(mutex);
      counter++;
      if (i == 1) throw std::runtime_error("inside");
    } catch (const std::runtime_error&) {
    }
  }
}

int main() {
  std::thread first(worker), second(worker);
  first.join();
  second.join();
  assert(counter == 6);
  assert(mutex.try_lock());
  mutex.unlock();
  return 0;
}
