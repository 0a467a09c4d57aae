// SPDX-License-Identifier: Apache-2.0
//
// What the runtime knows about the run in progress: its threads, the schedule
// it follows, and whose turn it is.
//
// In controlled mode exactly one thread of the program runs at a time, so this
// state needs no locks: whoever runs owns it. A thread announces its next
// visible operation (take_turn), is chosen, performs the operation and records
// it, all without another thread in between.
//
// The runtime lives inside the target. It uses no exceptions, no C++ standard
// library, and no heap of the program.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <unwind.h>

#include "abi/channel.h"
#include "abi/event.h"
#include "export.h"

#define HEDDLE_LIKELY(x) __builtin_expect(!!(x), 1)
#define HEDDLE_UNLIKELY(x) __builtin_expect(!!(x), 0)

namespace heddle::rt {

struct Thread;
struct SyncObject;
struct DescriptorWait;
struct Slot;

// What a thread is about to do.
struct Operation {
  uint8_t kind;
  uint8_t size;
  uint8_t order;
  uint8_t flags;
  uint32_t site;
  uint64_t address;
  uint64_t value;
};

// How the scheduler let an operation happen. kFlush is no operation: the oldest
// store of the thread, or the one chosen, leaves its buffer.
enum class Turn : uint8_t { kNormal, kTimeout, kSpurious, kFlush };

// Can the announced operation of this thread happen now? Null: always.
using Ready = bool (*)(const Thread&);

struct Destructor {  // of a thread_local, or an exit handler
  void (*function)(void*);
  void* object;
};

// A larger copy of `count` items; doubles `capacity`.
void* grown(const void* items, size_t item_size, uint32_t count, uint32_t& capacity);

template <typename T>
struct Stack {  // grows in memory of the runtime; contents survive growth
  T* items = nullptr;
  uint32_t count = 0;
  uint32_t capacity = 0;
  void push(const T& item) {
    if (count == capacity) items = static_cast<T*>(grown(items, sizeof(T), count, capacity));
    items[count++] = item;
  }
  T pop() { return items[--count]; }
};

constexpr uint32_t kKeys = 1024;

struct BufferedStore {  // issued, not in memory yet
  uint64_t address;
  uint64_t value;
  uint64_t value2;  // upper half of 16 bytes
  uint32_t index;   // of the operation
  uint32_t site;
  uint32_t marker;    // PSO: how many markers the thread had put before it
  uint32_t older[3];  // for each aligned word that it touches: the link before it in the word's chain
  uint8_t size;       // 0: it has left
};

// Oldest first: items[first] to items[end - 1], Thread::buffered of which have not
// left. `chains` finds the newest store to a word without a search: a hash table
// of links, a link being 1 + 3 * place + which word of the store.
struct StoreBuffer {
  BufferedStore* items;
  uint32_t* chains;
  uint32_t first;
  uint32_t end;
  uint32_t capacity;
  uint32_t markers;
};

struct SpinWatch {  // what the thread reads again and again without doing anything else
  static constexpr uint32_t kEntries = 8;
  struct Entry {
    uint64_t address;
    uint64_t value;
    uint32_t site;
    uint32_t seen;
  };
  Entry entries[kEntries];
  uint32_t count;
};

struct Visit {  // of a place
  uint32_t site;
  uint32_t count;
};

struct PureWatch {  // looks since the thread last changed anything (pure_waits.h)
  static constexpr uint32_t kLooks = 16;
  struct Look {
    uint64_t address;
    uint64_t value;
    uint64_t state;  // of the thread when it was about to look
    uint32_t site;
    uint32_t index;
    uint8_t size;  // 0: an object of synchronisation
  };
  Look looks[kLooks];
  uint32_t count;
  uint32_t from;   // the round it waits in begins with this look
  uint64_t state;  // at the look being taken
  uint32_t size;
  bool is_watching;
  bool told;  // an object it looked at has changed
  bool has_looked_last;
};

struct Thread {
  uint32_t number;        // in order of creation in this run
  uint32_t name;          // in the request's table, or kNoName
  uint32_t child_number;  // among the children of its parent
  uint32_t children;
  uint32_t depth;
  Thread* parent;
  Thread* next;  // live threads in the order of their names
  Thread* previous;
  uint64_t handle;  // its pthread_t
  Slot* slot;
  void* context;  // fiber: where it goes on
  char* stack_top;
  uint64_t stack_limit;  // the program must not come below
  char label[16];        // pthread_setname_np

  // The announced operation.
  Operation pending;
  Ready ready;
  SyncObject* object;           // that `ready` looks at
  Thread* awaited;              // joined thread
  DescriptorWait* descriptors;  // that it waits for
  bool may_be_cancelled;        // while it waits
  bool may_time_out;
  bool may_wake_spuriously;
  bool woken;  // by signal, broadcast or notify
  Turn turn;
  uint32_t index;          // of the announced operation
  uint32_t after_misuse;   // the index after the last misuse; 0: none
  uint32_t buffered;       // stores in its buffer; always 0 under SC
  uint32_t site;           // last known place
  uint32_t foreign_site;   // of the call of code without bitcode that it is in; 0: none
  uint64_t ticket;         // order among waiters
  uint64_t stack_pointer;  // about where its stack ended when it last gave up its turn

  // Life.
  void* (*entry)(void*);
  void* argument;
  void* result;
  bool ended;
  bool only_waits;  // of the first thread: it has ended, but for waiting until all others have
  bool joined;
  bool detached;
  bool learns_result;  // of the system call that it is about to make
  bool exiting;
  bool cancel_requested;
  bool cancel_disabled;
  bool cancelled;
  bool yielded;  // asked others to go first
  bool spinning;
  bool failed;             // stays where it is for ever
  bool avoided;            // what it would do next is put off
  uint32_t held_from;      // from this operation on it lets others go first (holds.h)
  int priority;            // PCT
  int flush_priority;      // PCT, of its store buffer
  int64_t clock;           // its own logical time, where each thread has one
  void* cleanup;           // innermost C cleanup buffer
  uint64_t handlers;       // hash of the exit handlers it has registered
  bool used_foreign_code;  // code without bitcode may know more of it than memory shows
  uint64_t signals_blocked;
  uint64_t signals;             // sent to this thread and not taken yet
  uint64_t signals_wanted;      // that sigwait waits for
  _Unwind_Exception unwinding;  // pthread_exit and cancellation
  SpinWatch spin;
  PureWatch watch;
  Stack<Visit> visits;  // counted where loops are bounded
  Stack<Destructor> thread_exit;
  void* keys[kKeys];
  uint32_t keys_used;
  StoreBuffer stores;
};

constexpr uint32_t kNoName = 0xffffffffu;

struct Run {
  HeddleChannel* channel;
  HeddleRecord* ring;
  uint32_t ring_mask;
  uint64_t produced;
  uint64_t room_until;  // records may be written up to here without asking

  Thread* current;
  Thread* first;  // live threads, lowest name first
  Thread** threads;
  uint32_t thread_count;
  uint32_t live;

  const HeddleRequest* request;
  const HeddleName* names;
  const HeddleStep* steps;
  uint32_t step;
  uint32_t step_count;
  Thread** by_name;

  uint64_t events;
  uint64_t event_limit;
  uint64_t idle;  // operations since anything last changed
  uint64_t idle_limit;
  uint64_t tickets;
  uint64_t signals;  // sent to the process and not taken yet, bit N-1 for signal N
  int64_t clock;     // logical nanoseconds since the run began
  uint64_t random;
  uint32_t spinners;
  uint32_t spin_after;  // equal reads before a loop counts as waiting
  uint32_t memory;      // HeddleMemory
  uint64_t buffered;    // stores in the buffers of all threads
  Thread* atomic_owner;
  uint32_t strategy;
  uint32_t next_change;

  bool lists_options;   // HEDDLE_REQUEST_OPTIONS
  bool avoids;          // some operation is put off
  uint32_t holds;       // threads that are held somewhere
  bool go_on;           // HEDDLE_REQUEST_GO_ON
  bool pure_waits;      // HEDDLE_REQUEST_PURE_WAITS
  bool tells_states;    // HEDDLE_REQUEST_STATES
  uint32_t loop_bound;  // 0: none
  bool bound_reached;   // some thread stands at it
  bool failed;          // some thread has failed; the first failure:
  bool process_broken;  // a failure was a crash: the process ends with the run
  uint64_t failure;
  char failure_text[256];

  bool active;    // a run is in progress: calls are modelled
  bool detached;  // a child that the program forked: nobody listens
  bool finished;
  bool libraries_dirty;  // code without bitcode has run since the last restore
};

extern Run g;

// True while the calling code belongs to a controlled run of the program.
inline bool modelled() { return g.active; }

}  // namespace heddle::rt
