// SPDX-License-Identifier: Apache-2.0
// An exception that reaches a noexcept boundary ends the program, although a handler waits further out.
// heddle: expect exception std::runtime_error
// heddle: schedules all
#include <stdexcept>

static void fail(int n) {
  if (n > 0) throw std::runtime_error("broken promise");
}

static void promise_not_to_throw(int n) noexcept { fail(n); }

int main(int argc, char**) {
  try {
    promise_not_to_throw(argc);
  } catch (const std::runtime_error&) {
    return 1;
  }
  return 0;
}
