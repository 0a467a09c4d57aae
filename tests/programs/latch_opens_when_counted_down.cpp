// SPDX-License-Identifier: Apache-2.0
// std::latch opens when the count reaches zero; what was written before the count-down is seen after it.
// heddle: expect exit 0
// heddle: schedules all
#include <cassert>
#include <latch>
#include <thread>

int main() {
  std::latch ready(2), go(1);
  int data[2] = {0, 0};
  auto work = [&](int i) {
    data[i] = i + 1;
    ready.count_down();
    go.wait();
    data[i] *= 10;
  };
  std::thread first(work, 0), second(work, 1);
  ready.wait();
  assert(ready.try_wait());
  assert(data[0] == 1 && data[1] == 2);
  go.count_down();
  first.join();
  second.join();
  assert(data[0] == 10 && data[1] == 20);
  std::latch both(2);
  std::thread third([&] { both.arrive_and_wait(); });
  both.arrive_and_wait();
  third.join();
  return 0;
}
