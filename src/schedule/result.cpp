// SPDX-License-Identifier: Apache-2.0
#include "schedule/result.h"

#include <algorithm>

namespace heddle::schedule {
namespace {

std::string failure_kind(uint64_t failure) {
  switch (failure) {
    case HEDDLE_FAILURE_ASSERTION: return "assertion";
    case HEDDLE_FAILURE_ABORT: return "abort";
    case HEDDLE_FAILURE_SIGNAL: return "signal";
    case HEDDLE_FAILURE_EXCEPTION: return "exception";
    case HEDDLE_FAILURE_NULL: return "null-dereference";
    case HEDDLE_FAILURE_USE_AFTER_FREE: return "use-after-free";
    case HEDDLE_FAILURE_DOUBLE_FREE: return "double-free";
    case HEDDLE_FAILURE_BAD_FREE: return "bad-free";
    case HEDDLE_FAILURE_MISUSE: return "misuse";
    case HEDDLE_FAILURE_OUT_OF_BOUNDS: return "out-of-bounds";
    default: return "failure";
  }
}

bool is_misuse(const HeddleRecord& record) {
  return record.kind == HEDDLE_FAIL && record.value == HEDDLE_FAILURE_MISUSE;
}

bool has_exited_after_misuse(const trace::Trace& trace) {
  return trace.ending.outcome == HEDDLE_OUTCOME_EXIT && trace.ending.detail == 0 && !misuses_of(trace).empty();
}

}  // namespace

std::string outcome_kind(const trace::Ending& ending) {
  switch (ending.outcome) {
    case HEDDLE_OUTCOME_EXIT: return "exit";
    case HEDDLE_OUTCOME_FAILURE: return failure_kind(ending.detail);
    case HEDDLE_OUTCOME_DEADLOCK: return "deadlock";
    case HEDDLE_OUTCOME_LIVELOCK: return "livelock";
    case HEDDLE_OUTCOME_BLOCKED: return "blocked";
    case HEDDLE_OUTCOME_BOUND: return "bound";
    case HEDDLE_OUTCOME_DIVERGED: return "diverged";
    case HEDDLE_OUTCOME_UNSUPPORTED: return "unsupported";
    case HEDDLE_OUTCOME_KILLED: return "killed";
    case HEDDLE_OUTCOME_HANG: return "hang";
  }
  return "unknown";
}

std::string result_of(const trace::Ending& ending) {
  switch (ending.outcome) {
    case HEDDLE_OUTCOME_EXIT: return "exit " + std::to_string(ending.detail);
    case HEDDLE_OUTCOME_FAILURE: {
      const std::string kind = outcome_kind(ending);
      return ending.message.empty() ? kind : kind + ": " + ending.message;
    }
    case HEDDLE_OUTCOME_DEADLOCK:
    case HEDDLE_OUTCOME_LIVELOCK:
    case HEDDLE_OUTCOME_BLOCKED:
    case HEDDLE_OUTCOME_HANG: return outcome_kind(ending);
    default: return "";
  }
}

std::vector<size_t> misuses_of(const trace::Trace& trace) {
  std::vector<size_t> places;
  for (size_t i = 0; i < trace.events.size(); ++i)
    if (is_misuse(trace.events[i].record)) places.push_back(i);
  return places;
}

std::string misuse_text(const trace::Trace& trace, size_t misuse) {
  std::string text;
  for (size_t i = misuse + 1; i < trace.events.size(); ++i) {
    const HeddleRecord& piece = trace.events[i].record;
    if (piece.kind != HEDDLE_TEXT) break;
    text.append(reinterpret_cast<const char*>(&piece.address), std::min<size_t>(piece.size, HEDDLE_TEXT_BYTES));
    if (!(piece.flags & 1)) break;
  }
  return text;
}

std::string outcome_kind(const trace::Trace& trace) {
  return has_exited_after_misuse(trace) ? failure_kind(HEDDLE_FAILURE_MISUSE) : outcome_kind(trace.ending);
}

std::string result_of(const trace::Trace& trace) {
  if (!has_exited_after_misuse(trace)) return result_of(trace.ending);
  return failure_kind(HEDDLE_FAILURE_MISUSE) + ": " + misuse_text(trace, misuses_of(trace).front());
}

}  // namespace heddle::schedule
