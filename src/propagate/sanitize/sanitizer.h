// SPDX-License-Identifier: Apache-2.0
//
// Takes out of a trace what differs from run to run for no reason: addresses
// become objects, and identities of threads become names (TraceSanitizer,
// algorithms 1 and 2). One pass over the events, at millions of events a second;
// src/naming gives the same names for any address at any time, but slower.
//
//   store 0x2046e0 4 = 6                 store global arr+4 4 = 6
//   load 0x7ffe5d0 8 = 140737332786880   load stack T0#0 8 = T0.0
//
// An object is alive from its birth to its end. In a free run it may not be known
// whether an object has taken the place of another before or after an access: then
// the access means the one that was surely there.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "naming/event_order.h"
#include "naming/object.h"
#include "naming/object_index.h"
#include "trace/trace.h"

namespace heddle::propagate {

// What an address or a value stands for.
struct Reference {
  enum class Kind : uint8_t { kNumber, kObject, kEndedObject, kThread, kFunction };
  Kind kind = Kind::kNumber;
  uint32_t number = 0;  // of the object, of the thread, or of the site of a function
};

class Sanitizer {
 public:
  // Keeps references to both.
  Sanitizer(const trace::Trace& trace, const naming::EventOrder& order);
  Sanitizer(const Sanitizer&) = delete;
  Sanitizer& operator=(const Sanitizer&) = delete;
  ~Sanitizer();

  // Globals, then heap and stack objects in the order of the run, then unknown ones.
  std::span<const naming::Object> objects() const { return objects_; }
  // Of the address, value and second value of an event.
  Reference address(uint32_t event) const { return addresses_[event]; }
  Reference value(uint32_t event) const { return values_[event]; }
  Reference second_value(uint32_t event) const;

 private:
  class Cache;
  struct Miss {
    uint32_t event;
    uint64_t address;
    enum class Field : uint8_t { kAddress, kValue, kSecondValue } field;
  };
  using Living = std::map<uint64_t, uint32_t>;

  void add_globals();
  void visit(uint32_t event, const HeddleRecord& record);
  void begin(Living& living, const naming::Object& object);
  void end(Living& living, uint64_t address, uint32_t event);
  void end_thread(uint32_t thread, uint32_t event);
  void note_handle(const HeddleRecord& record);
  Reference find(uint32_t event, uint64_t address);
  Reference ending_at(uint64_t value, Reference before) const;
  uint32_t find_slowly(uint64_t address) const;
  // Was the object there when the event happened, for all we know for certain?
  bool surely_born(uint32_t object, uint32_t event) const {
    return objects_[object].born == naming::kNoEvent || order_.surely_before(objects_[object].born, event) ||
           objects_[object].born == event;
  }
  uint32_t find_global(uint64_t address) const;
  Reference find_value(uint32_t event, uint64_t value, Miss::Field field);
  void settle_misses();
  Reference find_in_time(const Miss& miss, const naming::ObjectIndex& index, const std::vector<uint32_t>& births) const;
  void name_unknown_objects(std::vector<Miss> misses);
  void put(const Miss& miss, Reference reference);
  bool covers(uint32_t object, uint64_t address) const {
    return address - objects_[object].address < std::max<uint64_t>(objects_[object].size, 1);
  }

  static constexpr uint32_t kNoObject = ~0u;
  static constexpr unsigned kAddressBits = 47;  // of a user's address

  const trace::Trace& trace_;
  const naming::EventOrder& order_;
  std::vector<naming::Object> objects_;
  std::vector<bool> is_alive_;     // by object
  std::vector<uint32_t> globals_;  // by address; of several at one place the first in the table
  Living heap_, stacks_;
  // By address: objects whose place another object has taken, but whose end is
  // still to come in the order of the events.
  std::unordered_map<uint64_t, std::vector<uint32_t>> disputed_;
  std::vector<std::vector<uint32_t>> on_stack_;       // by thread
  std::vector<uint32_t> allocations_;                 // by thread
  std::vector<uint32_t> stack_counts_;                // by thread
  std::vector<std::unique_ptr<Cache>> caches_;        // by thread
  std::unordered_map<uint64_t, uint32_t> handles_;    // the thread that the program calls so now
  std::unordered_map<uint64_t, uint32_t> functions_;  // site of the entry, by address
  uint64_t first_function_ = UINT64_MAX, last_function_ = 0;
  bool has_wide_handles_ = false;              // those of controlled runs are no addresses
  std::vector<uint32_t> last_visible_;         // by thread: event
  std::vector<Reference> addresses_, values_;  // by event
  std::unordered_map<uint32_t, Reference> second_values_;
  std::vector<Miss> misses_;
  uint64_t lowest_ = UINT64_MAX, highest_ = 0;  // no object lies outside
};

}  // namespace heddle::propagate
