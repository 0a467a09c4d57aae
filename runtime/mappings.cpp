// SPDX-License-Identifier: Apache-2.0
#include "mappings.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "failure.h"
#include "heap.h"
#include "real.h"
#include "scheduler.h"
#include "spin.h"
#include "sync_objects.h"
#include "tracked.h"

namespace heddle::rt {
namespace {

constexpr size_t kPage = 4096;

struct Mapping {
  char* start;
  size_t size;
  bool is_shared;
};
Stack<Mapping> g_mappings;

size_t whole_pages(size_t size) { return (size + kPage - 1) & ~(kPage - 1); }

bool make_plain(const Mapping& mapping) {
  return real.mmap(mapping.start, mapping.size, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == mapping.start;
}

void* map(size_t size, int protection, int flags, int file, off_t offset) {
  Thread& self = *g.current;
  const size_t bytes = whole_pages(size);
  char* block = static_cast<char*>(program_allocate(self, bytes, kPage, HEDDLE_ALLOCATOR_MAP, self.site));
  if (!block) return MAP_FAILED;
  // The allocation is visible already; the pages come now, before anybody else runs.
  if (real.mmap(block, bytes, protection, flags | MAP_FIXED, file, offset) != block) return MAP_FAILED;
  g_mappings.push({block, bytes, (flags & MAP_SHARED) != 0});
  return block;
}

}  // namespace

bool in_shared_mapping(uint64_t address) {
  for (uint32_t i = 0; i < g_mappings.count; ++i) {
    const Mapping& mapping = g_mappings.items[i];
    if (mapping.is_shared && address - reinterpret_cast<uint64_t>(mapping.start) < mapping.size) return true;
  }
  return false;
}

bool shares_sync_objects() {
  for (uint32_t i = 0; i < g_mappings.count; ++i) {
    const Mapping& mapping = g_mappings.items[i];
    if (mapping.is_shared && has_sync_objects(reinterpret_cast<uint64_t>(mapping.start), mapping.size)) return true;
  }
  return false;
}

void reset_mappings() {
  while (g_mappings.count) make_plain(g_mappings.pop());
}

}  // namespace heddle::rt

using namespace heddle::rt;

HEDDLE_EXPORT void* mmap(void* wanted, size_t size, int protection, int flags, int file, off_t offset) {
  find_real_functions();
  if (!modelled() || !size) return real.mmap(wanted, size, protection, flags, file, offset);
  if (flags & (MAP_FIXED | MAP_FIXED_NOREPLACE)) unsupported("mmap at a fixed address");
  return map(size, protection, flags, file, offset);
}

HEDDLE_EXPORT void* mmap64(void* wanted, size_t size, int protection, int flags, int file, off_t offset) {
  return mmap(wanted, size, protection, flags, file, offset);
}

HEDDLE_EXPORT int munmap(void* start, size_t size) {
  find_real_functions();
  for (uint32_t i = 0; modelled() && i < g_mappings.count; ++i) {
    const Mapping mapping = g_mappings.items[i];
    if (mapping.start != start) continue;
    if (mapping.size != whole_pages(size)) unsupported("munmap of a part of a mapping");
    program_release(*g.current, start, HEDDLE_ALLOCATOR_MAP, g.current->site);
    forget(reinterpret_cast<uint64_t>(start), mapping.size);
    return make_plain(mapping) ? 0 : -1;
  }
  return real.munmap(start, size);
}

HEDDLE_EXPORT void* mremap(void*, size_t, size_t, int, ...) { unsupported("mremap"); }
