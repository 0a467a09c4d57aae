// SPDX-License-Identifier: Apache-2.0
// Atomics of 1, 2, 4 and 8 bytes count exactly from two threads and do not touch their neighbours.
// heddle: expect exit 0
// heddle: schedules all
// heddle: contains rmw >=8
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

struct Packed {
  std::atomic<uint8_t> one{250};
  std::atomic<uint8_t> neighbour{7};
  std::atomic<uint16_t> two{65534};
  std::atomic<uint32_t> four{0xfffffffe};
  std::atomic<uint64_t> eight{0xffffffffffffull};
} packed;

int main() {
  auto count = [] {
    packed.one += 3;
    packed.two++;
    packed.four.fetch_add(2);
    packed.eight.fetch_add(1ull << 48);
  };
  std::thread first(count), second(count);
  first.join();
  second.join();
  assert(packed.one == 0 && packed.neighbour == 7);
  assert(packed.two == 0 && packed.four == 2);
  assert(packed.eight == 0x2ffffffffffffull);
  static_assert(std::atomic<uint64_t>::is_always_lock_free);
  return 0;
}
