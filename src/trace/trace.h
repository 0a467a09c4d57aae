// SPDX-License-Identifier: Apache-2.0
//
// A trace in memory: what one execution did.
//
// Every thread has a sequence of events; a controlled run also has a total
// order over all of them. Threads, sites and globals are tables that events
// refer to by number. Addresses and values are machine values; canonical names
// are made from them in src/naming.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "abi/event.h"

namespace heddle::trace {

enum class Mode : uint8_t {
  kControlled = 0,  // one thread at a time: `events` is a total order
  kFree = 1,        // in parallel: `events` is grouped by thread; `sequence` orders synchronisation
};

// Place of an instruction. Number 0 of a trace's table is the unknown place.
struct Site {
  std::string file;
  uint32_t line = 0;
  uint32_t column = 0;
  std::string function;
  std::string variable;  // what is accessed, as the source calls it; may be empty
  bool operator==(const Site&) const = default;
};

struct Global {
  std::string name;  // "file:counter" (the file's base name; no file when unknown)
  uint64_t address = 0;
  uint64_t size = 0;
  bool operator==(const Global&) const = default;
};

struct Thread {
  uint32_t parent = HEDDLE_NO_THREAD;  // HEDDLE_NO_THREAD for T0
  uint32_t child_number = 0;           // among its parent's children, from 0
  bool operator==(const Thread&) const = default;
};

struct Event {
  HeddleRecord record;    // record.thread is a number in Trace::threads
  uint64_t sequence = 0;  // controlled: position in the total order; free: global number of a
                          // synchronisation event, from 1, and 0 for all others
  bool operator==(const Event& other) const;
};

// Facts about the run, all printed by `heddle trace stats`.
struct Header {
  std::string program;      // name as given by the user
  std::string module_hash;  // of the bitcode that was run
  Mode mode = Mode::kControlled;
  std::string memory_model;  // "sc", "tso", "pso"
  std::string strategy;      // "default", "random", "pct", "replay"
  uint64_t seed = 0;
  uint32_t instrumentation_version = 0;
  bool operator==(const Header&) const = default;
};

// How the run ended. Absent when the trace broke off (target killed).
struct Ending {
  HeddleOutcome outcome = HEDDLE_OUTCOME_EXIT;
  uint64_t detail = 0;  // exit code, signal, HeddleFailure: as HEDDLE_FRAME_RUN_END
  std::string message;  // what the failure said; may be empty
  bool operator==(const Ending&) const = default;
};

struct Trace {
  Header header;
  std::vector<Thread> threads;
  std::vector<Site> sites;  // sites[0] is the unknown place
  std::vector<Global> globals;
  std::vector<Event> events;
  bool complete = false;  // has an ending
  Ending ending;
  std::string damage;  // what a reader could not give, and why; empty for a file that is whole

  // "T0", "T0.1", "T0.1.2"; "T?" for a number that the table does not explain.
  std::string thread_name(uint32_t thread) const;

  // Same content; `damage` speaks of the file, not of the run, and does not count.
  bool operator==(const Trace& other) const;
};

inline bool is_visible(const HeddleRecord& record) { return record.kind <= HEDDLE_LAST_VISIBLE; }

}  // namespace heddle::trace
