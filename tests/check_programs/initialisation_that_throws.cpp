// SPDX-License-Identifier: Apache-2.0
//
// std::call_once: a function that throws has not done it, and the next thread
// calls it again.
//
// heddle-check: all=holds
#include <cassert>
#include <mutex>
#include <thread>

static std::once_flag once;
static int tries;
static bool is_done;

static void initialise() {
  if (++tries == 1) throw tries;
  is_done = true;
}

static void use() {
  try {
    std::call_once(once, initialise);
    assert(is_done);
  } catch (int) {
  }
}

int main() {
  std::thread other(use);
  use();
  other.join();
  assert(is_done && tries == 2);
}
