// SPDX-License-Identifier: Apache-2.0
// A writer publishes whole new versions through one pointer; readers see complete versions, never older ones later.
// heddle: expect exit 0
// heddle: schedules all
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>
#include <vector>

struct Version {
  int number;
  int twice;
};

std::atomic<const Version*> current{nullptr};

int main() {
  std::vector<std::unique_ptr<Version>> retired;
  retired.push_back(std::make_unique<Version>(Version{0, 0}));
  current = retired.back().get();
  auto read = [] {
    int last = 0;
    for (int i = 0; i < 3; i++) {
      const Version* version = current.load(std::memory_order_acquire);
      assert(version->twice == 2 * version->number);
      assert(version->number >= last);
      last = version->number;
    }
  };
  std::thread first(read), second(read);
  for (int n = 1; n <= 2; n++) {
    retired.push_back(std::make_unique<Version>(Version{n, 2 * n}));
    current.store(retired.back().get(), std::memory_order_release);
  }
  first.join();
  second.join();
  assert(current.load()->number == 2);
  return 0;
}
