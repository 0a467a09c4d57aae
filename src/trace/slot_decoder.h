// SPDX-License-Identifier: Apache-2.0
//
// Gives back the events of a chunk that a thread of a free run wrote by
// abi/slot_coding.h, one after the other. Any bytes may be handed in; what
// cannot have come from there is refused. No allocation, no exceptions.
//
//   decoder.begin(bytes, size, thread);
//   while (decoder.next(&record, &sequence)) use(record);
//   if (decoder.problem()) complain(decoder.problem());
#pragma once

#include <cstddef>
#include <cstdint>

#include "abi/slot_coding.h"

namespace heddle::trace {

class SlotDecoder {
 public:
  // The bytes stay the caller's and must outlive the decoding.
  void begin(const unsigned char* bytes, size_t size, uint32_t thread);

  // False at the end and at the first problem.
  bool next(HeddleRecord* record, uint64_t* sequence);

  // What is wrong, or null.
  const char* problem() const { return problem_; }

 private:
  bool fail(const char* problem);
  bool get_bytes(uint32_t length, uint64_t* value);
  bool get_number(uint64_t* value);
  bool get_narrow(uint32_t* value);
  bool declare(HeddleSlot* slot, uint32_t number);

  const unsigned char* in_ = nullptr;
  const unsigned char* end_ = nullptr;
  const char* problem_ = nullptr;
  uint64_t last_sequence_ = 0;
  uint32_t thread_ = 0;
  uint32_t next_index_ = 0;
  HeddleSlot slots_[HEDDLE_SLOTS];
};

// How many events these bytes hold, as far as they can be decoded.
uint64_t count_slot_events(const unsigned char* bytes, size_t size);

}  // namespace heddle::trace
