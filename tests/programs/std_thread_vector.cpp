// SPDX-License-Identifier: Apache-2.0
// A growing std::vector of threads: each is moved on reallocation and joined in the end.
// heddle: expect exit 0
// heddle: stdout 0 1 4 9 16
// heddle: schedules all
#include <iostream>
#include <thread>
#include <vector>

int main() {
  std::vector<int> squares(5);
  std::vector<std::thread> threads;
  for (int i = 0; i < 5; i++) {
    threads.emplace_back([&squares, i] { squares[i] = i * i; });
  }
  for (auto& thread : threads) thread.join();
  for (int i = 0; i < 5; i++) std::cout << (i ? " " : "") << squares[i];
  std::cout << std::endl;
  return 0;
}
