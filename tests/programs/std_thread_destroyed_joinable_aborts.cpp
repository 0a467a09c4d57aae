// SPDX-License-Identifier: Apache-2.0
// A std::thread that is destroyed while joinable calls std::terminate.
// heddle: expect abort
// heddle: schedules all
#include <mutex>
#include <thread>

std::mutex mutex;

void start_and_forget() {
  std::thread thread([] { std::lock_guard<std::mutex> guard(mutex); });
}

int main() {
  std::lock_guard<std::mutex> guard(mutex);
  start_and_forget();
  return 0;
}
