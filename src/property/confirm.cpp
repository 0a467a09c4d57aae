// SPDX-License-Identifier: Apache-2.0
#include "property/confirm.h"

#include "execute/steady_run.h"
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
  bool happened = is_race ? has_race(*run, finding) : shows(run->ending, finding.kind);
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

// Does the run have a race of the finding's places?
bool Confirmer::has_race(const execute::Run& run, const Finding& finding) const {
  if (run.ending.outcome == HEDDLE_OUTCOME_DIVERGED) return false;
  causal::ThreadTable names;
  causal::Histories histories;
  const Execution execution = causal::make_execution(run.records, run.threads, run.ending, names, histories);
  const property::HappensBefore order(execution, execution.order, finding.schedule.memory_model);
  const auto is_at = [&](causal::EventId event, const Place& place) {
    const uint32_t site = execution.operation(event).site;
    const std::vector<trace::Site>& sites = *subject_.sites;
    const trace::Site& where = sites[site < sites.size() ? site : 0];
    return where.file == place.file && where.line == place.line && names.name(event.thread).text() == place.thread;
  };
  for (const auto& [first, second] : order.races())
    if ((is_at(first, finding.places[0]) && is_at(second, finding.places[1])) ||
        (is_at(first, finding.places[1]) && is_at(second, finding.places[0])))
      return true;
  return false;
}

}  // namespace heddle::property
