// SPDX-License-Identifier: Apache-2.0
#include "trace/slot_decoder.h"

#include <cstring>
#include <memory>

#include "trace/varint.h"

namespace heddle::trace {

void SlotDecoder::begin(const unsigned char* bytes, size_t size, uint32_t thread) {
  in_ = bytes;
  end_ = bytes + size;
  problem_ = nullptr;
  last_sequence_ = 0;
  thread_ = thread;
  next_index_ = 0;
  std::memset(slots_, 0, sizeof slots_);
}

bool SlotDecoder::fail(const char* problem) {
  problem_ = problem;
  return false;
}

bool SlotDecoder::get_bytes(uint32_t length, uint64_t* value) {
  if (length > 8) return fail("a length is out of range");
  if (static_cast<size_t>(end_ - in_) < length) return fail("an event is cut off");
  *value = 0;
  std::memcpy(value, in_, length);
  in_ += length;
  return true;
}

bool SlotDecoder::get_number(uint64_t* value) {
  const unsigned char* after = get_varint(in_, end_, value);
  if (!after) return fail("a number is cut off or too large");
  in_ = after;
  return true;
}

bool SlotDecoder::get_narrow(uint32_t* value) {
  uint64_t wide = 0;
  if (!get_number(&wide)) return false;
  if (wide > 0xffffffffu) return fail("a 32-bit number is too large");
  *value = static_cast<uint32_t>(wide);
  return true;
}

bool SlotDecoder::declare(HeddleSlot* slot, uint32_t number) {
  uint64_t shape = 0;
  uint32_t site = 0;
  if (!get_bytes(4, &shape) || !get_narrow(&site)) return false;
  if (site % HEDDLE_SLOTS != number) return fail("a site is declared in the slot of another");
  if ((shape & 0xff) == HEDDLE_EVENT_NONE) return fail("kind 0 is not a kind of event");
  *slot = {shape | static_cast<uint64_t>(site) << 32, 0, 0};
  return true;
}

bool SlotDecoder::next(HeddleRecord* record, uint64_t* sequence) {
  if (problem_ || in_ == end_) return false;
  uint64_t head = 0, moved = 0, changed = 0, number = 0;
  if (!get_bytes(HEDDLE_SLOT_HEAD_BYTES, &head)) return false;
  const uint32_t slot_number = head & 0xfff;
  if (slot_number >= HEDDLE_SLOTS) return fail("a slot is out of range");
  HeddleSlot& slot = slots_[slot_number];
  if (!get_bytes(head >> HEDDLE_HEAD_ADDRESS_SHIFT & 0xf, &moved)) return false;
  if (!get_bytes(head >> HEDDLE_HEAD_VALUE_SHIFT & 0xf, &changed)) return false;
  if ((head & HEDDLE_HEAD_DECLARES) && !declare(&slot, slot_number)) return false;
  if (slot.tag == 0) return fail("an event of a slot that is not declared");

  record->kind = static_cast<uint8_t>(slot.tag);
  record->size = static_cast<uint8_t>(slot.tag >> 8);
  record->order = static_cast<uint8_t>(slot.tag >> 16);
  record->flags = static_cast<uint8_t>(slot.tag >> 24);
  record->site = static_cast<uint32_t>(slot.tag >> 32);
  record->thread = thread_;
  record->index = next_index_;
  if ((head & HEDDLE_HEAD_INDEX) && !get_narrow(&record->index)) return false;
  record->address = slot.address += unfold_sign(moved);
  const unsigned bits = heddle_slot_value_bits(record->kind, record->size);
  record->value = slot.value = (slot.value + unfold_sign(changed)) << (64 - bits) >> (64 - bits);
  record->value2 = 0;
  if (head & HEDDLE_HEAD_VALUE2) {
    if (!get_number(&number)) return false;
    record->value2 = record->value + unfold_sign(number);
  }
  *sequence = 0;
  if (head & HEDDLE_HEAD_SEQUENCE) {
    if (!get_number(&number)) return false;
    *sequence = last_sequence_ += unfold_sign(number);
  }
  next_index_ = record->kind <= HEDDLE_LAST_VISIBLE ? record->index + 1 : record->index;
  return true;
}

uint64_t count_slot_events(const unsigned char* bytes, size_t size) {
  auto decoder = std::make_unique<SlotDecoder>();
  decoder->begin(bytes, size, 0);
  HeddleRecord record{};
  uint64_t sequence = 0, count = 0;
  while (decoder->next(&record, &sequence)) ++count;
  return count;
}

}  // namespace heddle::trace
