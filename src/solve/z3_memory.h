// SPDX-License-Identifier: Apache-2.0
//
// Z3 takes large blocks for each question and releases them after it. By default the
// C library gives such blocks back to the system at once, and clearing new pages then
// costs more than the small questions themselves. So released memory is kept.
#pragma once

#include <malloc.h>

namespace heddle::solve {

// For the whole process; calling it again does nothing new.
inline void keep_released_memory() {
  constexpr int kLargestBlock = 32 << 20;  // more is not accepted
  constexpr int kMostUnused = 512 << 20;
  mallopt(M_MMAP_THRESHOLD, kLargestBlock);
  mallopt(M_TRIM_THRESHOLD, kMostUnused);
}

}  // namespace heddle::solve
