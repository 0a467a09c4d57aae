// SPDX-License-Identifier: Apache-2.0
//
// A part of a trace, as questions about values see it: which operations of each
// thread are in it, how far each thread can be followed, what memory and objects of
// synchronisation were like before. Operations whose effect on others is not modelled here
// (signals, futexes, exits, what unknown functions wrote) end what is seen of their thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "predict/carried_state.h"
#include "predict/recipe_memory.h"
#include "predict/recipe_objects.h"
#include "symbolic/walk_trace.h"
#include "trace/trace.h"

namespace heddle::predict {

struct WindowDetour {
  uint32_t thread = 0;
  const symbolic::Detour* detour = nullptr;  // null: none
};

class RecipeWindow {
 public:
  // Events [begin, end); `state` is that before `begin`, `first` the index of each thread's first operation
  // from there on. All must outlive this. `knows_outside`: no function of unknown effect is called. `detour`, if there
  // is one, is what its thread does instead of what it did.
  RecipeWindow(const trace::Trace& trace, const symbolic::WalkedTrace& recipe, size_t begin, size_t end,
               const CarriedState& state, std::vector<uint32_t> first, bool knows_outside, WindowDetour detour = {});

  size_t begin() const { return begin_; }
  size_t threads() const { return first_.size(); }
  uint32_t first(uint32_t thread) const { return first_[thread]; }  // index of its first operation here
  uint32_t limit(uint32_t thread) const { return limit_[thread]; }  // one past the last that can be used
  bool has(EventId event) const { return event.index >= first_[event.thread] && event.index < limit_[event.thread]; }

  const HeddleRecord& record(EventId event) const {
    return *records_[event.thread][event.index - first_[event.thread]];
  }
  const symbolic::Operation& operation(EventId event) const {
    if (is_on_detour(event)) return detour_.detour->operations[event.index - detour_.detour->first_operation];
    return recipe_.symbolic.threads[event.thread].operations[event.index];
  }
  const symbolic::Detour& detour() const { return *detour_.detour; }
  bool is_on_detour(EventId event) const {
    return detour_.detour && event.thread == detour_.thread && event.index >= detour_.detour->first_operation;
  }
  const std::vector<symbolic::Condition>& conditions(uint32_t thread) const {
    return detour_.detour && thread == detour_.thread ? detour_conditions_
                                                      : recipe_.symbolic.threads[thread].conditions;
  }
  // Conditions of the thread from this one on bind operations of the window.
  size_t first_condition(uint32_t thread) const { return first_condition_[thread]; }

  const RecipeMemory& memory() const { return memory_; }
  const ObjectRules& rules() const { return rules_; }
  const RecipeObjects& objects() const { return objects_; }
  // The operation that reads this symbol, if it is in the window.
  std::optional<EventId> reader(solve::Term symbol) const;

  // What comes before it by an order that always holds.
  std::vector<EventId> needs(EventId event) const;
  // By these orders and that of threads, one comes before the other whatever is read.
  bool must_precede(EventId one, EventId other) const {
    if (one.thread == other.thread) return one.index < other.index;
    return clocks_[segments_[other.thread][other.index - first_[other.thread]]][one.thread] > one.index;
  }

 private:
  class Limits;
  void find_limits(size_t end, const CarriedState& state, bool knows_outside);
  void add_detour();
  void find_clocks();

  const trace::Trace& trace_;
  const symbolic::WalkedTrace& recipe_;
  const size_t begin_;
  const WindowDetour detour_;
  std::vector<HeddleRecord> detour_records_;
  std::vector<symbolic::Condition> detour_conditions_;
  std::vector<uint32_t> first_, limit_;
  std::vector<size_t> first_condition_;
  std::vector<std::vector<const HeddleRecord*>> records_;
  std::vector<EventId> order_;  // of all operations that can be used
  RecipeMemory memory_;
  const ObjectRules rules_;
  RecipeObjects objects_;
  std::map<EventId, std::vector<EventId>> needs_;
  std::vector<std::vector<uint32_t>> clocks_;    // by thread: so many of its operations come before
  std::vector<std::vector<uint32_t>> segments_;  // by thread and operation: its clock
  std::map<uint32_t, EventId> readers_;          // by number of the symbol
};

// Calls `look` for each window of about `size` events, with the state before it and each thread's first operation in
// it. `stops`: as in Options.
void for_each_window(
    const trace::Trace& trace, uint64_t size, const std::function<bool(size_t events)>& stops,
    const std::function<void(size_t begin, size_t end, const CarriedState&, const std::vector<uint32_t>& first)>& look);

}  // namespace heddle::predict
