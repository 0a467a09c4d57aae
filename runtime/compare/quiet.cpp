// SPDX-License-Identifier: Apache-2.0
#include "quiet.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

namespace heddle::compare {
namespace {

constexpr uint64_t kLongestBetweenLooks = 50'000'000;

uint64_t nanoseconds_of(clockid_t clock) {
  timespec now{};
  if (clock_gettime(clock, &now) != 0) return 0;
  return static_cast<uint64_t>(now.tv_sec) * 1000000000u + static_cast<uint64_t>(now.tv_nsec);
}

}  // namespace

Quiet::Quiet(pid_t process, uint64_t cpu_nanoseconds, uint64_t quiet_nanoseconds)
    : process_(process), most_cpu_(cpu_nanoseconds), most_quiet_(quiet_nanoseconds) {}

// A thread that waits for a core is not asleep, however long it waits.
bool Quiet::all_sleep() const {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task", process_);
  DIR* tasks = opendir(path);
  if (!tasks) return false;
  bool sleep = true;
  while (const dirent* task = readdir(tasks)) {
    if (task->d_name[0] == '.') continue;
    char file[96], text[256];
    snprintf(file, sizeof file, "/proc/%d/task/%.20s/stat", process_, task->d_name);
    const int opened = open(file, O_RDONLY | O_CLOEXEC);
    if (opened < 0) continue;
    const ssize_t length = read(opened, text, sizeof text - 1);
    close(opened);
    if (length <= 0) continue;
    text[length] = 0;
    const char* name_end = strrchr(text, ')');
    if (name_end && name_end[1] == ' ' && name_end[2] != 'S') sleep = false;
  }
  closedir(tasks);
  return sleep;
}

HeddleRunEnd Quiet::look() {
  clockid_t clock = 0;
  if (clock_getcpuclockid(process_, &clock) != 0) return HEDDLE_END_NONE;
  const uint64_t cpu = nanoseconds_of(clock), now = nanoseconds_of(CLOCK_MONOTONIC);
  if (most_cpu_ && cpu > most_cpu_) return HEDDLE_END_BUDGET;
  // When the whole machine stood still, nobody could do anything.
  const uint64_t watched = now - last_look_ < kLongestBetweenLooks ? now - last_look_ : kLongestBetweenLooks;
  quiet_for_ = cpu != last_cpu_ || !all_sleep() ? 0 : quiet_for_ + watched;
  if (most_quiet_ && quiet_for_ > most_quiet_) return HEDDLE_END_BLOCKED;
  last_cpu_ = cpu;
  last_look_ = now;
  return HEDDLE_END_NONE;
}

}  // namespace heddle::compare
