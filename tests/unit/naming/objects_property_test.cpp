// SPDX-License-Identifier: Apache-2.0
//
// Objects against a slow and simple reckoning, and names against the schedule.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <optional>
#include <vector>

#include "hand_made_trace.h"
#include "naming/names.h"

namespace heddle::naming {
namespace {

constexpr uint64_t kBase = 0x10000;

struct SlowObject {
  std::string name;
  uint64_t begin, end;
  bool stack, alive;
};

// Keeps every object there ever was and looks at all of them each time.
class SlowMemory {
 public:
  void begin(bool stack, const std::string& name, uint64_t begin, uint64_t size) {
    objects_.push_back({name, begin, begin + size, stack, true});
  }
  // The youngest object takes the place of those it overlaps.
  void settle() {
    const SlowObject youngest = objects_.back();
    for (size_t i = 0; i + 1 < objects_.size(); ++i) {
      SlowObject& other = objects_[i];
      const bool overlap = youngest.begin < other.end && other.begin < youngest.end;
      if (other.stack == youngest.stack && overlap) other.alive = false;
    }
  }
  void end(bool stack, uint64_t begin) {
    for (SlowObject& other : objects_) {
      if (other.stack == stack && other.begin == begin) other.alive = false;
    }
  }
  std::string name_of(uint64_t address) const {
    const SlowObject* found = nullptr;
    const auto rank = [](const SlowObject& object) { return object.alive ? (object.stack ? 2 : 1) : 0; };
    for (const SlowObject& object : objects_) {
      if (address < object.begin || address >= object.end) continue;
      if (!found || rank(object) >= rank(*found)) found = &object;
    }
    if (!found) return "";
    std::string name = found->name;
    if (address != found->begin) name += '+' + std::to_string(address - found->begin);
    return found->alive ? name : name + (found->stack ? " (ended)" : " (freed)");
  }

 private:
  std::vector<SlowObject> objects_;
};

TEST(ObjectsProperty, AgreeWithASlowReckoning) {
  EXPECT_TRUE(rc::check([](const std::vector<std::tuple<uint8_t, uint8_t, uint8_t, bool>>& actions) {
    HandMadeTrace run;
    const uint32_t child = run.thread(0);
    SlowMemory memory;
    std::vector<std::string> expected;  // by event: names of all addresses
    uint32_t heap[2] = {}, stack[2] = {};
    for (const auto& [action, where, extent, by_child] : actions) {
      const uint32_t thread = by_child ? child : 0;
      const uint64_t address = kBase + where % 40, size = 1 + extent % 12;
      const std::string who = by_child ? "T0.0#" : "T0#";
      switch (action % 5) {
        case 0:
          run.add(thread, HEDDLE_ALLOC, address, size);
          memory.begin(false, "heap " + who + std::to_string(heap[thread]++), address, size);
          break;
        case 1:
          run.add(thread, HEDDLE_STACK_OBJECT, address, size);
          memory.begin(true, "stack " + who + std::to_string(stack[thread]++), address, size);
          break;
        case 2: run.add(thread, HEDDLE_FREE, address); break;
        case 3: run.add(thread, HEDDLE_STACK_OBJECT_END, address, size); break;
        default: run.add(thread, HEDDLE_YIELD);
      }
      // What an event ends is still there when it happens.
      std::string names;
      for (uint64_t at = kBase; at < kBase + 60; ++at) names += memory.name_of(at) + ';';
      expected.push_back(names);
      if (action % 5 < 2) memory.settle();
      if (action % 5 == 2) memory.end(false, address);
      if (action % 5 == 3) memory.end(true, address);
    }
    const Names names(run.trace());
    for (uint32_t event = 0; event < expected.size(); ++event) {
      std::string found;
      for (uint64_t at = kBase; at < kBase + 60; ++at) {
        const auto place = names.objects().find(event, at);
        const bool known = place && names.objects().all()[place->object].kind != ObjectKind::kUnknown;
        found += (known ? names.object_at(run.event(event), at) : "") + ';';
      }
      RC_ASSERT(found == expected[event]);
    }
  }));
}

// Threads that allocate at addresses of their own, which differ from run to run,
// and touch their objects and memory that nobody allocated.
std::vector<std::string> names_under(const std::vector<std::vector<uint8_t>>& programs, const std::vector<bool>& order,
                                     uint64_t shift) {
  HandMadeTrace run;
  for (size_t i = 1; i < programs.size(); ++i) run.thread(0);
  std::vector<size_t> next(programs.size());
  std::vector<uint64_t> top(programs.size());
  const auto step = [&](uint32_t thread) {
    const uint8_t action = programs[thread][next[thread]++];
    const uint64_t own = (uint64_t{thread} + 1) * 0x100000 + shift;
    if (action % 3 == 0) {
      run.add(thread, HEDDLE_ALLOC, own + 64 * top[thread]++, 48);
    } else if (action % 3 == 1) {
      run.add(thread, HEDDLE_LOAD, own + 64 * (action % (top[thread] + 1)) + action % 48);
    } else {
      run.add(thread, HEDDLE_LOAD, 0x9000000 + shift + 4 * (action % 32));
    }
  };
  for (const bool second : order) {
    const uint32_t thread = second ? 1 : 0;
    if (next[thread] < programs[thread].size()) step(thread);
  }
  for (uint32_t thread = 0; thread < programs.size(); ++thread) {
    while (next[thread] < programs[thread].size()) step(thread);
  }
  const Names names(run.trace());
  std::vector<std::string> lines;
  for (uint32_t thread = 0; thread < programs.size(); ++thread) {
    for (const uint32_t event : names.order().events_of(thread)) {
      lines.push_back(names.event_name(run.event(event)) + ' ' +
                      names.object_at(run.event(event), run.event(event).record.address));
    }
  }
  return lines;
}

TEST(ObjectsProperty, NamesDoNotDependOnScheduleAndAddresses) {
  EXPECT_TRUE(rc::check([](const std::vector<uint8_t>& first, const std::vector<uint8_t>& second,
                           const std::vector<bool>& order, const std::vector<bool>& other_order) {
    RC_ASSERT(names_under({first, second}, order, 0) == names_under({first, second}, other_order, 0x7000000000));
  }));
}

}  // namespace
}  // namespace heddle::naming
