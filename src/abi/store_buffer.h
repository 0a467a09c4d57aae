/* SPDX-License-Identifier: Apache-2.0
 *
 * Which operations store buffers concern, as one definition for the runtime,
 * which has the buffers, and the host, which reasons about them.
 *
 *   SC   there are no buffers.
 *   TSO  one first-in-first-out buffer per thread.
 *   PSO  one per thread and location: stores leave it in any order, except that
 *        stores that overlap in any byte keep theirs, and that no store passes a
 *        marker. A release store puts a marker before itself, a release fence
 *        puts one where it stands.
 *
 * A buffered store is an event when it is issued; a FLUSH record says when it
 * reaches memory. A load takes its value from the newest own buffered store that
 * overlaps it, if that covers all its bytes; if it covers only some, the load
 * waits until no own buffered store overlaps it; else it reads memory.
 */
#ifndef HEDDLE_ABI_STORE_BUFFER_H
#define HEDDLE_ABI_STORE_BUFFER_H

#include "abi/event.h"

/* A store goes into the buffer, under TSO and PSO, unless it is sequentially
 * consistent or was made by a library function, which sees memory only. */
static inline int heddle_is_buffered(uint8_t kind, uint8_t order, uint8_t flags) {
  return kind == HEDDLE_STORE && order != HEDDLE_ORDER_SEQ_CST && !(flags & HEDDLE_FLAG_SERIAL);
}

/* The operation happens only when its thread's buffer is empty. */
static inline int heddle_waits_for_stores(uint8_t kind, uint8_t order, uint8_t flags) {
  switch (kind) {
    case HEDDLE_LOAD:
    case HEDDLE_ALLOC:
    case HEDDLE_THREAD_START:
    case HEDDLE_YIELD:
    case HEDDLE_SLEEP:
    case HEDDLE_CLOCK:
    case HEDDLE_NONDET:
    case HEDDLE_OBSERVE:
    case HEDDLE_ASSUME:
    case HEDDLE_FAIL: return 0;
    case HEDDLE_STORE: return !heddle_is_buffered(kind, order, flags);
    case HEDDLE_FENCE: return order == HEDDLE_ORDER_SEQ_CST;
    default: return 1;
  }
}

/* PSO: later stores of the thread, this one included if it is a store, leave the
 * buffer after all earlier ones. */
static inline int heddle_puts_marker(uint8_t kind, uint8_t order) {
  const int release = order == HEDDLE_ORDER_RELEASE || order == HEDDLE_ORDER_ACQ_REL;
  return release && (kind == HEDDLE_STORE || kind == HEDDLE_FENCE);
}

#endif
