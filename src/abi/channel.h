/* SPDX-License-Identifier: Apache-2.0
 *
 * The channel between the host and a target: one shared memory file (memfd),
 * inherited by the target as the file descriptor that the environment variable
 * HEDDLE_CHANNEL names.
 *
 *   HeddleChannel | request area (request_bytes) | ring (ring_records records)
 *
 * The host writes a batch of run requests and raises `posted`. The target
 * executes them in order and appends, for each,
 *
 *   RUN_BEGIN, { THREAD | event }..., RUN_END
 *
 * to the ring; then it sets `done` to `posted`. The ring outlives the target:
 * after kill -9 the host still reads every record that was produced.
 *
 * One producer (whoever runs in the target: its server, or the child it forked
 * for a run) and one consumer (the host). `produced` and `consumed` only grow.
 */
#ifndef HEDDLE_ABI_CHANNEL_H
#define HEDDLE_ABI_CHANNEL_H

#include <stdint.h>

#include "abi/event.h"
#include "abi/version.h"

#define HEDDLE_ALIGNED(bytes) __attribute__((aligned(bytes)))
#define HEDDLE_CHANNEL_VARIABLE "HEDDLE_CHANNEL"
#define HEDDLE_CHANNEL_MAGIC 0x4c4e4e48u /* "HNNL" */

typedef enum HeddleCarrier { HEDDLE_CARRIER_FIBER = 0, HEDDLE_CARRIER_THREAD = 1 } HeddleCarrier;

typedef enum HeddleIsolation {
  HEDDLE_ISOLATION_IN_PROCESS = 0, /* the server runs the program and restores its memory */
  HEDDLE_ISOLATION_FORK = 1,       /* the server forks a child for each run */
  HEDDLE_ISOLATION_FRESH = 2,      /* one request, then the process ends */
} HeddleIsolation;

typedef enum HeddleMode { HEDDLE_MODE_CONTROLLED = 0, HEDDLE_MODE_FREE = 1 } HeddleMode;

typedef enum HeddleHeap { HEDDLE_HEAP_FRESH = 0, HEDDLE_HEAP_REUSE = 1 } HeddleHeap;

typedef enum HeddleStrategy {
  HEDDLE_STRATEGY_DEFAULT = 0, /* the current thread goes on; else the lowest name */
  HEDDLE_STRATEGY_RANDOM = 1,  /* uniformly among what can happen next */
  HEDDLE_STRATEGY_PCT = 2,     /* priorities with a few change points */
} HeddleStrategy;

/* Memory models; what they mean is in store_buffer.h. */
typedef enum HeddleMemory { HEDDLE_MEMORY_SC = 0, HEDDLE_MEMORY_TSO = 1, HEDDLE_MEMORY_PSO = 2 } HeddleMemory;

/* Steps of a schedule, see docs/reference/schedule_format.md. */
typedef enum HeddleStepKind {
  HEDDLE_STEP_OP = 1,
  HEDDLE_STEP_FLUSH = 2,
  HEDDLE_STEP_WAKE = 3,
  HEDDLE_STEP_TIMEOUT = 4,
  HEDDLE_STEP_SPURIOUS = 5,
  HEDDLE_STEP_NONDET = 6,
} HeddleStepKind;

typedef struct HeddleStep {
  uint32_t kind;  /* HeddleStepKind */
  uint32_t name;  /* in the request's table of names */
  uint32_t index; /* of the operation in its thread */
  uint32_t site;  /* 0: any */
  uint64_t value; /* NONDET */
} HeddleStep;

/* A thread by its place in the tree of creation; name 0 is T0. A name's parent
 * stands before it in the table. */
typedef struct HeddleName {
  uint32_t parent;
  uint32_t child_number;
} HeddleName;

enum {
  HEDDLE_REQUEST_SPURIOUS = 1, /* strategies may wake waiters without reason */
  HEDDLE_REQUEST_TIMEOUTS = 2, /* strategies may let timed waits run out early */
  HEDDLE_REQUEST_GO_ON = 4, /* a thread that fails stays where it is, the others go on; see failure.h of the runtime */
  HEDDLE_REQUEST_PURE_WAITS = 32, /* loops that only wait are found and wait for a change; REPEATS records say so */
  HEDDLE_REQUEST_REPLACED = 16,   /* stores and flushes say what memory held before: HEDDLE_FLAG_REPLACED */
  HEDDLE_REQUEST_TRAP = 64, /* the thread that ends the run stops there with a breakpoint trap; under a debugger only */
  HEDDLE_REQUEST_OPTIONS = 128, /* after the last step, OPTION frames say at each point what could happen */
  HEDDLE_REQUEST_STATES = 256,  /* STATE records say what threads know; needs PURE_WAITS */
  HEDDLE_REQUEST_PATIENT =
      512, /* loops that only wait go on for longer before others go first; so do those that yield */
  HEDDLE_REQUEST_LOCAL_TIME = 8, /* each thread has a clock of its own, which only its own operations move */
};

/* Followed by `names` HeddleName, then `steps` HeddleStep, then `avoided`
 * HeddleStep of kind OP or FLUSH: after the last step, the default strategy
 * puts these off until something touches the same memory or object. Then `holds`
 * HeddleStep of kind OP: a thread that has come to the one that names it goes on
 * only when nobody can who has not (strategies DEFAULT and PCT). */
typedef struct HeddleRequest {
  uint32_t bytes; /* of request, names and steps */
  uint32_t number;
  uint32_t strategy;
  uint32_t flags;
  uint64_t seed;
  uint64_t event_limit; /* visible events of the run; 0: none */
  uint32_t idle_limit;  /* waits without any change before LIVELOCK; 0: default */
  uint32_t pct_changes; /* priority change points */
  uint32_t pct_length;  /* events over which they are spread */
  uint32_t names;
  uint32_t steps;
  uint32_t memory;     /* HeddleMemory */
  uint32_t loop_bound; /* how often a thread may come to the same place; 0: any number */
  uint32_t avoided;
  uint32_t holds;
  uint32_t unused;
} HeddleRequest;

/* Functions the target was asked to treat specially, sites, and the like are in
 * files beside the target, not here. */
typedef struct HeddleChannel {
  uint32_t magic;
  uint32_t version;
  uint32_t mode;
  uint32_t carrier;
  uint32_t isolation;
  uint32_t heap;
  uint32_t request_bytes;
  uint32_t ring_records; /* a power of two */
  uint32_t requests;     /* in this batch */
  uint32_t reserved[7];

  /* Written by the host. */
  HEDDLE_ALIGNED(64) uint32_t posted; /* futex of the target */
  uint32_t quit;
  uint64_t consumed;
  uint32_t consumer_moved; /* futex of the target while the ring is full */

  /* Written by the target. */
  HEDDLE_ALIGNED(64) uint64_t produced;
  uint32_t done;
  uint32_t producer_moved;  /* futex of the host */
  uint32_t producer_waits;  /* the target sleeps until there is room */
  char waiting[128];        /* while nothing can go on but what the outside gives: "T0.1 waits to read descriptor 5" */
  uint32_t current_request; /* being run, for the host when the target dies */
  int32_t child;            /* process of the run under fork isolation */
  uint32_t slots_used;      /* how many threads of depth one a run has had at most */
  uint32_t ready;
} HeddleChannel;

#endif
