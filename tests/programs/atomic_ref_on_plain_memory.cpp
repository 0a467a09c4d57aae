// SPDX-License-Identifier: Apache-2.0
// std::atomic_ref makes plain array elements atomic for as long as the references live.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains rmw >=8
#include <atomic>
#include <cassert>
#include <thread>

int main() {
  int counts[2] = {0, 0};
  double weight = 1.0;
  auto work = [&] {
    for (int i = 0; i < 4; i++) std::atomic_ref<int>(counts[i % 2]).fetch_add(1, std::memory_order_relaxed);
    std::atomic_ref<double>(weight).fetch_add(0.5);
  };
  std::thread first(work), second(work);
  first.join();
  second.join();
  assert(counts[0] == 4 && counts[1] == 4 && weight == 2.0);
  std::atomic_ref<int> ref(counts[0]);
  int expected = 4;
  assert(ref.compare_exchange_strong(expected, 40) && counts[0] == 40);
  assert(ref.is_lock_free());
  return 0;
}
