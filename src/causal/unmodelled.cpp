// SPDX-License-Identifier: Apache-2.0
#include "causal/unmodelled.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "abi/outside_state.h"
#include "causal/must_order.h"
#include "causal/operation.h"

namespace heddle::causal {

using semantics::effect_of;
using semantics::family_of;

namespace {

constexpr uint64_t kMostPairs = 20'000'000, kMostClocks = 100'000'000;

struct WordUse {
  uint64_t reads = 0, writes = 0;  // of the user at hand
  uint64_t earlier_reads = 0, earlier_writes = 0,
           pairs = 0;  // of those before it; of a read and a write in two threads
  ThreadId user = 0;
  bool is_shared = false;

  void change_user(ThreadId next) {
    pairs += reads * earlier_writes + writes * earlier_reads;
    earlier_reads += reads;
    earlier_writes += writes;
    reads = writes = 0;
    user = next;
  }
};

std::unordered_map<uint64_t, WordUse> uses_of(const Execution& execution) {
  std::unordered_map<uint64_t, WordUse> uses;
  for (ThreadId t = 0; t < execution.threads.size(); ++t) {
    for (const HeddleRecord& operation : execution.threads[t].operations) {
      if (!reads_memory(operation) && !writes_memory(operation)) continue;
      const auto [place, is_new] = uses.try_emplace(operation.address / 8);
      WordUse& use = place->second;
      if (is_new) use.user = t;
      use.is_shared |= use.user != t;
      if (use.user != t) use.change_user(t);
      use.reads += reads_memory(operation);
      use.writes += writes_memory(operation);
    }
  }
  return uses;
}

// A join that fails is a misuse, but for those that do not wait or have a deadline.
bool may_give_up(const HeddleRecord& join) {
  const bool is_misuse = join.flags & HEDDLE_FLAG_MISUSE;
  return (join.flags & HEDDLE_FLAG_TIMED) || (!is_misuse && semantics::gave_up(join));
}

}  // namespace

const char* not_modelled(const HeddleRecord& operation) {
  switch (family_of(operation)) {
    case HEDDLE_FAMILY_SIGNAL: return "signals between threads";
    case HEDDLE_FAMILY_DESCRIPTOR: return "threads that wait for pipes or sockets";
    default: break;
  }
  switch (effect_of(operation)) {
    case HEDDLE_EFFECT_CANCEL: return "cancellation of threads";
    case HEDDLE_EFFECT_INSPECT: return "sem_getvalue";
    case HEDDLE_EFFECT_WAKE: {
      const uint64_t most = semantics::most_woken(operation);
      return most > 1 && most < semantics::kAllWaiters ? "waking some, not all, of those who wait for a word" : nullptr;
    }
    case HEDDLE_EFFECT_JOIN:
      if (operation.value == kMainThread) return "waiting for the end of the first thread";
      return may_give_up(operation) ? "joins that may give up" : nullptr;
    default: break;
  }
  const bool is_update = operation.kind == HEDDLE_RMW || operation.kind == HEDDLE_CAS;
  return is_update && operation.size > 8 ? "a read-modify-write of 16 bytes" : nullptr;
}

std::set<std::string> unmodelled(const Execution& execution, std::span<const std::string> functions) {
  std::set<std::string> found;
  std::unordered_map<uint64_t, WordUse> uses;
  std::unordered_map<uint64_t, std::pair<uint64_t, std::set<ThreadId>>> barriers;  // count, users
  for (ThreadId t = 0; t < execution.threads.size(); ++t) {
    for (const HeddleRecord& operation : execution.threads[t].operations) {
      if (const char* what = not_modelled(operation)) found.insert(what);
      if (family_of(operation) == HEDDLE_FAMILY_BARRIER) {
        if (effect_of(operation) == HEDDLE_EFFECT_INIT) barriers[operation.address].first = operation.value;
        if (effect_of(operation) == HEDDLE_EFFECT_ARRIVE) barriers[operation.address].second.insert(t);
      }
      if (operation.kind != HEDDLE_EXTERN_WRITE) continue;
      if (uses.empty()) uses = uses_of(execution);
      if (!uses[operation.address / 8].is_shared) continue;
      found.insert("writes of " + (functions.size() == 1 ? functions[0] : std::string("a function")) +
                   ", which has no bitcode, to memory that several threads use");
    }
  }
  for (const auto& [address, barrier] : barriers)
    if (barrier.first && barrier.second.size() > barrier.first)
      found.insert("a barrier that more threads use than it waits for");
  if (!execution.untracked.empty()) found.insert("changes of memory by code that Heddle does not see");
  return found;
}

std::set<std::string> unmodelled_by_solver(const Execution& execution) {
  std::set<std::string> found;
  for (const ThreadPart& part : execution.threads) {
    std::unordered_map<uint64_t, uint64_t> depths;  // of mutexes
    for (const HeddleRecord& operation : part.operations) {
      const HeddleEffect effect = effect_of(operation);
      if (operation.kind == HEDDLE_ONCE_INIT) found.insert("one-time initialisations whose flag is initialised anew");
      if (effect == HEDDLE_EFFECT_LINE_UP) found.insert("reader-writer locks that prefer writers");
      if (operation.kind == HEDDLE_NOTIFY && (operation.flags & HEDDLE_FLAG_LEARNED))
        found.insert("how many threads a futex wakes, where the program looks at it");
      if (family_of(operation) == HEDDLE_FAMILY_MUTEX && !semantics::gave_up(operation))
        depths[operation.address] = operation.value;
      const bool waits = family_of(operation) == HEDDLE_FAMILY_CONDITION && effect == HEDDLE_EFFECT_WAIT;
      if (waits && !semantics::gave_up(operation) && depths[operation.value] > 1)
        found.insert("waits for a condition with a mutex locked several times");
    }
  }
  return found;
}

std::set<std::string> disputed_states(const Execution& execution) {
  static const char* const kNames[HEDDLE_OUTSIDE_STATES] = {"", "random numbers", "input that several threads read", "",
                                                            "numbers of descriptors"};
  struct Use {
    EventId first, last;
  };
  std::vector<Use> uses[HEDDLE_OUTSIDE_STATES];  // by thread
  for (ThreadId t = 0; t < execution.threads.size(); ++t) {
    for (const HeddleRecord& operation : execution.threads[t].operations) {
      if (operation.kind != HEDDLE_EXTERN_CALL || !operation.value || operation.value >= HEDDLE_OUTSIDE_STATES)
        continue;
      std::vector<Use>& list = uses[operation.value];
      const EventId event = {t, operation.index};
      if (list.empty() || list.back().first.thread != t) list.push_back({event, event});
      list.back().last = event;
    }
  }
  std::set<std::string> found;
  std::optional<MustOrder> order;
  for (size_t state = 0; state < std::size(uses); ++state) {
    if (uses[state].size() < 2 || state == HEDDLE_STATE_ENVIRONMENT) continue;  // that has a rule of its own
    if (!order) order.emplace(execution);
    for (const Use& one : uses[state])
      for (const Use& other : uses[state])
        if (one.first.thread < other.first.thread && !order->before(one.last, other.first) &&
            !order->before(other.last, one.first))
          found.insert(kNames[state]);
  }
  return found;
}

bool changes_environment_beside_others(const Execution& execution) {
  std::optional<MustOrder> order;
  for (ThreadId t = 0; t < execution.threads.size(); ++t) {
    for (const HeddleRecord& operation : execution.threads[t].operations) {
      if (operation.kind != HEDDLE_EXTERN_CALL || operation.value != HEDDLE_STATE_ENVIRONMENT) continue;
      if (!order) order.emplace(execution);
      const EventId change = {t, operation.index};
      for (ThreadId other = 0; other < execution.threads.size(); ++other) {
        if (other == t || execution.length(other) == 0) continue;
        if (!order->before(change, {other, 0}) && !order->before({other, execution.length(other) - 1}, change))
          return true;
      }
    }
  }
  return false;
}

bool has_disputed_objects(const Execution& execution) {
  std::map<uint64_t, uint64_t> sizes;        // of blocks, by address
  std::multimap<uint64_t, EventId> changes;  // by the address of the object or block
  for (const ThreadPart& part : execution.threads) {
    for (const HeddleRecord& operation : part.operations) {
      if (operation.kind == HEDDLE_ALLOC)
        sizes[operation.address] = std::max(sizes[operation.address], operation.value);
      if (operation.kind == HEDDLE_FREE || semantics::changes_life(operation.kind))
        changes.emplace(operation.address, EventId{operation.thread, operation.index});
    }
  }
  if (changes.empty()) return false;
  std::optional<MustOrder> order;
  const auto is_disputed = [&](EventId use, uint64_t changed) {
    const auto [begin, end] = changes.equal_range(changed);
    for (auto change = begin; change != end; ++change) {
      if (change->second.thread == use.thread) continue;
      if (!order) order.emplace(execution);
      if (!order->before(use, change->second) && !order->before(change->second, use)) return true;
    }
    return false;
  };
  for (ThreadId t = 0; t < execution.threads.size(); ++t) {
    for (const HeddleRecord& operation : execution.threads[t].operations) {
      if (!semantics::uses_object(operation.kind)) continue;
      const EventId use = {t, operation.index};
      if (is_disputed(use, operation.address)) return true;
      auto block = sizes.upper_bound(operation.address);
      if (block == sizes.begin()) continue;
      --block;
      if (block->first != operation.address && operation.address - block->first < block->second &&
          is_disputed(use, block->first))
        return true;
    }
  }
  return false;
}

bool may_reuse_memory(const Execution& execution) {
  std::vector<EventId> releases, allocations;  // of each thread the first and the last one
  for (ThreadId t = 0; t < execution.threads.size(); ++t) {
    std::optional<EventId> released, allocated;
    for (const HeddleRecord& operation : execution.threads[t].operations) {
      if (operation.value2 == HEDDLE_ALLOCATOR_MAP) continue;
      if (operation.kind == HEDDLE_FREE && !released) released = {t, operation.index};
      if (operation.kind == HEDDLE_ALLOC) allocated = {t, operation.index};
    }
    if (released) releases.push_back(*released);
    if (allocated) allocations.push_back(*allocated);
  }
  if (execution.threads.size() < 2 || releases.empty()) return false;
  const MustOrder order(execution);
  for (const EventId release : releases)
    for (const EventId allocation : allocations)
      if (!order.before(allocation, release)) return true;
  return false;
}

bool is_too_large(const Execution& execution) {
  uint64_t operations = 0, pairs = 0;
  for (const ThreadPart& part : execution.threads) operations += part.operations.size();
  if (operations * execution.threads.size() > kMostClocks) return true;
  for (auto& [word, use] : uses_of(execution)) {
    WordUse last = use;
    last.change_user(use.user);
    pairs += last.pairs;
  }
  return pairs > kMostPairs;
}

}  // namespace heddle::causal
