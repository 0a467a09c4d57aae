// SPDX-License-Identifier: Apache-2.0
// std::atomic<float> and <double> add without losing updates; powers of two keep the sum exact.
// heddle: expect exit 0
// heddle: schedules all
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<float> single{0.5f};
std::atomic<double> twice{1.0};

int main() {
  auto add = [] {
    for (int i = 0; i < 3; i++) {
      single.fetch_add(0.25f);
      twice -= 0.125;
    }
  };
  std::thread first(add), second(add);
  first.join();
  second.join();
  assert(single == 2.0f);
  assert(twice.load() == 0.25);
  assert(single.exchange(3.5f) == 2.0f);
  double expected = 0.25;
  assert(twice.compare_exchange_strong(expected, -0.0));
  return 0;
}
