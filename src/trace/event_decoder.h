// SPDX-License-Identifier: Apache-2.0
//
// The inverse of EventEncoder: gives back the events of one event chunk, one
// after the other. Any bytes may be handed in; what cannot have come from an
// encoder is refused, and at most kMaxEventsPerChunk events come out. No
// allocation, no exceptions.
//
//   decoder.begin(bytes, size, thread, free_running);
//   while (decoder.next(&record, &sequence)) use(record);
//   if (decoder.problem()) complain(decoder.problem(), decoder.offset());
#pragma once

#include <cstddef>
#include <cstdint>

#include "abi/event.h"
#include "trace/event_encoder.h"
#include "trace/predictor.h"

namespace heddle::trace {

class EventDecoder {
 public:
  // The bytes stay the caller's and must outlive the decoding.
  void begin(const unsigned char* bytes, size_t size, uint32_t thread, bool free_running);

  // False at the end and at the first problem.
  bool next(HeddleRecord* record, uint64_t* sequence);

  // What is wrong, or null.
  const char* problem() const { return problem_; }
  // Where in the bytes reading stands.
  size_t offset() const { return static_cast<size_t>(in_ - begin_); }

 private:
  bool fail(const char* problem);
  bool get(uint64_t* value);
  bool get_narrow(uint32_t* value);

  const unsigned char* begin_ = nullptr;
  const unsigned char* in_ = nullptr;
  const unsigned char* end_ = nullptr;
  const char* problem_ = nullptr;
  uint32_t thread_ = 0;
  uint32_t run_ = 0;  // guessed events still to come
  uint32_t count_ = 0;
  Predictor predictor_;
};

}  // namespace heddle::trace
