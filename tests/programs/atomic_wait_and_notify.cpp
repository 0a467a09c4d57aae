// SPDX-License-Identifier: Apache-2.0
// std::atomic::wait returns only when the value has changed; notify_one and notify_all wake waiters.
// heddle: expect exit 0
// heddle: schedules all
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> stage{0};
std::atomic<char> small{'a'};
std::atomic<long> big{0};
int data = 0;

int main() {
  std::thread first([] {
    stage.wait(0);
    assert(stage.load() >= 1 && data == 5);
    small.wait('a');
  });
  std::thread second([] {
    stage.wait(0, std::memory_order_acquire);
    big.wait(0);
    assert(big == 1L << 40);
  });
  data = 5;
  stage.store(1, std::memory_order_release);
  stage.notify_all();
  small = 'b';
  small.notify_one();
  big = 1L << 40;
  big.notify_one();
  first.join();
  second.join();
  stage.wait(0);
  return 0;
}
