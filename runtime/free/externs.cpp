// SPDX-License-Identifier: Apache-2.0
//
// Calls of code without bitcode in a free run. What Heddle knows of a function is
// written down as accesses; after one that it does not know, which may have
// touched anything, there is an UNTRACKED record without address.
#include <link.h>

#include "abi/hooks.h"
#include "log.h"

using namespace heddle::free_run;

namespace {

struct CodeRange {
  uint64_t begin, end;
};

// The first object of the list is the program itself.
int find_code(dl_phdr_info* object, size_t, void* result) {
  auto* range = static_cast<CodeRange*>(result);
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = object->dlpi_phdr[i];
    if (part.p_type != PT_LOAD || !(part.p_flags & PF_X)) continue;
    const uint64_t begin = object->dlpi_addr + part.p_vaddr;
    if (begin < range->begin) range->begin = begin;
    if (begin + part.p_memsz > range->end) range->end = begin + part.p_memsz;
  }
  return 1;
}

bool in_program_code(uint64_t address) {
  static const CodeRange range = [] {
    CodeRange found = {UINT64_MAX, 0};
    dl_iterate_phdr(find_code, &found);
    return found;
  }();
  return address >= range.begin && address < range.end;
}

}  // namespace

HEDDLE_EXPORT void __heddle_extern_begin(const char*, uint32_t site) {
  record(own_log(), HEDDLE_EXTERN_CALL, 0, 0, 0, site, 0, 0, 0);
}
HEDDLE_EXPORT void __heddle_system_call(uint32_t site) { __heddle_extern_begin(nullptr, site); }

HEDDLE_EXPORT void __heddle_extern_end(const char*, uint32_t site) {
  Log& log = own_log();
  append(log, HeddleRecord{HEDDLE_UNTRACKED, 0, 0, 0, log.number, log.index, site, 0, 0, 0}, 0);
}

HEDDLE_EXPORT uint32_t __heddle_indirect_begin(const void* callee, uint32_t) {
  return in_program_code(reinterpret_cast<uint64_t>(callee)) ? 0 : 1;
}
HEDDLE_EXPORT void __heddle_indirect_end(uint32_t outside, uint32_t site) {
  if (outside) __heddle_extern_end(nullptr, site);
}
