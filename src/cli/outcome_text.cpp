// SPDX-License-Identifier: Apache-2.0
#include "cli/outcome_text.h"

#include <fmt/format.h>

#include "cli/exit_codes.h"
#include "naming/names.h"
#include "schedule/result.h"
#include "trace/text.h"

namespace heddle::cli {
namespace {

// Where the failing thread was: the place of the FAIL event.
std::string failure_place(const trace::Trace& trace) {
  for (auto event = trace.events.rbegin(); event != trace.events.rend(); ++event) {
    if (event->record.kind != HEDDLE_FAIL) continue;
    std::string text = " in " + trace.thread_name(event->record.thread);
    if (event->record.site && event->record.site < trace.sites.size()) {
      const trace::Site& site = trace.sites[event->record.site];
      text += fmt::format(" at {}:{} ({})", site.file, site.line, site.function);
    }
    return text;
  }
  return "";
}

const char* wait_text(uint64_t kind) {
  switch (kind) {
    case HEDDLE_MUTEX_LOCK:
    case HEDDLE_MUTEX_TIMEDLOCK: return "waits for the mutex";
    case HEDDLE_RWLOCK_READ:
    case HEDDLE_RWLOCK_WRITE: return "waits for the reader-writer lock";
    case HEDDLE_COND_RESUME: return "waits for a signal of the condition";
    case HEDDLE_BARRIER_LEAVE: return "waits at the barrier";
    case HEDDLE_SEM_WAIT: return "waits for the semaphore";
    case HEDDLE_ONCE_ENTER: return "waits for the initialisation of";
    case HEDDLE_THREAD_JOIN: return "waits for the end of";
    case HEDDLE_AWAIT_RESUME: return "waits for a change of";
    default: return "waits";
  }
}

// Who waits for what, where, and who has it: one line a thread.
std::string deadlock_text(const trace::Trace& trace) {
  const naming::Names names(trace);
  std::string text;
  for (const trace::Event& event : trace.events) {
    const HeddleRecord& record = event.record;
    if (record.kind != HEDDLE_WAITING) continue;
    const std::string other = record.value ? trace.thread_name(static_cast<uint32_t>(record.value - 1)) : "";
    text += fmt::format("\n  {} {}", trace.thread_name(record.thread), wait_text(record.value2));
    if (record.value2 == HEDDLE_THREAD_JOIN) text += " " + other;
    if (record.address) text += " " + names.object_at(event, record.address);
    if (!other.empty() && record.value2 != HEDDLE_THREAD_JOIN) text += ", held by " + other + ",";
    if (record.site) text += " at " + trace::site_text(trace, record.site);
  }
  return text;
}

}  // namespace

std::string outcome_text(const trace::Trace& trace) {
  const trace::Ending& ending = trace.ending;
  if (ending.outcome == HEDDLE_OUTCOME_EXIT) return fmt::format("exit {}", ending.detail);
  std::string text = schedule::outcome_kind(ending);
  if (ending.outcome == HEDDLE_OUTCOME_FAILURE) text += failure_place(trace);
  if (ending.outcome == HEDDLE_OUTCOME_DEADLOCK) return text + ":" + deadlock_text(trace);
  if (!ending.message.empty()) text += ": " + ending.message;
  return text;
}

int outcome_exit_code(const trace::Ending& ending) {
  switch (ending.outcome) {
    case HEDDLE_OUTCOME_EXIT: return ending.detail == 0 ? kNothingFound : kFinding;
    case HEDDLE_OUTCOME_FAILURE:
    case HEDDLE_OUTCOME_DEADLOCK:
    case HEDDLE_OUTCOME_LIVELOCK:
    case HEDDLE_OUTCOME_KILLED:
    case HEDDLE_OUTCOME_HANG: return kFinding;
    case HEDDLE_OUTCOME_UNSUPPORTED: return ending.detail == HEDDLE_UNSUPPORTED_INPUT ? kBadInput : kUndecided;
    default: return kUndecided;
  }
}

}  // namespace heddle::cli
