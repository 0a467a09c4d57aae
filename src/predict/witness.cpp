// SPDX-License-Identifier: Apache-2.0
#include "predict/witness.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace heddle::predict {

namespace {

constexpr uint32_t kNobody = HEDDLE_NO_THREAD;

bool gave_up(const HeddleRecord& record) {
  return record.flags & (HEDDLE_FLAG_FAILED | HEDDLE_FLAG_TIMEOUT | HEDDLE_FLAG_CANCELLED);
}

uint8_t byte_of(uint32_t byte, uint64_t low, uint64_t high) {
  return static_cast<uint8_t>(byte < 8 ? low >> (8 * byte) : high >> (8 * (byte - 8)));
}

// What memory held before anybody wrote to it, as far as reads and stores of the trace tell.
std::unordered_map<uint64_t, uint8_t> initial_memory(const trace::Trace& trace) {
  std::unordered_map<uint64_t, uint8_t> known;
  std::unordered_set<uint64_t> seen;
  for (const trace::Event& event : trace.events) {
    const HeddleRecord& record = event.record;
    const bool reads = record.kind == HEDDLE_LOAD || record.kind == HEDDLE_RMW || record.kind == HEDDLE_CAS ||
                       record.kind == HEDDLE_AWAIT;
    if (!reads && record.kind != HEDDLE_STORE && record.kind != HEDDLE_EXTERN_WRITE) continue;
    const bool replaced = record.kind == HEDDLE_STORE && (record.flags & HEDDLE_FLAG_REPLACED);
    for (uint32_t byte = 0; byte < record.size; ++byte) {
      if (!seen.insert(record.address + byte).second) continue;
      if (replaced) known[record.address + byte] = byte_of(byte, record.value2, 0);
      if (reads && (byte < 8 || record.kind == HEDDLE_LOAD))
        known[record.address + byte] = byte_of(byte, record.value, record.value2);
    }
  }
  return known;
}

}  // namespace

// What threads, objects and memory are like. `refusal` says why an operation
// cannot happen as recorded; `perform` lets it happen.
class Witness::Machine {
 public:
  Machine(size_t threads, const std::unordered_map<uint64_t, uint8_t>& initial)
      : next(threads, 0), has_ended_(threads, false), memory_(initial) {}

  std::vector<uint32_t> next;  // by thread: index of its next operation

  std::string refusal(const HeddleRecord& record, bool value_matters) {
    if (atomic_ != kNobody && atomic_ != record.thread) return "another thread is in an atomic section";
    switch (record.kind) {
      case HEDDLE_LOAD:
      case HEDDLE_RMW:
      case HEDDLE_CAS:
      case HEDDLE_AWAIT:
        if (value_matters && !finds(record)) return "it reads another value";
        break;
      case HEDDLE_THREAD_START:
        if (record.thread != 0 && !created_.count(record.thread)) return "its thread is not created";
        break;
      case HEDDLE_THREAD_JOIN:
        if (!gave_up(record) && record.value < has_ended_.size() && !has_ended_[record.value])
          return "the thread to join has not ended";
        break;
      default: return refusal_of_object(record);
    }
    const bool is_access = record.kind == HEDDLE_STORE || record.kind == HEDDLE_LOAD || record.kind == HEDDLE_RMW ||
                           record.kind == HEDDLE_CAS;
    if (is_access && is_freed(record.address)) return "its memory is freed";
    return "";
  }

  void perform(const HeddleRecord& record) {
    switch (record.kind) {
      case HEDDLE_STORE:
      case HEDDLE_EXTERN_WRITE: write(record, record.value, record.value2); break;
      case HEDDLE_RMW: write(record, record.value2, 0); break;
      case HEDDLE_CAS:
        if (!gave_up(record)) write(record, record.value2, 0);
        break;
      case HEDDLE_ALLOC:
        blocks_[record.address] = record.value;
        freed_.erase(record.address);
        break;
      case HEDDLE_FREE:
        if (blocks_.count(record.address)) freed_[record.address] = blocks_[record.address];
        break;
      case HEDDLE_THREAD_CREATE:
        if (!gave_up(record)) created_.insert(record.value);
        break;
      case HEDDLE_THREAD_END: has_ended_[record.thread] = true; break;
      case HEDDLE_ATOMIC_BEGIN: atomic_ = record.thread; break;
      case HEDDLE_ATOMIC_END: atomic_ = kNobody; break;
      default: use_object(record); break;
    }
    next[record.thread] = record.index + 1;
  }

  void wake(uint32_t thread) { woken_.insert(thread); }
  bool exists(uint32_t thread) const { return thread == 0 || created_.count(thread) > 0; }
  bool has_ended(uint32_t thread) const { return has_ended_[thread]; }

  bool is_freed(uint64_t address) const {
    auto block = freed_.upper_bound(address);
    if (block == freed_.begin()) return false;
    --block;
    return address - block->first < block->second;
  }

 private:
  struct Lock {
    uint32_t owner = kNobody;
    std::multiset<uint32_t> readers;
  };
  struct Barrier {
    uint64_t count = 0;
    std::set<uint32_t> arrived, leaving;
  };
  struct Initialisation {
    bool is_done = false;
    uint32_t runner = kNobody;
  };

  // Bytes that are not known are other ones.
  bool finds(const HeddleRecord& record) const {
    const uint32_t size = record.kind == HEDDLE_LOAD ? record.size : std::min<uint32_t>(record.size, 8);
    for (uint32_t byte = 0; byte < size; ++byte) {
      const auto found = memory_.find(record.address + byte);
      if (found == memory_.end() || found->second != byte_of(byte, record.value, record.value2)) return false;
    }
    return true;
  }

  void write(const HeddleRecord& record, uint64_t low, uint64_t high) {
    for (uint32_t byte = 0; byte < record.size; ++byte)
      memory_[record.address + byte] = byte_of(byte, low, high);
  }

  std::string refusal_of_object(const HeddleRecord& record) {
    const auto is_held = [&](uint64_t lock) { return locks_[lock].owner != kNobody && locks_[lock].owner != record.thread; };
    const bool fails = gave_up(record);
    switch (record.kind) {
      case HEDDLE_MUTEX_LOCK: return is_held(record.address) ? "its lock is held" : "";
      case HEDDLE_MUTEX_TRYLOCK:
      case HEDDLE_MUTEX_TIMEDLOCK:
        return (locks_[record.address].owner != kNobody) == fails || (!fails && !is_held(record.address))
                   ? "" : "its attempt would end differently";
      case HEDDLE_RWLOCK_READ: return is_held(record.address) ? "its lock is held" : "";
      case HEDDLE_RWLOCK_WRITE:
        return is_held(record.address) || !locks_[record.address].readers.empty() ? "its lock is held" : "";
      case HEDDLE_RWLOCK_TRYREAD:
      case HEDDLE_RWLOCK_TIMEDREAD:
        return (locks_[record.address].owner != kNobody) == fails ? "" : "its attempt would end differently";
      case HEDDLE_RWLOCK_TRYWRITE:
      case HEDDLE_RWLOCK_TIMEDWRITE:
        return (locks_[record.address].owner != kNobody || !locks_[record.address].readers.empty()) == fails
                   ? "" : "its attempt would end differently";
      case HEDDLE_COND_RESUME:
        if (is_held(record.value)) return "its mutex is held";
        return fails || (record.flags & HEDDLE_FLAG_SPURIOUS) || woken_.count(record.thread) ? "" : "nobody woke it";
      case HEDDLE_AWAIT_RESUME:
        return fails || (record.flags & HEDDLE_FLAG_SPURIOUS) || woken_.count(record.thread) ? "" : "nobody woke it";
      case HEDDLE_BARRIER_LEAVE:
        return barriers_[record.address].leaving.count(record.thread) ? "" : "the barrier is closed";
      case HEDDLE_SEM_WAIT:
      case HEDDLE_SEM_TRYWAIT:
      case HEDDLE_SEM_TIMEDWAIT: {
        const uint64_t tokens = semaphores_.try_emplace(record.address, record.value + (fails ? 0 : 1)).first->second;
        return (tokens == 0) == fails ? "" : "the semaphore has another count";
      }
      case HEDDLE_ONCE_ENTER: {
        const Initialisation& once = initialisations_[record.address];
        if (!record.value) return once.is_done ? "" : "it is not initialised";
        return once.is_done || once.runner != kNobody ? "it is initialised by another thread" : "";
      }
      default: return "";
    }
  }

  void use_object(const HeddleRecord& record) {
    if (record.kind == HEDDLE_COND_SIGNAL || record.kind == HEDDLE_COND_BROADCAST) return signal(record);
    if (gave_up(record) && record.kind != HEDDLE_COND_RESUME && record.kind != HEDDLE_AWAIT_RESUME) return;
    switch (record.kind) {
      case HEDDLE_MUTEX_LOCK:
      case HEDDLE_MUTEX_TRYLOCK:
      case HEDDLE_MUTEX_TIMEDLOCK:
      case HEDDLE_RWLOCK_WRITE:
      case HEDDLE_RWLOCK_TRYWRITE:
      case HEDDLE_RWLOCK_TIMEDWRITE: locks_[record.address].owner = record.thread; break;
      case HEDDLE_MUTEX_UNLOCK:
        if (record.value == 0) locks_[record.address].owner = kNobody;
        break;
      case HEDDLE_RWLOCK_READ:
      case HEDDLE_RWLOCK_TRYREAD:
      case HEDDLE_RWLOCK_TIMEDREAD: locks_[record.address].readers.insert(record.thread); break;
      case HEDDLE_RWLOCK_UNLOCK: {
        Lock& lock = locks_[record.address];
        const auto reader = lock.readers.find(record.thread);
        if (lock.owner == record.thread) lock.owner = kNobody;
        else if (reader != lock.readers.end()) lock.readers.erase(reader);
        break;
      }
      case HEDDLE_COND_WAIT:
        locks_[record.value].owner = kNobody;
        waiting_[record.address].insert(record.thread);
        woken_.erase(record.thread);
        break;
      case HEDDLE_COND_RESUME:
        locks_[record.value].owner = record.thread;
        waiting_[record.address].erase(record.thread);
        break;
      case HEDDLE_AWAIT: woken_.erase(record.thread); break;
      case HEDDLE_BARRIER_INIT: barriers_[record.address] = {record.value, {}, {}}; break;
      case HEDDLE_BARRIER_ARRIVE: {
        Barrier& barrier = barriers_[record.address];
        barrier.arrived.insert(record.thread);
        if (barrier.arrived.size() < barrier.count) break;
        barrier.leaving.insert(barrier.arrived.begin(), barrier.arrived.end());
        barrier.arrived.clear();
        break;
      }
      case HEDDLE_BARRIER_LEAVE: barriers_[record.address].leaving.erase(record.thread); break;
      case HEDDLE_SEM_INIT: semaphores_[record.address] = record.value; break;
      case HEDDLE_SEM_POST: ++semaphores_.try_emplace(record.address, record.value - 1).first->second; break;
      case HEDDLE_SEM_WAIT:
      case HEDDLE_SEM_TRYWAIT:
      case HEDDLE_SEM_TIMEDWAIT: --semaphores_.try_emplace(record.address, record.value + 1).first->second; break;
      case HEDDLE_ONCE_ENTER:
        if (record.value) initialisations_[record.address].runner = record.thread;
        break;
      case HEDDLE_ONCE_DONE: initialisations_[record.address] = {true, kNobody}; break;
      default: break;
    }
  }

  // The plan says whom a signal wakes; before it, the trace does.
  void signal(const HeddleRecord& record) {
    std::set<uint32_t>& waiting = waiting_[record.address];
    if (record.kind == HEDDLE_COND_BROADCAST) {
      woken_.insert(waiting.begin(), waiting.end());
      waiting.clear();
    } else if (is_history && record.value) {
      wake(static_cast<uint32_t>(record.value - 1));
    }
  }

 public:
  bool is_history = true;  // what happened as the trace says

 private:
  std::vector<bool> has_ended_;
  std::set<uint64_t> created_;
  uint32_t atomic_ = kNobody;
  std::unordered_map<uint64_t, uint8_t> memory_;
  std::map<uint64_t, uint64_t> blocks_, freed_;
  std::unordered_map<uint64_t, Lock> locks_;
  std::unordered_map<uint64_t, std::set<uint32_t>> waiting_;
  std::set<uint32_t> woken_;
  std::unordered_map<uint64_t, Barrier> barriers_;
  std::unordered_map<uint64_t, uint64_t> semaphores_;
  std::unordered_map<uint64_t, Initialisation> initialisations_;
};

Witness::Witness(const trace::Trace& trace) : trace_(trace) {}

std::string Witness::check(size_t begin, std::span<const property::PlannedStep> plan,
                           std::span<const causal::EventId> last) {
  if (!initial_) initial_ = initial_memory(trace_);
  Machine machine(trace_.threads.size(), *initial_);
  return follow(machine, begin, plan, last);
}

std::string Witness::check_halt(std::span<const property::PlannedStep> plan) {
  if (!initial_) initial_ = initial_memory(trace_);
  Machine machine(trace_.threads.size(), *initial_);
  if (std::string refused = follow(machine, 0, plan, {}); !refused.empty()) return refused;
  // Of each thread what it would do next, if the trace knows.
  std::vector<const HeddleRecord*> next(trace_.threads.size(), nullptr);
  for (const trace::Event& event : trace_.events) {
    const HeddleRecord& record = event.record;
    if (trace::is_visible(record) && record.index == machine.next[record.thread]) next[record.thread] = &record;
  }
  for (uint32_t thread = 0; thread < next.size(); ++thread) {
    if (!machine.exists(thread) || machine.has_ended(thread)) continue;
    if (!next[thread]) return trace_.thread_name(thread) + ": what it does next is not known";
    if (machine.refusal(*next[thread], true).empty()) return trace_.thread_name(thread) + ": it can go on";
  }
  return "";
}

std::string Witness::check_use_after_free(std::span<const property::PlannedStep> plan) {
  if (!initial_) initial_ = initial_memory(trace_);
  Machine machine(trace_.threads.size(), *initial_);
  if (plan.empty()) return "nothing is planned";
  if (std::string refused = follow(machine, 0, plan.first(plan.size() - 1), {}); !refused.empty()) return refused;
  const causal::EventId use = plan.back().event;
  for (const trace::Event& event : trace_.events) {
    const HeddleRecord& record = event.record;
    if (!trace::is_visible(record) || record.thread != use.thread || record.index != use.index) continue;
    return machine.next[use.thread] == use.index && machine.is_freed(record.address) ? "" : "its memory is not freed";
  }
  return "it is not in the trace";
}

std::string Witness::follow(Machine& machine, size_t begin, std::span<const property::PlannedStep> plan,
                            std::span<const causal::EventId> last) {
  for (size_t at = 0; at < begin; ++at) {
    const HeddleRecord& record = trace_.events[at].record;
    if (trace::is_visible(record)) machine.perform(record);
  }
  machine.is_history = false;
  std::map<causal::EventId, size_t> places;  // of the planned operations
  for (const property::PlannedStep& step : plan) places[step.event] = trace_.events.size();
  for (size_t at = begin, left = places.size(); at < trace_.events.size() && left > 0; ++at) {
    const HeddleRecord& record = trace_.events[at].record;
    const auto place = trace::is_visible(record) ? places.find({record.thread, record.index}) : places.end();
    if (place == places.end()) continue;
    place->second = at;
    --left;
  }
  const auto refuse = [&](causal::EventId event, const std::string& why) {
    return trace_.thread_name(event.thread) + " " + std::to_string(event.index) + ": " + why;
  };
  for (const property::PlannedStep& step : plan) {
    if (step.kind == schedule::StepKind::kWake) {
      machine.wake(step.event.thread);
      continue;
    }
    size_t place = places[step.event];
    if (place == trace_.events.size()) return refuse(step.event, "it is not in the trace");
    if (machine.next[step.event.thread] != step.event.index) return refuse(step.event, "it is not what its thread does next");
    const bool matters = std::find(last.begin(), last.end(), step.event) == last.end();
    const std::string why = machine.refusal(trace_.events[place].record, matters);
    if (!why.empty()) return refuse(step.event, why);
    machine.perform(trace_.events[place].record);
    // What a library function wrote is part of its call.
    for (++place; place < trace_.events.size(); ++place) {
      const HeddleRecord& record = trace_.events[place].record;
      if (record.thread != step.event.thread) continue;
      if (record.kind != HEDDLE_EXTERN_WRITE) break;
      machine.perform(record);
    }
  }
  return "";
}

}  // namespace heddle::predict
