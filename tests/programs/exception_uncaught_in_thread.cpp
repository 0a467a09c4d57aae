// SPDX-License-Identifier: Apache-2.0
// An exception that leaves a thread's function ends the program.
// heddle: expect exception std::runtime_error
// heddle: schedules all
#include <stdexcept>
#include <thread>

static void work() { throw std::runtime_error("nobody catches this"); }

int main() {
  std::thread thread(work);
  thread.join();
  return 0;
}
