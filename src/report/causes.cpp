// SPDX-License-Identifier: Apache-2.0
#include "report/causes.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "trace/kinds.h"

namespace heddle::report {
namespace {

class Finder {
 public:
  explicit Finder(const trace::Trace& trace) : trace_(trace) {}

  Cause next(size_t number, const NarratedStep& step) {
    step_ = number;
    const HeddleRecord& record = trace_.events[step.event].record;
    if (step.kind == HEDDLE_WAITING) return record.value ? found(taken_, record.address, CauseKind::kHeld) : Cause{};
    const trace::KindInfo* info = trace::find_kind(record.kind);
    if (!info) return {};
    switch (info->family) {
      case trace::Family::kThread: return of_thread(record);
      case trace::Family::kMutex:
      case trace::Family::kRwlock: return of_lock(record);
      case trace::Family::kCondition: return of_condition(record);
      case trace::Family::kBarrier:
      case trace::Family::kSemaphore:
      case trace::Family::kOnce: return of_others(record);
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
    switch (record.kind) {
      case HEDDLE_THREAD_CREATE: created_[record.value] = step_; return {};
      case HEDDLE_THREAD_START: return found(created_, record.thread, CauseKind::kThread);
      case HEDDLE_THREAD_END: ended_[record.thread] = step_; return {};
      case HEDDLE_THREAD_JOIN:
        return trace::succeeded(record) ? found(ended_, record.value, CauseKind::kThread) : Cause{};
      default: return {};
    }
  }

  Cause of_lock(const HeddleRecord& record) {
    switch (record.kind) {
      case HEDDLE_MUTEX_UNLOCK:
      case HEDDLE_RWLOCK_UNLOCK: released_[record.address] = step_; return {};
      case HEDDLE_MUTEX_INIT:
      case HEDDLE_MUTEX_DESTROY:
      case HEDDLE_RWLOCK_INIT:
      case HEDDLE_RWLOCK_DESTROY: released_.erase(record.address); return {};
      default:
        if (!trace::succeeded(record)) return {};
        taken_[record.address] = step_;
        return found(released_, record.address, CauseKind::kLock);
    }
  }

  Cause of_condition(const HeddleRecord& record) {
    switch (record.kind) {
      case HEDDLE_COND_WAIT:
        released_[record.value] = step_;  // its mutex
        waiting_[record.address].insert(record.thread);
        return {};
      case HEDDLE_COND_SIGNAL:
        if (record.value) wake(record.address, static_cast<uint32_t>(record.value - 1));
        return {};
      case HEDDLE_COND_BROADCAST:
        for (const uint32_t thread : waiting_[record.address]) woken_[thread] = step_;
        waiting_.erase(record.address);
        return {};
      case HEDDLE_COND_LEAVE: waiting_[record.address].erase(record.thread); return {};
      case HEDDLE_COND_RESUME: {
        taken_[record.value] = step_;
        const Cause cause = found(woken_, record.thread, CauseKind::kSignal);
        woken_.erase(record.thread);
        return cause;
      }
      default: return {};
    }
  }

  void wake(uint64_t condition, uint32_t thread) {
    woken_[thread] = step_;
    waiting_[condition].erase(thread);
  }

  Cause of_others(const HeddleRecord& record) {
    switch (record.kind) {
      case HEDDLE_BARRIER_ARRIVE:
      case HEDDLE_SEM_POST:
      case HEDDLE_ONCE_DONE: posted_[record.address] = step_; return {};
      case HEDDLE_BARRIER_LEAVE: return found(posted_, record.address, CauseKind::kSignal);
      case HEDDLE_ONCE_ENTER: return record.value ? Cause{} : found(posted_, record.address, CauseKind::kSignal);
      case HEDDLE_SEM_WAIT:
      case HEDDLE_SEM_TRYWAIT:
      case HEDDLE_SEM_TIMEDWAIT:
        return trace::succeeded(record) ? found(posted_, record.address, CauseKind::kSignal) : Cause{};
      default: posted_.erase(record.address); return {};
    }
  }

  Cause of_memory(const HeddleRecord& record, Mark mark) {
    if (record.kind == HEDDLE_NOTIFY) {
      posted_[record.address] = step_;
      return {};
    }
    if (record.kind == HEDDLE_AWAIT_RESUME)
      return trace::succeeded(record) ? found(posted_, record.address, CauseKind::kSignal) : Cause{};
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

  // The last of the writes that the bytes come from.
  Cause of_bytes(const HeddleRecord& record) const {
    Cause cause;
    for (uint64_t i = 0; i < record.size; ++i) {
      const Cause one = found(written_, record.address + i, CauseKind::kReads);
      if (one.kind != CauseKind::kNone && (cause.kind == CauseKind::kNone || one.step > cause.step)) cause = one;
    }
    return cause;
  }

  // Forwarded by the newest store in the thread's own buffer that begins at or below.
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
