// SPDX-License-Identifier: Apache-2.0
//
// What the wrappers of synchronisation share. Each calls the C library's own
// function and writes down that it did, with a number among all threads. An
// operation that lets others go on (unlock, post, create) is numbered before it
// happens, one that waits (lock, join) after, so that the numbers agree with
// what really came first.
#pragma once

#include <dlfcn.h>
#include <errno.h>

#include "log.h"

// The function that the one of this name wraps, as real_NAME.
#define HEDDLE_REAL(name) static const auto real_##name = reinterpret_cast<decltype(&name)>(dlsym(RTLD_NEXT, #name))

namespace heddle::free_run {

inline bool running() { return g_channel != nullptr; }

inline void log_sync(uint8_t kind, const volatile void* object, uint64_t value = 0, uint8_t flags = 0) {
  Log& log = own_log();
  record_numbered(log, kind, flags, log.site, reinterpret_cast<uint64_t>(object), value);
}

inline uint8_t failed_or_timed_out(int error) {
  return error == ETIMEDOUT ? HEDDLE_FLAG_TIMEOUT : error ? HEDDLE_FLAG_FAILED : 0;
}

}  // namespace heddle::free_run
