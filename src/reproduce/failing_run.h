// SPDX-License-Identifier: Apache-2.0
//
// A run that failed, as far as it was recorded: which operations each thread
// performed, with what is known of their addresses and values, and which
// conditions its path fulfilled. What is not known is the order of the threads;
// so what a read returned is a symbol, and what was computed from it a term.
//
//   T0.0: r0 = load x; store x, r0 + 1        condition of T0, before its failure:
//   T0.1: r1 = load x; store x, r1 + 1           r2 != 2
//   T0:   r2 = load x
//
// Explanation (explanation.h) looks for an order that makes all of it true.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "abi/event.h"
#include "schedule/thread_name.h"
#include "semantics/meaning.h"
#include "solve/terms.h"

namespace heddle::reproduce {

inline constexpr uint32_t kNobody = ~0u;

// An operation of a controlled run; its place in the thread is its index.
struct Operation {
  uint8_t kind = HEDDLE_EVENT_NONE;  // HeddleKind
  uint8_t order = HEDDLE_ORDER_NOT_ATOMIC;
  uint8_t flags = 0;  // how it came out: HEDDLE_FLAG_FAILED, HEDDLE_FLAG_TIMEOUT, ...
  uint32_t site = 0;
  uint32_t size = 0;                   // in bytes; of accesses to memory
  solve::Term address = {};            // 64 bits: of memory, or of the object it is about
  solve::Term read = {};               // LOAD, RMW, CAS, AWAIT: a symbol, used by no other operation
  solve::Term written = {};            // STORE, RMW, CAS
  solve::Term exchanged = {};          // CAS: one bit, it wrote
  uint32_t other = kNobody;            // THREAD_CREATE, THREAD_JOIN: number of the other thread
  uint64_t type = 0, amount = 0;       // of the object, as in semantics::ObjectOperation
  bool runs_once = false;              // ONCE_ENTER: the thread has to initialise
  solve::Term mutex = {};              // COND_WAIT, COND_RESUME
  std::optional<uint32_t> check = {};  // of what it read, if that was recorded (record::check_of)
};

// Holds when the thread has performed this many of its operations and goes on.
struct Condition {
  solve::Term holds = {};  // one bit
  uint32_t after = 0;      // operations before it
  uint32_t site = 0;
};

struct Thread {
  schedule::ThreadName name;
  std::vector<Operation> operations;
  std::vector<Condition> conditions;  // ascending by `after`
  bool is_known_to_its_end = true;    // else it went on, nobody knows how
  uint32_t certain = 0;               // so many of its operations came before the failure of the failing thread
};

struct OperationId {
  uint32_t thread = 0, index = 0;
  auto operator<=>(const OperationId&) const = default;
};

struct FailingRun {
  solve::Terms terms;
  std::vector<Thread> threads;  // number 0 is T0; every other one is created by somebody
  // Where the failing thread stopped: after all of its operations. What others did
  // later (see Thread::certain) does not matter then, and may need what is not
  // known of them. kNobody: a deadlock, or the end of the program.
  uint32_t failing_thread = kNobody;
  // Came before all others, in this order (beginning.h); of each thread its first operations.
  std::vector<OperationId> beginning;
  // Per core: what it performed, in that order. Operations not named are where
  // it is not known. Empty if nothing of the kind was recorded.
  std::vector<std::vector<OperationId>> cores;
  // By the clock: the first of each pair, and all that its thread did before, came before the second.
  std::vector<std::pair<OperationId, OperationId>> timed;
  // By thread and operation: about when it happened, in ticks; a guess, which binds nobody. Empty: nobody looked at the
  // clock.
  std::vector<std::vector<uint64_t>> about;
  std::map<uint64_t, std::vector<uint8_t>> initial;  // memory at the start, by address; 0 elsewhere

  std::vector<std::pair<uint64_t, uint64_t>> objects;  // address and size, ascending; accesses stay within their object

  const Operation& at(OperationId id) const { return threads[id.thread].operations[id.index]; }
};

// A wait for a word reads the word, unless it stands for the beginning (no size).
inline bool reads_memory(const Operation& operation) {
  return operation.kind == HEDDLE_LOAD || operation.kind == HEDDLE_RMW || operation.kind == HEDDLE_CAS ||
         (operation.kind == HEDDLE_AWAIT && operation.size != 0);
}
inline bool writes_memory(const Operation& operation) {
  return operation.kind == HEDDLE_STORE || operation.kind == HEDDLE_RMW || operation.kind == HEDDLE_CAS;
}
// Operations that concern their thread alone, or threads that can do nothing before them.
inline bool is_private(const Operation& operation) {
  switch (semantics::effect_of(operation.kind)) {
    case HEDDLE_EFFECT_CREATE:
    case HEDDLE_EFFECT_START:
    case HEDDLE_EFFECT_END:
    case HEDDLE_EFFECT_JOIN: return true;
    default:
      return semantics::family_of(operation.kind) == HEDDLE_FAMILY_HEAP || operation.kind == HEDDLE_YIELD ||
             operation.kind == HEDDLE_SLEEP || operation.kind == HEDDLE_FENCE;
  }
}

}  // namespace heddle::reproduce
