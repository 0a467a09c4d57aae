// SPDX-License-Identifier: Apache-2.0
// Two threads inside std::call_once: one runs the function, the other returns after it is complete.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains once-enter >=2
#include <cassert>
#include <mutex>
#include <thread>

std::once_flag flag;
int calls = 0, value = 0;

void get_ready() {
  std::call_once(
      flag,
      [](int n) {
        calls++;
        std::this_thread::yield();
        value = n;
      },
      6);
  assert(value == 6);
}

int main() {
  std::thread first(get_ready), second(get_ready);
  first.join();
  second.join();
  assert(calls == 1);
  return 0;
}
