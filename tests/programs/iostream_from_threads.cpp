// SPDX-License-Identifier: Apache-2.0
// std::cout and string streams used from threads in turn, with manipulators.
// heddle: expect exit 0
// heddle: stdout n=0 0x0 1.50
// heddle: stdout n=1 0x10 2.50
// heddle: schedules all
#include <iomanip>
#include <iostream>
#include <sstream>
#include <thread>

static void work(int n) {
  std::ostringstream line;
  line << "n=" << n << " 0x" << std::hex << n * 16 << std::dec << " " << std::fixed << std::setprecision(2) << n + 1.5;
  std::cout << line.str() << std::endl;
}

int main() {
  for (int n = 0; n < 2; n++) {
    std::thread thread(work, n);
    thread.join();
  }
  return std::cout.good() ? 0 : 1;
}
