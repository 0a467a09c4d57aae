// SPDX-License-Identifier: Apache-2.0
// A notify without a change of the value does not end atomic::wait: the waiter sleeps on for ever.
// heddle: expect deadlock
// heddle: schedules all
#include <atomic>
#include <thread>

std::atomic<int> stage{0};

int main() {
  std::thread waiter([] { stage.wait(0); });
  stage.store(0);
  stage.notify_all();
  waiter.join();
  return 0;
}
