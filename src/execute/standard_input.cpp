// SPDX-License-Identifier: Apache-2.0
#include "execute/standard_input.h"

#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace heddle::execute {
namespace {

constexpr int kPatience = 200;  // milliseconds until a silent pipe counts as empty

bool copy(int to) {
  char buffer[1 << 16];
  for (;;) {
    const ssize_t got = ::read(0, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return got == 0;
    for (ssize_t done = 0; done < got;) {
      const ssize_t part = ::write(to, buffer + done, static_cast<size_t>(got - done));
      if (part < 0) return false;
      done += part;
    }
  }
}

int read_input() {
  struct stat input{};
  if (::fstat(0, &input) != 0) return -1;
  if (S_ISREG(input.st_mode)) return 0;
  if (!S_ISFIFO(input.st_mode) && !S_ISSOCK(input.st_mode)) return -1;
  pollfd watched{0, POLLIN, 0};
  if (::poll(&watched, 1, kPatience) <= 0 || !(watched.revents & POLLIN)) return -1;
  const int file = ::memfd_create("heddle-input", MFD_CLOEXEC);
  if (file < 0 || !copy(file)) return -1;
  return file;
}

}  // namespace

int rereadable_standard_input() {
  static const int input = read_input();  // it can be read only once
  return input;
}

}  // namespace heddle::execute
