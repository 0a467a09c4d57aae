// SPDX-License-Identifier: Apache-2.0
//
// One table of all kinds of records for code that prints, parses, validates or
// exports traces: the name in texts, the family, whether the kind reads or writes
// memory or synchronises, and which fields of the record are used. A new kind is
// one new line here and one in abi/semantics.h, which says what operations do.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "abi/event.h"

namespace heddle::trace {

enum class Family : uint8_t {
  kMemory,
  kHeap,
  kThread,
  kMutex,
  kRwlock,
  kCondition,
  kBarrier,
  kSemaphore,
  kOnce,
  kAwait,
  kTime,
  kProgram,  // what the program says to Heddle
  kExtern,   // code without bitcode
  kEnd,
  kRecord,  // not visible: hangs between events
};

// How to understand a `value` or `value2`.
enum class Meaning : uint8_t {
  kNone,           // not used: 0
  kNumber,         // a number or the bytes in memory
  kAddress,        // of an object or a function
  kThreadNumber,   // number of a thread
  kThreadPlusOne,  // 1 + number of a thread, or 0 for nobody
};

struct KindInfo {
  HeddleKind kind;
  const char* name;  // as in the text form: "mutex_lock"
  Family family;
  bool reads;         // of the bytes [address, address + size)
  bool writes;        // a failed CAS does not
  bool synchronises;  // orders threads by itself, whatever values it moves
  bool has_address;
  bool has_size;
  bool has_order;
  Meaning value;
  Meaning value2;
};

// Ascending by number.
std::span<const KindInfo> all_kinds();

// Null for numbers that may not stand in a trace (unknown ones and channel frames).
const KindInfo* find_kind(uint8_t kind);
const KindInfo* find_kind(std::string_view name);

// "store"; "kind 200" for a number that is not a kind.
std::string kind_name(uint8_t kind);

// "not_atomic", "relaxed", ... "seq_cst"; null when out of range.
const char* order_name(uint8_t order);
std::optional<HeddleOrder> find_order(std::string_view name);

// The name of bit 0 to 7 of `flags`; null for others. Bit 5 is "misuse" for kinds that synchronise or use the heap and
// "volatile" for all others. find_flag() knows both names; without a kind the bit is "volatile".
const char* flag_name(uint8_t bit, uint8_t kind);
const char* flag_name(uint8_t bit);
std::optional<uint8_t> find_flag(std::string_view name);

// "exit", "failure", "deadlock", ...; null when out of range.
const char* outcome_name(uint64_t outcome);
std::optional<HeddleOutcome> find_outcome(std::string_view name);

// "assertion", "use_after_free", ...; null when out of range.
const char* failure_name(uint64_t failure);

// Whether the operation did what its kind says: no failed try, no timeout, no
// cancelled wait.
bool succeeded(const HeddleRecord& record);

// Whether this very event changed (looked at) the bytes at its address.
bool wrote_memory(const HeddleRecord& record);
bool read_memory(const HeddleRecord& record);

}  // namespace heddle::trace
