// SPDX-License-Identifier: Apache-2.0
//
// Canonical names: what is called the same in every run of a program that does
// the same, whatever the addresses and the schedule (TraceSanitizer, IV-C).
//
//   thread      T0.1              the second child of the main thread
//   event       T0.1:12           its visible event number 12
//   object      heap T0.1#7       the eighth allocation of T0.1
//               stack T0.0#3      the fourth stack object of T0.0
//               global a.c:count  a global; "~2" follows the second of that name
//               unknown T0#0      memory that nobody was seen to allocate (objects.h)
//   place       heap T0.1#7+8     eight bytes into it
//               heap T0.1#7+8 (freed)   after it was freed
//               stack T0.0#3 (ended)    after its scope or thread ended
//               null+4            less than a page above null
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "naming/event_order.h"
#include "naming/objects.h"
#include "trace/trace.h"

namespace heddle::naming {

// Made once per trace, in O(n log n); then read only, also by several threads at
// once. The trace must outlive it and stay as it is.
class Names {
 public:
  explicit Names(const trace::Trace& trace);
  Names(const Names&) = delete;
  Names& operator=(const Names&) = delete;

  const trace::Trace& trace() const { return trace_; }
  const EventOrder& order() const { return order_; }
  const Objects& objects() const { return objects_; }

  // "T?" for a number that the trace does not explain.
  const std::string& thread_name(uint32_t thread) const;
  // Other records, which have no number, are named after the visible event they
  // hang before: "T0.1:<12".
  std::string event_name(const trace::Event& event) const;
  // Without offset.
  std::string object_name(const Object& object) const;

  // What `address` means when `event` happens. An address that no event of the
  // trace touches has no canonical name and is given as a number.
  std::string object_at(const trace::Event& event, uint64_t address) const;
  std::optional<Place> place_at(const trace::Event& event, uint64_t address) const;

  // "&heap T0#3+8" for a value that points into an object, else nothing.
  std::optional<std::string> pointer_text(const trace::Event& event, uint64_t value) const;

 private:
  const trace::Trace& trace_;
  EventOrder order_;
  Objects objects_;
  std::vector<std::string> thread_names_;  // and "T?"
  std::vector<std::string> global_names_;
};

}  // namespace heddle::naming
