// SPDX-License-Identifier: Apache-2.0
// Every fetch operation returns the old value and stores the new one: add, sub, and, or, xor, exchange.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains rmw >=12
#include <atomic>
#include <cassert>

int main() {
  std::atomic<unsigned> a{12};
  assert(a.fetch_add(5) == 12 && a == 17);
  assert(a.fetch_sub(1) == 17 && a == 16);
  assert(a.fetch_or(3) == 16 && a == 19);
  assert(a.fetch_and(6) == 19 && a == 2);
  assert(a.fetch_xor(7) == 2 && a == 5);
  assert(a.exchange(100) == 5 && a == 100);
  assert(++a == 101 && a++ == 101 && --a == 101 && a-- == 101);
  assert((a += 10) == 110 && (a -= 10) == 100 && (a &= 6) == 4 && (a |= 1) == 5 && (a ^= 1) == 4);
  int cells[4] = {0, 1, 2, 3};
  std::atomic<int*> p{cells};
  assert(p.fetch_add(3) == cells && *p == 3);
  assert(p.fetch_sub(1) == cells + 3 && *p.load() == 2);
  assert(*++p == 3);
  assert(__atomic_fetch_nand(&cells[0], 0, __ATOMIC_SEQ_CST) == 0 && cells[0] == -1);
  std::atomic<bool> flag{false};
  assert(!flag.exchange(true) && flag);
  return 0;
}
