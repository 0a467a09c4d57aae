// SPDX-License-Identifier: Apache-2.0
//
// Guesses the next event of a thread from those before it. The encoder writes
// only what was guessed wrong; the decoder makes the same guesses and so knows
// the rest. Programs repeat themselves: in
//
//   for (i = 0; i < n; ++i) sum += a[i];
//
// the site of each access follows from the site before it, its address is the
// site's last one plus a stride, and a value is what the thread last saw there.
//
// The guesses depend on nothing but the events learned since begin(), so both
// sides stay in step as long as both learn every event. Tables are of fixed
// size and overwrite on collision.
#pragma once

#include <cstdint>
#include <cstring>

#include "abi/event.h"

namespace heddle::trace {

class Predictor {
 public:
  // What is remembered of the last event at a site.
  struct SiteMemory {
    uint64_t address;
    uint64_t stride;
    uint64_t offset;  // from the address of the event before, whatever its site
    uint64_t value;
    uint64_t value_step;  // by how much `value` moved away from what was known
    uint64_t value2;
    uint32_t site;
    uint32_t next_site;
    uint8_t kind, size, order, flags;
    uint8_t used;
    uint8_t by_offset;  // the offset was the better guess
  };

  void begin(bool free_running) {
    std::memset(this, 0, sizeof *this);
    free_running_ = free_running;
  }

  uint32_t site() const { return sites_[previous_slot_].next_site; }
  uint32_t previous_site() const { return previous_site_; }

  // The memory of a site, emptied if another site stood in its place.
  SiteMemory& remember(uint32_t site) {
    slot_ = site * 0x9e3779b1u >> (32 - kSiteBits);
    SiteMemory& memory = sites_[slot_];
    if (memory.used && memory.site == site) return memory;
    std::memset(&memory, 0, sizeof memory);
    memory.site = site;
    memory.next_site = site + 1;
    return memory;
  }

  uint32_t index() const { return next_index_; }

  // Controlled: the next in the total order. Free: most events have no number.
  uint64_t sequence() const { return free_running_ ? 0 : last_sequence_ + 1; }
  uint64_t last_sequence() const { return last_sequence_; }

  // Arrays are walked by strides; fields of an object lie at fixed distances.
  uint64_t address(const SiteMemory& memory) const {
    return memory.by_offset ? last_address_ + memory.offset : memory.address + memory.stride;
  }
  // From where a wrong guess is corrected.
  uint64_t address_base(const SiteMemory& memory) const { return memory.used ? memory.address : last_address_; }

  uint64_t value(const SiteMemory& memory, uint8_t kind, uint64_t address) const {
    const ValueMemory& known = values_[value_slot(address)];
    if (is_access(kind) && known.used && known.address == address) {
      return kind == HEDDLE_STORE ? known.value + memory.value_step : known.value;
    }
    return memory.value + memory.value_step;
  }

  // A read-modify-write repeats its change; others repeat the number.
  uint64_t value2(const SiteMemory& memory, uint8_t kind, uint64_t value) const {
    return is_update(kind) ? value + (memory.value2 - memory.value) : memory.value2;
  }

  // Takes in an event for which remember(record.site) was called last.
  void learn(SiteMemory& memory, const HeddleRecord& record, uint64_t sequence) {
    sites_[previous_slot_].next_site = record.site;
    previous_slot_ = slot_;
    previous_site_ = record.site;
    learn_value(memory, record);
    learn_address(memory, record.address);
    memory.value = record.value;
    memory.value2 = record.value2;
    memory.kind = record.kind;
    memory.size = record.size;
    memory.order = record.order;
    memory.flags = record.flags;
    memory.used = 1;
    if (sequence != 0) last_sequence_ = sequence;
    if (record.kind != HEDDLE_FLUSH) next_index_ = record.kind <= HEDDLE_LAST_VISIBLE ? record.index + 1 : record.index;
  }

 private:
  static constexpr unsigned kSiteBits = 10;
  static constexpr unsigned kValueBits = 11;

  struct ValueMemory {
    uint64_t address;
    uint64_t value;
    uint8_t used;
  };

  static bool is_update(uint8_t kind) { return kind == HEDDLE_RMW || kind == HEDDLE_CAS; }
  static bool is_access(uint8_t kind) { return kind == HEDDLE_LOAD || kind == HEDDLE_STORE || is_update(kind); }
  static uint32_t value_slot(uint64_t address) {
    return static_cast<uint32_t>(address * 0x9e3779b97f4a7c15u >> (64 - kValueBits));
  }

  void learn_address(SiteMemory& memory, uint64_t address) {
    if (memory.used) {
      const bool by_stride = address == memory.address + memory.stride;
      if (by_stride || address == last_address_ + memory.offset) memory.by_offset = !by_stride;
    }
    memory.stride = memory.used ? address - memory.address : 0;
    memory.offset = address - last_address_;
    memory.address = address;
    if (address != 0) last_address_ = address;
  }

  void learn_value(SiteMemory& memory, const HeddleRecord& record) {
    ValueMemory& known = values_[value_slot(record.address)];
    const bool access = is_access(record.kind);
    const bool was_known = access && known.used && known.address == record.address;
    if (was_known) {
      memory.value_step = record.kind == HEDDLE_STORE ? record.value - known.value : 0;
    } else {
      memory.value_step = memory.used ? record.value - memory.value : 0;
    }
    if (!access) return;
    const bool changed = is_update(record.kind) && !(record.flags & HEDDLE_FLAG_FAILED);
    known.address = record.address;
    known.value = changed ? record.value2 : record.value;
    known.used = 1;
  }

  SiteMemory sites_[1u << kSiteBits];
  ValueMemory values_[1u << kValueBits];
  uint64_t last_sequence_;
  uint64_t last_address_;
  uint32_t next_index_;
  uint32_t previous_site_;
  uint32_t previous_slot_;
  uint32_t slot_;
  bool free_running_;
};

}  // namespace heddle::trace
