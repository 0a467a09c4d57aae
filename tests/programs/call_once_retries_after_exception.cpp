// SPDX-License-Identifier: Apache-2.0
// A function that throws out of std::call_once leaves the flag unset; the next caller tries again.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains once-enter >=2
#include <atomic>
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

std::once_flag flag;
int attempts = 0;
std::atomic<int> failures{0};

void attempt() {
  try {
    std::call_once(flag, [] {
      if (++attempts == 1) throw std::runtime_error("first attempt");
    });
  } catch (const std::runtime_error&) {
    failures++;
  }
}

int main() {
  std::thread first(attempt), second(attempt);
  first.join();
  second.join();
  assert(attempts == 2 && failures == 1);
  attempt();
  assert(attempts == 2);
  return 0;
}
