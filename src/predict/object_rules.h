// SPDX-License-Identifier: Apache-2.0
//
// Which objects of synchronisation of a window may be used in another order, and
// which keep the order of their operations. To keep it is always right, as orders
// are lost and none are invented; so all that is seldom and hard keeps its order:
// conditions at which a wait ended by itself, semaphores whose count is asked for,
// barriers with more users than they let through, locks at which writers line up, objects
// that are misused or made anew, objects with very many uses, calls of unknown functions.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "causal/execution.h"
#include "predict/carried_state.h"
#include "semantics/meaning.h"
#include "trace/trace.h"

namespace heddle::predict {

using causal::EventId;

using semantics::gave_up;
using semantics::is_vain_attempt;

// Of an object of synchronisation; futex words are memory here.
bool is_object_use(const HeddleRecord& record);
// Its value is the address of a mutex.
bool has_mutex(const HeddleRecord& record);

class ObjectRules {
 public:
  // `state` is that before the events.
  ObjectRules(std::span<const trace::Event> events, const CarriedState& state);

  // The operation belongs to these objects, and its place among their other operations is kept.
  std::vector<uint64_t> kept_of(const HeddleRecord& record) const;
  // Some object keeps its order only because there would be too many others.
  bool simplifies() const { return simplifies_; }
  bool is_kept(uint64_t object) const { return kept_.count(object) > 0; }
  // Others cannot use the object if this one does not happen.
  static bool makes_usable(const HeddleRecord& record);

  // How often a semaphore can be waited for before anybody posts it.
  uint64_t tokens(uint64_t semaphore) const;
  // The round of an arrival at a barrier, or of leaving it; none: it has been open since before the window.
  std::optional<uint64_t> round(EventId event) const;

 private:
  struct Survey {
    std::set<uint32_t> users;  // of a barrier
    uint64_t uses = 0;
    uint64_t asks = 0,
             answers = 0;          // waits and what may end them, attempts in vain and those who may have had the lock
    uint64_t initialisations = 0;  // that were begun
    bool is_destroyed = false;
  };
  void look_at(const HeddleRecord& record, const CarriedState& state);
  void look_at_lock(const HeddleRecord& record, Survey& survey);
  void count_waits(const HeddleRecord& record, Survey& survey);
  void count_tokens(const HeddleRecord& record, Survey& survey);
  void count_rounds(const HeddleRecord& record, const CarriedState& state, Survey& survey);

  std::map<uint64_t, Survey> surveys_;
  std::set<uint64_t> kept_;
  bool simplifies_ = false;
  std::map<uint64_t, uint64_t> tokens_;
  struct Barrier {
    uint64_t count = 0, arrived = 0;
  };
  std::map<uint64_t, Barrier> barriers_;
  std::map<std::pair<uint64_t, uint32_t>, uint64_t> last_round_;  // by barrier and thread
  std::map<EventId, uint64_t> rounds_;
};

}  // namespace heddle::predict
