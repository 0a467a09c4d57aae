// SPDX-License-Identifier: Apache-2.0
//
// What shared memory held when Heddle last saw it.
//
// Code without bitcode writes memory that no hook sees. So every word that a
// hook has read or written is remembered with its value; after a call of an
// unknown function the words are compared, and what has changed becomes a write
// of that call (EXTERN_WRITE). A word that changed without such a call, or that
// is found changed when it is next read, is reported the same way.
//
// The program's module says whether it calls any unknown function; if not, none
// of this is done.
#pragma once

#include "state.h"

namespace heddle::rt {

extern bool g_tracking;

void tracked_begin(bool program_calls_unknown_functions);
void remember(uint64_t address, uint32_t size, uint64_t value);
void compare_read(Thread& self, uint64_t address, uint32_t size, uint64_t value);

// An unknown function has returned: records what it changed.
void record_untracked_writes(Thread& self, uint32_t site);

// Memory that begins or ends its life holds nothing known.
void forget(uint64_t address, uint64_t size);

inline void track_write(uint64_t address, uint32_t size, uint64_t value) {
  if (HEDDLE_UNLIKELY(g_tracking)) remember(address, size, value);
}

inline void track_read(Thread& self, uint64_t address, uint32_t size, uint64_t value) {
  if (HEDDLE_UNLIKELY(g_tracking)) compare_read(self, address, size, value);
}

}  // namespace heddle::rt
