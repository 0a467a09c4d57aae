// SPDX-License-Identifier: Apache-2.0
// std::atomic of a struct of two halves compares and exchanges both halves at once.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains cas >=4
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

struct Range {
  int32_t low, high;
};

std::atomic<Range> range(Range{0, 100});

int main() {
  auto shrink = [] {
    for (int i = 0; i < 2; i++) {
      Range old = range.load();
      Range next;
      do {
        assert(old.low + old.high == 100);
        next = Range{old.low + 1, old.high - 1};
      } while (!range.compare_exchange_weak(old, next));
    }
  };
  std::thread first(shrink), second(shrink);
  first.join();
  second.join();
  Range end = range;
  assert(end.low == 4 && end.high == 96);
  return 0;
}
