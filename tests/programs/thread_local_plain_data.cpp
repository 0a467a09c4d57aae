// SPDX-License-Identifier: Apache-2.0
// A thread_local of plain data is a separate variable in every thread, with its own address.
// heddle: expect exit 0
// heddle: schedules all
#include <cassert>
#include <thread>

thread_local int counter = 100;
thread_local int array[3] = {1, 2, 3};
int* addresses[2];

void work(int me) {
  addresses[me] = &counter;
  for (int i = 0; i <= me; i++) {
    counter++;
    array[i] += 10;
    std::this_thread::yield();
  }
  assert(counter == 101 + me);
  assert(array[0] == 11 && array[1] == (me == 1 ? 12 : 2) && array[2] == 3);
}

int main() {
  counter = 7;
  int* shared = &counter;
  std::thread first(work, 0);
  std::thread second(work, 1);
  std::thread writer([shared] { assert(shared != &counter); });
  first.join();
  second.join();
  writer.join();
  assert(addresses[0] != shared && addresses[1] != shared);
  assert(counter == 7 && array[0] == 1);
  return 0;
}
