// SPDX-License-Identifier: Apache-2.0
#include "trace/event_decoder.h"

#include "trace/varint.h"

namespace heddle::trace {

void EventDecoder::begin(const unsigned char* bytes, size_t size, uint32_t thread, bool free_running) {
  begin_ = in_ = bytes;
  end_ = bytes + size;
  problem_ = nullptr;
  thread_ = thread;
  run_ = 0;
  count_ = 0;
  predictor_.begin(free_running);
}

bool EventDecoder::fail(const char* problem) {
  problem_ = problem;
  return false;
}

bool EventDecoder::get(uint64_t* value) {
  const unsigned char* after = get_varint(in_, end_, value);
  if (!after) return fail("a number is cut off or too large");
  in_ = after;
  return true;
}

bool EventDecoder::get_narrow(uint32_t* value) {
  uint64_t wide = 0;
  if (!get(&wide)) return false;
  if (wide > 0xffffffffu) return fail("a 32-bit number is too large");
  *value = static_cast<uint32_t>(wide);
  return true;
}

bool EventDecoder::next(HeddleRecord* record, uint64_t* sequence) {
  if (problem_) return false;
  unsigned wrong = 0;
  if (run_ > 0) {
    --run_;
  } else {
    if (in_ == end_) return false;
    const unsigned mark = *in_++;
    if (mark & kGuessedRun) {
      run_ = mark & 0x7fu;
    } else if (mark == 0) {
      return fail("an event that is guessed entirely stands outside a run");
    } else {
      wrong = mark;
    }
  }
  if (++count_ > kMaxEventsPerChunk) return fail("too many events for one chunk");

  uint64_t difference = 0;
  uint32_t site = predictor_.site();
  if (wrong & kWrongSite) {
    if (!get(&difference)) return false;
    const int64_t step = static_cast<int64_t>(unfold_sign(difference));
    if (step > INT32_MAX || step < INT32_MIN) return fail("a site is out of range");
    site = predictor_.previous_site() + static_cast<uint32_t>(step);
  }
  Predictor::SiteMemory& memory = predictor_.remember(site);
  uint8_t shape[4] = {memory.kind, memory.size, memory.order, memory.flags};
  if (wrong & kWrongShape) {
    if (end_ - in_ < 4) return fail("an event is cut off");
    std::memcpy(shape, in_, 4);
    in_ += 4;
  }
  uint32_t index = predictor_.index();
  if ((wrong & kWrongIndex) && !get_narrow(&index)) return false;
  uint64_t address = predictor_.address(memory);
  if (wrong & kWrongAddress) {
    if (!get(&difference)) return false;
    address = predictor_.address_base(memory) + unfold_sign(difference);
  }
  uint64_t value = predictor_.value(memory, shape[0], address);
  if (wrong & kWrongValue) {
    if (!get(&difference)) return false;
    value += unfold_sign(difference);
  }
  uint64_t value2 = predictor_.value2(memory, shape[0], value);
  if (wrong & kWrongValue2) {
    if (!get(&difference)) return false;
    value2 += unfold_sign(difference);
  }
  *sequence = predictor_.sequence();
  if (wrong & kWrongSequence) {
    if (!get(&difference)) return false;
    *sequence = predictor_.last_sequence() + unfold_sign(difference);
  }
  *record = {shape[0], shape[1], shape[2], shape[3], thread_, index, site, address, value, value2};
  predictor_.learn(memory, *record, *sequence);
  return true;
}

}  // namespace heddle::trace
