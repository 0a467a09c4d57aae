// SPDX-License-Identifier: Apache-2.0
//
// An execution of the program, as the causal model sees it: per thread the
// sequence of visible operations, and one order of all of them that is known to
// be possible, because it happened.
//
// Threads have the ids of a ThreadTable, so that executions can be compared;
// numbers of threads inside records (who was created, joined, woken) are ids
// too.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "abi/event.h"
#include "causal/histories.h"
#include "causal/memory_image.h"
#include "causal/thread_table.h"
#include "gaps/gap.h"
#include "schedule/schedule.h"
#include "trace/trace.h"

namespace heddle::causal {

struct EventId {
  ThreadId thread = 0;
  uint32_t index = 0;
  auto operator<=>(const EventId&) const = default;
};

// One thing that happened: an operation, or a buffered store that reached memory.
struct Happening {
  EventId event;
  bool is_flush = false;
  bool is_dropped = false;  // a flush that did not reach memory: its local variable was gone
};

// Hashes of all that a thread knows before an operation and that no operation shows.
struct PrivateState {
  uint32_t index;
  uint64_t low, high;
};

struct ThreadPart {
  std::vector<HeddleRecord> operations;  // operations[i].index is i
  std::vector<HistoryId> histories;      // histories[i]: before operation i; one more for the end
  std::vector<PrivateState> states;      // before some operations, ascending; only if the run was asked to tell
};

struct Failure {
  EventId event;
  HeddleFailure kind;
  std::string message;
};

// At the end of the run this thread was about to do this operation.
struct Waiting {
  ThreadId thread = 0;
  HeddleRecord record;
};

// Something that could happen at a point of the execution: a thread's operation,
// its time-out, or the flush of a store; or, of a signal at that point, whom it
// could wake.
struct Option {
  schedule::StepKind kind = schedule::StepKind::kOp;
  EventId event;
  bool waits_in_loop = false;  // the thread has been reading the same values again and again
  bool is_taken = false;       // kWake: this one was woken
};

// A point where something was chosen, or where a signal could wake several.
struct ChoicePoint {
  size_t at = 0;  // place in Execution::order of what did happen
  std::vector<Option> options;
};

// An escaping local variable ends its life just before this operation of its thread.
struct LocalEnd {
  EventId before;
  uint64_t address = 0, size = 0;
};

struct Execution {
  std::vector<ThreadPart> threads;  // by ThreadId; empty for threads that do not exist here
  std::vector<Happening> order;
  std::vector<ChoicePoint> choices;  // ascending; only if the run was asked to list them
  MemoryImage initial;               // what memory held before the first write
  trace::Ending ending;
  std::vector<Failure> failures;
  std::vector<Waiting> waiting;
  std::map<std::string, int64_t> observations;  // the last value per name
  std::map<EventId, std::string> names;         // of what OBSERVE operations observe
  std::vector<LocalEnd> local_ends;             // by operation
  // Looks that repeat a round which changed nothing: how many operations a round has.
  std::map<EventId, uint32_t> repeats;
  std::vector<HeddleRecord> untracked;  // UNTRACKED records
  gaps::Gaps gaps;                      // that the run itself raised; not kept in checkpoints
  bool is_complete = false;             // every thread ran to its end
  bool is_cut = false;                  // before_first_misuse() left something out

  const HeddleRecord& operation(EventId event) const { return threads[event.thread].operations[event.index]; }
  uint32_t length(ThreadId thread) const {
    return thread < threads.size() ? static_cast<uint32_t>(threads[thread].operations.size()) : 0;
  }
};

// An OPTION frame and the number of records before it.
using OptionFrame = std::pair<size_t, HeddleRecord>;

// `records`, `threads` and `options` are those of a controlled run.
Execution make_execution(std::span<const HeddleRecord> records, std::span<const trace::Thread> threads,
                         const trace::Ending& ending, ThreadTable& table, Histories& histories,
                         std::span<const OptionFrame> options = {});

// The execution without its first misuse and what came after it, for those who do not know what a misuse does; itself
// if there is none.
std::shared_ptr<const Execution> before_first_misuse(std::shared_ptr<const Execution> execution);

}  // namespace heddle::causal
