// SPDX-License-Identifier: Apache-2.0
//
// The memory objects of a run, and which one an address means when an event
// happens. After TraceSanitizer, section IV-C, algorithm 1, generalised:
// allocations and stack objects carry their own records, so an object's
// validity is known without following calls and returns; a stack may lie
// inside a heap block; a trace need not be totally ordered.
//
// Addresses that nobody allocated (arguments of main, memory of libraries)
// belong to unknown objects of eight aligned bytes. Such an object belongs to
// the first thread, in the order of the tree, that touches it, and its index
// counts the unknown objects that this thread has touched before; so neither
// depends on the schedule. What other records touch is numbered after what
// visible events touch, so that recording more does not change names.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "naming/event_order.h"
#include "naming/object.h"
#include "naming/object_index.h"
#include "trace/trace.h"

namespace heddle::naming {

struct Place {
  uint32_t object = 0;  // in Objects::all()
  uint64_t offset = 0;
  bool alive = true;  // false: accessed after its end
};

// Keeps references to the trace and its order. O(log^2 n) per lookup.
class Objects {
 public:
  Objects(const trace::Trace& trace, const EventOrder& order);

  // Globals in the order of their table, then heap and stack objects in order of
  // birth, then unknown ones.
  std::span<const Object> all() const { return objects_; }

  // What `address` means at the given event. In a free trace where the order of
  // allocation and access is not known, the object that makes sense of the
  // access. Nothing for null pointers and for addresses that no event touches.
  std::optional<Place> find(uint32_t event, uint64_t address) const;

 private:
  // Objects that never overlap each other at one time.
  struct Layer {
    std::vector<uint32_t> members;  // numbers of objects, in order of birth
    std::vector<uint32_t> births;   // 1 + time of birth; 0: before the run
    ObjectIndex index;
  };

  void add_to(Layer& layer, uint32_t object);
  void finish(Layer& layer);
  std::optional<Place> find_in(const Layer& layer, uint32_t event, uint64_t address) const;
  std::optional<Place> find_known(uint32_t event, uint64_t address) const;
  bool surely_dead(const Object& object, uint32_t event) const;
  void find_unknown_objects();

  const trace::Trace& trace_;
  const EventOrder& order_;
  std::vector<Object> objects_;
  Layer memory_;  // globals and heap
  Layer stacks_;
  std::unordered_map<uint64_t, uint32_t> unknown_;  // by address / 8
};

// Threads in the order of the tree: T0, T0.0, T0.0.1, T0.1.
std::vector<uint32_t> threads_in_tree_order(const trace::Trace& trace);

}  // namespace heddle::naming
