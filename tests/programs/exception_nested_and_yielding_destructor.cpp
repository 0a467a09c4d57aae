// SPDX-License-Identifier: Apache-2.0
// A destructor that runs during unwinding blocks on a mutex and throws and catches inside; the outer one survives.
// heddle: expect exit 0
// heddle: schedules all
#include <cassert>
#include <exception>
#include <mutex>
#include <thread>

std::mutex mutex;
int cleaned = 0;

struct Cleaner {
  ~Cleaner() {
    std::lock_guard<std::mutex> guard(mutex);
    assert(std::uncaught_exceptions() == 1);
    try {
      throw 1L;
    } catch (long) {
      cleaned++;
    }
    assert(std::uncaught_exceptions() == 1);
  }
};

void work(int n) {
  try {
    Cleaner cleaner;
    throw n;
  } catch (int caught) {
    assert(caught == n);
  }
}

int main() {
  std::thread first(work, 1), second(work, 2);
  first.join();
  second.join();
  assert(cleaned == 2);
  return 0;
}
