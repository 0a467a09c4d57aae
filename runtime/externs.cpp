// SPDX-License-Identifier: Apache-2.0
//
// Calls of code without bitcode: visible operations, after which memory is
// compared with what Heddle knows of it (tracked.h).
#include "access.h"
#include "outside_state.h"
#include "program_image.h"
#include "recorder.h"

using namespace heddle::rt;

HEDDLE_EXPORT void __heddle_extern_begin(const char* function, uint32_t site) {
  Thread& self = *g.current;
  announce(self, HEDDLE_EXTERN_CALL, 0, site);
  take_turn(self);
  g.libraries_dirty = self.used_foreign_code = true;
  record(self, outside_state(function));
  note_progress(self);
  self.foreign_site = site;
}

HEDDLE_EXPORT void __heddle_system_call(uint32_t site) { g.current->site = site; }

HEDDLE_EXPORT void __heddle_extern_end(const char*, uint32_t site) {
  g.current->foreign_site = 0;
  if (g_tracking) record_untracked_writes(*g.current, site);
}

HEDDLE_EXPORT uint32_t __heddle_indirect_begin(const void* callee, uint32_t site) {
  const uint64_t address = reinterpret_cast<uint64_t>(callee);
  if (in_program_code(address)) return 0;
  if (address < kFirstPage) fail(HEDDLE_FAILURE_NULL, address, 0, "call through a null pointer");
  __heddle_extern_begin("a function called through a pointer", site);
  return 1;
}

HEDDLE_EXPORT void __heddle_indirect_end(uint32_t outside, uint32_t site) {
  if (outside) __heddle_extern_end("", site);
}

HEDDLE_EXPORT void __heddle_range_read(const void* address, size_t size, uint32_t site) {
  char piece[256];
  for (const char* from = static_cast<const char*>(address); size;) {
    const size_t part = size < sizeof piece ? size : sizeof piece;
    __heddle_read(from, piece, part, site);
    from += part, size -= part;
  }
}

HEDDLE_EXPORT void __heddle_string_read(const char* text, uint32_t site) {
  if (text) __heddle_range_read(text, strlen(text) + 1, site);
}

HEDDLE_EXPORT void __heddle_string_written(const char* text, uint32_t site) {
  if (text) __heddle_range_written(text, strlen(text) + 1, site);
}
