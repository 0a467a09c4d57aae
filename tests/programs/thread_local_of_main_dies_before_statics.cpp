// SPDX-License-Identifier: Apache-2.0
// At exit main's thread_locals are destroyed before objects of static storage duration.
// heddle: expect exit 0
// heddle: stdout main
// heddle: stdout ~thread local
// heddle: stdout ~static
// heddle: schedules all
#include <cstdio>

struct Speaker {
  const char* name;
  explicit Speaker(const char* n) : name(n) {}
  ~Speaker() { std::printf("~%s\n", name); }
  void touch() {}
};

thread_local Speaker local("thread local");
Speaker global("static");

int main() {
  local.touch();
  std::puts("main");
  return 0;
}
