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

bool shows(const trace::Ending& ending, const std::string& kind) {
  switch (ending.outcome) {
    case HEDDLE_OUTCOME_FAILURE: return kind == finding_kind(static_cast<HeddleFailure>(ending.detail));
    case HEDDLE_OUTCOME_DEADLOCK: return kind == "deadlock";
    case HEDDLE_OUTCOME_LIVELOCK: return kind == "livelock";
    case HEDDLE_OUTCOME_EXIT: return kind == "exit-code" && ending.detail != 0;
    default: return false;
  }
}

}  // namespace

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
  const bool is_race = finding.kind == "race";
  bool happened = is_race                        ? has_race(*run, finding)
                  : finding.kind == "atomicity" ? has_interference(*run, finding)
                                                : shows(run->ending, finding.kind);
  if (happened) finding.schedule.result = schedule::result_of(run->ending);
  if (is_race && !happened) {  // one of the accesses may tell its thread to fail at once
    request.go_on = true;
    run = execute::run_steadily(*executor_, request);
    if (!run) return run.error();
    ++runs_;
    happened = has_race(*run, finding);
  }
  finding.trace = std::make_shared<const Trace>(executor_->to_trace(*run, request));
  return happened;
}

bool Confirmer::is_at(const HeddleRecord& record, const std::string& thread, const Place& place) const {
  const std::vector<trace::Site>& sites = *subject_.sites;
  const trace::Site& where = sites[record.site < sites.size() ? record.site : 0];
  return where.file == place.file && where.line == place.line && thread == place.thread;
}

// Do accesses of the finding's three places to a common byte follow each other in the run, and do harm?
bool Confirmer::has_interference(const execute::Run& run, const Finding& finding) const {
  if (run.ending.outcome == HEDDLE_OUTCOME_DIVERGED) return false;
  trace::Trace names;
  names.threads = run.threads;
  std::vector<std::vector<const HeddleRecord*>> so_far(3);  // of each place, those before the record at hand
  const auto common = [](const HeddleRecord& one, const HeddleRecord& two, const HeddleRecord& three) {
    return std::max({one.address, two.address, three.address}) <
           std::min({one.address + one.size, two.address + two.size, three.address + three.size});
  };
  for (const HeddleRecord& last : run.records) {
    if (!is_own_access(last)) continue;
    const std::string thread = names.thread_name(last.thread);
    if (is_at(last, thread, finding.places[2]))
      for (const HeddleRecord* middle : so_far[1])
        for (const HeddleRecord* first : so_far[0])
          if (first < middle && first->thread == last.thread && common(*first, *middle, last) &&
              unserialisable(*first, *middle, last))
            return true;
    for (const size_t place : {size_t{0}, size_t{1}})
      if (is_at(last, thread, finding.places[place])) so_far[place].push_back(&last);
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
    return is_at(execution.operation(event), names.name(event.thread).text(), place);
  };
  for (const auto& [first, second] : order.races())
    if ((is_event_at(first, finding.places[0]) && is_event_at(second, finding.places[1])) ||
        (is_event_at(first, finding.places[1]) && is_event_at(second, finding.places[0])))
      return true;
  return false;
}

}  // namespace heddle::property
