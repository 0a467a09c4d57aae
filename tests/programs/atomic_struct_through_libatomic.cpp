// SPDX-License-Identifier: Apache-2.0
// std::atomic of 16- and 24-byte structs goes through libatomic (a lock or a wide instruction) and stays whole.
// heddle: expect exit 0
// heddle: schedules all
// heddle: cflags -latomic
#include <atomic>
#include <cassert>
#include <thread>

struct Pair {
  long first, second;
};
struct Triple {
  long first, second, third;
};

std::atomic<Pair> pair(Pair{0, 0});
std::atomic<Triple> triple(Triple{0, 0, 0});

int main() {
  auto work = [] {
    for (int i = 0; i < 2; i++) {
      Pair old = pair.load();
      while (!pair.compare_exchange_weak(old, Pair{old.first + 1, old.second + 1})) {
      }
      Triple seen = triple.load();
      assert(seen.first == seen.second && seen.second == seen.third);
      triple.store(Triple{seen.first + 1, seen.first + 1, seen.first + 1});
    }
  };
  std::thread a(work), b(work);
  a.join();
  b.join();
  Pair total = pair.exchange(Pair{9, 9});
  assert(total.first == 4 && total.second == 4);
  assert(triple.load().third >= 2);
  return 0;
}
