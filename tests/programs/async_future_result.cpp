// SPDX-License-Identifier: Apache-2.0
// std::async with its own thread and deferred; a future delivers the value or the exception once.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains thread-create
#include <cassert>
#include <future>
#include <stdexcept>
#include <thread>

int main() {
  auto here = std::this_thread::get_id();
  auto own_thread = std::async(std::launch::async, [=] { return std::this_thread::get_id() != here; });
  auto lazy = std::async(std::launch::deferred, [=] { return std::this_thread::get_id() == here; });
  auto fails = std::async(std::launch::async, []() -> int { throw std::runtime_error("no value"); });
  assert(lazy.wait_for(std::chrono::seconds(0)) == std::future_status::deferred);
  assert(own_thread.get());
  assert(lazy.get());
  assert(!lazy.valid());
  bool caught = false;
  try {
    fails.get();
  } catch (const std::runtime_error& error) {
    caught = std::string(error.what()) == "no value";
  }
  assert(caught);
  return 0;
}
