// SPDX-License-Identifier: Apache-2.0
//
// Texts for operations on threads and objects of synchronisation.
#include <fmt/format.h>

#include "report/action_text.h"
#include "semantics/meaning.h"

namespace heddle::report {

using naming::Names;
using semantics::effect_of;
using semantics::family_of;
using semantics::gave_up;
using trace::Event;

namespace {

std::string thread_text(const Names& names, const Event& event) {
  const HeddleRecord& record = event.record;
  const std::string& other = names.thread_name(static_cast<uint32_t>(record.value));
  const bool done = !gave_up(record);
  switch (effect_of(record)) {
    case HEDDLE_EFFECT_CREATE: return done ? "creates " + other : "cannot create a thread";
    case HEDDLE_EFFECT_START: return "starts";
    case HEDDLE_EFFECT_END: return "ends";
    case HEDDLE_EFFECT_JOIN: return (done ? "joins " : "does not join ") + other;
    case HEDDLE_EFFECT_DETACH: return "detaches " + other;
    case HEDDLE_EFFECT_CANCEL: return "cancels " + other;
    default: return "";
  }
}

// "locks m", "does not get m", "gives up m: time is over".
std::string taken(const HeddleRecord& record, const std::string& verb, const std::string& lock) {
  if (record.flags & HEDDLE_FLAG_TIMEOUT) return "gives up " + lock + ": time is over";
  if (record.flags & HEDDLE_FLAG_FAILED) return "does not get " + lock;
  return verb + " " + lock;
}

std::string lock_text(const HeddleRecord& record, const std::string& lock) {
  const bool is_mutex = family_of(record) == HEDDLE_FAMILY_MUTEX;
  switch (effect_of(record)) {
    case HEDDLE_EFFECT_INIT: return "makes " + lock;
    case HEDDLE_EFFECT_DESTROY: return "destroys " + lock;
    case HEDDLE_EFFECT_ACQUIRE: return taken(record, is_mutex ? "locks" : "locks for writing", lock);
    case HEDDLE_EFFECT_SHARE: return taken(record, "locks for reading", lock);
    case HEDDLE_EFFECT_RELEASE: return "unlocks " + lock;
    case HEDDLE_EFFECT_LINE_UP: return "waits as a writer for " + lock;
    default: return "";
  }
}

std::string condition_text(const Names& names, const Event& event, const std::string& condition) {
  const HeddleRecord& record = event.record;
  switch (effect_of(record)) {
    case HEDDLE_EFFECT_INIT: return "makes " + condition;
    case HEDDLE_EFFECT_DESTROY: return "destroys " + condition;
    case HEDDLE_EFFECT_WAIT:
      return fmt::format("waits for {}, unlocks {}", condition, variable_text(names, event, record.value));
    case HEDDLE_EFFECT_RESUME:
      return fmt::format("goes on after {}, locks {}", condition, variable_text(names, event, record.value));
    case HEDDLE_EFFECT_LEAVE:
      return fmt::format("stops waiting for {}: {}", condition,
                         record.flags & HEDDLE_FLAG_TIMEOUT ? "time is over" : "for no reason");
    case HEDDLE_EFFECT_WAKE:
      if (record.kind == HEDDLE_COND_BROADCAST) return fmt::format("signals {}: wakes all {}", condition, record.value);
      return fmt::format(
          "signals {}: {}", condition,
          record.value ? "wakes " + names.thread_name(static_cast<uint32_t>(record.value - 1)) : "nobody waits");
    default: return "";
  }
}

std::string word_text(const Names& names, const Event& event, const std::string& word) {
  const HeddleRecord& record = event.record;
  switch (effect_of(record)) {
    case HEDDLE_EFFECT_WAIT:
      return fmt::format("{} {}: {}", record.flags & HEDDLE_FLAG_FAILED ? "need not wait for" : "waits for a change of",
                         word, value_text(names, event, record.value, record.size));
    case HEDDLE_EFFECT_RESUME:
      return record.flags & HEDDLE_FLAG_TIMEOUT    ? "stops waiting for " + word + ": time is over"
             : record.flags & HEDDLE_FLAG_SPURIOUS ? "stops waiting for " + word + ": for no reason"
                                                   : "goes on after " + word;
    case HEDDLE_EFFECT_WAKE: return fmt::format("notifies {}: wakes {}", word, record.value);
    default: return "";
  }
}

std::string barrier_text(const HeddleRecord& record, const std::string& barrier) {
  switch (effect_of(record)) {
    case HEDDLE_EFFECT_INIT: return fmt::format("makes {} for {}", barrier, record.value);
    case HEDDLE_EFFECT_DESTROY: return "destroys " + barrier;
    case HEDDLE_EFFECT_ARRIVE: return fmt::format("arrives at {} as number {}", barrier, record.value2);
    case HEDDLE_EFFECT_DEPART: return "leaves " + barrier;
    default: return "";
  }
}

std::string semaphore_text(const HeddleRecord& record, const std::string& semaphore) {
  switch (effect_of(record)) {
    case HEDDLE_EFFECT_INIT: return fmt::format("makes {}: {}", semaphore, record.value);
    case HEDDLE_EFFECT_DESTROY: return "destroys " + semaphore;
    case HEDDLE_EFFECT_TAKE:
      return taken(record, "takes", semaphore) + (gave_up(record) ? "" : fmt::format(": now {}", record.value));
    case HEDDLE_EFFECT_POST: return fmt::format("posts {}: now {}", semaphore, record.value);
    case HEDDLE_EFFECT_INSPECT: return fmt::format("asks {}: {}", semaphore, record.value);
    default: return "";
  }
}

std::string once_text(const HeddleRecord& record, const std::string& once) {
  switch (effect_of(record)) {
    case HEDDLE_EFFECT_INIT: return "makes " + once + " new";
    case HEDDLE_EFFECT_ENTER: return (record.value ? "initialises " : "finds initialised: ") + once;
    case HEDDLE_EFFECT_FINISH:
      return (record.flags & HEDDLE_FLAG_FAILED ? "fails to initialise " : "has initialised ") + once;
    default: return "";
  }
}

std::string text_by_family(const Names& names, const Event& event) {
  const HeddleRecord& record = event.record;
  const auto object = [&] { return variable_text(names, event, record.address); };
  switch (family_of(record)) {
    case HEDDLE_FAMILY_THREAD: return thread_text(names, event);
    case HEDDLE_FAMILY_MUTEX:
    case HEDDLE_FAMILY_RWLOCK: return lock_text(record, object());
    case HEDDLE_FAMILY_CONDITION: return condition_text(names, event, object());
    case HEDDLE_FAMILY_BARRIER: return barrier_text(record, object());
    case HEDDLE_FAMILY_SEMAPHORE: return semaphore_text(record, object());
    case HEDDLE_FAMILY_ONCE: return once_text(record, object());
    case HEDDLE_FAMILY_WORD: return word_text(names, event, object());
    default: return "";
  }
}

// What the operation that a thread cannot do yet waits for.
const char* what_for(uint8_t kind) {
  switch (effect_of(kind)) {
    case HEDDLE_EFFECT_RESUME:
      return family_of(kind) == HEDDLE_FAMILY_CONDITION ? "waits for a signal of" : "waits for a change of";
    case HEDDLE_EFFECT_DEPART: return "waits at";
    case HEDDLE_EFFECT_ENTER: return "waits for the initialisation of";
    case HEDDLE_EFFECT_JOIN: return "waits for the end of";
    case HEDDLE_EFFECT_DESTROY: return "waits to destroy";
    default: return "waits for";
  }
}

}  // namespace

std::string synchronisation_text(const Names& names, const Event& event) {
  std::string text = text_by_family(names, event);
  if (!text.empty() && event.record.flags & HEDDLE_FLAG_MISUSE) text += kMisuseSuffix;
  return text;
}

std::string waiting_text(const Names& names, const Event& event) {
  const HeddleRecord& record = event.record;
  const uint8_t kind = record.value2 <= UINT8_MAX ? static_cast<uint8_t>(record.value2) : uint8_t{HEDDLE_EVENT_NONE};
  const bool joins = effect_of(kind) == HEDDLE_EFFECT_JOIN;
  const std::string other = record.value ? names.thread_name(static_cast<uint32_t>(record.value - 1)) : "";
  std::string text = what_for(kind);
  if (joins) text += " " + other;
  if (record.address) text += " " + variable_text(names, event, record.address);
  if (!other.empty() && !joins) text += ", held by " + other;
  return text;
}

}  // namespace heddle::report
