// SPDX-License-Identifier: Apache-2.0
#include "execute/executor.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <chrono>
#include <cstring>

#include "abi/version.h"
#include "base/check.h"
#include "execute/request.h"
#include "execute/spawn.h"
#include "execute/standard_input.h"
#include "execute/target_process.h"

namespace heddle::execute {
namespace {

constexpr size_t kBatchBytes = 16u << 20;  // of requests that are sent at once

using Clock = std::chrono::steady_clock;

constexpr int kStarts = 3;  // somebody may kill a process before it is ready

// Puts the records of the channel together to runs.
class Collector {
 public:
  // True when the record ends a run; then `run` is whole but for text that may follow.
  void take(const HeddleRecord& record) {
    switch (record.kind) {
      case HEDDLE_FRAME_RUN_BEGIN:
        run_ = Run{};
        open_ = true;
        return;
      case HEDDLE_FRAME_THREAD:
        run_.threads.push_back({static_cast<uint32_t>(record.value), static_cast<uint32_t>(record.value2)});
        return;
      case HEDDLE_FRAME_OPTION: run_.options.push_back({run_.records.size(), record}); return;
      case HEDDLE_FRAME_RUN_END:
        run_.ending.outcome = static_cast<HeddleOutcome>(record.value);
        run_.ending.detail = record.value2;
        text_follows_ = record.flags != 0;
        whole_ = !text_follows_;
        process_ends_ = record.size != 0;
        return;
      case HEDDLE_TEXT:
        if (text_follows_) {
          run_.ending.message.append(reinterpret_cast<const char*>(&record.address),
                                     record.size <= HEDDLE_TEXT_BYTES ? record.size : HEDDLE_TEXT_BYTES);
          text_follows_ = record.flags != 0;
          whole_ = !text_follows_;
          return;
        }
        break;
      default: break;
    }
    run_.records.push_back(record);
  }

  const std::vector<HeddleRecord>& records() const { return run_.records; }
  bool whole() const { return whole_; }
  // The run that ended last took its process with it.
  bool process_ends() const { return process_ends_; }
  bool open() const { return open_; }

  Run finish() {
    open_ = whole_ = text_follows_ = false;
    return std::move(run_);
  }

  Run break_off(HeddleOutcome outcome, uint64_t detail, std::string message) {
    run_.ending.outcome = outcome;
    run_.ending.detail = detail;
    run_.ending.message = std::move(message);
    return finish();
  }

 private:
  Run run_;
  bool open_ = false;
  bool whole_ = false;
  bool text_follows_ = false;
  bool process_ends_ = false;
};

HeddleIsolation raw(Isolation isolation) {
  switch (isolation) {
    case Isolation::kFork: return HEDDLE_ISOLATION_FORK;
    case Isolation::kFresh: return HEDDLE_ISOLATION_FRESH;
    default: return HEDDLE_ISOLATION_IN_PROCESS;
  }
}

}  // namespace

struct Executor::State {
  Subject subject;
  ExecutorOptions options;
  IsolationChoice isolation;
  std::unique_ptr<TargetProcess> process;
  uint64_t started = 0;

  base::Result<void> ensure_process() {
    if (process && process->alive()) return {};
    ProcessSettings settings;
    settings.executable = subject.executable;
    settings.program_name = subject.program_name;
    settings.arguments = subject.arguments;
    settings.carrier = options.carrier == Carrier::kFiber ? HEDDLE_CARRIER_FIBER : HEDDLE_CARRIER_THREAD;
    settings.isolation = raw(isolation.isolation);
    settings.heap = options.heap == Heap::kReuse ? HEDDLE_HEAP_REUSE : HEDDLE_HEAP_FRESH;
    settings.output = options.output;
    settings.errors = options.errors;
    settings.ring_records = options.ring_records;
    settings.debugger = options.debugger;
    if (options.takes_input) settings.input = rereadable_standard_input();
    auto fresh = TargetProcess::start(settings);
    for (int start = 1; start < kStarts && !fresh; ++start) fresh = TargetProcess::start(settings);
    if (!fresh) return fresh.error();
    process = std::move(*fresh);
    ++started;
    return {};
  }

  // Sends as many requests from `first` on as fit, and visits their runs.
  // Returns how many were answered.
  base::Result<size_t> run_some(std::span<const RunRequest> requests, size_t first,
                                const std::function<void(size_t, Run&)>& visit) {
    if (auto ready = ensure_process(); !ready) return ready.error();
    size_t count = 0, bytes = 0;
    while (first + count < requests.size()) {
      const size_t size = request_size(requests[first + count]);
      if (size > kRequestBytes) return base::Error{"the schedule is too long", ""};
      if (count && bytes + size > kBatchBytes) break;
      if (count && isolation.isolation == Isolation::kFresh) break;
      write_request(requests[first + count], static_cast<uint32_t>(first + count), process->request_area() + bytes);
      bytes += size;
      ++count;
    }
    process->post(static_cast<uint32_t>(count));
    return collect(first, count, visit);
  }

  bool interrupted() const { return options.interrupted && options.interrupted->load(std::memory_order_relaxed); }

  // Ends the target. The run is what it had said by then.
  Run end_now(Collector& collector, HeddleOutcome outcome, const std::string& why) {
    process->kill_all();
    while (!collector.whole()) {
      const HeddleRecord* record = process->next();
      if (!record) break;
      collector.take(*record);
      process->advance();
    }
    const uint64_t detail = outcome == HEDDLE_OUTCOME_KILLED ? static_cast<uint64_t>(process->wait_status()) : 0;
    process.reset();
    return collector.whole() ? collector.finish() : collector.break_off(outcome, detail, why);
  }

  base::Result<size_t> collect(size_t first, size_t count, const std::function<void(size_t, Run&)>& visit) {
    Collector collector;
    size_t answered = 0;
    auto last_event = Clock::now();
    const auto deliver = [&](Run run) {
      visit(first + answered, run);
      ++answered;
    };
    while (answered < count) {
      bool read = false;
      while (const HeddleRecord* record = interrupted() ? nullptr : process->next()) {
        const size_t before = collector.records().size();
        collector.take(*record);
        if (options.watch && collector.records().size() > before) options.watch(before, *record);
        process->advance();
        read = true;
        if (!collector.whole()) continue;
        deliver(collector.finish());
        if (collector.process_ends() && isolation.isolation != Isolation::kFork) {
          process.reset();
          return answered;
        }
        if (answered == count) break;
      }
      if (answered == count) break;
      if (interrupted()) {
        deliver(end_now(collector, HEDDLE_OUTCOME_KILLED, "interrupted"));
        return answered;
      }
      if (read) {
        last_event = Clock::now();
        continue;
      }
      process->wait(0.05);
      if (!process->alive() && !process->next()) {
        deliver(collector.break_off(HEDDLE_OUTCOME_KILLED, static_cast<uint64_t>(process->wait_status()),
                                    how_it_ended(process->wait_status())));
        process.reset();
        return answered;
      }
      const double silent = std::chrono::duration<double>(Clock::now() - last_event).count();
      if (silent > options.hang_seconds && options.debugger.empty()) {
        deliver(end_now(collector, HEDDLE_OUTCOME_HANG,
                        fmt::format("no visible operation for {} s: {}", options.hang_seconds, process->waiting())));
        return answered;
      }
    }
    if (isolation.isolation == Isolation::kFresh) process.reset();
    return answered;
  }
};

Executor::Executor(std::unique_ptr<State> state) : state_(std::move(state)) {}
Executor::~Executor() = default;

base::Result<std::unique_ptr<Executor>> Executor::start(const Subject& subject, const ExecutorOptions& options) {
  auto state = std::make_unique<State>();
  state->subject = subject;
  state->options = options;
  state->isolation = choose_isolation(subject, options);
  if (auto ready = state->ensure_process(); !ready) return ready.error();
  return std::unique_ptr<Executor>(new Executor(std::move(state)));
}

base::Result<Run> Executor::run(const RunRequest& request) {
  Run result;
  result.ending = {HEDDLE_OUTCOME_KILLED, 0, "interrupted"};  // if not even that much happens
  auto done = run_batch({&request, 1}, [&](size_t, Run& run) { result = std::move(run); });
  if (!done) return done.error();
  return result;
}

base::Result<void> Executor::run_batch(std::span<const RunRequest> requests,
                                       const std::function<void(size_t, Run&)>& visit) {
  for (size_t first = 0; first < requests.size() && !state_->interrupted();) {
    auto answered = state_->run_some(requests, first, visit);
    if (!answered) return answered.error();
    HEDDLE_CHECK(*answered > 0, "a batch makes progress");
    first += *answered;
  }
  return {};
}

trace::Trace Executor::to_trace(const Run& run, const RunRequest& request) const {
  static constexpr const char* kStrategies[] = {"default", "random", "pct"};
  trace::Trace trace;
  trace.header.program = state_->subject.program_name;
  trace.header.module_hash = state_->subject.module_hash;
  trace.header.mode = trace::Mode::kControlled;
  trace.header.memory_model = schedule::memory_model_name(request.memory_model());
  trace.header.strategy = request.prefix ? "replay" : kStrategies[request.strategy];
  trace.header.seed = request.seed;
  trace.header.instrumentation_version = HEDDLE_INSTRUMENTATION_VERSION;
  trace.threads = run.threads;
  trace.sites = *state_->subject.sites;
  if (trace.sites.empty()) trace.sites.emplace_back();
  trace.globals = *state_->subject.globals;
  trace.events.reserve(run.records.size());
  for (const HeddleRecord& record : run.records) trace.events.push_back({record, trace.events.size()});
  trace.complete = run.ending.outcome != HEDDLE_OUTCOME_KILLED;
  trace.ending = run.ending;
  return trace;
}

const IsolationChoice& Executor::isolation() const { return state_->isolation; }
uint64_t Executor::processes_started() const { return state_->started; }

}  // namespace heddle::execute
