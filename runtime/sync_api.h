// SPDX-License-Identifier: Apache-2.0
//
// What the models of synchronisation share.
#pragma once

#include <pthread.h>
#include <time.h>

#include "failure.h"
#include "scheduler.h"
#include "spin.h"
#include "state.h"
#include "sync_objects.h"
#include "program_threads.h"

namespace heddle::rt {

// True if operations on this object are events of the run.
inline bool modelled_object(const void* address) { return modelled() && !owned_by_library(address); }

SyncObject& mutex_object(const pthread_mutex_t* mutex);

// Gives the mutex up, whatever its recursion depth, which is returned.
void mutex_release_fully(Thread& self, SyncObject& mutex, uint32_t& depth);

// The logical clock reaches the deadline.
void advance_clock(const struct timespec& deadline, clockid_t clock);

}  // namespace heddle::rt
