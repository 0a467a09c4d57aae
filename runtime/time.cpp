// SPDX-License-Identifier: Apache-2.0
//
// Time is logical: reading a clock, sleeping and waiting in vain move it on, and
// nobody really waits. There is one clock for the whole run, so that it never
// goes back, whoever looks; or, if the request says so, one for each thread, so
// that what a thread reads does not depend on the others.
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "abi/hooks.h"
#include "given_inputs.h"
#include "real.h"
#include "sync_api.h"

using namespace heddle::rt;

namespace {

constexpr int64_t kSecond = 1000000000;
constexpr int64_t kEpoch = 1700000000 * kSecond;  // what the wall clock shows at the start of a run
constexpr int64_t kBoot = 1000 * kSecond;         // what the monotonic clock shows then
constexpr int64_t kTick = 1000;                   // reading a clock takes this long

bool wall_clock(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
}

int64_t start_of(clockid_t clock) { return wall_clock(clock) ? kEpoch : kBoot; }

int64_t nanoseconds(const struct timespec& time) { return time.tv_sec * kSecond + time.tv_nsec; }

int64_t read_clock(clockid_t clock) {
  Thread& self = *g.current;
  announce(self, HEDDLE_CLOCK, static_cast<uint64_t>(clock), self.site);
  take_turn(self);
  const int64_t now = start_of(clock) + (logical_clock(self) += kTick);
  record(self, static_cast<uint64_t>(now));
  return now;
}

void reach(Thread& self, int64_t time) {
  if (logical_clock(self) < time) logical_clock(self) = time;
}

void sleep_logically(int64_t duration) {
  Thread& self = *g.current;
  cancellation_point(self);
  announce(self, HEDDLE_SLEEP, 0, self.site);
  const int64_t end = logical_clock(self) + (duration > 0 ? duration : 0);
  self.yielded = true;
  take_turn_when(self, nullptr);
  reach(self, end);
  record(self, static_cast<uint64_t>(duration));
  cancellation_point(self);
}

int64_t wall_time() {
  if (modelled()) return read_clock(CLOCK_REALTIME);
  struct timespec now = {};
  find_real_functions();
  real.clock_gettime(CLOCK_REALTIME, &now);
  return nanoseconds(now);
}

bool valid(const struct timespec& time) { return time.tv_sec >= 0 && time.tv_nsec >= 0 && time.tv_nsec < kSecond; }

}  // namespace

namespace heddle::rt {

int64_t& logical_clock(Thread& self) { return g.request->flags & HEDDLE_REQUEST_LOCAL_TIME ? self.clock : g.clock; }

void advance_clock(const struct timespec& deadline, clockid_t clock) {
  reach(*g.current, nanoseconds(deadline) - start_of(clock));
}

bool has_long_passed(const struct timespec& deadline, clockid_t clock) {
  return is_valid(deadline) && nanoseconds(deadline) <= start_of(clock);
}

}  // namespace heddle::rt

namespace {

// A turn leaves stale words on the stack below the program's frames. Frames of later hooks may cover them without
// writing them, and would make the thread's state look different (private_state.h). So the words are cleared.
__attribute__((noinline)) void clear_stack_below() {
  volatile char used[2048];
  memset(const_cast<char*>(used), 0, sizeof used);
}

}  // namespace

HEDDLE_EXPORT int sched_yield() {
  if (!modelled()) return 0;
  Thread& self = *g.current;
  announce(self, HEDDLE_YIELD, 0, self.site);
  const bool is_patient = g.request->flags & HEDDLE_REQUEST_PATIENT;
  if (is_patient) spin_check(self, self.site, 0, 0);
  self.yielded = !is_patient;
  take_turn_when(self, nullptr);
  record(self);
  ++g.idle;
  if (g.request->flags & HEDDLE_REQUEST_PURE_WAITS) clear_stack_below();
  return 0;
}

HEDDLE_EXPORT int nanosleep(const struct timespec* time, struct timespec* left) {
  if (!modelled()) return 0;
  const struct timespec duration = seen(time);
  if (!valid(duration)) {
    errno = EINVAL;
    return -1;
  }
  sleep_logically(nanoseconds(duration));
  if (left) *left = {0, 0};
  return 0;
}

HEDDLE_EXPORT int clock_nanosleep(clockid_t clock, int flags, const struct timespec* time, struct timespec* left) {
  if (!modelled()) return 0;
  const struct timespec wanted = seen(time);
  if (!valid(wanted)) return EINVAL;
  int64_t duration = nanoseconds(wanted);
  if (flags & TIMER_ABSTIME) duration -= start_of(clock) + logical_clock(*g.current);
  sleep_logically(duration);
  if (left && !(flags & TIMER_ABSTIME)) *left = {0, 0};
  return 0;
}

HEDDLE_EXPORT unsigned sleep(unsigned seconds) {
  if (modelled()) sleep_logically(seconds * kSecond);
  return 0;
}

HEDDLE_EXPORT int usleep(useconds_t microseconds) {
  if (modelled()) sleep_logically(int64_t{microseconds} * 1000);
  return 0;
}

HEDDLE_EXPORT int clock_gettime(clockid_t clock, struct timespec* result) {
  find_real_functions();
  if (!modelled()) return real.clock_gettime(clock, result);
  const int64_t now = read_clock(clock);
  struct timespec read = {now / kSecond, now % kSecond};
  if (const HeddleGivenCall* given = given_input()) put_given(*given, &read, sizeof read);
  __heddle_write(result, &read, sizeof read, g.current->site);
  return 0;
}

HEDDLE_EXPORT int gettimeofday(struct timeval* result, void*) {
  const int64_t now = wall_time();
  struct timeval read = {now / kSecond, now % kSecond / 1000};
  if (modelled()) {
    if (const HeddleGivenCall* given = given_input()) put_given(*given, &read, sizeof read);
    __heddle_write(result, &read, sizeof read, g.current->site);
  } else {
    *result = read;
  }
  return 0;
}

HEDDLE_EXPORT time_t time(time_t* result) {
  time_t now = wall_time() / kSecond;
  if (const HeddleGivenCall* given = modelled() ? given_input() : nullptr) {
    now = static_cast<time_t>(given->result);
    put_given(*given, &now, sizeof now);
  }
  if (result && modelled()) __heddle_write(result, &now, sizeof now, g.current->site);
  if (result && !modelled()) *result = now;
  return now;
}

HEDDLE_EXPORT clock_t clock() {
  if (!modelled()) return 0;
  const int64_t now = read_clock(CLOCK_PROCESS_CPUTIME_ID) - kBoot;
  const HeddleGivenCall* given = given_input();
  return given ? static_cast<clock_t>(given->result) : now / (kSecond / CLOCKS_PER_SEC);
}
