// SPDX-License-Identifier: Apache-2.0
#include "trace/event_encoder.h"

#include "trace/varint.h"

namespace heddle::trace {

void EventEncoder::begin(unsigned char* out, size_t capacity, bool free_running) {
  begin_ = end_ = out;
  limit_ = out + capacity;
  run_ = nullptr;
  count_ = 0;
  predictor_.begin(free_running);
}

bool EventEncoder::append(const HeddleRecord& record, uint64_t sequence) {
  if (static_cast<size_t>(limit_ - end_) < kMaxEventBytes || count_ >= kMaxEventsPerChunk) return false;

  unsigned char* const mark = end_;
  unsigned char* out = mark + 1;
  unsigned wrong = 0;

  if (record.site != predictor_.site()) {
    wrong |= kWrongSite;
    // Sites are 32 bits wide; their difference is folded as such.
    const int32_t step = static_cast<int32_t>(record.site - predictor_.previous_site());
    out = put_varint(out, fold_sign(static_cast<uint64_t>(static_cast<int64_t>(step))));
  }
  Predictor::SiteMemory& memory = predictor_.remember(record.site);
  if (record.kind != memory.kind || record.size != memory.size || record.order != memory.order ||
      record.flags != memory.flags) {
    wrong |= kWrongShape;
    *out++ = record.kind;
    *out++ = record.size;
    *out++ = record.order;
    *out++ = record.flags;
  }
  if (record.index != predictor_.index()) {
    wrong |= kWrongIndex;
    out = put_varint(out, record.index);
  }
  if (record.address != predictor_.address(memory)) {
    wrong |= kWrongAddress;
    out = put_varint(out, fold_sign(record.address - predictor_.address_base(memory)));
  }
  const uint64_t value = predictor_.value(memory, record.kind, record.address);
  if (record.value != value) {
    wrong |= kWrongValue;
    out = put_varint(out, fold_sign(record.value - value));
  }
  const uint64_t value2 = predictor_.value2(memory, record.kind, record.value);
  if (record.value2 != value2) {
    wrong |= kWrongValue2;
    out = put_varint(out, fold_sign(record.value2 - value2));
  }
  if (sequence != predictor_.sequence()) {
    wrong |= kWrongSequence;
    out = put_varint(out, fold_sign(sequence - predictor_.last_sequence()));
  }

  if (wrong != 0) {
    *mark = static_cast<unsigned char>(wrong);
    run_ = nullptr;
    end_ = out;
  } else if (run_ && *run_ != 0xff) {
    ++*run_;
  } else {
    *mark = kGuessedRun;
    run_ = mark;
    end_ = out;
  }
  predictor_.learn(memory, record, sequence);
  ++count_;
  return true;
}

}  // namespace heddle::trace
