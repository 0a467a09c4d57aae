// SPDX-License-Identifier: Apache-2.0
// A thread started by a static constructor before main is joined by the matching destructor after main.
// heddle: expect exit 0
// heddle: schedules all
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> steps{0};

struct Service {
  std::atomic<bool> stop{false};
  std::thread thread;
  Service() : thread([this] { run(); }) {}
  ~Service() {
    stop = true;
    thread.join();
    if (steps != 2) std::abort();
  }
  void run() {
    steps++;
    while (!stop) std::this_thread::yield();
    steps++;
  }
} service;

int main() {
  while (steps == 0) std::this_thread::yield();
  assert(steps == 1);
  return 0;
}
