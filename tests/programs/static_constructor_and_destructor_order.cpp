// SPDX-License-Identifier: Apache-2.0
// Static objects are built in order of definition before main and destroyed in reverse after it.
// heddle: expect exit 0
// heddle: stdout +one
// heddle: stdout +two
// heddle: stdout main
// heddle: stdout +local
// heddle: stdout ~local
// heddle: stdout handler
// heddle: stdout ~two
// heddle: stdout ~one
// heddle: schedules all
#include <cstdio>
#include <cstdlib>

struct Speaker {
  const char* name;
  explicit Speaker(const char* n) : name(n) { std::printf("+%s\n", name); }
  ~Speaker() { std::printf("~%s\n", name); }
};

Speaker one("one");
Speaker two("two");

int main() {
  std::puts("main");
  std::atexit([] { std::puts("handler"); });
  static Speaker local("local");
  return 0;
}
