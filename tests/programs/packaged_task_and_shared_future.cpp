// SPDX-License-Identifier: Apache-2.0
// A packaged_task run in a thread fills a shared_future that several threads read.
// heddle: expect exit 0
// heddle: schedules all
#include <cassert>
#include <future>
#include <thread>
#include <utility>

int main() {
  std::packaged_task<int(int, int)> task([](int a, int b) { return a * b; });
  std::shared_future<int> product = task.get_future().share();
  int seen[2] = {0, 0};
  std::thread first([product, &seen] { seen[0] = product.get(); });
  std::thread second([product, &seen] { seen[1] = product.get() + 1; });
  std::thread runner(std::move(task), 6, 7);
  runner.join();
  first.join();
  second.join();
  assert(seen[0] == 42 && seen[1] == 43);
  std::packaged_task<void()> throwing([] { throw 3; });
  std::future<void> thrown = throwing.get_future();
  throwing();
  int caught = 0;
  try {
    thrown.get();
  } catch (int n) {
    caught = n;
  }
  assert(caught == 3);
  return 0;
}
