// SPDX-License-Identifier: Apache-2.0
// Compiled for optimisation, the frontend adds bodies of library templates that
// are never made into code; what the library does must be seen all the same.
// heddle: expect exit 0
// heddle: schedules all
// heddle: cflags -O2
// heddle: contains extern-call
#include <cassert>
#include <sstream>
#include <string>
#include <thread>

static std::string shared_text;

int main() {
  std::thread writer([] {
    std::ostringstream text;
    text << "number " << 7 << " and more than fits into a small string";
    shared_text = text.str();
  });
  writer.join();
  assert(shared_text == "number 7 and more than fits into a small string");
  return 0;
}
