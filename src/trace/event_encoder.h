// SPDX-License-Identifier: Apache-2.0
//
// Turns the events of one thread into the bytes of one event chunk, as
// docs/reference/trace_format.md describes. An event that the Predictor guessed
// entirely costs an eighth of a bit or less in a long run of such events; others
// cost one byte plus the corrections.
//
//   EventEncoder encoder;                       // about 100 KB: not on small stacks
//   encoder.begin(buffer, sizeof buffer, free_running);
//   while (more && encoder.append(record, sequence)) ...
//   write(buffer, encoder.size());
//
// The bytes are a whole chunk after every append. No allocation, no exceptions.
// One thread at a time. Threads of a free run write their events themselves, in
// another coding that is quicker and larger: abi/slot_coding.h.
#pragma once

#include <cstddef>
#include <cstdint>

#include "abi/event.h"
#include "trace/predictor.h"

namespace heddle::trace {

inline constexpr uint32_t kMaxEventsPerChunk = 1u << 16;
inline constexpr size_t kMaxEventBytes = 64;  // no event is longer

// What is written of an event: bits of its first byte, each "guessed wrong, the
// right one follows". kGuessedRun marks a run instead: its low bits + 1 events
// were guessed entirely.
enum EventMark : unsigned char {
  kWrongSite = 1,
  kWrongShape = 2,  // kind, size, order, flags
  kWrongIndex = 4,
  kWrongAddress = 8,
  kWrongValue = 16,
  kWrongValue2 = 32,
  kWrongSequence = 64,
  kGuessedRun = 128,
};

class EventEncoder {
 public:
  // Starts a chunk in `out`, which the caller owns until it is done with it.
  void begin(unsigned char* out, size_t capacity, bool free_running);

  // False, and nothing happened: the chunk is full; begin another.
  bool append(const HeddleRecord& record, uint64_t sequence);

  size_t size() const { return static_cast<size_t>(end_ - begin_); }
  uint32_t count() const { return count_; }

 private:
  unsigned char* begin_ = nullptr;
  unsigned char* end_ = nullptr;
  unsigned char* limit_ = nullptr;
  unsigned char* run_ = nullptr;  // the run that the next guessed event may join
  uint32_t count_ = 0;
  Predictor predictor_;
};

}  // namespace heddle::trace
