// SPDX-License-Identifier: Apache-2.0
//
// An exception leaves the function of a thread, if that thread comes first.
#include <atomic>
#include <stdexcept>
#include <thread>

static std::atomic<bool> ready{false};

int main() {
  std::thread user([] {
    if (!ready) throw std::runtime_error("not ready");
  });
  ready = true;
  user.join();
}
