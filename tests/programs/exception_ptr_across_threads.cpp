// SPDX-License-Identifier: Apache-2.0
// An exception_ptr carries an exception out of its thread; it is rethrown where it is wanted, even twice.
// heddle: expect exit 0
// heddle: schedules all
#include <cassert>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>

int main() {
  std::exception_ptr carried;
  std::thread([&] {
    try {
      throw std::out_of_range("index 7");
    } catch (...) {
      carried = std::current_exception();
    }
  }).join();
  assert(carried);
  int caught = 0;
  auto rethrow = [&caught](std::exception_ptr pointer, int weight) {
    try {
      std::rethrow_exception(pointer);
    } catch (const std::out_of_range& error) {
      assert(std::string(error.what()) == "index 7");
      caught += weight;
    }
  };
  rethrow(carried, 1);
  std::thread(rethrow, carried, 10).join();
  assert(caught == 11);
  return 0;
}
