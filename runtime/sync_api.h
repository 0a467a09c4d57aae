// SPDX-License-Identifier: Apache-2.0
//
// What the models of synchronisation share.
//
// Each operation is announced, takes its turn, looks at the memory of its object
// (touch_object) and then does what glibc does, as abi/semantics.h says in
// short. Where POSIX leaves that undefined it is recorded as a misuse as well,
// and the thread goes on. tests/native compares with the C library.
#pragma once

#include <pthread.h>
#include <time.h>

#include "failure.h"
#include "program_threads.h"
#include "scheduler.h"
#include "spin.h"
#include "state.h"
#include "store_buffer.h"
#include "sync_objects.h"
#include "tracked.h"

namespace heddle::rt {

// MutexType::kSpin of src/semantics: beside the PTHREAD_MUTEX_... types.
constexpr uint8_t kSpinLock = 4;
// A free spin lock holds this value on x86-64.
constexpr int kFreeSpin = 1;

// True if operations on this object are events of the run.
inline bool modelled_object(const void* address) { return modelled() && !owned_by_library(address); }

// The thread that is about to perform an operation. Inside a call of code without bitcode, what that code has changed
// so far is recorded before another thread can run.
inline Thread& operating_thread() {
  Thread& self = *g.current;
  if (HEDDLE_UNLIKELY(g_tracking) && self.foreign_site) record_untracked_writes(self, self.foreign_site);
  return self;
}

// Records the announced operation as a misuse if `what` says that it is one, else as it is.
inline void record_checked(Thread& self, uint64_t value, uint64_t value2, uint8_t flags, const char* what) {
  if (HEDDLE_UNLIKELY(what != nullptr)) return record_misuse(self, value, value2, flags, what);
  record(self, value, value2, flags);
}

SyncObject& mutex_object(const pthread_mutex_t* mutex);

// The mutex of a condition is given back once; false: its thread may not (EPERM), or it is destroyed (EINVAL).
// `misuse`: why that is one; null: it is none.
bool give_back_mutex(Thread& self, SyncObject& mutex, const char*& misuse);
// It can be taken again.
bool mutex_can_be_retaken(const Thread& thread, const SyncObject& mutex);
// Takes it again; an error number if that fails.
int retake_mutex(Thread& self, SyncObject& mutex);

// Nanoseconds since the run began, as the thread reads them.
int64_t& logical_clock(Thread& self);

// The running thread's logical clock reaches the deadline.
void advance_clock(const struct timespec& deadline, clockid_t clock);

// A deadline that the program gave.
inline bool is_valid(const struct timespec& deadline) { return deadline.tv_nsec >= 0 && deadline.tv_nsec < 1000000000; }
// One that was over when the run began: who waits until then does not wait.
bool has_long_passed(const struct timespec& deadline, clockid_t clock);
// glibc waits by these.
inline bool is_clock_for_waits(clockid_t clock) { return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC; }

}  // namespace heddle::rt
