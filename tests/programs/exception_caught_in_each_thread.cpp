// SPDX-License-Identifier: Apache-2.0
// Threads throw and catch at the same time; each catches its own exception, unwinding its own frames.
// heddle: expect exit 0
// heddle: schedules all
#include <cassert>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

thread_local int unwound = 0;

struct Frame {
  ~Frame() { unwound++; }
};

void descend(int depth, const std::string& name) {
  Frame frame;
  std::this_thread::yield();
  if (depth == 0) throw std::runtime_error(name);
  descend(depth - 1, name);
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; i++) {
    threads.emplace_back([i] {
      std::string name = "thread " + std::to_string(i);
      try {
        descend(i + 2, name);
        assert(false);
      } catch (const std::exception& error) {
        assert(error.what() == name);
      }
      assert(unwound == i + 3);
    });
  }
  for (auto& thread : threads) thread.join();
  assert(unwound == 0);
  return 0;
}
