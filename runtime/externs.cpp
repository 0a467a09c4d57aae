// SPDX-License-Identifier: Apache-2.0
//
// Calls of code without bitcode: visible operations, after which memory is
// compared with what Heddle knows of it (tracked.h).
#include <link.h>

#include "access.h"
#include "recorder.h"

using namespace heddle::rt;

namespace {

uint64_t g_text_start, g_text_end;  // code of the program itself

int find_program_text(dl_phdr_info* info, size_t, void*) {
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD || !(header.p_flags & PF_X)) continue;
    g_text_start = info->dlpi_addr + header.p_vaddr;
    g_text_end = g_text_start + header.p_memsz;
  }
  return 1;  // the program comes first
}

}  // namespace

HEDDLE_EXPORT void __heddle_extern_begin(const char* function, uint32_t site) {
  Thread& self = *g.current;
  announce(self, HEDDLE_EXTERN_CALL, 0, site);
  take_turn(self);
  g.libraries_dirty = true;
  record(self);
  note_progress(self);
  self.extern_function = function;
  ++self.extern_depth;
}

HEDDLE_EXPORT void __heddle_extern_end(const char*, uint32_t site) {
  Thread& self = *g.current;
  --self.extern_depth;
  if (g_tracking) record_untracked_writes(self, site);
}

HEDDLE_EXPORT uint32_t __heddle_indirect_begin(const void* callee, uint32_t site) {
  if (!g_text_end) dl_iterate_phdr(find_program_text, nullptr);
  const uint64_t address = reinterpret_cast<uint64_t>(callee);
  if (address >= g_text_start && address < g_text_end) return 0;
  __heddle_extern_begin("a function called through a pointer", site);
  return 1;
}
