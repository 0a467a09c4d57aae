// SPDX-License-Identifier: Apache-2.0
// A function is called twice. Its locals lie in the same place both times, but they are
// other objects: what was destroyed at the end of the first call is not in use in the second.
// heddle: expect exit 0
// heddle: schedules all
#include <pthread.h>

#include <condition_variable>
#include <mutex>
#include <thread>

static int turns;

static void wait_for_another() {
  std::mutex mutex;
  std::condition_variable condition;
  bool is_ready = false;
  std::thread other([&] {
    const std::lock_guard guard(mutex);
    is_ready = true;
    condition.notify_one();
  });
  std::unique_lock lock(mutex);
  condition.wait(lock, [&] { return is_ready; });
  ++turns;
  lock.unlock();
  other.join();
}

static void lock_once() {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  ++turns;
  pthread_mutex_unlock(&mutex);
  pthread_mutex_destroy(&mutex);
}

int main() {
  for (int i = 0; i < 2; ++i) {
    wait_for_another();
    lock_once();
  }
  return turns != 4;
}
