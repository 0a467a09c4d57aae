// SPDX-License-Identifier: Apache-2.0
//
// Memory for tables that are looked into at random places: in large pages where the system has them,
// so that most looks do not have to find the page first.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>

#include "base/check.h"

namespace heddle::check::learn {

inline constexpr size_t kLargePage = size_t{1} << 21;

struct FreeMemory {
  void operator()(void* memory) const { std::free(memory); }
};
template <typename Item>
using LargeMemory = std::unique_ptr<Item[], FreeMemory>;

// Not initialised. Less than `least` bytes, and less than a large page, are ordinary memory.
template <typename Item>
LargeMemory<Item> large_memory(size_t count, size_t least = kLargePage) {
  const size_t bytes = count * sizeof(Item);
  const bool is_large = bytes >= std::max(least, kLargePage);
  void* const memory =
      is_large ? std::aligned_alloc(kLargePage, (bytes + kLargePage - 1) & ~(kLargePage - 1)) : std::malloc(bytes);
  HEDDLE_CHECK(memory, "there is memory for a table");
  if (is_large) madvise(memory, bytes, MADV_HUGEPAGE);  // a wish
  return LargeMemory<Item>(static_cast<Item*>(memory));
}

}  // namespace heddle::check::learn
