// SPDX-License-Identifier: Apache-2.0
#include "check/session.h"

#include <sys/resource.h>

#include <chrono>
#include <memory>
#include <set>

#include "abi/version.h"
#include "causal/execution.h"
#include "check/explorer.h"
#include "check/findings.h"
#include "check/make_explorer.h"
#include "check/query_solver.h"
#include "check/shorten_finding.h"
#include "property/deadlocks.h"
#include "property/plan.h"

namespace heddle::check {

using Clock = std::chrono::steady_clock;

namespace {

// Operations that change nothing before a loop that is not provably a wait is given up.
constexpr uint32_t kIdleLimit = 3000;

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
        confirmer_(subject, execution), shortener_(options), explorer_(make_explorer(options, histories_, solver_)) {}

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
    for (const std::string& gap : explorer_->gaps()) report_.reasons.insert({"not-covered", gap});
    if (!solver_.dump_failure().empty()) return base::Error{solver_.dump_failure(), "choose another directory for --dump-smt"};
    fill_statistics(cpu_before);
    decide();
    return std::move(report_);
  }

 private:
  base::Result<void> execute(const Job& job) {
    const schedule::Schedule prefix = schedule_of(job.plan);
    execute::RunRequest request;
    request.prefix = &prefix;
    request.memory = options_.memory;
    request.strategy = job.strategy;
    request.seed = job.seed;
    request.event_limit = options_.event_limit;
    request.go_on = true;
    request.local_time = true;
    request.replaced = true;
    request.pure_waits = true;
    request.loop_bound = options_.bound_loops;
    request.idle_limit = kIdleLimit;
    auto run = executor_->run(request);
    if (!run) return run.error();
    const auto execution = std::make_shared<const causal::Execution>(
        causal::make_execution(run->records, run->threads, run->ending, threads_, histories_));
    count(*execution);
    note_doubts(*execution);
    if (has_findings(*execution, options_)) {
      const trace::Trace trace = executor_->to_trace(*run, request);
      for (Finding& finding : findings_of(*execution, trace, options_))
        if (auto added = add(std::move(finding)); !added) return added.error();
    }
    if (auto predicted = predict(*execution); !predicted) return predicted.error();
    explorer_->learn(execution);
    return {};
  }

  // What the operations of this execution could come to in another order.
  base::Result<void> predict(const causal::Execution& execution) {
    if (!property::may_deadlock(execution)) return {};
    const causal::Dependences dependences(execution);
    const auto is_new = [&](const std::vector<property::BlockedThread>& blocked) {
      return !known_.count(identity_of(blocked_finding(blocked)));
    };
    const property::DeadlockSearch search = property::find_deadlocks(
        dependences, options_.memory, [this](const solve::OrderProblem& problem) { return solver_.ask(problem); }, is_new);
    if (!search.is_complete) report_.reasons.insert({"deadlocks", "too many ways in which threads could block each other"});
    for (const property::Deadlock& deadlock : search.found) {
      Finding finding = blocked_finding(deadlock.blocked);
      finding.schedule = schedule_of(deadlock.plan);
      if (auto added = add(std::move(finding)); !added) return added.error();
    }
    return {};
  }

  Finding blocked_finding(const std::vector<property::BlockedThread>& blocked) const {
    Finding finding;
    finding.kind = "deadlock";
    for (const property::BlockedThread& thread : blocked) {
      const trace::Site& site = subject_.sites[thread.operation.site < subject_.sites.size() ? thread.operation.site : 0];
      const std::string name = threads_.name(thread.thread).text();
      finding.places.push_back({site.file, site.line, site.function, name});
      if (!finding.message.empty()) finding.message += ", ";
      finding.message += name;
    }
    finding.message = "every thread is blocked: " + finding.message;
    return finding;
  }

  schedule::Schedule schedule_of(const std::vector<property::PlannedStep>& plan) const {
    schedule::Schedule schedule;
    schedule.module_hash = subject_.module_hash;
    schedule.instrumentation_version = HEDDLE_INSTRUMENTATION_VERSION;
    schedule.memory_model = options_.memory;
    schedule.check_rules = true;
    schedule.steps = property::to_steps(plan, threads_);
    return schedule;
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
    states_.insert(std::move(ends));
    report_.outcomes.insert(execution.observations);
  }

  // What makes "holds" too strong a word.
  void note_doubts(const causal::Execution& execution) {
    switch (execution.ending.outcome) {
      case HEDDLE_OUTCOME_BOUND: report_.reasons.insert({"bound", execution.ending.message}); break;
      case HEDDLE_OUTCOME_LIVELOCK:
        if (execution.ending.detail) report_.reasons.insert({"bound", "threads loop without changing anything; that they never stop is not proved"});
        break;
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
    auto settled = options_.shorten ? shortener_.shorten(finding, *executor_) : finding;
    if (!settled) return settled.error();
    auto confirmed = confirmer_.confirm(*settled);
    if (confirmed && !*confirmed && options_.shorten) {
      *settled = finding;  // perhaps only the shorter one depends on the process
      confirmed = confirmer_.confirm(*settled);
    }
    if (!confirmed) return confirmed.error();
    settled->confirmed = *confirmed;
    report_.findings.push_back(std::move(*settled));
    if (report_.findings.back().confirmed && !options_.keep_going) stopped_ = stopped_at_finding_ = true;
    return {};
  }

  void stop_if_due() {
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    if (options_.executions && report_.statistics.executions >= options_.executions) {
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
    statistics.other_runs = confirmer_.runs() + shortener_.runs();
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
  FindingShortener shortener_;
  std::unique_ptr<Explorer> explorer_;
  std::unique_ptr<execute::Executor> executor_;
  std::set<std::vector<causal::HistoryId>> states_;
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
