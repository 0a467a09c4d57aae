// SPDX-License-Identifier: Apache-2.0
#include "reproduce/simulated_recording.h"

#include <algorithm>
#include <csignal>

#include "abi/version.h"

namespace heddle::reproduce {
namespace {

void add_way(record::Path& path, const HeddleRecord& branch, const SwitchNumbers& switches) {
  const auto numbers = switches.find(branch.site);
  if (numbers == switches.end()) return path.append(branch.value == 0);
  const uint32_t distinct = *std::max_element(numbers->second.begin(), numbers->second.end()) + 1;
  const uint32_t number = numbers->second[branch.value];
  for (unsigned bit = record::switch_width(distinct); bit-- > 0;) path.append(number >> bit & 1);
}

int signal_of(uint64_t failure) {
  const bool aborts = failure == HEDDLE_FAILURE_ASSERTION || failure == HEDDLE_FAILURE_ABORT || failure == HEDDLE_FAILURE_EXCEPTION;
  return aborts ? SIGABRT : SIGSEGV;
}

}  // namespace

record::Recording recording_of(const trace::Trace& trace, const SwitchNumbers& switches) {
  record::Recording recording;
  recording.instrumentation = HEDDLE_INSTRUMENTATION_VERSION;
  for (uint32_t t = 0; t < trace.threads.size(); ++t) {
    record::Thread thread;
    thread.name = trace.thread_name(t);
    thread.number = t;
    thread.parent = t == 0 ? HEDDLE_NO_RECORD : trace.threads[t].parent;
    thread.child_number = trace.threads[t].child_number;
    recording.threads.push_back(std::move(thread));
  }
  for (const trace::Event& event : trace.events) {
    const HeddleRecord& record = event.record;
    if (record.thread >= recording.threads.size()) continue;
    record::Thread& thread = recording.threads[record.thread];
    if (record.kind == HEDDLE_BRANCH) add_way(thread.path, record, switches);
    if (record.kind == HEDDLE_THREAD_END) thread.ended = true;
    if (record.kind == HEDDLE_FAIL)
      recording.failure = {.thread = record.thread, .signal = signal_of(record.value), .address = record.address, .site = record.site};
  }
  switch (trace.ending.outcome) {
    case HEDDLE_OUTCOME_EXIT:
      recording.ending = record::Ending::kExited;
      recording.status = static_cast<int>(trace.ending.detail);
      break;
    case HEDDLE_OUTCOME_FAILURE:
      recording.ending = record::Ending::kSignalled;
      recording.status = recording.failure ? recording.failure->signal : 0;
      break;
    case HEDDLE_OUTCOME_DEADLOCK: recording.ending = record::Ending::kTimedOut; break;
    default: recording.ending = record::Ending::kUnfinished; break;
  }
  return recording;
}

}  // namespace heddle::reproduce
