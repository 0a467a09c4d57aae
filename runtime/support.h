// SPDX-License-Identifier: Apache-2.0
//
// Small tools for code inside the target: memory from the kernel, futexes,
// bounded text. Nothing here touches the program's heap or stdio.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace heddle::rt {

// Zeroed memory that is never given back.
void* runtime_memory(size_t bytes);

void futex_wait(const uint32_t* word, uint32_t expected);
void futex_wake(const uint32_t* word);

// Writes to standard error and ends the process with 70. For errors of Heddle
// itself; what a program does wrong is a failure (failure.h).
[[noreturn]] void runtime_broken(const char* what);

// A text built piece by piece in fixed memory; what does not fit is cut.
class Text {
 public:
  Text& add(const char* text);
  Text& add(uint64_t number);
  const char* c_str() const { return bytes_; }
  size_t size() const { return size_; }

 private:
  char bytes_[512] = {};
  size_t size_ = 0;
};

inline bool same_text(const char* a, const char* b) {
  while (*a && *a == *b) ++a, ++b;
  return *a == *b;
}

}  // namespace heddle::rt
