// SPDX-License-Identifier: Apache-2.0
//
// Waiting for one of several descriptors: poll, select and epoll_wait with their
// relatives. Time is logical: a time limit runs out when nothing else can
// happen, or when the strategy says so.
#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>

#include "abi/hooks.h"
#include "descriptors.h"
#include "failure.h"
#include "given_inputs.h"
#include "sync_api.h"

using namespace heddle::rt;

namespace {

constexpr int64_t kForEver = -1;
constexpr int64_t kMillisecond = 1000000;

int64_t nanoseconds(const struct timespec* time) {
  return time ? int64_t{time->tv_sec} * 1000000000 + time->tv_nsec : kForEver;
}
int64_t nanoseconds(int milliseconds) { return milliseconds < 0 ? kForEver : milliseconds * kMillisecond; }

// Takes the turn, and asks with `ask`, which must not block. The result is what
// the program gets.
template <typename Ask>
int await_any(struct pollfd* watched, uint32_t count, int64_t limit, Ask ask) {
  Thread& self = *g.current;
  const int first = count ? watched[0].fd : -1;
  DescriptorWait wait = {watched, count};
  const Turn turn = take_descriptor_turn(self, HEDDLE_DESCRIPTOR_POLL, first, limit ? &wait : nullptr, limit > 0);
  if (turn == Turn::kTimeout) logical_clock(self) += limit;
  return static_cast<int>(
      record_call(self, HEDDLE_DESCRIPTOR_POLL, first, ask(), turn == Turn::kTimeout ? HEDDLE_FLAG_TIMEOUT : 0));
}

// What a recorded call that asked about these descriptors was told; null: it is to ask.
const HeddleGivenCall* given_poll(const struct pollfd* watched, uint64_t count) {
  const HeddleGivenCall* given = given_input();
  for (uint64_t i = 0; given && i < count; ++i)
    if (connects_threads(watched[i].fd)) return nullptr;
  return given;
}

int poll_list(struct pollfd* list, nfds_t count, int64_t limit) {
  HEDDLE_REAL(poll);
  if (count > kMostWatched) unsupported("poll of more than 1024 descriptors");
  struct pollfd watched[kMostWatched];
  __heddle_read(list, watched, count * sizeof *list, g.current->site);
  if (const HeddleGivenCall* given = given_poll(watched, count)) {
    const int result = put_given_int(*given, watched, count * sizeof *list);
    if (result >= 0) __heddle_write(list, watched, count * sizeof *list, g.current->site);
    return result;
  }
  const int ready =
      await_any(watched, static_cast<uint32_t>(count), limit, [&] { return real_poll(watched, count, 0); });
  if (ready >= 0) __heddle_write(list, watched, count * sizeof *list, g.current->site);
  return ready;
}

struct Sets {
  fd_set* given[3];
  fd_set asked[3];
};

// Descriptors of the three sets as a list for poll.
uint32_t list_of(const Sets& sets, int limit, struct pollfd* watched) {
  constexpr short kEvents[] = {POLLIN, POLLOUT, POLLPRI};
  uint32_t count = 0;
  for (int number = 0; number < limit; ++number) {
    short events = 0;
    for (int i = 0; i < 3; ++i)
      if (sets.given[i] && FD_ISSET(number, &sets.asked[i])) events |= kEvents[i];
    if (events) watched[count++] = {number, events, 0};
  }
  return count;
}

// The sets that there are, one after the other.
int put_sets(const HeddleGivenCall& given, Sets& sets, uint32_t site) {
  const char* from = given_bytes(given);
  size_t left = given.bytes;
  for (int i = 0; i < 3; ++i) {
    if (!sets.given[i] || left < sizeof(fd_set)) continue;
    memcpy(&sets.asked[i], from, sizeof(fd_set));
    __heddle_write(sets.given[i], &sets.asked[i], sizeof(fd_set), site);
    from += sizeof(fd_set);
    left -= sizeof(fd_set);
  }
  return put_given_int(given, nullptr, 0);
}

int select_sets(int limit, fd_set* reading, fd_set* writing, fd_set* special, int64_t time_limit) {
  HEDDLE_REAL(select);
  if (limit < 0 || limit > FD_SETSIZE) {
    errno = EINVAL;
    return -1;
  }
  const uint32_t site = g.current->site;
  Sets sets = {{reading, writing, special}, {}};
  for (int i = 0; i < 3; ++i)
    if (sets.given[i]) __heddle_read(sets.given[i], &sets.asked[i], sizeof(fd_set), site);
  struct pollfd watched[FD_SETSIZE];
  const uint32_t count = list_of(sets, limit, watched);
  if (const HeddleGivenCall* given = given_poll(watched, count)) return put_sets(*given, sets, site);
  const int ready = await_any(watched, count, time_limit, [&] {
    struct timeval now = {0, 0};
    fd_set* asked[3];
    for (int i = 0; i < 3; ++i) asked[i] = sets.given[i] ? &sets.asked[i] : nullptr;
    return real_select(limit, asked[0], asked[1], asked[2], &now);
  });
  for (int i = 0; i < 3 && ready >= 0; ++i)
    if (sets.given[i]) __heddle_write(sets.given[i], &sets.asked[i], sizeof(fd_set), site);
  return ready;
}

int await_epoll(int number, struct epoll_event* events, int most, int64_t limit) {
  HEDDLE_REAL(epoll_wait);
  struct pollfd watched = {number, POLLIN, 0};
  const int ready = await_any(&watched, 1, limit, [&] { return real_epoll_wait(number, events, most, 0); });
  if (ready > 0) __heddle_range_written(events, static_cast<size_t>(ready) * sizeof *events, g.current->site);
  return ready;
}

}  // namespace

HEDDLE_EXPORT int poll(struct pollfd* list, nfds_t count, int milliseconds) {
  HEDDLE_UNLESS_PROGRAM(poll, list, count, milliseconds)
  return poll_list(list, count, nanoseconds(milliseconds));
}
HEDDLE_EXPORT int __poll_chk(struct pollfd* list, nfds_t count, int milliseconds, size_t) {
  HEDDLE_UNLESS_PROGRAM(poll, list, count, milliseconds)
  return poll_list(list, count, nanoseconds(milliseconds));
}
// Signals are the runtime's own affair, so masks have nothing to do here.
HEDDLE_EXPORT int ppoll(struct pollfd* list, nfds_t count, const struct timespec* limit, const sigset_t* mask) {
  HEDDLE_UNLESS_PROGRAM(ppoll, list, count, limit, mask)
  return poll_list(list, count, nanoseconds(limit));
}

HEDDLE_EXPORT int select(int limit, fd_set* reading, fd_set* writing, fd_set* special, struct timeval* time) {
  HEDDLE_UNLESS_PROGRAM(select, limit, reading, writing, special, time)
  const int64_t time_limit = time ? int64_t{time->tv_sec} * 1000000000 + time->tv_usec * 1000 : kForEver;
  return select_sets(limit, reading, writing, special, time_limit);
}
HEDDLE_EXPORT int pselect(int limit, fd_set* reading, fd_set* writing, fd_set* special, const struct timespec* time,
                          const sigset_t* mask) {
  HEDDLE_UNLESS_PROGRAM(pselect, limit, reading, writing, special, time, mask)
  return select_sets(limit, reading, writing, special, nanoseconds(time));
}

HEDDLE_EXPORT int epoll_wait(int number, struct epoll_event* events, int most, int milliseconds) {
  HEDDLE_UNLESS_PROGRAM(epoll_wait, number, events, most, milliseconds)
  return await_epoll(number, events, most, nanoseconds(milliseconds));
}
HEDDLE_EXPORT int epoll_pwait(int number, struct epoll_event* events, int most, int milliseconds,
                              const sigset_t* mask) {
  HEDDLE_UNLESS_PROGRAM(epoll_pwait, number, events, most, milliseconds, mask)
  return await_epoll(number, events, most, nanoseconds(milliseconds));
}
