/* SPDX-License-Identifier: Apache-2.0
 *
 * How a thread of a free run writes down an event in about three nanoseconds.
 *
 * Each place of the program (site) has a slot: site modulo HEDDLE_SLOTS. A slot
 * is declared once per chunk, with the site and the shape of its events (kind,
 * size, order, flags); from then on an event is three bytes that name the slot
 * and the lengths of two numbers, and the numbers: how far address and value
 * moved since the last event of this slot.
 *
 *   load of a[i], then of a[i + 1]:   slot 17, 1 byte, 2 bytes | 08 | 2c 01
 *
 * Two sites that share a slot declare it in turn. docs/reference/trace_format.md
 * has the whole grammar, src/trace/slot_decoder.h the way back. No branch but
 * "is there room, is the slot mine", no call: the code below is compiled into
 * the program itself.
 */
#ifndef HEDDLE_ABI_SLOT_CODING_H
#define HEDDLE_ABI_SLOT_CODING_H

#include <stdint.h>
#include <string.h>

#include "abi/event.h"

#define HEDDLE_SLOTS 2048u
#define HEDDLE_SLOT_EVENT_BYTES 64u /* no event is longer, with what is written past its end */
#define HEDDLE_SLOT_HEAD_BYTES 3u

/* The head: 12 bits slot, 4 bits length of address, 4 bits length of value, and
 * 4 bits that say what else there is. */
enum {
  HEDDLE_HEAD_ADDRESS_SHIFT = 12,
  HEDDLE_HEAD_VALUE_SHIFT = 16,
  HEDDLE_HEAD_DECLARES = 1 << 20, /* shape and site; the slot forgets what it knew */
  HEDDLE_HEAD_INDEX = 1 << 21,
  HEDDLE_HEAD_VALUE2 = 1 << 22,
  HEDDLE_HEAD_SEQUENCE = 1 << 23,
};

typedef struct HeddleSlot {
  uint64_t tag; /* heddle_slot_tag; 0: not declared in this chunk */
  uint64_t address;
  uint64_t value;
} HeddleSlot;

#define HEDDLE_SLOT_INLINE static inline __attribute__((always_inline))

HEDDLE_SLOT_INLINE uint64_t heddle_slot_tag(uint8_t kind, uint8_t size, uint8_t order, uint8_t flags, uint32_t site) {
  return (uint64_t)kind | (uint64_t)size << 8 | (uint64_t)order << 16 | (uint64_t)flags << 24 | (uint64_t)site << 32;
}

/* Bits of a value that count: those of loads and stores are as wide as these. */
HEDDLE_SLOT_INLINE unsigned heddle_slot_value_bits(uint8_t kind, uint8_t size) {
  return (kind == HEDDLE_LOAD || kind == HEDDLE_STORE) && (size == 1 || size == 2 || size == 4) ? size * 8u : 64u;
}

/* A small difference, up or down, as a small number. */
HEDDLE_SLOT_INLINE uint64_t heddle_slot_fold(uint64_t difference, unsigned bits) {
  __asm__("" : "+r"(difference)); /* or else the doubling is spread over both terms of it */
  if (bits > 32) return (difference << 1) ^ (uint64_t)((int64_t)difference >> 63);
  const int32_t narrow = (int32_t)((uint32_t)difference << (32 - bits)) >> (32 - bits);
  return ((uint32_t)narrow << 1) ^ (uint32_t)(narrow >> 31);
}
/* Bytes that hold it; a single instruction counts the zeros, also of 0. */
HEDDLE_SLOT_INLINE uint32_t heddle_slot_length(uint64_t folded) {
  const uint32_t zeros = folded ? (uint32_t)__builtin_clzll(folded) : 64u;
  return (71u - zeros) >> 3;
}

/* Types of their own, so that a compiler sees that these bytes are none of the
 * fields that it reads again for the next event. */
typedef struct HeddleHeadBytes {
  uint32_t bits;
} __attribute__((packed)) HeddleHeadBytes;
typedef struct HeddleNumberBytes {
  uint64_t bits;
} __attribute__((packed)) HeddleNumberBytes;

/* Writes address and value of an event whose slot is declared; the end. Writes
 * up to 16 bytes more than it counts. */
HEDDLE_SLOT_INLINE unsigned char* heddle_slot_put(unsigned char* out, HeddleSlot* slot, uint32_t head, unsigned bits,
                                                  uint64_t address, uint64_t value) {
  const uint64_t moved = heddle_slot_fold(address - slot->address, 64);
  const uint64_t changed = heddle_slot_fold(value - slot->value, bits);
  const uint32_t address_length = heddle_slot_length(moved), value_length = heddle_slot_length(changed);
  head |= address_length << HEDDLE_HEAD_ADDRESS_SHIFT | value_length << HEDDLE_HEAD_VALUE_SHIFT;
  ((HeddleHeadBytes*)out)->bits = head;
  ((HeddleNumberBytes*)(out + HEDDLE_SLOT_HEAD_BYTES))->bits = moved;
  ((HeddleNumberBytes*)(out + HEDDLE_SLOT_HEAD_BYTES + address_length))->bits = changed;
  slot->address = address;
  slot->value = value;
  return out + HEDDLE_SLOT_HEAD_BYTES + address_length + value_length;
}

HEDDLE_SLOT_INLINE unsigned char* heddle_slot_put_number(unsigned char* out, uint64_t value) {
  for (; value >= 0x80; value >>= 7) *out++ = (unsigned char)(value | 0x80);
  *out++ = (unsigned char)value;
  return out;
}

/* Any event, declaring its slot where it must. `last_sequence` is the chunk's. */
static inline unsigned char* heddle_slot_put_event(unsigned char* out, HeddleSlot* slots, const HeddleRecord* record,
                                                   uint64_t sequence, uint64_t* last_sequence, int with_index) {
  HeddleSlot* slot = &slots[record->site % HEDDLE_SLOTS];
  const uint64_t tag = heddle_slot_tag(record->kind, record->size, record->order, record->flags, record->site);
  uint32_t head = record->site % HEDDLE_SLOTS;
  if (slot->tag != tag) {
    head |= HEDDLE_HEAD_DECLARES;
    slot->tag = tag;
    slot->address = slot->value = 0;
  }
  if (with_index) head |= HEDDLE_HEAD_INDEX;
  if (record->value2) head |= HEDDLE_HEAD_VALUE2;
  if (sequence) head |= HEDDLE_HEAD_SEQUENCE;
  out = heddle_slot_put(out, slot, head, heddle_slot_value_bits(record->kind, record->size), record->address,
                        record->value);
  if (head & HEDDLE_HEAD_DECLARES) {
    memcpy(out, &tag, 4);
    out = heddle_slot_put_number(out + 4, record->site);
  }
  if (with_index) out = heddle_slot_put_number(out, record->index);
  if (record->value2) out = heddle_slot_put_number(out, heddle_slot_fold(record->value2 - record->value, 64));
  if (sequence) {
    out = heddle_slot_put_number(out, heddle_slot_fold(sequence - *last_sequence, 64));
    *last_sequence = sequence;
  }
  return out;
}

#endif
