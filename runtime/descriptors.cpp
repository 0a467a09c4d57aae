// SPDX-License-Identifier: Apache-2.0
#include "descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "program_image.h"
#include "program_threads.h"
#include "real.h"
#include "spin.h"
#include "support.h"

namespace heddle::rt {
namespace {

struct FileName {
  dev_t device;
  ino_t number;
};
FileName g_outside[3];  // standard input, output and error as the target got them

constexpr int kOutsidePatience = 2000;  // milliseconds that a schedule waits for the outside

int poll_now(struct pollfd* watched, uint32_t count, int milliseconds) {
  return static_cast<int>(real.syscall(SYS_poll, watched, static_cast<unsigned long>(count), milliseconds));
}

bool from_outside(const struct stat& file) {
  for (const FileName& outside : g_outside)
    if (file.st_dev == outside.device && file.st_ino == outside.number) return true;
  return false;
}

bool descriptor_ready(const Thread& thread) {
  const int error = errno;
  const bool ready = poll_now(thread.descriptors->watched, thread.descriptors->count, 0) > 0;
  errno = error;
  return ready;
}

const char* what_it_waits_to_do(uint8_t kind) {
  switch (kind) {
    case HEDDLE_DESCRIPTOR_READ: return " waits to read descriptor ";
    case HEDDLE_DESCRIPTOR_WRITE: return " waits to write descriptor ";
    case HEDDLE_DESCRIPTOR_ACCEPT: return " waits to accept a connection at descriptor ";
    case HEDDLE_DESCRIPTOR_CONNECT: return " waits to connect descriptor ";
    default: return " waits until something happens to descriptor ";
  }
}

// Tells the host who waits for what, should it lose patience.
void tell_host() {
  Text text;
  for (Thread* thread = g.first; thread; thread = thread->next) {
    if (!thread->descriptors) continue;
    if (text.size()) text.add("; ");
    add_thread_name(text, *thread);
    text.add(what_it_waits_to_do(thread->pending.kind));
    text.add(thread->descriptors->count ? static_cast<uint64_t>(thread->descriptors->watched[0].fd) : 0);
  }
  constexpr size_t kMost = sizeof g.channel->waiting - 1;
  memcpy(g.channel->waiting, text.c_str(), text.size() < kMost ? text.size() + 1 : kMost);
}

}  // namespace

void note_outside_descriptors() {
  for (int number = 0; number < 3; ++number) {
    struct stat file;
    if (fstat(number, &file) == 0) g_outside[number] = {file.st_dev, file.st_ino};
  }
}

bool called_by_program(const void* return_address) {
  return modelled() && in_program_code(reinterpret_cast<uint64_t>(return_address));
}

Descriptor examine_descriptor(int number, short events) {
  Descriptor result = {number, false, false, false};
  struct stat file;
  const int flags = fcntl(number, F_GETFL);
  if (flags < 0 || (flags & O_NONBLOCK) || fstat(number, &file) != 0) return result;
  const mode_t type = file.st_mode & S_IFMT;
  if (type == S_IFREG || type == S_IFDIR || type == S_IFBLK) return result;
  result.socket = type == S_IFSOCK;
  // Others hold what comes from outside, and terminals: they stay as they are,
  // and nobody in the program makes room in them.
  result.switches = type != S_IFCHR && !from_outside(file);
  result.waits = events == POLLIN || result.switches;
  return result;
}

Turn take_descriptor_turn(Thread& self, uint8_t kind, int descriptor, DescriptorWait* wait, bool may_time_out) {
  cancellation_point(self);
  announce(self, kind, 0, self.site);
  self.descriptors = wait;
  self.may_be_cancelled = true;
  const Turn turn = take_turn_when(self, wait ? descriptor_ready : nullptr, may_time_out);
  const bool cancelled =
      turn == Turn::kNormal && wait && !descriptor_ready(self) && self.cancel_requested && !self.cancel_disabled;
  self.descriptors = nullptr;
  g.libraries_dirty = true;
  if (cancelled) {
    record(self, static_cast<uint64_t>(descriptor), 0, HEDDLE_FLAG_CANCELLED);
    cancellation_point(self);
  }
  return turn;
}

ssize_t record_call(Thread& self, uint8_t kind, int descriptor, ssize_t result, uint8_t flags) {
  const int error = errno;
  const bool failed = result < 0;
  record(self, kind, 0, 0, failed ? flags | HEDDLE_FLAG_FAILED : flags, self.site, 0, static_cast<uint64_t>(descriptor),
         static_cast<uint64_t>(failed ? error : result));
  if (flags & HEDDLE_FLAG_TIMEOUT) {
    note_progress(self);
  } else if ((failed && error == EAGAIN) || (!result && kind == HEDDLE_DESCRIPTOR_POLL)) {
    note_read(self, self.site, kDescriptorPlace, static_cast<uint64_t>(error));
  } else {
    note_change(self, kDescriptorPlace);
  }
  errno = error;
  return result;
}

NonBlocking::NonBlocking(const Descriptor& descriptor)
    : number_(descriptor.number), flags_(descriptor.waits && descriptor.switches ? fcntl(number_, F_GETFL) : -1) {
  if (flags_ >= 0) fcntl(number_, F_SETFL, flags_ | O_NONBLOCK);
}

NonBlocking::~NonBlocking() {
  const int error = errno;
  if (flags_ >= 0) fcntl(number_, F_SETFL, flags_);
  errno = error;
}

bool wait_for_outside() {
  if (g.failed) return false;  // the run has its result
  static struct pollfd watched[kMostWatched];
  uint32_t count = 0;
  bool waits = false;
  for (Thread* thread = g.first; thread; thread = thread->next) {
    if (!thread->descriptors) continue;
    waits = true;
    for (uint32_t i = 0; i < thread->descriptors->count && count < kMostWatched; ++i)
      watched[count++] = thread->descriptors->watched[i];
  }
  if (!waits) return false;
  const int error = errno;
  tell_host();
  while (poll_now(watched, count, -1) < 0) {
  }
  g.channel->waiting[0] = 0;
  errno = error;
  return true;
}

bool comes_from_outside(const Thread& thread) {
  if (!thread.descriptors) return false;
  const int error = errno;
  const bool came = poll_now(thread.descriptors->watched, thread.descriptors->count, kOutsidePatience) > 0;
  errno = error;
  return came;
}

}  // namespace heddle::rt
