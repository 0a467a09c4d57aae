// SPDX-License-Identifier: Apache-2.0
//
// std::stop_token's own lock is a loop that hands a local to a library function by
// reference; it only waits, and is seen to.
//
// heddle-check: cflags='-std=c++20' sc=holds reduce=learn
// heddle-check: cflags='-std=c++20 -DASKS_NOBODY' sc=holds
#include <atomic>
#include <cassert>
#include <stop_token>
#include <thread>

std::atomic<int> calls{0};

int main() {
  std::jthread worker([](std::stop_token token) {
    std::stop_callback on_stop(token, [] { calls++; });
    calls++;
  });
#ifndef ASKS_NOBODY
  worker.request_stop();
#endif
  worker.join();
  assert(calls == 1 || calls == 2);
}
