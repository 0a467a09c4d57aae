/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs compared with a fault-free run, while they run.
 *
 * Each thread (a lane) has a stream of 64-bit words, what it did in the fault-free
 * run: a header per segment, then one word per value. A segment is a stretch of a
 * block without calls. Instrumented code compares as it goes:
 *
 *   p = __heddle_cursor
 *   if (p[0] != segment + 1) p = __heddle_segment(segment)   the path differs
 *   a = ...; if (p[1] != a) a = __heddle_differs(p + 1, a)   the value differs
 *   ...
 *   __heddle_cursor = p + 1 + slots
 *
 * So an equal run costs a comparison a value and calls nothing. The fault-free run
 * itself is made by the same code on empty streams: everything differs and is
 * written down. A fault is put in by spoiling the word of the value to be corrupted:
 * the code finds a difference there and takes the value that it is given.
 *
 * Host and target share one memory file:
 *
 *   HeddleComparison | requests and results of one run at a time
 *   streams          | one region per lane, sparse
 */
#ifndef HEDDLE_ABI_COMPARISON_H
#define HEDDLE_ABI_COMPARISON_H

#include <stdint.h>

#define HEDDLE_COMPARISON_MAGIC 0x50455247u
#define HEDDLE_COMPARISON_VERSION 2u
#define HEDDLE_MOST_LANES 4096u
#define HEDDLE_MOST_BLOCKS_KEPT (1u << 20) /* heap blocks of the fault-free run, all lanes */
#define HEDDLE_MOST_MARKS 8192u            /* a power of two */
#define HEDDLE_MOST_FUNCTIONS 16384u
#define HEDDLE_STREAM_BYTES (1ull << 30)
#define HEDDLE_NO_LANE 0xffffffffu
#define HEDDLE_NO_SEGMENT 0xffffffffu
#define HEDDLE_NO_WORD (~0ull)
/* Each lane has a stretch of addresses of its own, one after the other. */
#define HEDDLE_FIRST_LANE_ADDRESS 0x100000000000ull
#define HEDDLE_LANE_ADDRESSES (4ull << 30)
#define HEDDLE_STORED_BYTES 0x100u /* added to the size that a store tells */
#define HEDDLE_SPARE_WORDS 4096u   /* a segment has fewer slots */

/* A segment, as the pass describes it to the runtime. */
enum {
  HEDDLE_SEGMENT_ENTERS = 1,  /* first of its function */
  HEDDLE_SEGMENT_RETURNS = 2, /* leaves its function */
  HEDDLE_SEGMENT_CALLS = 4,   /* ends with a call; the next number goes on after it */
};
typedef struct HeddleSegment {
  uint32_t slots;
  uint32_t flags;
  uint32_t join; /* where all ways on from here meet again in this function; HEDDLE_NO_SEGMENT: when it returns */
  uint32_t function;
} HeddleSegment;

/* What is done to the value at the chosen point. */
typedef enum HeddleFaultAction {
  HEDDLE_FAULT_NONE = 0,
  HEDDLE_FAULT_XOR = 1,        /* value ^ operand */
  HEDDLE_FAULT_SET = 2,        /* operand */
  HEDDLE_FAULT_STUCK_ONE = 3,  /* value | operand, from here on whenever the place computes it */
  HEDDLE_FAULT_STUCK_ZERO = 4, /* value & ~operand, likewise */
  HEDDLE_FAULT_KEEP_OLD = 5,   /* a store writes what is there already */
  HEDDLE_FAULT_DELAY = 6,      /* the thread sleeps for operand microseconds */
  HEDDLE_FAULT_NOBODY = 7,     /* a signal goes to an object that nobody waits for */
} HeddleFaultAction;

typedef struct HeddleFault {
  uint32_t action;
  uint32_t lane;
  uint64_t word; /* in the lane's stream */
  uint64_t operand;
  uint32_t segment, slot; /* of that word */
} HeddleFault;

enum { HEDDLE_LANE_UNUSED = 0, HEDDLE_LANE_RUNS = 1, HEDDLE_LANE_ENDED = 2 };
typedef enum HeddleDeviation {
  HEDDLE_DEVIATION_NONE = 0,
  HEDDLE_DEVIATION_VALUE = 1,
  HEDDLE_DEVIATION_PATH = 2,
  HEDDLE_DEVIATION_END = 3,   /* the lane ends before its stream does */
  HEDDLE_DEVIATION_EXTRA = 4, /* there is no such thread in the fault-free run */
  HEDDLE_DEVIATION_CRASH = 5,
} HeddleDeviation;

typedef struct HeddleLane {
  uint32_t parent; /* HEDDLE_NO_LANE: the first thread */
  uint32_t child_number;
  uint32_t state;
  uint32_t kind;        /* HeddleDeviation, of the first one */
  uint64_t words;       /* in the stream; of a run: where it was when it ended, HEDDLE_NO_WORD: not known */
  uint64_t deviations;  /* words that differ */
  uint32_t divergences; /* times the path left that of the fault-free run, ... */
  uint32_t rejoined;    /* ... and came back to it */
  /* The first deviation. */
  uint64_t word;
  uint64_t order; /* among all first deviations and marks of the run */
  uint64_t expected, actual;
  uint64_t address; /* of a load or store; else 0 */
  uint32_t segment, slot;
  uint32_t blocks; /* heap blocks */
  uint32_t source; /* who last corrupted what was loaded there: its lane + 1; 0: nobody is known to have */
  /* Threads that are joined. */
  uint32_t joins;      /* lane + 1 whose end is waited for; 0: none */
  uint32_t has_result; /* of the fault-free run: somebody joined this lane and got ... */
  uint64_t result;     /* ... this */
  /* While it runs: where in its process its state and its cursor are. */
  uint64_t state_at, cursor_at;
} HeddleLane;

/* A heap block: addresses are never used twice. */
typedef struct HeddleBlock {
  uint64_t address, size;
  uint32_t lane, number;
} HeddleBlock;

/* Eight bytes of memory that a lane gave what they would not have got without the fault;
 * in a table by hash of the address. */
typedef struct HeddleMark {
  uint64_t key;   /* heddle_mark_key; 0: free */
  uint64_t exact; /* where in them it began, the first time */
  uint64_t order; /* of the last time */
  uint64_t word;  /* of the lane, the first time */
  uint32_t lane;
  uint32_t joined; /* the lane ended with it as its result, and another thread got it by joining */
} HeddleMark;

static inline uint64_t heddle_mark_key(uint64_t address, uint32_t lane) { return address >> 3 | (uint64_t)lane << 48; }

/* Which thread is to have which lane in the fault-free run: without a plan they are
 * numbered as they come, and that depends on timing where several threads create others. */
typedef struct HeddlePlannedLane {
  uint32_t parent, child_number;
} HeddlePlannedLane;

typedef enum HeddleRunEnd {
  HEDDLE_END_NONE = 0,
  HEDDLE_END_EXIT = 1,
  HEDDLE_END_SIGNAL = 2,
  HEDDLE_END_BUDGET = 3,  /* ten times the work of the fault-free run */
  HEDDLE_END_BLOCKED = 4, /* all threads sleep, for ever as it seems */
  HEDDLE_END_REFUSED = 5, /* `refusal` says why */
  HEDDLE_END_STOPPED = 6, /* only a fault made it ask for what no run may have; `refusal` says what */
} HeddleRunEnd;

enum {
  HEDDLE_ASK_LEARN = 1,
  HEDDLE_ASK_COMPARE = 2,
  HEDDLE_ASK_STOP = 3,
  HEDDLE_ASK_ADOPT = 4 /* the host has put a fault-free run here */
};

typedef struct HeddleComparison {
  uint32_t magic, version;
  uint32_t ready;
  uint32_t posted; /* futex: raised by the host with each question */
  uint32_t done;   /* futex: equals `posted` when it is answered */
  uint32_t question;
  uint32_t segments; /* in the program, for a check that both know the same one */
  uint32_t functions;

  HeddleFault fault;
  uint64_t budget;            /* words a run may spend while it is off the fault-free path */
  uint64_t cpu_nanoseconds;   /* a run may take */
  uint64_t quiet_nanoseconds; /* all threads may sleep */

  uint32_t end; /* HeddleRunEnd */
  int32_t code; /* exit code or signal */
  uint32_t injected;
  uint32_t crash_lane;
  uint64_t crash_address;
  uint64_t injected_order;
  uint64_t used_nanoseconds; /* CPU time of all runs and of the process they are forked from */
  uint64_t spent;            /* words off the fault-free path */
  uint64_t orders;
  uint32_t marks;       /* taken in the table */
  uint32_t known_lanes; /* of the fault-free run */
  uint32_t lanes;       /* of the last run */
  uint32_t known_blocks;
  uint32_t planned_lanes;
  uint32_t moved;    /* blocks do not lie where they lay in the fault-free run */
  uint32_t overflow; /* a table was too small: streams, lanes or blocks */
  char refusal[256];

  HeddlePlannedLane plan[HEDDLE_MOST_LANES];
  HeddleLane known[HEDDLE_MOST_LANES];
  HeddleLane run[HEDDLE_MOST_LANES];
  HeddleMark mark[HEDDLE_MOST_MARKS];
  uint8_t function_reached[HEDDLE_MOST_FUNCTIONS];
  HeddleBlock block[HEDDLE_MOST_BLOCKS_KEPT];
} HeddleComparison;

#define HEDDLE_COMPARISON_VARIABLE "HEDDLE_COMPARISON"
#define HEDDLE_SCRATCH_VARIABLE "HEDDLE_SCRATCH"

static inline uint64_t heddle_stream_offset(uint32_t lane) {
  return ((sizeof(HeddleComparison) + 0xfffffull) & ~0xfffffull) + lane * HEDDLE_STREAM_BYTES;
}

#endif
