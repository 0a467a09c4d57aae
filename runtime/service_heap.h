// SPDX-License-Identifier: Apache-2.0
//
// malloc for what happens between and beside runs (creating operating-system
// threads, for one): from memory of the runtime, never reused, so that
// restoring the C library's data cannot confuse its allocator.
#pragma once

#include <stddef.h>

namespace heddle::rt {

// From now on calls of malloc outside of a run are served from here.
void use_service_heap();
bool service_heap_in_use();
void* service_allocate(size_t size, size_t alignment);
bool from_service_heap(const void* block);
size_t service_block_size(const void* block);

}  // namespace heddle::rt
