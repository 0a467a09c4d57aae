// SPDX-License-Identifier: Apache-2.0
#include "failure.h"

#include <string.h>

#include "carrier.h"
#include "program_image.h"
#include "real.h"
#include "recorder.h"
#include "scheduler.h"
#include "server.h"
#include "spin.h"
#include "support.h"
#include "sync_api.h"

namespace heddle::rt {
namespace {

constexpr int kAborted = 134;  // as a shell reports abort

// Who has what this thread waits for.
const Thread* holder_of(const Thread& thread) {
  if (!thread.ready || thread.pending.kind == HEDDLE_SIGNAL_WAIT) return nullptr;
  if (thread.pending.kind == HEDDLE_THREAD_JOIN) return thread.awaited;
  return thread.object ? thread.object->owner : nullptr;
}

// What each thread would do next; not those that have failed, and not `done`,
// whose last operation is recorded already.
void record_waiting(const Thread* done) {
  for (const Thread* thread = g.first; thread; thread = thread->next) {
    if (thread->failed || thread == done) continue;
    const Operation& wait = thread->pending;
    const Thread* holder = holder_of(*thread);
    append(HeddleRecord{HEDDLE_WAITING, wait.size, wait.order, 0, thread->number, thread->index, wait.site,
                        wait.address, holder ? holder->number + 1 : 0u, wait.kind});
  }
}

// The running thread announced its operation and has not performed it.
bool between_operations(HeddleOutcome outcome) {
  return outcome == HEDDLE_OUTCOME_DEADLOCK || outcome == HEDDLE_OUTCOME_LIVELOCK || outcome == HEDDLE_OUTCOME_DIVERGED;
}

// Everything has been told to the host; the debugger now shows how it came to this.
__attribute__((noinline)) void stop_in_debugger() {
  wake_host();
  __asm__ volatile("int3");
}

void keep_first_failure(HeddleFailure failure, const char* text) {
  if (g.failed) return;
  g.failed = true;
  g.failure = failure;
  strncpy(g.failure_text, text ? text : "", sizeof g.failure_text - 1);
}

}  // namespace

void finish_run(HeddleOutcome outcome, uint64_t detail, const char* text) {
  g.active = false;
  if (g.detached) real.exit_now(outcome == HEDDLE_OUTCOME_EXIT ? static_cast<int>(detail) : kAborted);
  const bool stuck = outcome == HEDDLE_OUTCOME_DEADLOCK || outcome == HEDDLE_OUTCOME_LIVELOCK;
  if (g.go_on || stuck) record_waiting(between_operations(outcome) ? nullptr : g.current);
  if (g.bound_reached && outcome != HEDDLE_OUTCOME_DIVERGED && outcome != HEDDLE_OUTCOME_UNSUPPORTED) {
    outcome = HEDDLE_OUTCOME_BOUND;
    text = "a loop went round as often as the bound on loops allows";
  }
  if (g.go_on && g.failed && outcome != HEDDLE_OUTCOME_DIVERGED && outcome != HEDDLE_OUTCOME_UNSUPPORTED) {
    outcome = HEDDLE_OUTCOME_FAILURE;
    detail = g.failure;
    text = *g.failure_text ? g.failure_text : nullptr;
  }
  HeddleRecord end = {};
  end.kind = HEDDLE_FRAME_RUN_END;
  end.size = g.process_broken;
  end.flags = text != nullptr;
  end.thread = g.current ? g.current->number : HEDDLE_NO_THREAD;
  end.value = outcome;
  end.value2 = detail;
  append(end);
  if (text) append_text(end.thread, 0, text);
  if (g.request->flags & HEDDLE_REQUEST_TRAP) stop_in_debugger();
  g.finished = true;
  if (g.process_broken) {
    wake_host();
    real.exit_now(0);
  }
  carrier_finish();
}

void fail(HeddleFailure failure, uint64_t address, uint64_t detail, const char* text, uint8_t flags) {
  Thread& self = *g.current;
  const uint64_t limit = g.event_limit;
  g.event_limit = 0;  // the failure itself is always recorded
  record(self, HEDDLE_FAIL, 0, 0, flags, self.site, address, failure, detail);
  if (text) append_text(self.number, self.index, text);
  if (!g.go_on) finish_run(HEDDLE_OUTCOME_FAILURE, failure, text);
  keep_first_failure(failure, text);
  g.event_limit = limit;
  if (limit && g.events >= limit) event_limit_reached();
  note_progress(self);
  self.pending.kind = HEDDLE_FAIL;
  self.failed = true;
  thread_leaves(self);
}

void crash(HeddleFailure failure, uint64_t address, uint64_t detail, const char* text, uint64_t code) {
  g.process_broken = true;
  fail(failure, address, detail, text, in_program_code(code) ? 0 : HEDDLE_FLAG_MODEL);
}

void bad_input(const char* what) { finish_run(HEDDLE_OUTCOME_UNSUPPORTED, HEDDLE_UNSUPPORTED_INPUT, what); }

void unsupported(const char* what) { finish_run(HEDDLE_OUTCOME_UNSUPPORTED, 0, what); }

void record_misuse(Thread& self, uint64_t value, uint64_t value2, uint8_t flags, const char* what) {
  const uint64_t address = self.pending.address;
  const uint64_t limit = g.event_limit;
  g.event_limit = 0;  // the finding is always recorded
  record(self, value, value2, flags | HEDDLE_FLAG_MISUSE);
  record(self, HEDDLE_FAIL, 0, 0, 0, self.site, address, HEDDLE_FAILURE_MISUSE, 0);
  append_text(self.number, self.index, what);
  self.after_misuse = self.index;
  g.event_limit = limit;
  if (limit && g.events >= limit) event_limit_reached();
}

}  // namespace heddle::rt
