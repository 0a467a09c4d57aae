// SPDX-License-Identifier: Apache-2.0
#include "recorder.h"

#include <string.h>

#include "support.h"

namespace heddle::rt {

void recorder_attach(HeddleChannel* channel) {
  g.channel = channel;
  g.ring = reinterpret_cast<HeddleRecord*>(reinterpret_cast<char*>(channel + 1) + channel->request_bytes);
  g.ring_mask = channel->ring_records - 1;
  g.produced = __atomic_load_n(&channel->produced, __ATOMIC_ACQUIRE);
  g.room_until = __atomic_load_n(&channel->consumed, __ATOMIC_ACQUIRE) + channel->ring_records;
}

// Room is granted in quarters of the ring, so that the host, once woken, has
// something to do and the two do not wake each other for every record.
void wait_for_room() {
  HeddleChannel* channel = g.channel;
  const uint32_t size = channel->ring_records;
  for (;;) {
    const uint32_t moved = __atomic_load_n(&channel->consumer_moved, __ATOMIC_ACQUIRE);
    const uint64_t consumed = __atomic_load_n(&channel->consumed, __ATOMIC_ACQUIRE);
    const uint64_t limit = consumed + size;
    if (limit > g.produced) {
      const uint64_t quarter = g.produced + size / 4;
      g.room_until = limit < quarter ? limit : quarter;
      if (g.produced - consumed > size / 4) wake_host();
      return;
    }
    __atomic_store_n(&channel->producer_waits, 1u, __ATOMIC_SEQ_CST);
    wake_host();
    if (__atomic_load_n(&channel->consumed, __ATOMIC_SEQ_CST) == consumed) futex_wait(&channel->consumer_moved, moved);
    __atomic_store_n(&channel->producer_waits, 0u, __ATOMIC_RELAXED);
  }
}

void append_text(uint32_t thread, uint32_t index, const char* text) {
  size_t left = strlen(text);
  do {
    HeddleRecord record = {};
    const size_t part = left < HEDDLE_TEXT_BYTES ? left : HEDDLE_TEXT_BYTES;
    record.kind = HEDDLE_TEXT;
    record.size = static_cast<uint8_t>(part);
    record.flags = left > part;
    record.thread = thread;
    record.index = index;
    memcpy(&record.address, text, part);
    append(record);
    text += part;
    left -= part;
  } while (left);
}

void raise_gap(const Thread& thread, HeddleGap gap, const char* detail) {
  append(HeddleRecord{HEDDLE_GAP_SEEN, 0, 0, 0, thread.number, thread.index, thread.site, 0, static_cast<uint64_t>(gap),
                      0});
  append_text(thread.number, thread.index, detail);
}

void wake_host() {
  __atomic_fetch_add(&g.channel->producer_moved, 1u, __ATOMIC_SEQ_CST);
  futex_wake(&g.channel->producer_moved);
}

}  // namespace heddle::rt
