// SPDX-License-Identifier: Apache-2.0
// Destructors of thread_locals run when their thread ends, in reverse order of construction, before join returns.
// heddle: expect exit 0
// heddle: stdout start
// heddle: stdout ~second
// heddle: stdout ~first
// heddle: stdout joined
// heddle: schedules all
#include <cstdio>
#include <thread>

struct Speaker {
  const char* name;
  explicit Speaker(const char* n) : name(n) {}
  ~Speaker() { std::printf("~%s\n", name); }
};

int main() {
  std::thread thread([] {
    thread_local Speaker first("first");
    thread_local Speaker second("second");
    std::puts("start");
  });
  thread.join();
  std::puts("joined");
  return 0;
}
