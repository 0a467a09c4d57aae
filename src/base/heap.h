// SPDX-License-Identifier: Apache-2.0
//
// How the C library gets memory from the system. By default it gives large blocks back
// at once, and clearing new pages then costs more than small questions to Z3 themselves;
// and the memory of a second thread grows page by page, with a call of the system for each.
// So released memory is kept, and memory is asked for in large pieces; pages of them that
// nobody uses cost nothing.
#pragma once

#include <malloc.h>

namespace heddle::base {

// For the whole process; calling it again does nothing new.
inline void keep_released_memory() {
  constexpr int kLargestBlock = 32 << 20;  // more is not accepted
  constexpr int kMostUnused = 512 << 20;
  constexpr int kPiece = 64 << 20;  // the most that a thread's memory grows by
  mallopt(M_MMAP_THRESHOLD, kLargestBlock);
  mallopt(M_TRIM_THRESHOLD, kMostUnused);
  mallopt(M_TOP_PAD, kPiece);
}

}  // namespace heddle::base
