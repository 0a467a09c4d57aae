/* SPDX-License-Identifier: Apache-2.0
 *
 * The channel of a free run: threads run in parallel, and each writes its events
 * into chunks of its own, already in the form of the trace file, without any
 * lock. The host takes full chunks and gives them back empty.
 *
 *   HeddleFreeChannel | threads | chunk table | chunks
 *
 * A chunk's `end` grows event by event, so that after kill -9 the host finds
 * every whole event of every thread. The bytes are those of slot_coding.h.
 */
#ifndef HEDDLE_ABI_FREE_CHANNEL_H
#define HEDDLE_ABI_FREE_CHANNEL_H

#include <stdint.h>

#include "abi/event.h"
#include "abi/slot_coding.h"
#include "abi/version.h"

#define HEDDLE_FREE_MAGIC 0x45455246u /* "FREE" */
#define HEDDLE_FREE_CHUNK_BYTES (256u << 10)
#define HEDDLE_FREE_MOST_THREADS (1u << 16)

typedef struct HeddleFreeThread {
  uint32_t parent; /* HEDDLE_NO_THREAD for T0 */
  uint32_t child_number;
  uint32_t is_there; /* the others have been written: numbers are given out before that */
} HeddleFreeThread;

enum { HEDDLE_CHUNK_EMPTY = 0, HEDDLE_CHUNK_FILLING = 1, HEDDLE_CHUNK_FULL = 2 };

/* A cache line of its own, for `end` changes with every event. */
typedef struct HeddleFreeChunk {
  __attribute__((aligned(64))) uint32_t state; /* HEDDLE_CHUNK_...; the target takes empty ones, the host full ones */
  uint32_t thread;
  uint64_t begin; /* where its bytes are in the target, ... */
  uint64_t end;   /* ... and where the whole events among them end */
  uint64_t order; /* of all chunks in the order they were begun, from 1 */
  uint32_t count; /* of events, once the chunk is full */
} HeddleFreeChunk;

/* What the target knows of one of its threads; the program's own code reads and
 * writes the first fields and the slots. */
typedef struct HeddleFreeLog {
  HeddleFreeChunk* chunk; /* being filled; before the first one, a chunk without room */
  uint64_t limit;         /* an event that begins here or before fits */
  uint32_t index;         /* of its next visible event */
  uint32_t site;          /* last known place, for calls into the runtime */
  uint32_t number;        /* of the thread */
  uint32_t children;
  uint32_t first_index;              /* at the beginning of the chunk */
  uint32_t others;                   /* events in the chunk that are not visible */
  uint64_t last_sequence;            /* in the chunk */
  struct HeddleFreeLog* interrupted; /* of a signal handler: the log of what it interrupted */
  struct HeddleFreeLog* handler;     /* of the handlers that interrupt this one, once there was one */
  uint32_t handlers;
  HeddleSlot slots[HEDDLE_SLOTS];
} HeddleFreeLog;

typedef struct HeddleFreeChannel {
  uint32_t magic;
  uint32_t version;
  uint32_t chunks;
  uint32_t ready;

  __attribute__((aligned(64))) uint64_t sequence; /* numbers synchronisation */
  __attribute__((aligned(64))) uint32_t threads;  /* in the table, in order of creation */
  uint32_t full_chunks;                           /* futex of the host: raised with each chunk filled */
  uint32_t empty_chunks;                          /* futex of the target: raised with each chunk given back */
  uint64_t chunk_orders;
} HeddleFreeChannel;

static inline HeddleFreeThread* heddle_free_threads(HeddleFreeChannel* channel) {
  return (HeddleFreeThread*)(channel + 1);
}
static inline HeddleFreeChunk* heddle_free_chunks(HeddleFreeChannel* channel) {
  return (HeddleFreeChunk*)(heddle_free_threads(channel) + HEDDLE_FREE_MOST_THREADS);
}
static inline unsigned char* heddle_free_bytes(HeddleFreeChannel* channel, uint32_t chunk) {
  return (unsigned char*)(heddle_free_chunks(channel) + channel->chunks) + (uint64_t)chunk * HEDDLE_FREE_CHUNK_BYTES;
}
static inline uint64_t heddle_free_channel_size(uint32_t chunks) {
  return sizeof(HeddleFreeChannel) + HEDDLE_FREE_MOST_THREADS * sizeof(HeddleFreeThread) +
         chunks * (sizeof(HeddleFreeChunk) + (uint64_t)HEDDLE_FREE_CHUNK_BYTES);
}

#endif
