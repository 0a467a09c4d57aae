// SPDX-License-Identifier: Apache-2.0
// std::barrier runs its completion once per phase, after all arrived and before anyone leaves.
// heddle: expect exit 0
// heddle: schedules all
#include <barrier>
#include <cassert>
#include <thread>
#include <vector>

int phases = 0, cells[3] = {1, 2, 3}, total = 0;

struct Completion {
  void operator()() noexcept {
    phases++;
    total = cells[0] + cells[1] + cells[2];
  }
};

int main() {
  std::barrier<Completion> barrier(3, Completion());
  auto work = [&](int i) {
    barrier.arrive_and_wait();
    assert(phases == 1 && total == 6);
    cells[i] *= 2;
    barrier.arrive_and_wait();
    assert(phases == 2 && total == 12);
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; i++) threads.emplace_back(work, i);
  for (auto& thread : threads) thread.join();
  assert(phases == 2);
  return 0;
}
