// SPDX-License-Identifier: Apache-2.0
//
// Records that are no operations: functions, branches, values.
#include "abi/hooks.h"
#include "recorder.h"

using namespace heddle::rt;

namespace {

// Of the call that is about to happen; no other thread runs before it does. 0: none.
uint32_t call_site = 0;

void append_local(uint8_t kind, uint8_t size, uint32_t site, uint64_t value, uint64_t value2 = 0) {
  const Thread& self = *g.current;
  append(HeddleRecord{kind, size, 0, 0, self.number, self.index, site, 0, value, value2});
}

}  // namespace

HEDDLE_EXPORT void __heddle_calling(uint32_t site) { call_site = site; }
HEDDLE_EXPORT void __heddle_function_enter(const void* function, uint32_t site) {
  append_local(HEDDLE_FUNCTION_ENTER, 0, site, reinterpret_cast<uint64_t>(function), call_site);
  call_site = 0;
}
HEDDLE_EXPORT void __heddle_function_exit(uint32_t site) { append_local(HEDDLE_FUNCTION_EXIT, 0, site, 0); }
HEDDLE_EXPORT void __heddle_branch(uint32_t successor, uint32_t site) {
  append_local(HEDDLE_BRANCH, 0, site, successor);
}
HEDDLE_EXPORT void __heddle_local_value(uint64_t value, uint32_t size, uint32_t site) {
  append_local(HEDDLE_LOCAL_VALUE, static_cast<uint8_t>(size), site, value);
}
