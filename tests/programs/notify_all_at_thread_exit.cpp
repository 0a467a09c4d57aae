// SPDX-License-Identifier: Apache-2.0
// notify_all_at_thread_exit unlocks and notifies only after the thread's thread_locals are destroyed.
// heddle: expect exit 0
// heddle: schedules all
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable ended;
bool ready = false, destroyed = false;

struct Mark {
  void touch() {}
  ~Mark() { destroyed = true; }
};
thread_local Mark mark;

int main() {
  std::thread thread([] {
    mark.touch();
    std::unique_lock<std::mutex> lock(mutex);
    ready = true;
    std::notify_all_at_thread_exit(ended, std::move(lock));
  });
  {
    std::unique_lock<std::mutex> lock(mutex);
    ended.wait(lock, [] { return ready; });
    assert(destroyed);
  }
  thread.join();
  return 0;
}
