// SPDX-License-Identifier: Apache-2.0
//
// malloc and its family as seen by code without bitcode (the C and C++
// libraries). Before a run they are the C library's own; during a run they
// serve the calling thread's library heap, and blocks of any origin may be
// freed.
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "heap.h"
#include "real.h"
#include "service_heap.h"
#include "state.h"

extern "C" {
void* __libc_malloc(size_t);
void __libc_free(void*);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
}

using namespace heddle::rt;

namespace {

bool ours(const void* block) { return in_slots(reinterpret_cast<uint64_t>(block)); }

bool program_block(const void* block) {
  return ours(block) && offset_in_slot(reinterpret_cast<uint64_t>(block)) < kLibraryHeapOffset;
}

void* allocate(size_t size, size_t alignment) {
  if (modelled()) return library_allocate(size, alignment);
  if (service_heap_in_use()) return service_allocate(size, alignment);
  return alignment ? __libc_memalign(alignment, size) : __libc_malloc(size);
}

void release(void* block, uint32_t allocator) {
  if (!block) return;
  if (!ours(block)) {
    // Blocks from before the first run stay: every run starts with them.
    if (!service_heap_in_use()) __libc_free(block);
  } else if (program_block(block) && modelled()) {
    program_release(*g.current, block, allocator, 0);
  }
}

size_t size_of(void* block) {
  if (ours(block)) return block_size(block);
  if (from_service_heap(block)) return service_block_size(block);
  find_real_functions();
  return real.malloc_usable_size(block);
}

}  // namespace

HEDDLE_EXPORT void* malloc(size_t size) { return allocate(size, 0); }

HEDDLE_EXPORT void free(void* block) { release(block, HEDDLE_ALLOCATOR_MALLOC); }

// operator new and delete as libraries call them.
HEDDLE_EXPORT void* _Znwm(size_t size) { return allocate(size, 0); }
HEDDLE_EXPORT void* _Znam(size_t size) { return allocate(size, 0); }
HEDDLE_EXPORT void _ZdlPv(void* block) { release(block, HEDDLE_ALLOCATOR_NEW); }
HEDDLE_EXPORT void _ZdlPvm(void* block, size_t) { release(block, HEDDLE_ALLOCATOR_NEW); }
HEDDLE_EXPORT void _ZdlPvSt11align_val_t(void* block, size_t) { release(block, HEDDLE_ALLOCATOR_NEW); }
HEDDLE_EXPORT void _ZdaPv(void* block) { release(block, HEDDLE_ALLOCATOR_NEW_ARRAY); }
HEDDLE_EXPORT void _ZdaPvm(void* block, size_t) { release(block, HEDDLE_ALLOCATOR_NEW_ARRAY); }

HEDDLE_EXPORT void* calloc(size_t count, size_t size) {
  size_t total;
  if (__builtin_mul_overflow(count, size, &total)) {
    errno = ENOMEM;
    return nullptr;
  }
  void* block = allocate(total, 0);
  // Memory from a heap of Heddle is fresh, hence zero.
  if (block && !service_heap_in_use()) memset(block, 0, total);
  return block;
}

HEDDLE_EXPORT void* realloc(void* block, size_t size) {
  if (!modelled() && !service_heap_in_use()) return __libc_realloc(block, size);
  if (block && program_block(block) && modelled()) return program_reallocate(*g.current, block, size, 0);
  void* moved = allocate(size, 0);
  if (!moved || !block) return moved;
  const size_t old = size_of(block);
  memcpy(moved, block, old < size ? old : size);
  free(block);
  return moved;
}

HEDDLE_EXPORT void* memalign(size_t alignment, size_t size) { return allocate(size, alignment); }

HEDDLE_EXPORT void* aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
HEDDLE_EXPORT void* valloc(size_t size) { return memalign(4096, size); }
HEDDLE_EXPORT void* pvalloc(size_t size) { return memalign(4096, (size + 4095) & ~4095ull); }

HEDDLE_EXPORT int posix_memalign(void** result, size_t alignment, size_t size) {
  if (alignment < sizeof(void*) || (alignment & (alignment - 1))) return EINVAL;
  void* block = memalign(alignment, size);
  if (!block) return ENOMEM;
  *result = block;
  return 0;
}

HEDDLE_EXPORT size_t malloc_usable_size(void* block) { return block ? size_of(block) : 0; }
