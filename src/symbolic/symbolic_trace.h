// SPDX-License-Identifier: Apache-2.0
//
// A symbolic trace: what each thread of a run did, with what it read as symbols
// and what it wrote, where it accessed memory and why it went this way as terms
// over these symbols.
//
//   if (y > 2) x = y + 1;      READ  y, gives R
//                              holds R > 2           before the write
//                              WRITE x, R + 1
//
// Another run in which every read finds other values, and every condition up to
// an operation holds, performs the same operations up to that one. This is the
// contract; where a thread does what the walker does not understand, a condition
// says that all that it has read keeps its value.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "abi/event.h"
#include "solve/terms.h"

namespace heddle::symbolic {

// A visible operation. Its kind is a HeddleKind; of those that access memory, one
// record is one access of 1, 2, 4 or 8 bytes.
struct Operation {
  uint8_t kind = HEDDLE_EVENT_NONE;
  uint8_t order = 0, flags = 0;
  uint32_t index = 0;  // in its thread
  uint32_t site = 0;
  solve::Term address;               // of 64 bits; a constant where it is known
  std::optional<solve::Term> where;  // the address before it was held: a condition says that it is `address`
  unsigned size = 0;
  std::optional<solve::Term> read;       // a symbol of its own
  std::optional<solve::Term> written;    // 8 * size bits
  std::optional<solve::Term> exchanged;  // of a compare-and-exchange whose outcome is not known: one bit
  uint64_t value = 0, value2 = 0;        // as in the record, where there is one
};

// Holds whenever its thread performs operation `before_operation` (an index into
// ThreadTrace::operations; one past the last: whenever the thread gets that far).
struct Condition {
  enum class Kind : uint8_t {
    kBranch,     // the same way
    kAssertion,  // the same way, which is not the one to the end of the program
    kAddress,    // the same place in memory, the same function called
    kHeld,       // the same value, for what follows is not understood otherwise
    kDefined,    // no division by zero, and the like
  };
  solve::Term holds;
  uint32_t before_operation = 0;
  uint32_t site = 0;
  Kind kind = Kind::kBranch;
};

// What the thread would do if it took the other side of a branch: before operation `first_operation` and condition
// `first_condition` all is as in its trace; then these follow. Indices are the thread's.
struct Detour {
  uint32_t first_operation = 0;
  uint32_t first_condition = 0;
  std::vector<Operation> operations;  // accesses only
  std::vector<Condition> conditions;  // the first: the branch, the other way
};

struct ThreadTrace {
  std::string thread;
  std::vector<Operation> operations;
  std::vector<Condition> conditions;  // in the order of the walk
  // So many operations were there when the source last said which way a branch went: those after may not have happened.
  uint32_t certain_operations = 0;
  std::vector<Detour> detours;  // on request
};

// An object of the program's memory that addresses are made of.
struct Object {
  std::string name;
  uint64_t base = 0, size = 0;
};

struct WalkStatistics {
  uint64_t instructions = 0;
  uint64_t held = 0;                   // results that are as they were, since nobody knows how they come about
  uint64_t lost = 0;                   // threads that could not be followed to their end; what came later is held
  std::vector<std::string> reasons;    // of the lost ones
  std::set<std::string> sides_end_at;  // where detours stopped before the thread's end: "a loop", ...
};

struct SymbolicTrace {
  std::vector<ThreadTrace> threads;
  std::vector<Object> objects;
  WalkStatistics statistics;
};

}  // namespace heddle::symbolic
