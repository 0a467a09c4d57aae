// SPDX-License-Identifier: Apache-2.0
//
// Atomic operations on locals that no other thread sees, each time made anew by an ordinary store.
//
// agree: holds
#include <atomic>
#include <cassert>

static int count(int from) {
  int value = from;
  __atomic_fetch_add(&value, 1, __ATOMIC_SEQ_CST);
  std::atomic<int> other{value};
  other.fetch_add(1);
  return other.load();
}

int main() {
  assert(count(1) == 3);
  assert(count(5) == 7);
  return 0;
}
