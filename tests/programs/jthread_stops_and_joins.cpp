// SPDX-License-Identifier: Apache-2.0
// A std::jthread asks its function to stop and joins it when it goes out of scope.
// heddle: expect exit 0
// heddle: schedules all
#include <atomic>
#include <cassert>
#include <stop_token>
#include <thread>

int main() {
  std::atomic<bool> started{false};
  bool left = false;
  {
    std::jthread thread([&](std::stop_token token) {
      started = true;
      while (!token.stop_requested()) std::this_thread::yield();
      left = true;
    });
    while (!started) std::this_thread::yield();
    assert(thread.joinable() && !thread.get_stop_token().stop_requested());
  }
  assert(left);
  std::jthread plain([&] { left = false; });
  plain.join();
  assert(!left);
  return 0;
}
