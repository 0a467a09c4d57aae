// SPDX-License-Identifier: Apache-2.0
#include "record/simulation.h"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <csignal>

#include "abi/version.h"
#include "record/write_recording.h"

namespace heddle::record {
namespace {

constexpr uint64_t kMostEvents = 10'000'000;

void add_way(Path& path, const HeddleRecord& branch, const SwitchNumbers& switches) {
  const auto numbers = switches.find(branch.site);
  if (numbers == switches.end()) return path.append(branch.value == 0);
  const uint32_t distinct = *std::max_element(numbers->second.begin(), numbers->second.end()) + 1;
  const uint32_t number = branch.value < numbers->second.size() ? numbers->second[branch.value] : 0;
  for (unsigned bit = switch_width(distinct); bit-- > 0;) path.append(number >> bit & 1);
}

int signal_of(uint64_t failure) {
  const bool aborts =
      failure == HEDDLE_FAILURE_ASSERTION || failure == HEDDLE_FAILURE_ABORT || failure == HEDDLE_FAILURE_EXCEPTION;
  return aborts ? SIGABRT : SIGSEGV;
}

void end(Recording& recording, const trace::Ending& ending) {
  switch (ending.outcome) {
    case HEDDLE_OUTCOME_EXIT:
      recording.ending = Ending::kExited;
      recording.status = static_cast<int>(ending.detail);
      break;
    case HEDDLE_OUTCOME_FAILURE:
      recording.ending = Ending::kSignalled;
      recording.status = recording.failure ? recording.failure->signal : SIGABRT;
      break;
    case HEDDLE_OUTCOME_DEADLOCK:  // somebody would have lost patience
      recording.ending = Ending::kTimedOut;
      recording.status = SIGKILL;
      break;
    default: recording.ending = Ending::kUnfinished; break;
  }
}

}  // namespace

Recording recording_of(const trace::Trace& trace, const SwitchNumbers& switches,
                       const std::optional<std::set<uint32_t>>& reads) {
  Recording recording;
  recording.has_values = reads.has_value();
  recording.instrumentation = HEDDLE_INSTRUMENTATION_VERSION;
  for (uint32_t t = 0; t < trace.threads.size(); ++t) {
    Thread thread;
    thread.name = trace.thread_name(t);
    thread.number = t;
    thread.parent = t == 0 ? HEDDLE_NO_RECORD : trace.threads[t].parent;
    thread.child_number = trace.threads[t].child_number;
    recording.threads.push_back(std::move(thread));
  }
  for (const trace::Event& event : trace.events) {
    const HeddleRecord& record = event.record;
    if (record.thread >= recording.threads.size()) continue;
    Thread& thread = recording.threads[record.thread];
    const bool is_read = record.kind == HEDDLE_LOAD || record.kind == HEDDLE_RMW || record.kind == HEDDLE_CAS;
    if (is_read && reads && reads->contains(record.site)) thread.values.push_back(check_of(record.value));
    if (record.kind == HEDDLE_BRANCH) add_way(thread.path, record, switches);
    if (record.kind == HEDDLE_THREAD_END && record.thread != 0) thread.ended = true;
    if (record.kind == HEDDLE_FAIL)
      recording.failure = Failure{
          .thread = record.thread, .signal = signal_of(record.value), .address = record.address, .site = record.site};
  }
  end(recording, trace.ending);
  if (recording.ending != Ending::kSignalled) recording.failure.reset();
  return recording;
}

base::Result<RecordedRun> simulate_recording(const execute::Subject& subject, const SwitchNumbers& switches,
                                             const SimulationOptions& options) {
  execute::ExecutorOptions how;
  how.output = 1;
  how.errors = 2;
  how.hang_seconds = options.hang_seconds;
  auto executor = execute::Executor::start(subject, how);
  if (!executor) return executor.error();
  execute::RunRequest request;
  request.memory = options.memory;
  request.strategy = HEDDLE_STRATEGY_RANDOM;
  request.seed = options.seed;
  request.event_limit = kMostEvents;
  const auto begin = std::chrono::steady_clock::now();
  auto run = (*executor)->run(request);
  if (!run) return run.error();
  Recording recording = recording_of((*executor)->to_trace(*run, request), switches, options.reads);
  if (recording.ending == Ending::kUnfinished)
    return base::Error{"the controlled run came to no end: " + run->ending.message,
                       "it may be too long to be simulated"};
  recording.facts.program = subject.program_name;
  recording.facts.module_hash = subject.module_hash;
  recording.facts.executable = subject.executable;
  recording.facts.inputs = options.inputs;
  recording.facts.cflags = options.cflags;
  recording.facts.arguments = subject.arguments;
  recording.facts.unknown_functions = subject.unknown_functions;
  if (auto written = write_recording(options.file, recording); !written) return written.error();
  RecordedRun result;
  result.ending = recording.ending;
  result.status = recording.status;
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  struct stat info = {};
  if (::stat(options.file.c_str(), &info) == 0)
    result.file_bytes = static_cast<uint64_t>(info.st_blocks) * 512;  // the file has holes
  return result;
}

}  // namespace heddle::record
