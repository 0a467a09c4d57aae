// SPDX-License-Identifier: Apache-2.0
//
// Checks of the values that a thread reads. The program's code collects them in a word of the thread's record;
// here a word that is full becomes a note. As with the path, it is in the chunk before it is gone from the
// record, and counted after that: a reader that finds it in both counts it once.
#include "record.h"

using namespace heddle::record_run;

HEDDLE_EXPORT __attribute__((preserve_most)) void __heddle_values_full(uint64_t word) {
  HeddlePath* record = own_record();
  if (record == &__heddle_no_path) {
    __atomic_store_n(&record->values, uint64_t{0}, __ATOMIC_RELAXED);
    recorded_thread();
    return;
  }
  if (g_recording) {
    const uint64_t words[] = {HEDDLE_NOTE_HEAD(HEDDLE_NOTE_VALUES, 1, 0), word};
    append(*record, HEDDLE_STREAM_NOTES, words, 2);
  }
  __atomic_store_n(&record->values, HEDDLE_VALUES_EMPTY, __ATOMIC_RELAXED);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  record->stream[HEDDLE_STREAM_NOTES].words += 2;
}
