// SPDX-License-Identifier: Apache-2.0
#include "support.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "real.h"

namespace heddle::rt {

void* runtime_memory(size_t bytes) {
  void* memory = real.mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) runtime_broken("out of memory");
  return memory;
}

// errno is the program's: whoever calls these may do so in the middle of its code.
void futex_wait(const uint32_t* word, uint32_t expected) {
  const int error = errno;
  real.syscall(SYS_futex, word, FUTEX_WAIT, expected, nullptr, nullptr, 0);
  errno = error;
}

void futex_wake(const uint32_t* word) {
  const int error = errno;
  real.syscall(SYS_futex, word, FUTEX_WAKE, 0x7fffffff, nullptr, nullptr, 0);
  errno = error;
}

void runtime_broken(const char* what) {
  Text text;
  text.add("heddle: internal error in the target: ").add(what).add("\n");
  (void)!real.write(2, text.c_str(), text.size());
  real.syscall(SYS_exit_group, 70);
  __builtin_unreachable();
}

Text& Text::add(const char* text) {
  while (*text && size_ + 1 < sizeof bytes_) bytes_[size_++] = *text++;
  return *this;
}

Text& Text::add(uint64_t number) {
  char digits[21];
  size_t at = sizeof digits;
  digits[--at] = 0;
  do digits[--at] = static_cast<char>('0' + number % 10);
  while (number /= 10);
  return add(digits + at);
}

}  // namespace heddle::rt
