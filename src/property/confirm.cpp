// SPDX-License-Identifier: Apache-2.0
#include "property/confirm.h"

#include <algorithm>

#include "execute/steady_run.h"
#include "property/atomicity.h"
#include "property/happens_before.h"
#include "schedule/result.h"

namespace heddle::property {

using causal::Execution;
using trace::Trace;

namespace {

bool is_at(const HeddleRecord& record, const std::string& thread, const Place& place,
           const std::vector<trace::Site>& sites) {
  const trace::Site& where = sites[record.site < sites.size() ? record.site : 0];
  return where.file == place.file && where.line == place.line && thread == place.thread;
}

// For its names of threads.
trace::Trace names_of(const execute::Run& run) {
  trace::Trace names;
  names.threads = run.threads;
  return names;
}

bool fails_there(const execute::Run& run, const std::vector<trace::Site>& sites, const Finding& finding) {
  const trace::Trace names = names_of(run);
  return std::any_of(run.records.begin(), run.records.end(), [&](const HeddleRecord& record) {
    return record.kind == HEDDLE_FAIL && finding.kind == finding_kind(static_cast<HeddleFailure>(record.value)) &&
           !finding.places.empty() && is_at(record, names.thread_name(record.thread), finding.places[0], sites);
  });
}

// The finding is a fault in code without bitcode. Such code may have met what only the fibers of a controlled run have.
bool fails_in_library(const execute::Run& run) {
  return std::any_of(run.records.begin(), run.records.end(), [](const HeddleRecord& record) {
    return record.kind == HEDDLE_FAIL && record.flags & HEDDLE_FLAG_MODEL;
  });
}

bool waits_there(const execute::Run& run, const std::vector<trace::Site>& sites, const Finding& finding) {
  const trace::Trace names = names_of(run);
  std::vector<HeddleRecord> waiting;  // one for each place
  for (const Place& place : finding.places) {
    const auto found = std::find_if(run.records.begin(), run.records.end(), [&](const HeddleRecord& record) {
      return record.kind == HEDDLE_WAITING && is_at(record, names.thread_name(record.thread), place, sites);
    });
    if (found == run.records.end()) return false;
    waiting.push_back(*found);
  }
  if (run.ending.outcome == HEDDLE_OUTCOME_DEADLOCK) return true;
  // Each waits for what another of them has.
  return !waiting.empty() && std::all_of(waiting.begin(), waiting.end(), [&](const HeddleRecord& one) {
    return std::any_of(waiting.begin(), waiting.end(),
                       [&](const HeddleRecord& other) { return one.value == other.thread + 1; });
  });
}

}  // namespace

bool shows(const execute::Run& run, const std::vector<trace::Site>& sites, const Finding& finding) {
  if (finding.kind == "livelock") return run.ending.outcome == HEDDLE_OUTCOME_LIVELOCK;
  if (finding.kind == "exit-code") return run.ending.outcome == HEDDLE_OUTCOME_EXIT && run.ending.detail != 0;
  if (run.ending.outcome == HEDDLE_OUTCOME_DIVERGED || run.ending.outcome == HEDDLE_OUTCOME_UNSUPPORTED) return false;
  return finding.kind == "deadlock" ? waits_there(run, sites, finding) : fails_there(run, sites, finding);
}

Confirmer::Confirmer(const execute::Subject& subject, const execute::ExecutorOptions& options)
    : subject_(subject), options_(options) {
  if (options_.isolation != execute::Isolation::kFresh) options_.isolation = execute::Isolation::kFork;
  options_.output = options_.errors = -1;
}

base::Result<bool> Confirmer::confirm(Finding& finding) {
  if (!executor_) {
    auto started = execute::Executor::start(subject_, options_);
    if (!started) return started.error();
    executor_ = std::move(*started);
  }
  execute::RunRequest request;
  request.prefix = &finding.schedule;
  auto run = execute::run_steadily(*executor_, request);
  if (!run) return run.error();
  ++runs_;
  const auto has_happened = [&] {
    if (finding.kind == "race") return has_race(*run, finding);
    return finding.kind == "atomicity" ? has_interference(*run, finding) : shows(*run, *subject_.sites, finding);
  };
  bool happened = has_happened();
  if (happened) finding.schedule.result = schedule::result_of(executor_->to_trace(*run, request));
  // One of the accesses of a race may tell its thread to fail at once; something else may fail before; and the program
  // may end although some of its threads wait for each other.
  const bool ended_early = run->ending.outcome == HEDDLE_OUTCOME_FAILURE ||
                           (finding.kind == "deadlock" && run->ending.outcome == HEDDLE_OUTCOME_EXIT);
  if (!happened && (finding.kind == "race" || (finding.kind != "atomicity" && ended_early))) {
    request.go_on = true;
    run = execute::run_steadily(*executor_, request);
    if (!run) return run.error();
    ++runs_;
    happened = has_happened();
  }
  finding.trace = std::make_shared<const Trace>(executor_->to_trace(*run, request));
  if (happened && options_.carrier == execute::Carrier::kFiber && fails_in_library(*run))
    return happens_on_threads(finding);
  return happened;
}

base::Result<bool> Confirmer::happens_on_threads(const Finding& finding) {
  execute::ExecutorOptions options = options_;
  options.carrier = execute::Carrier::kThread;
  auto executor = execute::Executor::start(subject_, options);
  if (!executor) return executor.error();
  execute::RunRequest request;
  request.prefix = &finding.schedule;
  auto run = execute::run_steadily(**executor, request);
  if (!run) return run.error();
  ++runs_;
  return shows(*run, *subject_.sites, finding);
}

// Do accesses of the finding's three places to a common byte follow each other in the run, and do harm?
bool Confirmer::has_interference(const execute::Run& run, const Finding& finding) const {
  if (run.ending.outcome == HEDDLE_OUTCOME_DIVERGED) return false;
  const trace::Trace names = names_of(run);
  std::vector<std::vector<const HeddleRecord*>> so_far(3);  // of each place, those before the record at hand
  const auto common = [](const HeddleRecord& one, const HeddleRecord& two, const HeddleRecord& three) {
    return std::max({one.address, two.address, three.address}) <
           std::min({one.address + one.size, two.address + two.size, three.address + three.size});
  };
  for (const HeddleRecord& last : run.records) {
    if (!is_own_access(last)) continue;
    const std::string thread = names.thread_name(last.thread);
    if (is_at(last, thread, finding.places[2], *subject_.sites))
      for (const HeddleRecord* middle : so_far[1])
        for (const HeddleRecord* first : so_far[0])
          if (first < middle && first->thread == last.thread && common(*first, *middle, last) &&
              unserialisable(*first, *middle, last))
            return true;
    for (const size_t place : {size_t{0}, size_t{1}})
      if (is_at(last, thread, finding.places[place], *subject_.sites)) so_far[place].push_back(&last);
  }
  return false;
}

// Does the run have a race of the finding's places?
bool Confirmer::has_race(const execute::Run& run, const Finding& finding) const {
  if (run.ending.outcome == HEDDLE_OUTCOME_DIVERGED) return false;
  causal::ThreadTable names;
  causal::Histories histories;
  const Execution execution = causal::make_execution(run.records, run.threads, run.ending, names, histories);
  const property::HappensBefore order(execution, execution.order, finding.schedule.memory_model);
  const auto is_event_at = [&](causal::EventId event, const Place& place) {
    return is_at(execution.operation(event), names.name(event.thread).text(), place, *subject_.sites);
  };
  for (const auto& [first, second] : order.races())
    if ((is_event_at(first, finding.places[0]) && is_event_at(second, finding.places[1])) ||
        (is_event_at(first, finding.places[1]) && is_event_at(second, finding.places[0])))
      return true;
  return false;
}

}  // namespace heddle::property
