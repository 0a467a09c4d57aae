// SPDX-License-Identifier: Apache-2.0
//
// Signal handlers in a free run. A signal may come while its thread is in the
// middle of writing an event, and the hooks in the program keep the log in
// registers from one event to the next. So a handler must not write into the
// log of what it interrupts: it has a log of its own, which appears in the trace
// as a child of the interrupted thread (HEDDLE_HANDLER_CHILD). The same log
// serves all handlers that interrupt this thread; one that interrupts a handler
// has yet another. What a handler does counts as concurrent with its thread.
//
// The program's handlers are called by `handle`, which changes the log. A
// handler that leaves by longjmp is taken to go back to the thread's own code.
#include <signal.h>

#include "sync.h"
#include "wrapped_handlers.h"

using namespace heddle::free_run;

namespace {

Log& handler_log(Log& interrupted) {
  if (interrupted.handler) return *interrupted.handler;
  const uint32_t child = HEDDLE_HANDLER_CHILD + __atomic_fetch_add(&interrupted.handlers, 1u, __ATOMIC_RELAXED);
  Log& log = make_log(register_thread(interrupted.number, child));
  log.interrupted = &interrupted;
  record(log, HEDDLE_THREAD_START, 0, 0, 0, 0, 0, interrupted.number, 0, next_sequence());
  interrupted.handler = &log;
  return log;
}

void handle(int number, siginfo_t* info, void* context) {
  const auto handler = heddle::wrapped::take_handler(number);
  if (!running() || !has_log()) return handler(number, info, context);
  Log* interrupted = __heddle_free_log;
  const int error = errno;
  __heddle_free_log = &handler_log(*interrupted);
  errno = error;
  handler(number, info, context);
  __heddle_free_log = interrupted;
}

uint64_t get_number(const unsigned char*& in) {
  uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    value |= static_cast<uint64_t>(*in & 0x7f) << shift;
    if (!(*in++ & 0x80)) return value;
  }
}

// How many whole events there are in the chunk, and how many of them are visible.
void count_events(const HeddleFreeChunk& chunk, uint32_t* all, uint32_t* visible) {
  bool slot_visible[HEDDLE_SLOTS] = {};
  const unsigned char* in = reinterpret_cast<const unsigned char*>(chunk.begin);
  const unsigned char* end = reinterpret_cast<const unsigned char*>(chunk.end);
  for (*all = *visible = 0; in < end; ++*all) {
    const uint32_t head = in[0] | static_cast<uint32_t>(in[1]) << 8 | static_cast<uint32_t>(in[2]) << 16;
    in += HEDDLE_SLOT_HEAD_BYTES + (head >> HEDDLE_HEAD_ADDRESS_SHIFT & 0xf) + (head >> HEDDLE_HEAD_VALUE_SHIFT & 0xf);
    if (head & HEDDLE_HEAD_DECLARES) {
      slot_visible[head % HEDDLE_SLOTS] = *in <= HEDDLE_LAST_VISIBLE;
      in += 4;
      get_number(in);
    }
    *visible += slot_visible[head % HEDDLE_SLOTS];
    constexpr uint32_t kParts[] = {HEDDLE_HEAD_INDEX, HEDDLE_HEAD_VALUE2, HEDDLE_HEAD_SEQUENCE};
    for (const uint32_t part : kParts)
      if (head & part) get_number(in);
  }
}

}  // namespace

// The interrupted code never goes on, so its event may be half written: what is
// whole counts, and the thread goes on in a new chunk.
void heddle::wrapped::leave_handlers() {
  if (!running() || !has_log() || !__heddle_free_log->interrupted) return;
  for (Log* log = __heddle_free_log; log; log = log->interrupted) {
    __heddle_free_log = log;
    if (!log->chunk->order) continue;  // it has none
    uint32_t all, visible;
    count_events(*log->chunk, &all, &visible);
    log->index = log->first_index + visible;
    log->others = all - visible;
    end_chunk(*log);
  }
}

HEDDLE_EXPORT int sigaction(int number, const struct sigaction* action, struct sigaction* old) noexcept {
  if (number <= 0 || number >= NSIG) return heddle::wrapped::real_sigaction(number, action, old);
  return heddle::wrapped::set_action(number, action, old, handle);
}
