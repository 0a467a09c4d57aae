// SPDX-License-Identifier: Apache-2.0
//
// A cache that is filled when it is first asked. Both the question whether there
// is an entry and the insertion hold the lock, but nothing holds it in between: two
// threads may both find nothing, and both do the work.
#include <cassert>
#include <map>
#include <mutex>
#include <thread>

namespace {

std::mutex lock;
std::map<int, int> cache;
int computed = 0;

bool contains(int key) {
  const std::lock_guard guard(lock);
  return cache.contains(key);
}

void insert(int key, int value) {
  const std::lock_guard guard(lock);
  cache[key] = value;
  ++computed;
}

void ask(int key) {
  if (!contains(key)) insert(key, key * key);
}

}  // namespace

int main() {
  std::thread other([] { ask(7); });
  ask(7);
  other.join();
  assert(computed == 1);
  return 0;
}
