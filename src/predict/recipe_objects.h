// SPDX-License-Identifier: Apache-2.0
//
// Objects of synchronisation in a window, as questions about values see them: what
// always comes before what, sections of locks, attempts in vain, who waits at
// conditions and who wakes, tokens of semaphores, rounds of barriers. What keeps
// its order (object_rules.h) is here as orders only.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "predict/object_rules.h"

namespace heddle::predict {

struct LockSection {
  uint32_t thread = 0;
  std::optional<uint32_t> acquire;  // none: held when the window began
  std::optional<uint32_t> release;
  bool is_shared = false;
};

struct VainAttempt {
  EventId event;
  uint64_t lock = 0;
  bool is_shared = false;  // only those who hold the lock for themselves keep it away
};

// A wait that was ended by somebody.
struct Waiter {
  uint32_t thread = 0;
  std::optional<uint32_t> begin;   // none: it waited when the window began
  std::optional<uint32_t> resume;  // none: it still waits in the end
};

struct ConditionUse {
  std::vector<Waiter> waiters;
  std::vector<EventId> signals, broadcasts;
};

struct SemaphoreUse {
  uint64_t tokens = 0;  // at first
  std::vector<EventId> waits, posts, failures;
};

// Somebody leaves a barrier at which he has arrived in the window.
struct Leaving {
  EventId leave, arrival;
  std::vector<EventId> others;  // arrivals of the same round in the window
  bool is_last = false;         // he was told that he was the last to arrive
};

class RecipeObjects {
 public:
  using Edges = std::vector<std::pair<EventId, EventId>>;
  using Sections = std::map<uint64_t, std::vector<LockSection>>;

  // `state` is that before the window, and `rules`, which must outlive this, are the window's.
  RecipeObjects(const CarriedState& state, const ObjectRules& rules);
  // The next operation, in the order of the trace, of those that can be used.
  void add(const HeddleRecord& record);

  // Orders that always hold.
  const Edges& edges() const { return edges_; }
  const Sections& sections() const { return sections_; }  // by lock
  const std::vector<VainAttempt>& attempts() const { return attempts_; }
  const std::map<uint64_t, ConditionUse>& conditions() const { return conditions_; }
  const std::map<uint64_t, SemaphoreUse>& semaphores() const { return semaphores_; }
  const std::vector<Leaving>& leavings() const { return leavings_; }

 private:
  void order_uses(const HeddleRecord& record);
  void order_threads(const HeddleRecord& record);
  void use_section(const HeddleRecord& record);
  void use_condition(const HeddleRecord& record);
  void use_semaphore(const HeddleRecord& record);
  void use_barrier(const HeddleRecord& record);

  struct Use {
    std::optional<EventId> made;         // by this operation, in the window
    std::map<uint32_t, EventId> latest;  // by thread
  };
  const ObjectRules& rules_;
  std::map<uint64_t, Use> uses_;
  std::map<uint64_t, EventId> last_of_chain_;  // by object
  std::map<uint32_t, EventId> creations_, ends_;
  std::map<std::pair<uint64_t, uint64_t>, std::vector<EventId>> arrivals_;  // by barrier and round

  Edges edges_;
  Sections sections_;
  std::vector<VainAttempt> attempts_;
  std::map<uint64_t, ConditionUse> conditions_;
  std::map<uint64_t, SemaphoreUse> semaphores_;
  std::vector<Leaving> leavings_;
};

}  // namespace heddle::predict
