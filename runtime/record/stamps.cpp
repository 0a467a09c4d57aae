// SPDX-License-Identifier: Apache-2.0
//
// Sparse time stamps: one for each word of a path, one when a thread begins and one when it ends. The
// counter is read when all loads before it are done, and before any after it; stores may still be on
// their way to memory, which is what the margin is for (HeddleRecording::stamp_margin).
#include <x86intrin.h>

#include "record.h"

namespace heddle::record_run {

void stamp(HeddlePath& record, uint32_t where) {
  if (!g_recording->stamps) return;
  _mm_lfence();
  const uint64_t time = __rdtsc();
  _mm_lfence();
  note(record, HEDDLE_NOTE_STAMP, where, &time, 1);
}

}  // namespace heddle::record_run
