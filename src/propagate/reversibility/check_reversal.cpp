// SPDX-License-Identifier: Apache-2.0
#include "propagate/reversibility/check_reversal.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "naming/event_order.h"
#include "naming/objects.h"
#include "trace/kinds.h"
#include "trace/text.h"

namespace heddle::propagate {
namespace {

using base::Error;
using base::Result;
using Key = std::pair<uint32_t, uint64_t>;  // object and offset, or none and address

class Replay {
 public:
  Replay(const trace::Trace& trace)
      : trace_(trace),
        order_(trace),
        objects_(trace, order_),
        threads_(trace.threads.size()),
        next_(threads_, 0),
        is_created_(threads_, false),
        has_ended_(threads_, false) {
    for (const trace::Event& event : trace.events) {
      if (event.record.kind == HEDDLE_BARRIER_ARRIVE)
        users_[key_of(event, event.record.address)].insert(event.record.thread);
    }
  }

  // Empty, or what cannot happen.
  std::string run(const std::vector<uint32_t>& order) {
    for (const uint32_t event : order) {
      if (event >= trace_.events.size()) return "an event that the trace does not have";
      if (const std::string problem = happen_up_to(trace_.events[event].record.thread, event); !problem.empty())
        return problem;
    }
    for (uint32_t thread = 0; thread < threads_; ++thread) {
      if (const std::string problem = happen_up_to(thread, UINT32_MAX); !problem.empty()) return problem;
    }
    return {};
  }

  // The two touch the same bytes of the same object, and their order matters.
  bool are_dependent(uint32_t first, uint32_t second) const {
    const HeddleRecord& a = trace_.events[first].record;
    const HeddleRecord& b = trace_.events[second].record;
    if (a.thread == b.thread) return false;
    if (is_lifetime(a) || is_lifetime(b)) return lifetime_matters(first, second);
    const uint64_t begin = std::max(a.address, b.address);
    const uint64_t end = std::min(a.address + a.size, b.address + b.size);
    if (begin >= end || !may_be_same_object(first, second, begin)) return false;
    const bool a_reads = trace::read_memory(a), b_reads = trace::read_memory(b);
    const bool a_writes = trace::wrote_memory(a), b_writes = trace::wrote_memory(b);
    if ((!a_writes && !b_writes) || (!a_reads && !a_writes) || (!b_reads && !b_writes)) return false;
    if (a_reads || b_reads) return true;
    for (uint64_t at = begin; at < end; ++at) {
      if (byte_written(a, at) != byte_written(b, at)) return true;
    }
    return false;
  }

 private:
  static bool is_lifetime(const HeddleRecord& record) {
    return record.kind == HEDDLE_ALLOC || record.kind == HEDDLE_FREE || record.kind == HEDDLE_STACK_OBJECT ||
           record.kind == HEDDLE_STACK_OBJECT_END || record.kind == HEDDLE_THREAD_END;
  }

  static uint8_t byte_written(const HeddleRecord& record, uint64_t address) {
    const uint64_t offset = address - record.address;
    return static_cast<uint8_t>((offset < 8 ? record.value : record.value2) >> offset % 8 * 8);
  }

  // Which of several objects at one address a free ends may be unclear in a free run.
  static bool may_end(const HeddleRecord& record, const naming::Object& object) {
    switch (record.kind) {
      case HEDDLE_FREE: return object.kind == naming::ObjectKind::kHeap && object.address == record.address;
      case HEDDLE_STACK_OBJECT_END:
        return object.kind == naming::ObjectKind::kStack && object.address == record.address;
      case HEDDLE_THREAD_END: return object.kind == naming::ObjectKind::kStack && object.thread == record.thread;
      default: return false;
    }
  }

  bool lifetime_matters(uint32_t first, uint32_t second) const {
    for (const naming::Object& object : objects_.all()) {
      const auto is_limit = [&](uint32_t event) {
        return object.born == event || may_end(trace_.events[event].record, object);
      };
      const auto touches = [&](uint32_t event) {
        const HeddleRecord& record = trace_.events[event].record;
        return is_limit(event) || (record.size > 0 && record.address < object.address + object.size &&
                                   object.address < record.address + record.size);
      };
      if ((is_limit(first) && touches(second)) || (is_limit(second) && touches(first))) return true;
    }
    return false;
  }

  // Unless one object has ended for certain before the other one was there.
  bool may_be_same_object(uint32_t first, uint32_t second, uint64_t address) const {
    const auto a = objects_.find(first, address), b = objects_.find(second, address);
    if (!a || !b || a->object == b->object) return true;
    const naming::Object& one = objects_.all()[a->object];
    const naming::Object& two = objects_.all()[b->object];
    const auto over_before = [&](const naming::Object& x, const naming::Object& y) {
      return x.died != naming::kNoEvent && y.born != naming::kNoEvent && order_.surely_before(x.died, y.born);
    };
    return !over_before(one, two) && !over_before(two, one);
  }

  Key key_of(const trace::Event& event, uint64_t address) const {
    const auto place = objects_.find(static_cast<uint32_t>(&event - trace_.events.data()), address);
    return place ? Key{place->object, place->offset} : Key{naming::kNoEvent, address};
  }

  std::string happen_up_to(uint32_t thread, uint32_t last) {
    const auto own = order_.events_of(thread);
    if (last != UINT32_MAX && next_[thread] > 0 && own[next_[thread] - 1] >= last)
      return "an event twice, or late in its thread";
    for (; next_[thread] < own.size() && own[next_[thread]] <= last; ++next_[thread]) {
      const trace::Event& event = trace_.events[own[next_[thread]]];
      if (!happen(event)) return "at its turn it must wait: " + trace::event_text(trace_, event);
    }
    return {};
  }

  bool happen(const trace::Event& event) {
    const HeddleRecord& record = event.record;
    const bool done = trace::succeeded(record);
    switch (record.kind) {
      case HEDDLE_THREAD_CREATE:
        if (done && record.value < threads_) is_created_[record.value] = true;
        return true;
      case HEDDLE_THREAD_START: return is_created_[record.thread];
      case HEDDLE_THREAD_END: has_ended_[record.thread] = true; return true;
      case HEDDLE_THREAD_JOIN: return !done || (record.value < threads_ && has_ended_[record.value]);
      case HEDDLE_MUTEX_LOCK:
      case HEDDLE_MUTEX_TRYLOCK:
      case HEDDLE_MUTEX_TIMEDLOCK:
      case HEDDLE_RWLOCK_WRITE:
      case HEDDLE_RWLOCK_TRYWRITE:
      case HEDDLE_RWLOCK_TIMEDWRITE: return !done || take(key_of(event, record.address), record.thread, false);
      case HEDDLE_RWLOCK_READ:
      case HEDDLE_RWLOCK_TRYREAD:
      case HEDDLE_RWLOCK_TIMEDREAD: return !done || take(key_of(event, record.address), record.thread, true);
      case HEDDLE_MUTEX_UNLOCK:
      case HEDDLE_RWLOCK_UNLOCK: return !done || give(key_of(event, record.address), record);
      case HEDDLE_COND_WAIT: return !done || give(key_of(event, record.value), record);
      case HEDDLE_COND_RESUME:
        return (record.flags & HEDDLE_FLAG_FAILED) || take(key_of(event, record.value), record.thread, false);
      case HEDDLE_BARRIER_ARRIVE: ++arrived_[{key_of(event, record.address), record.thread}]; return true;
      case HEDDLE_BARRIER_LEAVE: return leave(key_of(event, record.address), record.thread);
      case HEDDLE_ONCE_DONE:
        if (done) is_done_.insert(key_of(event, record.address));
        return true;
      case HEDDLE_ONCE_INIT: is_done_.erase(key_of(event, record.address)); return true;
      case HEDDLE_ONCE_ENTER: return record.value != 0 || is_done_.contains(key_of(event, record.address));
      default: return true;
    }
  }

  struct Holders {
    std::map<uint32_t, uint32_t> depth;  // by thread
    bool is_shared = false;
  };

  bool take(const Key& lock, uint32_t thread, bool is_shared) {
    Holders& holders = held_[lock];
    const bool alone = holders.depth.empty() || (holders.depth.size() == 1 && holders.depth.contains(thread));
    if (!alone && !(holders.is_shared && is_shared)) return false;
    if (holders.depth.empty()) holders.is_shared = is_shared;
    ++holders.depth[thread];
    return true;
  }

  // Whoever holds it loses it to a thread that misuses it.
  bool give(const Key& lock, const HeddleRecord& record) {
    Holders& holders = held_[lock];
    const auto own = holders.depth.find(record.thread);
    if (own == holders.depth.end()) {
      holders.depth.clear();
      return record.flags & HEDDLE_FLAG_MISUSE;
    }
    if (--own->second == 0) holders.depth.erase(own);
    return true;
  }

  bool leave(const Key& barrier, uint32_t thread) {
    const uint32_t round = ++left_[{barrier, thread}];
    const auto& users = users_[barrier];
    return std::all_of(users.begin(), users.end(), [&](uint32_t user) { return arrived_[{barrier, user}] >= round; });
  }

  const trace::Trace& trace_;
  naming::EventOrder order_;
  naming::Objects objects_;
  size_t threads_;
  std::vector<size_t> next_;  // by thread: in its events
  std::vector<bool> is_created_, has_ended_;
  std::map<Key, Holders> held_;
  std::map<Key, std::set<uint32_t>> users_;  // of a barrier
  std::map<std::pair<Key, uint32_t>, uint32_t> arrived_, left_;
  std::set<Key> is_done_;
};

}  // namespace

Result<void> check_reversal(const trace::Trace& trace, const Reversal& reversal) {
  const auto wrong = [](const std::string& what) {
    return Error{"the evidence of reversed events does not hold: " + what,
                 "this is an error in Heddle; please report it"};
  };
  const auto place = [&](uint32_t event) { return std::find(reversal.order.begin(), reversal.order.end(), event); };
  if (place(reversal.first) == reversal.order.end() || place(reversal.second) == reversal.order.end()) {
    return wrong("its order does not have both events");
  }
  if (place(reversal.first) < place(reversal.second)) return wrong("its order is that of the run");
  Replay replay(trace);
  if (const std::string problem = replay.run(reversal.order); !problem.empty()) return wrong(problem);
  if (!replay.are_dependent(reversal.first, reversal.second))
    return wrong("the two events do not depend on each other");
  return {};
}

}  // namespace heddle::propagate
