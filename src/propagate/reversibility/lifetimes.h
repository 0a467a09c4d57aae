// SPDX-License-Identifier: Apache-2.0
//
// Which object does an access mean? Stack slots and heap blocks are used again,
// and two accesses to the same address at different times may have nothing to do
// with each other. Objects are noted in the cells that several threads use
// (shared_cells.h); an access means the youngest object there that is born for
// certain before it and has not ended for certain.
//
// It need not be clear: in a free run a thread may get at an object by a way that
// orders nothing. Such an access may mean any of them.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "propagate/reversibility/must_clocks.h"
#include "propagate/reversibility/shared_cells.h"
#include "trace/trace.h"

namespace heddle::propagate {

using ObjectNumber = uint32_t;
inline constexpr ObjectNumber kNobody = 0;     // globals, memory of libraries, what is not in use
inline constexpr ObjectNumber kUnclear = ~0u;  // may be any

struct Lifetime {
  uint64_t address = 0;
  uint64_t size = 0;
  Moment born;
  uint32_t birth = 0;  // events
  Moment ended;
  uint32_t end = kNotEnded;
  static constexpr uint32_t kNotEnded = ~0u;
};

// Events must come in an order of the run.
class Lifetimes {
 public:
  Lifetimes(const SharedCells& cells, const MustClocks& clocks, size_t threads)
      : cells_(cells), clocks_(clocks), in_cell_(cells.cells()), stack_objects_(threads), lifetimes_(1) {}

  // An allocation or a stack object. Objects that ended for certain leave its
  // cells; visit(cell, object) is told.
  template <typename Visit>
  ObjectNumber begin(uint32_t event, const HeddleRecord& record, Visit forget);
  // A free or the end of a stack object; kNobody if nothing begins there.
  ObjectNumber end(uint32_t event, const HeddleRecord& record);
  // A thread ends; its stack objects end with it.
  std::vector<ObjectNumber> end_thread(uint32_t event, uint32_t thread);

  ObjectNumber object_at(uint32_t cell, uint64_t address, uint32_t thread) const;
  const std::vector<ObjectNumber>& objects_in(uint32_t cell) const { return in_cell_[cell]; }
  const Lifetime& lifetime(ObjectNumber object) const { return lifetimes_[object]; }

 private:
  ObjectNumber take_freed(uint64_t address, uint32_t thread);
  void end_object(ObjectNumber object, uint32_t event, uint32_t thread);
  bool ended_before(ObjectNumber object, uint32_t thread) const {
    const Lifetime& life = lifetimes_[object];
    return life.end != Lifetime::kNotEnded && clocks_.before(life.ended, thread);
  }

  const SharedCells& cells_;
  const MustClocks& clocks_;
  std::vector<std::vector<ObjectNumber>> in_cell_;  // oldest first
  // Not freed yet, by address, oldest first: in a free run the free of one may
  // seem to come after the birth of the next.
  std::unordered_map<uint64_t, std::vector<ObjectNumber>> heap_;
  struct StackObject {
    uint64_t address;
    ObjectNumber object;
  };
  std::vector<std::vector<StackObject>> stack_objects_;  // by thread, living, in order of birth
  std::vector<Lifetime> lifetimes_;                      // [0] is nobody's
};

template <typename Visit>
ObjectNumber Lifetimes::begin(uint32_t event, const HeddleRecord& record, Visit forget) {
  if (record.address == 0 || (record.flags & HEDDLE_FLAG_FAILED)) return kNobody;
  const auto object = static_cast<ObjectNumber>(lifetimes_.size());
  const bool on_stack = record.kind == HEDDLE_STACK_OBJECT;
  const auto [begin, end] = cells_.cells_in(record.address, record.value);
  lifetimes_.push_back({record.address, record.value, clocks_.now(record.thread), event, {}, Lifetime::kNotEnded});
  if (on_stack) {
    stack_objects_[record.thread].push_back({record.address, object});
  } else {
    heap_[record.address].push_back(object);
  }
  for (uint32_t cell = begin; cell < end; ++cell) {
    std::erase_if(in_cell_[cell], [&](ObjectNumber older) {
      const bool gone = ended_before(older, record.thread);
      if (gone) forget(cell, older);
      return gone;
    });
    in_cell_[cell].push_back(object);
  }
  return object;
}

}  // namespace heddle::propagate
