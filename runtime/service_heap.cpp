// SPDX-License-Identifier: Apache-2.0
#include "service_heap.h"

#include <stdint.h>

#include "support.h"

namespace heddle::rt {
namespace {

constexpr size_t kSpan = 64ull << 20;
char* g_start;
size_t g_used;

}  // namespace

void use_service_heap() { g_start = static_cast<char*>(runtime_memory(kSpan)); }
bool service_heap_in_use() { return g_start != nullptr; }

void* service_allocate(size_t size, size_t alignment) {
  if (alignment < 16) alignment = 16;
  const uint64_t base = reinterpret_cast<uint64_t>(g_start);
  for (;;) {
    size_t used = __atomic_load_n(&g_used, __ATOMIC_RELAXED);
    const uint64_t block = (base + used + 16 + alignment - 1) & ~(alignment - 1);
    const size_t after = block + size - base;
    if (after > kSpan) runtime_broken("out of memory beside the runs");
    if (!__atomic_compare_exchange_n(&g_used, &used, after, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) continue;
    reinterpret_cast<size_t*>(block)[-1] = size;
    return reinterpret_cast<void*>(block);
  }
}

bool from_service_heap(const void* block) {
  return g_start && static_cast<size_t>(static_cast<const char*>(block) - g_start) < kSpan;
}

size_t service_block_size(const void* block) { return static_cast<const size_t*>(block)[-1]; }

}  // namespace heddle::rt
