// SPDX-License-Identifier: Apache-2.0
//
// Records that are no operations, in a free run.
#include "abi/hooks.h"
#include "log.h"

using namespace heddle::free_run;

namespace {

void append_local(uint8_t kind, uint8_t size, uint32_t site, uint64_t value) {
  Log& log = own_log();
  append(log, HeddleRecord{kind, size, 0, 0, log.number, log.index, site, 0, value, 0}, 0);
}

}  // namespace

HEDDLE_EXPORT void __heddle_calling(uint32_t) {}  // only controlled runs tell
HEDDLE_EXPORT void __heddle_function_enter(const void* function, uint32_t site) {
  append_local(HEDDLE_FUNCTION_ENTER, 0, site, reinterpret_cast<uint64_t>(function));
}
HEDDLE_EXPORT void __heddle_function_exit(uint32_t site) { append_local(HEDDLE_FUNCTION_EXIT, 0, site, 0); }
HEDDLE_EXPORT void __heddle_branch(uint32_t successor, uint32_t site) {
  append_local(HEDDLE_BRANCH, 0, site, successor);
}
HEDDLE_EXPORT void __heddle_local_value(uint64_t value, uint32_t size, uint32_t site) {
  append_local(HEDDLE_LOCAL_VALUE, static_cast<uint8_t>(size), site, value);
}
