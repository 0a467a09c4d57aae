// SPDX-License-Identifier: Apache-2.0
//
// The rule of validate.h about mutexes, reader-writer locks and condition waits:
// who holds what, followed through the total order.
//
// A referee: it shares nothing with src/semantics, and says itself what operations do.
#include <fmt/format.h>

#include <map>
#include <set>
#include <string>

#include "trace/kinds.h"
#include "trace/validate_rules.h"

namespace heddle::trace {
namespace {

class LockRule final : public Rule {
 public:
  explicit LockRule(const Trace& trace) : trace_(trace) {}
  const char* name() const override { return "locks"; }
  bool wants_total_order() const override { return true; }

  std::string take(const Event& event) override {
    const HeddleRecord& record = event.record;
    switch (record.kind) {
      case HEDDLE_MUTEX_INIT:
      case HEDDLE_MUTEX_DESTROY:
      case HEDDLE_RWLOCK_INIT:
      case HEDDLE_RWLOCK_DESTROY:
        if (succeeded(record)) locks_.erase(record.address);
        return {};
      case HEDDLE_MUTEX_LOCK:
      case HEDDLE_MUTEX_TRYLOCK:
      case HEDDLE_MUTEX_TIMEDLOCK: return succeeded(record) ? lock(record.address, record.thread) : "";
      case HEDDLE_MUTEX_UNLOCK: return succeeded(record) ? unlock(record.address, record) : "";
      case HEDDLE_RWLOCK_READ:
      case HEDDLE_RWLOCK_TRYREAD:
      case HEDDLE_RWLOCK_TIMEDREAD: return succeeded(record) ? lock_to_read(record) : "";
      case HEDDLE_RWLOCK_LINE_UP: locks_[record.address].lined_up.insert(record.thread); return {};
      case HEDDLE_RWLOCK_WRITE:
      case HEDDLE_RWLOCK_TRYWRITE:
      case HEDDLE_RWLOCK_TIMEDWRITE:
        locks_[record.address].lined_up.erase(record.thread);  // also if time is up
        return succeeded(record) ? lock_to_write(record) : "";
      case HEDDLE_RWLOCK_UNLOCK: return succeeded(record) ? unlock_either(record) : "";
      case HEDDLE_COND_WAIT: return succeeded(record) ? begin_wait(record) : "";
      case HEDDLE_COND_RESUME: return end_wait(record);
      default: return {};
    }
  }

 private:
  static constexpr uint64_t kPrefersWriters = 2;  // PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP

  struct Lock {
    uint32_t owner = HEDDLE_NO_THREAD;
    uint32_t depth = 0;                    // of the owner
    std::map<uint32_t, uint32_t> readers;  // thread, how often
    uint32_t taken_off = 0;                // of the number of readers, by threads that held nothing
    std::set<uint32_t> lined_up;           // writers
  };

  static bool is_misuse(const HeddleRecord& record) { return record.flags & HEDDLE_FLAG_MISUSE; }

  std::string held_by(uint32_t owner) const { return "it is held by " + trace_.thread_name(owner); }

  std::string lock(uint64_t address, uint32_t thread) {
    Lock& lock = locks_[address];
    if (lock.depth > 0 && lock.owner != thread) return held_by(lock.owner);
    lock.owner = thread;
    ++lock.depth;
    return {};
  }

  // A thread that does not hold the lock misuses it; then nobody holds it.
  std::string unlock(uint64_t address, const HeddleRecord& record) {
    Lock& lock = locks_[address];
    const bool is_own = lock.depth > 0 && lock.owner == record.thread;
    if (is_own) {
      --lock.depth;
    } else if (is_misuse(record)) {
      lock.depth = 0;
    } else {
      return lock.depth == 0 ? "nobody holds it" : held_by(lock.owner);
    }
    return {};
  }

  std::string lock_to_read(const HeddleRecord& record) {
    Lock& lock = locks_[record.address];
    if (lock.depth > 0) return held_by(lock.owner);
    if (record.value2 == kPrefersWriters && !lock.lined_up.empty() && !lock.readers.empty() && !lock.taken_off)
      return trace_.thread_name(*lock.lined_up.begin()) + " is lined up to write";
    ++lock.readers[record.thread];
    return {};
  }

  std::string lock_to_write(const HeddleRecord& record) {
    Lock& lock = locks_[record.address];
    if (lock.depth > 0) return held_by(lock.owner);
    uint32_t readers = 0;
    for (const auto& [thread, times] : lock.readers) readers += times;
    if (readers != lock.taken_off)
      return lock.readers.empty() ? "it was unlocked too often" : held_by(lock.readers.begin()->first);
    lock.owner = record.thread;
    lock.depth = 1;
    return {};
  }

  // The library counts readers and does not know them.
  std::string unlock_either(const HeddleRecord& record) {
    Lock& lock = locks_[record.address];
    const auto reader = lock.readers.find(record.thread);
    if (reader != lock.readers.end()) {
      if (--reader->second == 0) lock.readers.erase(reader);
    } else if (lock.depth > 0 && lock.owner == record.thread) {
      lock.depth = 0;
    } else if (is_misuse(record) || (lock.depth == 0 && !lock.readers.empty())) {
      ++lock.taken_off;
    } else {
      return lock.depth == 0 ? "nobody holds it" : held_by(lock.owner);
    }
    return {};
  }

  // A wait gives its mutex back once, and takes it again once.
  std::string begin_wait(const HeddleRecord& record) {
    if (!unlock(record.value, record).empty()) return "the thread does not hold the mutex";
    waiting_.insert(record.thread);
    return {};
  }

  std::string end_wait(const HeddleRecord& record) {
    if (waiting_.erase(record.thread) == 0) return "the thread was not waiting";
    return record.flags & HEDDLE_FLAG_FAILED ? "" : lock(record.value, record.thread);
  }

  const Trace& trace_;
  std::map<uint64_t, Lock> locks_;
  std::set<uint32_t> waiting_;  // threads that wait for conditions
};

}  // namespace

std::unique_ptr<Rule> make_lock_rule(const Trace& trace) { return std::make_unique<LockRule>(trace); }

}  // namespace heddle::trace
