// SPDX-License-Identifier: Apache-2.0
// An impossible size throws std::bad_alloc (or returns null where asked), and a throwing constructor frees.
// heddle: expect exit 0
// heddle: schedules all
#include <cassert>
#include <cstddef>
#include <new>

struct Throwing {
  Throwing() { throw 5; }
  char room[64];
};

int main() {
  volatile std::size_t huge = static_cast<std::size_t>(1) << 62;
  bool caught = false;
  try {
    char* block = new char[huge];
    delete[] block;
  } catch (const std::bad_alloc&) {
    caught = true;
  }
  assert(caught);
  assert(new (std::nothrow) char[huge] == nullptr);
  int number = 0;
  try {
    new Throwing;
  } catch (int n) {
    number = n;
  }
  assert(number == 5);
  return 0;
}
