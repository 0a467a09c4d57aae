// SPDX-License-Identifier: Apache-2.0
//
// An exception ends the locals of a function while stores to them still wait in the
// buffer; what the learned threads do then is left to another reduction.
//
// heddle-check: sc=holds
// heddle-check: tso=holds pso=holds instead=mcr
#include <cassert>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>

int main() {
  std::exception_ptr carried;
  std::thread([&] {
    try {
      throw std::out_of_range("7");
    } catch (...) {
      carried = std::current_exception();
    }
  }).join();
  int caught = 0;
  auto rethrow = [&caught](std::exception_ptr pointer, int weight) {
    try {
      std::rethrow_exception(pointer);
    } catch (const std::out_of_range& error) {
      assert(std::string(error.what()) == "7");
      caught += weight;
    }
  };
  rethrow(carried, 1);
  std::thread(rethrow, carried, 10).join();
  assert(caught == 11);
}
