// SPDX-License-Identifier: Apache-2.0
//
// What the models of synchronisation share.
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

namespace heddle::rt {

// True if operations on this object are events of the run.
inline bool modelled_object(const void* address) { return modelled() && !owned_by_library(address); }

SyncObject& mutex_object(const pthread_mutex_t* mutex);

// Gives the mutex up, whatever its recursion depth, which is returned.
void mutex_release_fully(Thread& self, SyncObject& mutex, uint32_t& depth);

// Nanoseconds since the run began, as the thread reads them.
int64_t& logical_clock(Thread& self);

// The running thread's logical clock reaches the deadline.
void advance_clock(const struct timespec& deadline, clockid_t clock);

// A deadline that the program gave; false: it is none.
inline bool read_deadline(const struct timespec* given, struct timespec& deadline) {
  deadline = seen(given);
  return deadline.tv_nsec >= 0 && deadline.tv_nsec < 1000000000;
}

}  // namespace heddle::rt
