// SPDX-License-Identifier: Apache-2.0
//
// The log of one thread of a free run. Only its thread writes it; it never
// waits for another thread, only for the host when all chunks are full.
#pragma once

#include "abi/free_channel.h"
#include "export.h"

// The calling thread's log. Never null: a thread that has none yet points to one
// without room.
extern "C" __attribute__((visibility("default"), tls_model("initial-exec"))) __thread HeddleFreeLog* __heddle_free_log;

namespace heddle::free_run {

using Log = HeddleFreeLog;

Log& new_log(uint32_t number);
// A log that is nobody's yet.
Log& make_log(uint32_t number);
bool has_log();
Log& foreign_log();
// Made on first use (threads that libraries start).
inline Log& own_log() { return __builtin_expect(has_log(), 1) ? *__heddle_free_log : foreign_log(); }

extern HeddleFreeChannel* g_channel;

// The C library's syscall; that of the program is written down (futex.cpp).
using Syscall = long (*)(long, ...);
Syscall real_syscall();

// Registers a thread before it can run; its number in the trace.
uint32_t register_thread(uint32_t parent, uint32_t child_number);

void begin_chunk(Log& log);
void end_chunk(Log& log);

inline uint64_t next_sequence() { return __atomic_add_fetch(&g_channel->sequence, 1, __ATOMIC_SEQ_CST); }

inline void append(Log& log, const HeddleRecord& record, uint64_t sequence) {
  if (__builtin_expect(log.chunk->end > log.limit, 0)) {
    end_chunk(log);
    begin_chunk(log);
  }
  HeddleFreeChunk* chunk = log.chunk;
  unsigned char* end = heddle_slot_put_event(reinterpret_cast<unsigned char*>(chunk->end), log.slots, &record, sequence,
                                             &log.last_sequence, chunk->end == chunk->begin);
  __atomic_store_n(&chunk->end, reinterpret_cast<uint64_t>(end), __ATOMIC_RELEASE);
  if (record.kind > HEDDLE_LAST_VISIBLE) ++log.others;
}

// A visible event; sequence 0 for those that are not synchronisation.
inline void record(Log& log, uint8_t kind, uint8_t size, uint8_t order, uint8_t flags, uint32_t site, uint64_t address,
                   uint64_t value, uint64_t value2, uint64_t sequence = 0) {
  append(log, HeddleRecord{kind, size, order, flags, log.number, log.index, site, address, value, value2}, sequence);
  ++log.index;
}

// A visible event that is numbered among all threads. Programs that do little but
// lock and unlock come here often.
inline void record_numbered(Log& log, uint8_t kind, uint8_t flags, uint32_t site, uint64_t address, uint64_t value) {
  const uint64_t sequence = next_sequence();
  HeddleFreeChunk* chunk = log.chunk;
  HeddleSlot* slot = &log.slots[site % HEDDLE_SLOTS];
  if (__builtin_expect(chunk->end > log.limit || slot->tag != heddle_slot_tag(kind, 0, 0, flags, site), 0))
    return record(log, kind, 0, 0, flags, site, address, value, 0, sequence);
  unsigned char* end = heddle_slot_put(reinterpret_cast<unsigned char*>(chunk->end), slot,
                                       site % HEDDLE_SLOTS | HEDDLE_HEAD_SEQUENCE, 64, address, value);
  end = heddle_slot_put_number(end, heddle_slot_fold(sequence - log.last_sequence, 64));
  log.last_sequence = sequence;
  __atomic_store_n(&chunk->end, reinterpret_cast<uint64_t>(end), __ATOMIC_RELEASE);
  ++log.index;
}

// The thread's own log, also while one of its signal handlers runs (handlers.cpp).
Log& thread_log();
// The last event of the thread and of its handlers.
void end_thread(Log& log);

// From here on this process writes nowhere: it is a child that the program forked.
void detach();

}  // namespace heddle::free_run
