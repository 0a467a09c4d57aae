// SPDX-License-Identifier: Apache-2.0
#include "report/causes.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "semantics/meaning.h"
#include "trace/kinds.h"

namespace heddle::report {

using semantics::effect_of;
using semantics::gave_up;

namespace {

class Finder {
 public:
  explicit Finder(const trace::Trace& trace) : trace_(trace) {}

  Cause next(size_t number, const NarratedStep& step) {
    step_ = number;
    const HeddleRecord& record = trace_.events[step.event].record;
    if (step.kind == HEDDLE_WAITING) return record.value ? found(taken_, record.address, CauseKind::kHeld) : Cause{};
    switch (semantics::family_of(record)) {
      case HEDDLE_FAMILY_THREAD: return of_thread(record);
      case HEDDLE_FAMILY_MUTEX:
      case HEDDLE_FAMILY_RWLOCK: return of_lock(record);
      case HEDDLE_FAMILY_CONDITION: return of_condition(record);
      case HEDDLE_FAMILY_BARRIER:
      case HEDDLE_FAMILY_SEMAPHORE:
      case HEDDLE_FAMILY_ONCE: return of_others(record);
      case HEDDLE_FAMILY_WORD: return of_word(record, step.mark);
      default: return of_memory(record, step.mark);
    }
  }

 private:
  using Steps = std::unordered_map<uint64_t, size_t>;

  static Cause found(const Steps& steps, uint64_t key, CauseKind kind) {
    const auto place = steps.find(key);
    return place == steps.end() ? Cause{} : Cause{kind, place->second};
  }

  Cause of_thread(const HeddleRecord& record) {
    switch (effect_of(record)) {
      case HEDDLE_EFFECT_CREATE: created_[record.value] = step_; return {};
      case HEDDLE_EFFECT_START: return found(created_, record.thread, CauseKind::kThread);
      case HEDDLE_EFFECT_END: ended_[record.thread] = step_; return {};
      case HEDDLE_EFFECT_JOIN: return gave_up(record) ? Cause{} : found(ended_, record.value, CauseKind::kThread);
      default: return {};
    }
  }

  Cause of_lock(const HeddleRecord& record) {
    switch (effect_of(record)) {
      case HEDDLE_EFFECT_RELEASE: released_[record.address] = step_; return {};
      case HEDDLE_EFFECT_INIT:
      case HEDDLE_EFFECT_DESTROY: released_.erase(record.address); return {};
      case HEDDLE_EFFECT_ACQUIRE:
      case HEDDLE_EFFECT_SHARE:
        if (gave_up(record)) return {};
        taken_[record.address] = step_;
        return found(released_, record.address, CauseKind::kLock);
      default: return {};
    }
  }

  Cause of_condition(const HeddleRecord& record) {
    switch (effect_of(record)) {
      case HEDDLE_EFFECT_WAIT:
        if (gave_up(record)) return {};
        released_[record.value] = step_;  // its mutex
        waiting_[record.address].insert(record.thread);
        return {};
      case HEDDLE_EFFECT_WAKE: wake(record); return {};
      case HEDDLE_EFFECT_LEAVE: waiting_[record.address].erase(record.thread); return {};
      case HEDDLE_EFFECT_RESUME: {
        taken_[record.value] = step_;
        const Cause cause = found(woken_, record.thread, CauseKind::kSignal);
        woken_.erase(record.thread);
        return cause;
      }
      default: return {};
    }
  }

  void wake(const HeddleRecord& record) {
    std::set<uint32_t>& waiting = waiting_[record.address];
    if (record.kind == HEDDLE_COND_BROADCAST) {
      for (const uint32_t thread : waiting) woken_[thread] = step_;
      waiting.clear();
    } else if (record.value) {
      const auto thread = static_cast<uint32_t>(record.value - 1);
      woken_[thread] = step_;
      waiting.erase(thread);
    }
  }

  Cause of_others(const HeddleRecord& record) {
    switch (effect_of(record)) {
      case HEDDLE_EFFECT_ARRIVE:
      case HEDDLE_EFFECT_POST:
      case HEDDLE_EFFECT_FINISH: posted_[record.address] = step_; return {};
      case HEDDLE_EFFECT_DEPART: return found(posted_, record.address, CauseKind::kSignal);
      case HEDDLE_EFFECT_ENTER: return record.value ? Cause{} : found(posted_, record.address, CauseKind::kSignal);
      case HEDDLE_EFFECT_TAKE: return gave_up(record) ? Cause{} : found(posted_, record.address, CauseKind::kSignal);
      case HEDDLE_EFFECT_INIT:
      case HEDDLE_EFFECT_DESTROY: posted_.erase(record.address); return {};
      default: return {};
    }
  }

  Cause of_word(const HeddleRecord& record, Mark mark) {
    switch (effect_of(record)) {
      case HEDDLE_EFFECT_WAKE: posted_[record.address] = step_; return {};
      case HEDDLE_EFFECT_RESUME: return gave_up(record) ? Cause{} : found(posted_, record.address, CauseKind::kSignal);
      default: return of_memory(record, mark);  // it reads the word
    }
  }

  Cause of_memory(const HeddleRecord& record, Mark mark) {
    if (record.kind == HEDDLE_FLUSH) {
      const auto store = buffered_.find({record.thread, record.index});
      const Cause cause = store == buffered_.end() ? Cause{} : Cause{CauseKind::kFlush, store->second};
      if (store != buffered_.end()) buffered_.erase(store);
      if (!(record.flags & HEDDLE_FLAG_FAILED)) write(record);
      return cause;
    }
    Cause cause;
    if (trace::read_memory(record)) cause = mark == Mark::kBuffered ? of_own_store(record) : of_bytes(record);
    if (!trace::wrote_memory(record)) return cause;
    if (mark == Mark::kBuffered) {
      buffered_[{record.thread, record.index}] = step_;
      own_[{record.thread, record.address}] = step_;
    } else {
      write(record);
    }
    return cause;
  }

  void write(const HeddleRecord& record) {
    for (uint64_t i = 0; i < record.size; ++i) written_[record.address + i] = step_;
  }

  // The latest of the writes that the bytes come from.
  Cause of_bytes(const HeddleRecord& record) const {
    Cause cause;
    for (uint64_t i = 0; i < record.size; ++i) {
      const Cause one = found(written_, record.address + i, CauseKind::kReads);
      if (one.kind != CauseKind::kNone && (cause.kind == CauseKind::kNone || one.step > cause.step)) cause = one;
    }
    return cause;
  }

  // The newest store in the thread's own buffer that begins at or below the address.
  Cause of_own_store(const HeddleRecord& record) const {
    for (uint64_t back = 0; back < 16; ++back) {
      const auto store = own_.find({record.thread, record.address - back});
      if (store != own_.end()) return {CauseKind::kReads, store->second};
    }
    return {};
  }

  const trace::Trace& trace_;
  size_t step_ = 0;
  Steps created_, ended_;                                     // by thread
  Steps released_, taken_, posted_;                           // by address
  Steps woken_;                                               // by thread
  Steps written_;                                             // by byte
  std::map<uint64_t, std::set<uint32_t>> waiting_;            // by condition
  std::map<std::pair<uint32_t, uint32_t>, size_t> buffered_;  // by thread and index
  std::map<std::pair<uint32_t, uint64_t>, size_t> own_;       // newest buffered store, by thread and address
};

}  // namespace

std::vector<Cause> causes_of(const trace::Trace& trace, std::span<const NarratedStep> steps) {
  Finder finder(trace);
  std::vector<Cause> causes;
  causes.reserve(steps.size());
  for (size_t i = 0; i < steps.size(); ++i) causes.push_back(finder.next(i, steps[i]));
  return causes;
}

}  // namespace heddle::report
