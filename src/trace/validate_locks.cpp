// SPDX-License-Identifier: Apache-2.0
//
// The rule of validate.h about mutexes, reader-writer locks and condition waits:
// who holds what, followed through the total order.
#include <fmt/format.h>

#include <map>
#include <utility>

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
      case HEDDLE_MUTEX_UNLOCK: return succeeded(record) ? unlock(record.address, record.thread) : "";
      case HEDDLE_RWLOCK_READ:
      case HEDDLE_RWLOCK_TRYREAD:
      case HEDDLE_RWLOCK_TIMEDREAD: return succeeded(record) ? lock_to_read(record) : "";
      case HEDDLE_RWLOCK_WRITE:
      case HEDDLE_RWLOCK_TRYWRITE:
      case HEDDLE_RWLOCK_TIMEDWRITE: return succeeded(record) ? lock_to_write(record) : "";
      case HEDDLE_RWLOCK_UNLOCK: return succeeded(record) ? unlock_either(record) : "";
      case HEDDLE_COND_WAIT: return begin_wait(record);
      case HEDDLE_COND_RESUME: return end_wait(record);
      default: return {};
    }
  }

 private:
  struct Lock {
    uint32_t owner = HEDDLE_NO_THREAD;
    uint32_t depth = 0;                    // of the owner
    std::map<uint32_t, uint32_t> readers;  // thread, how often
  };

  std::string held_by(uint32_t owner) const { return "it is held by " + trace_.thread_name(owner); }

  std::string lock(uint64_t address, uint32_t thread) {
    Lock& lock = locks_[address];
    if (lock.depth > 0 && lock.owner != thread) return held_by(lock.owner);
    lock.owner = thread;
    ++lock.depth;
    return {};
  }

  std::string unlock(uint64_t address, uint32_t thread) {
    Lock& lock = locks_[address];
    if (lock.depth == 0) return "nobody holds it";
    if (lock.owner != thread) return held_by(lock.owner);
    --lock.depth;
    return {};
  }

  std::string lock_to_read(const HeddleRecord& record) {
    Lock& lock = locks_[record.address];
    if (lock.depth > 0) return held_by(lock.owner);
    ++lock.readers[record.thread];
    return {};
  }

  std::string lock_to_write(const HeddleRecord& record) {
    Lock& lock = locks_[record.address];
    if (lock.depth > 0) return held_by(lock.owner);
    if (!lock.readers.empty()) return held_by(lock.readers.begin()->first);
    lock.owner = record.thread;
    lock.depth = 1;
    return {};
  }

  std::string unlock_either(const HeddleRecord& record) {
    Lock& lock = locks_[record.address];
    const auto reader = lock.readers.find(record.thread);
    if (reader == lock.readers.end()) return unlock(record.address, record.thread);
    if (--reader->second == 0) lock.readers.erase(reader);
    return {};
  }

  // A wait gives up its mutex entirely, and takes it back as often as it had it.
  std::string begin_wait(const HeddleRecord& record) {
    Lock& mutex = locks_[record.value];
    if (mutex.depth == 0 || mutex.owner != record.thread) return "the thread does not hold the mutex";
    waiting_depth_[record.thread] = std::exchange(mutex.depth, 0);
    return {};
  }

  std::string end_wait(const HeddleRecord& record) {
    const auto waiting = waiting_depth_.find(record.thread);
    if (waiting == waiting_depth_.end()) return "the thread was not waiting";
    const uint32_t depth = waiting->second;
    waiting_depth_.erase(waiting);
    std::string problem = lock(record.value, record.thread);
    if (problem.empty()) locks_[record.value].depth = depth;
    return problem;
  }

  const Trace& trace_;
  std::map<uint64_t, Lock> locks_;
  std::map<uint32_t, uint32_t> waiting_depth_;
};

}  // namespace

std::unique_ptr<Rule> make_lock_rule(const Trace& trace) { return std::make_unique<LockRule>(trace); }

}  // namespace heddle::trace
