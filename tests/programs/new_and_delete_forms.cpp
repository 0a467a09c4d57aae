// SPDX-License-Identifier: Apache-2.0
// new, new[], aligned, nothrow and placement new with their deletes; constructors and destructors pair up.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains alloc >=8
// heddle: contains free >=8
#include <atomic>
#include <cassert>
#include <cstdint>
#include <memory>
#include <new>
#include <thread>

std::atomic<int> alive{0};

struct Small {
  int value = 1;
  Small() { alive++; }
  ~Small() { alive--; }
};
struct alignas(128) Wide {
  char bytes[128] = {};
};

void work() {
  Small* one = new Small;
  Small* many = new Small[3];
  Wide* wide = new Wide;
  Small* quiet = new (std::nothrow) Small;
  assert(reinterpret_cast<uintptr_t>(wide) % 128 == 0);
  delete one;
  delete[] many;
  delete wide;
  delete quiet;
  alignas(Small) unsigned char room[sizeof(Small)];
  Small* placed = new (room) Small;
  placed->~Small();
  auto owned = std::make_unique<Small>();
}

int main() {
  std::thread first(work), second(work);
  first.join();
  second.join();
  assert(alive == 0);
  return 0;
}
