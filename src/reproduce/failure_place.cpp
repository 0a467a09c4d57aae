// SPDX-License-Identifier: Apache-2.0
#include "reproduce/failure_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <map>

namespace heddle::reproduce {
namespace {

// Nothing that a process has is there or near by: null pointers with an offset, numbers that are no addresses. (Linux,
// x86-64: programs at 4 MB or from 0x55..., libraries and stacks from 0x7e... on.)
bool is_the_same_each_time(uint64_t address) {
  struct Range {
    uint64_t begin, end;
  };
  constexpr Range kEmpty[] = {{0, 0x400000}, {0x1000000000, 0x540000000000}, {0x580000000000, 0x7d0000000000}};
  return std::any_of(std::begin(kEmpty), std::end(kEmpty),
                     [&](const Range& range) { return address >= range.begin && address < range.end; });
}

// The FAIL event that ended the run; after a misuse it goes on.
const HeddleRecord* failure_in(const trace::Trace& trace) {
  for (auto event = trace.events.rbegin(); event != trace.events.rend(); ++event)
    if (event->record.kind == HEDDLE_FAIL && event->record.value != HEDDLE_FAILURE_MISUSE) return &event->record;
  return nullptr;
}

bool is_crash(uint64_t failure) {
  return failure == HEDDLE_FAILURE_SIGNAL || failure == HEDDLE_FAILURE_NULL ||
         failure == HEDDLE_FAILURE_USE_AFTER_FREE || failure == HEDDLE_FAILURE_DOUBLE_FREE ||
         failure == HEDDLE_FAILURE_BAD_FREE || failure == HEDDLE_FAILURE_OUT_OF_BOUNDS;
}

bool is_abort(uint64_t failure) {
  return failure == HEDDLE_FAILURE_ASSERTION || failure == HEDDLE_FAILURE_ABORT || failure == HEDDLE_FAILURE_EXCEPTION;
}

// The same threads had not ended; where the run says what they wait for, at the same calls.
bool waits_like(const trace::Trace& trace, const FailurePlace& wanted) {
  std::map<std::string, uint32_t> alive;
  for (const trace::Event& event : trace.events) {
    const HeddleRecord& record = event.record;
    if (record.kind == HEDDLE_THREAD_END) {
      alive.erase(trace.thread_name(record.thread));
    } else if (trace::is_visible(record)) {
      alive.try_emplace(trace.thread_name(record.thread), 0);
    } else if (record.kind == HEDDLE_WAITING) {
      alive[trace.thread_name(record.thread)] = record.site;
    }
  }
  return alive.size() == wanted.waiting.size() &&
         std::all_of(wanted.waiting.begin(), wanted.waiting.end(), [&](const auto& waiting) {
           const auto found = alive.find(waiting.first);
           return found != alive.end() &&
                  (found->second == 0 || waiting.second == 0 || found->second == waiting.second);
         });
}

}  // namespace

std::optional<FailurePlace> failure_of(const record::Recording& recording) {
  FailurePlace result;
  if (recording.failure) {
    const record::Failure& failure = *recording.failure;
    if (failure.thread < recording.threads.size()) result.thread = recording.threads[failure.thread].name;
    result.kind = failure.signal == SIGABRT ? FailurePlace::Kind::kAbort : FailurePlace::Kind::kCrash;
    result.site = failure.site;
    // The kernel does not tell an address that no pointer can be.
    const bool is_told =
        (failure.signal == SIGSEGV || failure.signal == SIGBUS) && failure.code > 0 && failure.code != SI_KERNEL;
    if (is_told && is_the_same_each_time(failure.address)) result.address = failure.address;
    return result;
  }
  if (recording.ending == record::Ending::kTimedOut) {
    result.kind = FailurePlace::Kind::kDeadlock;
    for (const record::Thread& thread : recording.threads)
      if (!thread.ended) result.waiting.push_back({thread.name, thread.site});
    return result;
  }
  if (recording.ending == record::Ending::kExited && recording.status != 0) {
    result.kind = FailurePlace::Kind::kExit;
    result.exit_code = recording.status;
    return result;
  }
  return std::nullopt;
}

bool fails_like(const trace::Trace& trace, const FailurePlace& wanted) {
  const trace::Ending& ending = trace.ending;
  switch (wanted.kind) {
    case FailurePlace::Kind::kDeadlock: return ending.outcome == HEDDLE_OUTCOME_DEADLOCK && waits_like(trace, wanted);
    case FailurePlace::Kind::kExit:
      return ending.outcome == HEDDLE_OUTCOME_EXIT && static_cast<int>(ending.detail) == wanted.exit_code;
    case FailurePlace::Kind::kCondition:
      return std::any_of(trace.events.begin(), trace.events.end(),
                         [&](const trace::Event& event) { return wanted.bug->happened(event.record, trace.sites); });
    default: break;
  }
  const HeddleRecord* failure = failure_in(trace);
  if (ending.outcome != HEDDLE_OUTCOME_FAILURE || !failure) return false;
  if (wanted.kind == FailurePlace::Kind::kAbort ? !is_abort(ending.detail) : !is_crash(ending.detail)) return false;
  if (wanted.address && failure->address != *wanted.address) return false;
  if (wanted.site != 0 && failure->site != 0 && failure->site != wanted.site) return false;
  return trace.thread_name(failure->thread) == wanted.thread;
}

std::string FailurePlace::text(const std::vector<trace::Site>& sites) const {
  std::string where;
  if (site != 0 && site < sites.size() && !sites[site].file.empty())
    where = fmt::format(" at {}:{}", sites[site].file, sites[site].line);
  switch (kind) {
    case Kind::kAbort: return fmt::format("{} aborted{}", thread, where);
    case Kind::kCrash:
      return fmt::format("{} crashed{}{}", thread, where, address ? fmt::format(", address {:#x}", *address) : "");
    case Kind::kDeadlock: return "the program stood still";
    case Kind::kExit: return fmt::format("exit code {}", exit_code);
    case Kind::kCondition: return bug->text();
  }
  return "";
}

}  // namespace heddle::reproduce
