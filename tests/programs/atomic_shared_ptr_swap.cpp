// SPDX-License-Identifier: Apache-2.0
// std::atomic<std::shared_ptr> is read and replaced by two threads; every object dies exactly once.
// heddle: expect exit 0
// heddle: schedules all
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

std::atomic<int> alive{0};

struct Config {
  explicit Config(int n) : low(n), high(n) { alive++; }
  ~Config() { alive--; }
  int low, high;
};

int main() {
  {
    std::atomic<std::shared_ptr<Config>> current(std::make_shared<Config>(0));
    std::thread writer([&] {
      for (int i = 1; i <= 2; i++) current.store(std::make_shared<Config>(i));
    });
    std::thread reader([&] {
      for (int i = 0; i < 2; i++) {
        std::shared_ptr<Config> seen = current.load();
        assert(seen->low == seen->high);
      }
    });
    writer.join();
    reader.join();
    auto last = current.exchange(nullptr);
    assert(last->low == 2 && last.use_count() == 1);
  }
  assert(alive == 0);
  return 0;
}
