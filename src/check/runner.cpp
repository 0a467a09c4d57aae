// SPDX-License-Identifier: Apache-2.0
#include "check/runner.h"

#include <algorithm>

#include "causal/disputed_locals.h"
#include "causal/unmodelled.h"
#include "check/findings.h"
#include "execute/steady_run.h"
#include "property/schedule_of.h"

namespace heddle::check {

using property::schedule_of;
namespace {

// Operations that change nothing before a loop that is not provably a wait is given up.
constexpr uint32_t kIdleLimit = 3000;

// Two threads are about to end the program; the first one does.
bool is_race_to_exit(const causal::Execution& execution) {
  const auto wants_exit = [](const causal::Waiting& waiting) { return waiting.record.value2 == HEDDLE_EXIT; };
  return execution.ending.outcome == HEDDLE_OUTCOME_EXIT &&
         std::any_of(execution.waiting.begin(), execution.waiting.end(), wants_exit);
}

// Orders that the reduction does not explore.
void raise_gaps_of_order(const causal::Execution& execution, const Job& job, bool reuses_addresses, gaps::Gaps& gaps) {
  if (!job.is_foreseen && is_race_to_exit(execution)) gaps.raise(HEDDLE_GAP_TWO_EXITS);
  if (causal::changes_environment_beside_others(execution)) gaps.raise(HEDDLE_GAP_ENVIRONMENT_CHANGED);
  if (job.runs_all_orders) return;
  if (!job.is_foreseen)
    for (const std::string& what : causal::unmodelled_by_solver(execution)) gaps.raise(HEDDLE_GAP_NOT_EXPLORED, what);
  if (!job.is_foreseen && causal::has_disputed_objects(execution)) gaps.raise(HEDDLE_GAP_OBJECT_DISPUTED);
  if (!job.is_foreseen && causal::has_disputed_locals(execution)) gaps.raise(HEDDLE_GAP_LOCAL_DISPUTED);
  if (reuses_addresses && !job.is_foreseen && causal::may_reuse_memory(execution))
    gaps.raise(HEDDLE_GAP_MEMORY_COMES_BACK);
  for (const std::string& state : causal::disputed_states(execution)) gaps.raise(HEDDLE_GAP_LIBRARY_STATE, state);
}

gaps::Gaps gaps_of(const causal::Execution& execution, const execute::Subject& subject) {
  gaps::Gaps gaps = execution.gaps;
  switch (execution.ending.outcome) {
    case HEDDLE_OUTCOME_BOUND: gaps.raise(HEDDLE_GAP_RUN_CUT_OFF, execution.ending.message); break;
    case HEDDLE_OUTCOME_LIVELOCK:
      if (execution.ending.detail) gaps.raise(HEDDLE_GAP_LOOP_MAY_END);
      break;
    case HEDDLE_OUTCOME_DIVERGED: gaps.raise(HEDDLE_GAP_DIVERGED, execution.ending.message); break;
    case HEDDLE_OUTCOME_UNSUPPORTED: gaps.raise(HEDDLE_GAP_UNSUPPORTED, execution.ending.message); break;
    case HEDDLE_OUTCOME_KILLED: gaps.raise(HEDDLE_GAP_KILLED, execution.ending.message); break;
    case HEDDLE_OUTCOME_HANG: gaps.raise(HEDDLE_GAP_HANG, execution.ending.message); break;
    default: break;
  }
  for (const std::string& what : causal::unmodelled(execution, subject.unknown_functions))
    gaps.raise(HEDDLE_GAP_NOT_MODELLED, what);
  return gaps;
}

}  // namespace

Runner::Runner(const execute::Subject& subject, const execute::ExecutorOptions& execution, const Options& options,
               causal::Histories& histories)
    : bench(options),
      subject_(subject),
      execution_options_(execution),
      options_(options),
      histories_(histories),
      predictions_(subject, options, threads, bench.solver) {}

base::Result<void> Runner::start() {
  if (executor_) return {};
  auto executor = execute::Executor::start(subject_, execution_options_);
  if (!executor) return executor.error();
  executor_ = std::move(*executor);
  return {};
}

execute::RunRequest Runner::request_for(const Job& job) const {
  execute::RunRequest request;
  request.memory = options_.memory;
  request.strategy = job.strategy;
  request.seed = job.seed;
  if (job.expected_length) request.pct_length = job.expected_length;
  request.event_limit = options_.event_limit;
  request.go_on = true;
  request.local_time = true;
  request.replaced = true;
  request.pure_waits = true;
  request.loop_bound = options_.bound_loops;
  request.idle_limit = kIdleLimit;
  request.lists_options = job.lists_options;
  request.tells_states = job.tells_states;
  return request;
}

base::Result<RunReport> Runner::run(Job job) {
  const schedule::Schedule prefix = schedule_of(job.plan, subject_, options_.memory, threads);
  const std::vector<schedule::Step> avoided = property::to_steps(job.avoided, threads);
  execute::RunRequest request = request_for(job);
  request.prefix = &prefix;
  request.avoided = &avoided;
  if (job.is_apart && !apart_) {
    auto started = execute::Executor::start(subject_, execution_options_);
    if (!started) return started.error();
    apart_ = std::move(*started);
  }
  auto run = execute::run_steadily(job.is_apart ? *apart_ : *executor_, request);
  if (!run) return run.error();
  RunReport report;
  report.job = std::move(job);
  report.run = std::move(*run);
  const std::atomic<bool>* const interrupted = execution_options_.interrupted;
  const bool is_whole = !interrupted || !interrupted->load(std::memory_order_relaxed);
  if (is_whole && threads.knows(report.run.threads)) finish(report);
  return report;
}

void Runner::finish(RunReport& report) {
  const execute::Run& run = report.run;
  report.execution = std::make_shared<const causal::Execution>(
      causal::make_execution(run.records, run.threads, run.ending, threads, histories_, run.options));
  const causal::Execution& execution = *report.execution;
  report.gaps = gaps_of(execution, subject_);
  raise_gaps_of_order(execution, report.job, options_.reuses_addresses, report.gaps);
  if (has_findings(execution, options_)) {
    const schedule::Schedule prefix = schedule_of(report.job.plan, subject_, options_.memory, threads);
    execute::RunRequest request = request_for(report.job);
    request.prefix = &prefix;
    report.findings = findings_of(execution, executor_->to_trace(run, request), options_);
  }
  report.run = {};
  predict(report);
}

void Runner::predict(RunReport& report) {
  report.predicted = {};
  report.solved = {};
  report.known = known;
  // Where a block lives again after its release, only running says whether an access meets it in between.
  const bool is_run_anyway = report.job.is_foreseen || (options_.reuses_addresses && report.job.runs_all_orders);
  if (is_run_anyway || causal::is_too_large(*report.execution)) return;
  const solve::Statistics before = bench.solver.statistics();
  std::set<std::string> of_run;
  for (const Finding& finding : report.findings) of_run.insert(identity_of(finding));
  report.predicted = predictions_.predict(report.execution, bench.dependences, [&](const Finding& finding) {
    const std::string identity = identity_of(finding);
    return known->count(identity) > 0 || of_run.count(identity) > 0;
  });
  report.solved = bench.solver.statistics() - before;
}

}  // namespace heddle::check
