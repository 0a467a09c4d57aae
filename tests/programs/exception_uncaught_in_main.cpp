// SPDX-License-Identifier: Apache-2.0
// An exception that leaves main ends the program, while another thread is blocked.
// heddle: expect exception std::out_of_range
// heddle: schedules all
#include <semaphore>
#include <thread>
#include <vector>

std::binary_semaphore never(0);

int main() {
  std::jthread thread([] { never.acquire(); });
  std::vector<int> empty;
  return empty.at(3);
}
