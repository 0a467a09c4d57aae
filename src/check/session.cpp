// SPDX-License-Identifier: Apache-2.0
#include "check/session.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <set>

#include "abi/version.h"
#include "causal/execution.h"
#include "check/explorer.h"
#include "check/findings.h"
#include "check/make_explorer.h"
#include "check/query_solver.h"
#include "property/plan.h"

namespace heddle::check {

using Clock = std::chrono::steady_clock;

namespace {

double cpu_seconds() {
  double total = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    struct rusage usage;
    getrusage(who, &usage);
    total += static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
             1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
  }
  return total;
}

class Session {
 public:
  Session(const execute::Subject& subject, const execute::ExecutorOptions& execution, const Options& options,
          const std::function<bool(const Progress&)>& progress)
      : subject_(subject), execution_options_(execution), options_(options), progress_(progress), solver_(options),
        confirmer_(subject, execution), explorer_(make_explorer(options, histories_, solver_)) {}

  base::Result<Report> run() {
    const double cpu_before = cpu_seconds();
    {
      auto executor = execute::Executor::start(subject_, execution_options_);
      if (!executor) return executor.error();
      executor_ = std::move(*executor);
    }
    while (!stopped_) {
      std::optional<Job> job = explorer_->next();
      if (!job) break;
      if (auto done = execute(*job); !done) return done.error();
      stop_if_due();
    }
    executor_.reset();  // its process has ended, so its time is known
    for (const Reason& gap : explorer_->gaps()) report_.reasons.insert(gap);
    if (!solver_.dump_failure().empty()) return base::Error{solver_.dump_failure(), "choose another directory for --dump-smt"};
    fill_statistics(cpu_before);
    decide();
    return std::move(report_);
  }

 private:
  base::Result<void> execute(const Job& job) {
    schedule::Schedule prefix;
    prefix.module_hash = subject_.module_hash;
    prefix.instrumentation_version = HEDDLE_INSTRUMENTATION_VERSION;
    prefix.memory_model = options_.memory;
    prefix.steps = property::to_steps(job.plan, threads_);
    execute::RunRequest request;
    request.prefix = &prefix;
    request.memory = options_.memory;
    request.strategy = job.strategy;
    request.seed = job.seed;
    if (job.expected_length) request.pct_length = job.expected_length;
    request.event_limit = options_.event_limit;
    request.go_on = true;
    request.local_time = true;
    request.replaced = true;
    request.lists_options = job.lists_options;
    const std::vector<schedule::Step> avoided = property::to_steps(job.avoided, threads_);
    request.avoided = &avoided;
    auto run = executor_->run(request);
    if (!run) return run.error();
    const auto execution = std::make_shared<const causal::Execution>(
        causal::make_execution(run->records, run->threads, run->ending, threads_, histories_, run->options));
    count(*execution);
    note_doubts(*execution);
    if (has_findings(*execution, options_)) {
      const trace::Trace trace = executor_->to_trace(*run, request);
      for (Finding& finding : findings_of(*execution, trace, options_))
        if (auto added = add(std::move(finding)); !added) return added.error();
    }
    explorer_->learn(execution);
    return {};
  }

  void count(const causal::Execution& execution) {
    ++report_.statistics.executions;
    report_.statistics.events += execution.order.size();
    const HeddleOutcome outcome = execution.ending.outcome;
    if (outcome == HEDDLE_OUTCOME_DEADLOCK || outcome == HEDDLE_OUTCOME_LIVELOCK || outcome == HEDDLE_OUTCOME_BLOCKED ||
        outcome == HEDDLE_OUTCOME_BOUND)
      ++report_.statistics.blocked;
    if (!execution.is_complete) return;
    std::vector<causal::HistoryId> ends;
    for (const causal::ThreadPart& part : execution.threads) ends.push_back(part.histories.empty() ? ~0u : part.histories.back());
    if (states_.insert(std::move(ends)).second) state_found_in_.push_back(report_.statistics.executions);
    report_.outcomes.insert(execution.observations);
  }

  // What makes "holds" too strong a word.
  void note_doubts(const causal::Execution& execution) {
    switch (execution.ending.outcome) {
      case HEDDLE_OUTCOME_BOUND: report_.reasons.insert({"bound", execution.ending.message}); break;
      case HEDDLE_OUTCOME_DIVERGED: report_.reasons.insert({"diverged", execution.ending.message}); break;
      case HEDDLE_OUTCOME_UNSUPPORTED: report_.reasons.insert({"unsupported", execution.ending.message}); break;
      case HEDDLE_OUTCOME_KILLED: report_.reasons.insert({"killed", execution.ending.message}); break;
      case HEDDLE_OUTCOME_HANG: report_.reasons.insert({"hang", execution.ending.message}); break;
      default: break;
    }
    if (!execution.untracked.empty())
      report_.reasons.insert({"untracked", "memory that threads share was changed by code that Heddle does not see"});
  }

  base::Result<void> add(Finding finding) {
    if (!known_.insert(identity_of(finding)).second) return {};
    auto confirmed = confirmer_.confirm(finding);
    if (!confirmed) return confirmed.error();
    finding.confirmed = *confirmed;
    report_.findings.push_back(std::move(finding));
    if (report_.findings.back().confirmed && !options_.keep_going) stopped_ = stopped_at_finding_ = true;
    return {};
  }

  void stop_if_due() {
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    if (options_.search == Search::kExhaustive && options_.executions && report_.statistics.executions >= options_.executions) {
      stopped_ = true;
      report_.reasons.insert({"executions", "the limit of executions was reached"});
    }
    if (options_.time_limit > 0 && seconds > options_.time_limit) {
      stopped_ = true;
      report_.reasons.insert({"time", "the time limit was reached"});
    }
    if (progress_ && progress_({report_.statistics.executions, states_.size(), report_.findings.size(), seconds})) {
      stopped_ = true;
      report_.reasons.insert({"interrupted", "interrupted before everything was explored"});
    }
  }

  void fill_statistics(double cpu_before) {
    CheckStatistics& statistics = report_.statistics;
    statistics.states = states_.size();
    const auto late = std::upper_bound(state_found_in_.begin(), state_found_in_.end(),
                                       statistics.executions - statistics.executions / 4);
    statistics.late_states = static_cast<uint64_t>(state_found_in_.end() - late);
    statistics.other_runs = confirmer_.runs();
    statistics.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    statistics.cpu_seconds = cpu_seconds() - cpu_before;
    statistics.solver_queries = solver_.statistics().queries;
    statistics.solver_seconds = solver_.statistics().seconds;
    statistics.decided_without_search = solver_.statistics().decided_without_search;
    statistics.constraints = solver_.statistics().constraints;
  }

  void decide() {
    bool violated = false;
    for (const Finding& finding : report_.findings) {
      violated |= finding.confirmed;
      if (!finding.confirmed)
        report_.reasons.insert({"unconfirmed", "a finding did not happen again when its schedule was run: " + finding.message});
    }
    if (options_.search != Search::kExhaustive) report_.reasons.insert({"search", "a search looks at some executions, not at all"});
    if (options_.reduction == Reduction::kMcrPublished)
      report_.reasons.insert({"incomplete-reduction", "the published reduction is known to lose states"});
    report_.verdict = violated                   ? Verdict::kViolated
                      : report_.reasons.empty() ? Verdict::kHolds
                                                : Verdict::kUndecided;
  }

  const execute::Subject& subject_;
  const execute::ExecutorOptions& execution_options_;
  const Options& options_;
  const std::function<bool(const Progress&)>& progress_;
  const Clock::time_point start_ = Clock::now();
  causal::ThreadTable threads_;
  causal::Histories histories_;
  QuerySolver solver_;
  Confirmer confirmer_;
  std::unique_ptr<Explorer> explorer_;
  std::unique_ptr<execute::Executor> executor_;
  std::set<std::vector<causal::HistoryId>> states_;
  std::vector<uint64_t> state_found_in_;  // the number of the execution that showed it first, ascending
  std::set<std::string> known_;  // findings
  bool stopped_ = false, stopped_at_finding_ = false;
  Report report_;
};

}  // namespace

base::Result<Report> check(const execute::Subject& subject, const execute::ExecutorOptions& execution,
                           const Options& options, const std::function<bool(const Progress&)>& progress) {
  return Session(subject, execution, options, progress).run();
}

}  // namespace heddle::check
