// SPDX-License-Identifier: Apache-2.0
#include "cli/outcome_text.h"

#include <fmt/format.h>

#include "cli/exit_codes.h"
#include "naming/names.h"
#include "schedule/result.h"
#include "semantics/meaning.h"
#include "trace/text.h"

namespace heddle::cli {

using semantics::effect_of;
using semantics::family_of;

namespace {

// Where the failing thread was: the place of the FAIL event.
std::string failure_place(const trace::Trace& trace) {
  for (auto event = trace.events.rbegin(); event != trace.events.rend(); ++event) {
    if (event->record.kind != HEDDLE_FAIL || event->record.value != trace.ending.detail) continue;
    std::string text = " in " + trace.thread_name(event->record.thread);
    if (event->record.site && event->record.site < trace.sites.size()) {
      const trace::Site& site = trace.sites[event->record.site];
      text += fmt::format(" at {}:{} ({})", site.file, site.line, site.function);
    }
    return text;
  }
  return "";
}

// What a thread waits for, by the kind of the operation that it cannot do yet.
const char* wait_text(uint8_t kind) {
  const HeddleEffect effect = effect_of(kind);
  if (effect == HEDDLE_EFFECT_DESTROY) return "waits to destroy";
  switch (family_of(kind)) {
    case HEDDLE_FAMILY_MUTEX: return "waits for the mutex";
    case HEDDLE_FAMILY_RWLOCK: return "waits for the reader-writer lock";
    case HEDDLE_FAMILY_CONDITION: return "waits for a signal of the condition";
    case HEDDLE_FAMILY_BARRIER: return "waits at the barrier";
    case HEDDLE_FAMILY_SEMAPHORE: return "waits for the semaphore";
    case HEDDLE_FAMILY_ONCE: return "waits for the initialisation of";
    case HEDDLE_FAMILY_THREAD: return effect == HEDDLE_EFFECT_JOIN ? "waits for the end of" : "waits";
    case HEDDLE_FAMILY_WORD: return "waits for a change of";
    default: return "waits";
  }
}

// One line for each waiting thread: the object it waits for, its holder, and the place.
std::string deadlock_text(const trace::Trace& trace) {
  const naming::Names names(trace);
  std::string text;
  for (const trace::Event& event : trace.events) {
    const HeddleRecord& record = event.record;
    if (record.kind != HEDDLE_WAITING) continue;
    const uint8_t kind = record.value2 <= UINT8_MAX ? static_cast<uint8_t>(record.value2) : uint8_t{HEDDLE_EVENT_NONE};
    const bool joins = effect_of(kind) == HEDDLE_EFFECT_JOIN;
    const std::string other = record.value ? trace.thread_name(static_cast<uint32_t>(record.value - 1)) : "";
    text += fmt::format("\n  {} {}", trace.thread_name(record.thread), wait_text(kind));
    if (joins) text += " " + other;
    if (record.address) text += " " + names.object_at(event, record.address);
    if (!other.empty() && !joins) text += ", held by " + other + ",";
    if (record.site) text += " at " + trace::site_text(trace, record.site);
  }
  return text;
}

// "misuse at a.c:7 in T0.1: unlock of a mutex that is not held", a line each.
std::string misuse_lines(const trace::Trace& trace) {
  std::string text;
  for (const size_t misuse : schedule::misuses_of(trace)) {
    const HeddleRecord& record = trace.events[misuse].record;
    text += fmt::format("misuse at {} in {}: {}\n", trace::site_text(trace, record.site),
                        trace.thread_name(record.thread), schedule::misuse_text(trace, misuse));
  }
  return text;
}

}  // namespace

std::string outcome_text(const trace::Trace& trace) {
  const trace::Ending& ending = trace.ending;
  std::string text = misuse_lines(trace);
  if (ending.outcome == HEDDLE_OUTCOME_EXIT) return text + fmt::format("exit {}", ending.detail);
  text += schedule::outcome_kind(ending);
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
