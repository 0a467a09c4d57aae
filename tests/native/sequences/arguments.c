/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps as text: THREAD:CALL[:ARGUMENT]..., an argument being the number of an
 * object, #NUMBER, the name of a clock or that of a deadline.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "sequence.h"

enum { kRelative = -1 }; /* no clock: a time from now, as some calls want it */
static const struct Clock {
  const char* name;
  clockid_t clock;
} kClocks[] = {
    {"realtime", CLOCK_REALTIME},
    {"monotonic", CLOCK_MONOTONIC},
    {"cpu", CLOCK_PROCESS_CPUTIME_ID},
    {"coarse", CLOCK_MONOTONIC_COARSE},
    {"99", 99},
    {"relative", kRelative},
};

/* Deadlines. What is near passes while the step waits; what is far never does. */
enum { kIsNull = -2, kIsNear = -3, kFar = 4000000000 };
static const struct Deadline {
  const char* name;
  struct timespec time;
} kDeadlines[] = {
    {"null", {0, kIsNull}},
    {"near", {0, kIsNear}},
    {"zero", {0, 0}},
    {"past", {1, 5}},
    {"before_1970", {-1, 0}},
    {"far", {kFar, 0}},
    {"nsec_negative", {1, -1}},
    {"nsec_too_big", {1, 1000000000}},
    {"far_nsec_too_big", {kFar, 1000000000}},
    {"far_nsec_negative", {kFar, -1}},
};

static const Call* const kCalls[] = {kMutexCalls, kRwlockCalls, kConditionCalls, kBarrierCalls, kSemaphoreCalls,
                                     kOnceCalls,  kFutexCalls,  kC11Calls,       kMemoryCalls};

static const Call* call_named(const char* name) {
  for (size_t i = 0; i < sizeof kCalls / sizeof *kCalls; ++i)
    for (const Call* call = kCalls[i]; call->name; ++call)
      if (!strcmp(call->name, name)) return call;
  refuse("no such call", name);
}

int ends_by_itself(const Step* step) {
  if (step->deadline < 0) return 0;
  const struct timespec time = kDeadlines[step->deadline].time;
  return time.tv_nsec != kIsNull && time.tv_sec < kFar;
}

const struct timespec* deadline_of(const Step* step, struct timespec* time) {
  if (step->deadline < 0) return NULL;
  *time = kDeadlines[step->deadline].time;
  if (time->tv_nsec == kIsNull) return NULL;
  if (time->tv_nsec != kIsNear) return time;
  *time = (struct timespec){0, 0};
  if (step->arguments.clock != kRelative) clock_gettime(step->arguments.clock, time);
  time->tv_nsec += 3000000;
  if (time->tv_nsec >= 1000000000) ++time->tv_sec, time->tv_nsec -= 1000000000;
  return time;
}

static void read_argument(const char* word, Step* step, Object* const* objects, int* objects_read) {
  if (*word >= '0' && *word < '0' + kMostObjects && !word[1]) {
    Object* object = objects[*word - '0'];
    if ((*objects_read)++ == 0) {
      step->arguments.object = object;
    } else {
      step->arguments.second = object;
    }
    return;
  }
  if (*word == '#') {
    step->arguments.number = strtol(word + 1, NULL, 10);
    return;
  }
  for (size_t i = 0; i < sizeof kClocks / sizeof *kClocks; ++i)
    if (!strcmp(kClocks[i].name, word)) {
      step->arguments.clock = kClocks[i].clock;
      return;
    }
  for (size_t i = 0; i < sizeof kDeadlines / sizeof *kDeadlines; ++i)
    if (!strcmp(kDeadlines[i].name, word)) {
      step->deadline = (int)i;
      return;
    }
  refuse("what does this argument mean?", word);
}

Step read_step(const char* text, Object* const* objects) {
  Step step = {.thread = text[0] - '1', .deadline = -1, .arguments = {.clock = CLOCK_REALTIME}};
  if (step.thread < 0 || step.thread >= kMostThreads || text[1] != ':') refuse("no step", text);
  char words[128];
  if (strlen(text) >= sizeof words) refuse("too long", text);
  strcpy(words, text + 2);
  int objects_read = 0;
  for (char* word = words; word;) {
    char* end = strchr(word, ':');
    if (end) *end++ = '\0';
    if (word == words) {
      step.call = call_named(word);
    } else {
      read_argument(word, &step, objects, &objects_read);
    }
    word = end;
  }
  return step;
}
