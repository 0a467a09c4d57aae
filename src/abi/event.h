/* SPDX-License-Identifier: Apache-2.0
 *
 * The events of an execution, as the runtime inside the target writes them and
 * the host reads them.
 *
 * An event is one record of fixed size. The runtime appends records to a ring
 * in shared memory (see channel.h); nothing in a record points into the
 * target, so the host may read it after the target has died.
 *
 * Two families:
 *   visible events   operations at which the scheduler may switch threads. They
 *                    are numbered 0, 1, 2, ... within their thread; (thread,
 *                    index) names an event across runs.
 *   other records    hang between visible events and carry the index of the
 *                    next visible event of their thread. They never change the
 *                    numbering, whatever else is recorded.
 *
 * This header is C: it is shared by the pass, the runtime and the host.
 */
#ifndef HEDDLE_ABI_EVENT_H
#define HEDDLE_ABI_EVENT_H

#include <stdint.h>

/* What the fields `address`, `value` and `value2` hold is said with each kind.
 * `size` is in bytes. Unmentioned fields are 0. Numbers are part of the trace
 * format: never reuse one. */
typedef enum HeddleKind {
  HEDDLE_EVENT_NONE = 0,

  /* Memory. address, size (1, 2, 4, 8, 16), order (HeddleOrder; NOT_ATOMIC for
   * plain accesses). 16-byte values: low half in value, high half in value2. */
  HEDDLE_LOAD = 1,  /* value: what was read */
  HEDDLE_STORE = 2, /* value: what was written */
  HEDDLE_RMW = 3,   /* value: old, value2: new; 16 bytes: a HEDDLE_WIDE record with the new value follows */
  HEDDLE_CAS = 4,   /* as RMW; FLAG_FAILED: not exchanged, value2 = what was expected */
  HEDDLE_FENCE = 5, /* order */

  /* Heap. */
  HEDDLE_ALLOC = 8, /* address (0: failed), value: size in bytes, value2: HeddleAllocator */
  HEDDLE_FREE = 9,  /* address, value2: HeddleAllocator */

  /* Threads. value: number of the other thread in this run (HeddleRecord.thread). */
  HEDDLE_THREAD_CREATE =
      16, /* value: child, value2: stands for its function and argument (controlled runs); FLAG_FAILED: not created */
  HEDDLE_THREAD_START = 17,  /* first event of every thread but T0; value: parent */
  HEDDLE_THREAD_END = 18,    /* last event of a thread; value: what it returned */
  HEDDLE_THREAD_JOIN = 19,   /* value: joined thread; FLAG_FAILED/FLAG_TIMEOUT */
  HEDDLE_THREAD_DETACH = 20, /* value: detached thread */
  HEDDLE_THREAD_CANCEL = 21, /* value: thread asked to stop */

  /* Mutexes and spin locks. address: the lock. FLAG_FAILED: try failed;
   * FLAG_TIMEOUT: timed out. value: recursion depth after the operation; value2:
   * type of the lock as in pthread.h, 4 for a spin lock.
   * FLAG_MISUSE, here and with all operations below: the operation is undefined by POSIX
   * and was done as glibc does it. A FAIL event of value MISUSE follows at once, without a
   * turn of its own, and its thread goes on. */
  HEDDLE_MUTEX_INIT = 24,
  HEDDLE_MUTEX_DESTROY = 25,
  HEDDLE_MUTEX_LOCK = 26,
  HEDDLE_MUTEX_TRYLOCK = 27,
  HEDDLE_MUTEX_TIMEDLOCK = 28,
  HEDDLE_MUTEX_UNLOCK = 29,

  /* Reader-writer locks. As mutexes; value: how many readers there are. */
  HEDDLE_RWLOCK_INIT = 32,
  HEDDLE_RWLOCK_DESTROY = 33,
  HEDDLE_RWLOCK_READ = 34,
  HEDDLE_RWLOCK_TRYREAD = 35,
  HEDDLE_RWLOCK_TIMEDREAD = 36,
  HEDDLE_RWLOCK_WRITE = 37,
  HEDDLE_RWLOCK_TRYWRITE = 38,
  HEDDLE_RWLOCK_TIMEDWRITE = 39,
  HEDDLE_RWLOCK_UNLOCK = 40,
  HEDDLE_RWLOCK_LINE_UP =
      41, /* of a lock that prefers writers: a writer is there; its RWLOCK_WRITE or TIMEDWRITE follows */

  /* Condition variables. A wait is two events: COND_WAIT gives the mutex back once and
   * queues; COND_RESUME takes the mutex again. A wait that times out or wakes
   * spuriously has COND_LEAVE in between: from there on it takes no signal. A wait
   * that may not give the mutex back has FLAG_FAILED and no second event. */
  HEDDLE_COND_INIT = 48,
  HEDDLE_COND_DESTROY = 49,
  HEDDLE_COND_WAIT = 50,      /* address: condition, value: mutex, value2: its type, FLAG_TIMED */
  HEDDLE_COND_RESUME = 51,    /* address: condition, value: mutex, value2: its type; FLAG_TIMEOUT, FLAG_SPURIOUS */
  HEDDLE_COND_LEAVE = 54,     /* address: condition; FLAG_TIMEOUT, FLAG_SPURIOUS */
  HEDDLE_COND_SIGNAL = 52,    /* value: 1 + woken thread, or 0 (nobody waited) */
  HEDDLE_COND_BROADCAST = 53, /* value: how many were woken */

  /* Barriers. The last to arrive opens it. */
  HEDDLE_BARRIER_INIT = 56, /* value: count */
  HEDDLE_BARRIER_DESTROY = 57,
  HEDDLE_BARRIER_ARRIVE = 58, /* value: round, value2: how many have arrived */
  HEDDLE_BARRIER_LEAVE = 59,  /* value: round; FLAG_SERIAL for exactly one */

  /* Semaphores. value: count after the operation. */
  HEDDLE_SEM_INIT = 64,
  HEDDLE_SEM_DESTROY = 65,
  HEDDLE_SEM_WAIT = 66,
  HEDDLE_SEM_TRYWAIT = 67,   /* FLAG_FAILED */
  HEDDLE_SEM_TIMEDWAIT = 68, /* FLAG_TIMEOUT */
  HEDDLE_SEM_POST = 69,
  HEDDLE_SEM_GETVALUE = 70,

  /* One-time initialisation (pthread_once, std::call_once, function statics). */
  HEDDLE_ONCE_ENTER = 72, /* value: 1 this thread runs it, 0 already done */
  HEDDLE_ONCE_DONE = 73,  /* FLAG_FAILED: left by an exception, stays undone */
  HEDDLE_ONCE_INIT = 74,  /* the program wrote over its flag: it is new */

  /* Waiting for a memory word to change (futex, std::atomic::wait). */
  HEDDLE_AWAIT = 76, /* address, size, value: the word seen; FLAG_FAILED: differed from the expected value2 at once */
  HEDDLE_AWAIT_RESUME = 77, /* FLAG_TIMEOUT, FLAG_SPURIOUS */
  HEDDLE_NOTIFY = 78,       /* value: how many were woken, value2: how many at most; FLAG_LEARNED */

  /* Time and yielding. */
  HEDDLE_YIELD = 80,
  HEDDLE_SLEEP = 81, /* value: nanoseconds */
  HEDDLE_CLOCK = 82, /* value: logical nanoseconds read */

  /* Signals among the program's own threads. value: the signal. */
  HEDDLE_SIGNAL_SEND = 84, /* value2: 1 + the thread it is for, or 0: the process */
  HEDDLE_SIGNAL_WAIT = 85, /* sigwait took one; FLAG_TIMEOUT */

  /* What the program says to Heddle, and chance. */
  HEDDLE_NONDET = 88,       /* value: chosen; address: lowest, value2: highest */
  HEDDLE_OBSERVE = 89,      /* value; address: name (text record follows) */
  HEDDLE_ASSUME = 90,       /* FLAG_FAILED: the run ends here, blocked */
  HEDDLE_ATOMIC_BEGIN = 91, /* no switch until ATOMIC_END */
  HEDDLE_ATOMIC_END = 92,

  /* Code without bitcode. site: the call; value: number of the function. */
  HEDDLE_EXTERN_CALL = 96,  /* a call that may reach shared memory or the outside */
  HEDDLE_EXTERN_WRITE = 97, /* address, size, value: a change found after such a call */

  /* Ends. */
  HEDDLE_EXIT = 104, /* value: exit code; return from main or exit() */
  HEDDLE_FAIL = 105, /* value: HeddleFailure; text records follow. The last event of its thread, but for MISUSE.
                        FLAG_MODEL: a fault in code without bitcode */

  /* System calls on descriptors that the program itself makes: pipes, sockets,
   * files, event counters. They wait while poll() says that the call would
   * block. value: the descriptor; value2: what the call returned, or the error
   * (FLAG_FAILED). FLAG_TIMEOUT; FLAG_CANCELLED. */
  HEDDLE_DESCRIPTOR_READ = 112,
  HEDDLE_DESCRIPTOR_WRITE = 113, /* a blocking write of much is several events */
  HEDDLE_DESCRIPTOR_POLL = 114,  /* poll, select, epoll_wait; value: the first descriptor */
  HEDDLE_DESCRIPTOR_ACCEPT = 115,
  HEDDLE_DESCRIPTOR_CONNECT = 116,

  HEDDLE_LAST_VISIBLE = 127,

  /* Other records: no number of their own. */
  HEDDLE_STACK_OBJECT = 128,   /* address, value: size; an escaping local came to life */
  HEDDLE_FUNCTION_ENTER = 129, /* value: address of the function */
  HEDDLE_FUNCTION_EXIT = 130,
  HEDDLE_BRANCH = 131,           /* value: which successor */
  HEDDLE_LOCAL_VALUE = 132,      /* size, value: result of the instruction `site` */
  HEDDLE_WIDE = 133,             /* value, value2: new value of the 16-byte event before */
  HEDDLE_UNTRACKED = 135,        /* address, size, value: found changed by a write that nobody saw */
  HEDDLE_STACK_OBJECT_END = 136, /* address, value: size; its function returned */
  HEDDLE_WAITING = 137, /* at the end of a run, for each thread that would go on; address: of what it waits for;
                           value: 1 + the thread that holds it, or 0; value2: kind of the operation it waits to do */
  HEDDLE_FLUSH = 138,   /* a buffered store reaches memory; index: of that store (not of the next event), site, address,
                           size, value, value2: the store's; FLAG_FAILED: dropped, its local variable is gone */
  HEDDLE_REPEATS = 139, /* the next event repeats a round that changed nothing; value: how many events back it began */
  HEDDLE_STATE =
      140, /* on request, before a look: value, value2: hashes of all that the thread knows and no event shows */
  HEDDLE_GAP_SEEN = 141, /* value: HeddleGap (gap.h); a text says what exactly */
  HEDDLE_TEXT = 134,     /* bytes in address, value, value2: see HEDDLE_TEXT_BYTES */

  /* Frames of the channel; never stored in a trace. */
  HEDDLE_FRAME_RUN_BEGIN = 240, /* value: number of the request */
  HEDDLE_FRAME_THREAD = 241,    /* thread; value: parent, value2: its number among the parent's children */
  HEDDLE_FRAME_RUN_END = 242,   /* value: HeddleOutcome, value2: exit code or failure; size 1: the process ends too;
                                   flags 1: text records follow */
  HEDDLE_FRAME_OPTION = 243,    /* on request: what could happen next, before the record of what did; thread, index: of
                                   the operation or the store; value: HeddleStepKind; HeddleOptionFlag */
} HeddleKind;

typedef enum HeddleOrder {
  HEDDLE_ORDER_NOT_ATOMIC = 0,
  HEDDLE_ORDER_RELAXED = 1,
  HEDDLE_ORDER_CONSUME = 2,
  HEDDLE_ORDER_ACQUIRE = 3,
  HEDDLE_ORDER_RELEASE = 4,
  HEDDLE_ORDER_ACQ_REL = 5,
  HEDDLE_ORDER_SEQ_CST = 6,
} HeddleOrder;

enum {
  HEDDLE_FLAG_FAILED = 1,      /* try, CAS or call did not succeed */
  HEDDLE_FLAG_TIMEOUT = 2,     /* timed wait ran out */
  HEDDLE_FLAG_SPURIOUS = 4,    /* woke without reason */
  HEDDLE_FLAG_TIMED = 8,       /* the wait has a deadline */
  HEDDLE_FLAG_LEARNED = 8,     /* notify: the program looks at how many were woken */
  HEDDLE_FLAG_REPLACED = 8,    /* store that goes to memory at once, flush; at most 8 bytes, on request: value2 is
                                  what memory held */
  HEDDLE_FLAG_SERIAL = 16,     /* PTHREAD_BARRIER_SERIAL_THREAD; store: by a library function, straight to memory */
  HEDDLE_FLAG_VOLATILE = 32,   /* volatile access */
  HEDDLE_FLAG_MISUSE = 32,     /* synchronisation, release of memory: undefined by its standard; a text says why */
  HEDDLE_FLAG_CANCELLED = 128, /* the wait was given up: its thread was cancelled */
  HEDDLE_FLAG_MODEL = 64,      /* done on behalf of a library function (memcpy, strlen, ...) */
};

/* Of HEDDLE_FRAME_OPTION. */
enum {
  HEDDLE_OPTION_WAITS_IN_LOOP = 1, /* the thread has been reading the same values again and again */
  HEDDLE_OPTION_TAKEN = 2,         /* a step of kind WAKE: this one was woken */
};

typedef enum HeddleAllocator {
  HEDDLE_ALLOCATOR_MALLOC = 0,
  HEDDLE_ALLOCATOR_NEW = 1,
  HEDDLE_ALLOCATOR_NEW_ARRAY = 2,
  HEDDLE_ALLOCATOR_MAP = 3, /* mmap */
} HeddleAllocator;

/* How a run ended. */
typedef enum HeddleOutcome {
  HEDDLE_OUTCOME_EXIT = 0,        /* returned from main or called exit; value2: code */
  HEDDLE_OUTCOME_FAILURE = 1,     /* a FAIL event says which */
  HEDDLE_OUTCOME_DEADLOCK = 2,    /* every live thread is blocked */
  HEDDLE_OUTCOME_LIVELOCK = 3,    /* nothing but waits that cannot change */
  HEDDLE_OUTCOME_BLOCKED = 4,     /* heddle_assume(false) */
  HEDDLE_OUTCOME_BOUND = 5,       /* step limit of the request */
  HEDDLE_OUTCOME_DIVERGED = 6,    /* the schedule could not be followed; text says where and why */
  HEDDLE_OUTCOME_UNSUPPORTED = 7, /* something not modelled; text names it; detail 1: bad input */
  HEDDLE_OUTCOME_KILLED = 8,      /* host's view: the target vanished; value2: wait status */
  HEDDLE_OUTCOME_HANG = 9,        /* host's view: no visible operation within the limit */
} HeddleOutcome;

typedef enum HeddleFailure {
  HEDDLE_FAILURE_ASSERTION = 1,
  HEDDLE_FAILURE_ABORT = 2,
  HEDDLE_FAILURE_SIGNAL = 3,    /* value2: signal, address: faulting address */
  HEDDLE_FAILURE_EXCEPTION = 4, /* uncaught; text: its type */
  HEDDLE_FAILURE_NULL = 5,      /* access below the first page; address */
  HEDDLE_FAILURE_USE_AFTER_FREE = 6,
  HEDDLE_FAILURE_DOUBLE_FREE = 7,
  HEDDLE_FAILURE_BAD_FREE = 8,       /* pointer that was never allocated */
  HEDDLE_FAILURE_MISUSE = 9,         /* of a synchronisation object; text says how */
  HEDDLE_FAILURE_OUT_OF_BOUNDS = 10, /* just outside a heap block */
} HeddleFailure;

/* `site` numbers an instruction of the instrumented module; 0 is "not known". */
typedef struct HeddleRecord {
  uint8_t kind; /* HeddleKind */
  uint8_t size;
  uint8_t order; /* HeddleOrder */
  uint8_t flags;
  uint32_t thread; /* number of the thread in this run, in order of creation */
  uint32_t index;  /* of the event in its thread; other records: of the next one */
  uint32_t site;
  uint64_t address;
  uint64_t value;
  uint64_t value2;
} HeddleRecord;

/* A text is cut into records of kind HEDDLE_TEXT: `size` bytes of it (at most
 * this many) lie in address, value, value2; `flags` is 1 while more follows. */
#define HEDDLE_TEXT_BYTES 24u

#define HEDDLE_UNSUPPORTED_INPUT 1u

#define HEDDLE_NO_THREAD 0xffffffffu

/* Children of a thread from this number on were not created by an operation of
 * it. In a free run the handlers of signals that interrupt a thread are such
 * children, and so (of T0) are threads that code without bitcode starts. */
#define HEDDLE_UNCREATED_CHILD 0x20000000u
#define HEDDLE_HANDLER_CHILD HEDDLE_UNCREATED_CHILD
#define HEDDLE_FOREIGN_CHILD 0x40000000u

#endif
