// SPDX-License-Identifier: Apache-2.0
// Joining a thread that is not joinable throws std::system_error, which can be caught.
// heddle: expect exit 0
// heddle: schedules all
#include <cassert>
#include <system_error>
#include <thread>

static bool join_throws(std::thread& thread) {
  try {
    thread.join();
    return false;
  } catch (const std::system_error& error) {
    return error.code() == std::errc::invalid_argument;
  }
}

int main() {
  std::thread none;
  assert(join_throws(none));
  std::thread thread([] {});
  thread.join();
  assert(join_throws(thread));
  std::thread detached([] {});
  detached.detach();
  assert(!detached.joinable() && join_throws(detached));
  return 0;
}
