// SPDX-License-Identifier: Apache-2.0
//
// The recorder inside the program (src/abi/recording.h). It must never change what the program
// does: when it cannot go on recording it stops, and the program goes on. Nothing here
// allocates, locks or waits. A record belongs to the thread that runs on it.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "abi/recording.h"
#include "export.h"

// Of the executable: where the calling thread keeps the address of its record, and the record of
// those that have none.
extern "C" HeddlePath** __heddle_path_address();
extern "C" HeddlePath __heddle_no_path;
// Likewise: the word that tells, when it is 0, that the thread was taken off its core, and one that never does.
extern "C" const volatile uint64_t** __heddle_core_address();
extern "C" const uint64_t __heddle_no_core;
extern "C" const uint32_t __heddle_program_version;

namespace heddle::record_run {

extern HeddleRecording* g_recording;  // null: nothing is recorded

inline HeddlePath*& own_record() { return *__heddle_path_address(); }
inline bool has_record() { return own_record() != &__heddle_no_path; }

// Null when there is no room for another.
HeddlePath* new_record(uint32_t parent, uint32_t child_number);
HeddlePath* record_number(uint32_t number);
// The calling thread's, made if it has none; null: it is not recorded.
HeddlePath* recorded_thread();

void append(HeddlePath& record, uint32_t stream, const uint64_t* words, uint32_t count);
// The first words of a note, and bytes after them, which are filled up to whole words.
void append_bytes(HeddlePath& record, const uint64_t* words, uint32_t count, const void* bytes, size_t size);
void note(HeddlePath& record, uint32_t kind, uint32_t site, const uint64_t* words, uint32_t count);

// Where the path is now.
uint64_t position(const HeddlePath& record);

// The time, if the recording is to have stamps; HEDDLE_STAMP_... (stamps.cpp).
void stamp(HeddlePath& record, uint32_t where);

// The calling thread begins to notice when it is moved, loses track for a moment, stops (cores.cpp).
void watch_core();
void forget_core();
void ignore_core();
bool can_watch_cores();

// An own stack for handlers of crashes, and the handlers.
void use_signal_stack();
void leave_signal_stack();
void watch_failures();

}  // namespace heddle::record_run
