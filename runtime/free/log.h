// SPDX-License-Identifier: Apache-2.0
//
// The log of one thread of a free run. Only its thread writes it; it never
// waits for another thread, only for the host when all chunks are full.
#pragma once

#include "abi/free_channel.h"
#include "trace/event_encoder.h"

#define HEDDLE_EXPORT extern "C" __attribute__((visibility("default")))

namespace heddle::free_run {

struct Log {
  trace::EventEncoder encoder;
  HeddleFreeChunk* chunk;  // being filled; null before the first
  uint32_t number;         // of the thread
  uint32_t index;          // of its next visible event
  uint32_t children;
  uint32_t site;           // last known place, for calls into the runtime
};

// The calling thread's log; made on first use (threads that libraries start).
extern __thread Log* t_log __attribute__((tls_model("initial-exec")));
Log& new_log(uint32_t number);
Log& foreign_log();
inline Log& own_log() { return t_log ? *t_log : foreign_log(); }

extern HeddleFreeChannel* g_channel;

// Registers a thread before it can run; its number in the trace.
uint32_t register_thread(uint32_t parent, uint32_t child_number);

void begin_chunk(Log& log);
void end_chunk(Log& log);

inline uint64_t next_sequence() { return __atomic_add_fetch(&g_channel->sequence, 1, __ATOMIC_SEQ_CST); }

inline void append(Log& log, const HeddleRecord& record, uint64_t sequence) {
  if (__builtin_expect(!log.chunk, 0)) begin_chunk(log);
  if (__builtin_expect(!log.encoder.append(record, sequence), 0)) {
    end_chunk(log);
    begin_chunk(log);
    log.encoder.append(record, sequence);
  }
  __atomic_store_n(&log.chunk->used, static_cast<uint32_t>(log.encoder.size()), __ATOMIC_RELEASE);
  log.chunk->count = log.encoder.count();
}

// A visible event; sequence 0 for those that are not synchronisation.
inline void record(Log& log, uint8_t kind, uint8_t size, uint8_t order, uint8_t flags, uint32_t site, uint64_t address,
                   uint64_t value, uint64_t value2, uint64_t sequence = 0) {
  append(log, HeddleRecord{kind, size, order, flags, log.number, log.index++, site, address, value, value2}, sequence);
}

// From here on this process writes nowhere: it is a child that the program forked.
void detach();

}  // namespace heddle::free_run
