// SPDX-License-Identifier: Apache-2.0
//
// Threads, locks and whatever else threads wait for, in words.
#include <fmt/format.h>

#include "report/action_text.h"
#include "trace/kinds.h"

namespace heddle::report {

using naming::Names;
using trace::Event;

namespace {

std::string thread_text(const Names& names, const Event& event) {
  const HeddleRecord& record = event.record;
  const std::string other = names.thread_name(static_cast<uint32_t>(record.value));
  const bool done = trace::succeeded(record);
  switch (record.kind) {
    case HEDDLE_THREAD_CREATE: return done ? "creates " + other : "cannot create a thread";
    case HEDDLE_THREAD_START: return "starts";
    case HEDDLE_THREAD_END: return "ends";
    case HEDDLE_THREAD_JOIN: return (done ? "joins " : "does not join ") + other;
    case HEDDLE_THREAD_DETACH: return "detaches " + other;
    case HEDDLE_THREAD_CANCEL: return "cancels " + other;
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
  switch (record.kind) {
    case HEDDLE_MUTEX_INIT:
    case HEDDLE_RWLOCK_INIT: return "makes " + lock;
    case HEDDLE_MUTEX_DESTROY:
    case HEDDLE_RWLOCK_DESTROY: return "destroys " + lock;
    case HEDDLE_MUTEX_LOCK:
    case HEDDLE_MUTEX_TRYLOCK:
    case HEDDLE_MUTEX_TIMEDLOCK: return taken(record, "locks", lock);
    case HEDDLE_RWLOCK_READ:
    case HEDDLE_RWLOCK_TRYREAD:
    case HEDDLE_RWLOCK_TIMEDREAD: return taken(record, "locks for reading", lock);
    case HEDDLE_RWLOCK_WRITE:
    case HEDDLE_RWLOCK_TRYWRITE:
    case HEDDLE_RWLOCK_TIMEDWRITE: return taken(record, "locks for writing", lock);
    case HEDDLE_MUTEX_UNLOCK:
    case HEDDLE_RWLOCK_UNLOCK: return "unlocks " + lock;
    default: return "";
  }
}

std::string condition_text(const Names& names, const Event& event, const std::string& condition) {
  const HeddleRecord& record = event.record;
  switch (record.kind) {
    case HEDDLE_COND_INIT: return "makes " + condition;
    case HEDDLE_COND_DESTROY: return "destroys " + condition;
    case HEDDLE_COND_WAIT:
      return fmt::format("waits for {}, unlocks {}", condition, variable_text(names, event, record.value));
    case HEDDLE_COND_RESUME:
      return fmt::format("goes on after {}, locks {}", condition, variable_text(names, event, record.value));
    case HEDDLE_COND_LEAVE:
      return fmt::format("stops waiting for {}: {}", condition,
                         record.flags & HEDDLE_FLAG_TIMEOUT ? "time is over" : "for no reason");
    case HEDDLE_COND_SIGNAL:
      return fmt::format(
          "signals {}: {}", condition,
          record.value ? "wakes " + names.thread_name(static_cast<uint32_t>(record.value - 1)) : "nobody waits");
    case HEDDLE_COND_BROADCAST: return fmt::format("signals {}: wakes all {}", condition, record.value);
    default: return "";
  }
}

std::string counted_text(const HeddleRecord& record, const std::string& object) {
  switch (record.kind) {
    case HEDDLE_BARRIER_INIT: return fmt::format("makes {} for {}", object, record.value);
    case HEDDLE_BARRIER_DESTROY:
    case HEDDLE_SEM_DESTROY: return "destroys " + object;
    case HEDDLE_BARRIER_ARRIVE: return fmt::format("arrives at {} as number {}", object, record.value2);
    case HEDDLE_BARRIER_LEAVE: return "leaves " + object;
    case HEDDLE_SEM_INIT: return fmt::format("makes {}: {}", object, record.value);
    case HEDDLE_SEM_WAIT:
    case HEDDLE_SEM_TRYWAIT:
    case HEDDLE_SEM_TIMEDWAIT:
      return taken(record, "takes", object) + (trace::succeeded(record) ? fmt::format(": now {}", record.value) : "");
    case HEDDLE_SEM_POST: return fmt::format("posts {}: now {}", object, record.value);
    case HEDDLE_SEM_GETVALUE: return fmt::format("asks {}: {}", object, record.value);
    case HEDDLE_ONCE_ENTER: return (record.value ? "initialises " : "finds initialised: ") + object;
    case HEDDLE_ONCE_DONE:
      return (record.flags & HEDDLE_FLAG_FAILED ? "fails to initialise " : "has initialised ") + object;
    default: return "";
  }
}

std::string await_text(const Names& names, const Event& event, const std::string& word) {
  const HeddleRecord& record = event.record;
  switch (record.kind) {
    case HEDDLE_AWAIT:
      return fmt::format("{} {}: {}", record.flags & HEDDLE_FLAG_FAILED ? "need not wait for" : "waits for a change of",
                         word, value_text(names, event, record.value, record.size));
    case HEDDLE_AWAIT_RESUME:
      return record.flags & HEDDLE_FLAG_TIMEOUT    ? "stops waiting for " + word + ": time is over"
             : record.flags & HEDDLE_FLAG_SPURIOUS ? "stops waiting for " + word + ": for no reason"
                                                   : "goes on after " + word;
    case HEDDLE_NOTIFY: return fmt::format("notifies {}: wakes {}", word, record.value);
    default: return "";
  }
}

const char* what_for(uint64_t kind) {
  switch (kind) {
    case HEDDLE_COND_RESUME: return "waits for a signal of";
    case HEDDLE_BARRIER_LEAVE: return "waits at";
    case HEDDLE_ONCE_ENTER: return "waits for the initialisation of";
    case HEDDLE_THREAD_JOIN: return "waits for the end of";
    case HEDDLE_AWAIT_RESUME: return "waits for a change of";
    default: return "waits for";
  }
}

}  // namespace

std::string synchronisation_text(const Names& names, const Event& event) {
  const trace::KindInfo* info = trace::find_kind(event.record.kind);
  if (!info) return "";
  const auto object = [&] { return variable_text(names, event, event.record.address); };
  switch (info->family) {
    case trace::Family::kThread: return thread_text(names, event);
    case trace::Family::kMutex:
    case trace::Family::kRwlock: return lock_text(event.record, object());
    case trace::Family::kCondition: return condition_text(names, event, object());
    case trace::Family::kBarrier:
    case trace::Family::kSemaphore:
    case trace::Family::kOnce: return counted_text(event.record, object());
    case trace::Family::kAwait: return await_text(names, event, object());
    default: return "";
  }
}

std::string waiting_text(const Names& names, const Event& event) {
  const HeddleRecord& record = event.record;
  const bool joins = record.value2 == HEDDLE_THREAD_JOIN;
  const std::string other = record.value ? names.thread_name(static_cast<uint32_t>(record.value - 1)) : "";
  std::string text = what_for(record.value2);
  if (joins) text += " " + other;
  if (record.address) text += " " + variable_text(names, event, record.address);
  if (!other.empty() && !joins) text += ", held by " + other;
  return text;
}

}  // namespace heddle::report
