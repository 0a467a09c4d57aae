// SPDX-License-Identifier: Apache-2.0
#include "check/session.h"

#include <sys/resource.h>

#include <algorithm>
#include <memory>
#include <set>

#include "causal/execution.h"
#include "causal/unmodelled.h"
#include "check/budget.h"
#include "check/explorer.h"
#include "check/findings.h"
#include "check/make_explorer.h"
#include "check/predictions.h"
#include "check/query_solver.h"
#include "check/schedule_of.h"
#include "check/shorten_finding.h"

namespace heddle::check {

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
        predictions_(subject, options, threads_, solver_), confirmer_(subject, execution), shortener_(options),
        budget_(options.time_limit, [this] { return show_progress(); }),
        explorer_(make_explorer(options, histories_, solver_, budget_)) {}

  base::Result<Report> run() {
    const double cpu_before = cpu_seconds();
    {
      auto executor = execute::Executor::start(subject_, execution_options_);
      if (!executor) return executor.error();
      executor_ = std::move(*executor);
    }
    while (!stopped_) {
      std::optional<Job> job = explorer_->next();
      if (!job) {
        stop_if_due();  // the explorer may have stopped for the same reason
        break;
      }
      if (auto done = execute(*job); !done) return done.error();
      stop_if_due();
    }
    executor_.reset();  // its process has ended, so its time is known
    for (const Reason& gap : explorer_->gaps()) report_.reasons.insert(gap);
    report_.notes = explorer_->notes();
    report_.reasons.insert(predictions_.gaps().begin(), predictions_.gaps().end());
    if (!solver_.dump_failure().empty()) return base::Error{solver_.dump_failure(), "choose another directory for --dump-smt"};
    fill_statistics(cpu_before);
    decide();
    return std::move(report_);
  }

 private:
  base::Result<void> execute(const Job& job) {
    const schedule::Schedule prefix = schedule_of(job.plan, subject_, options_.memory, threads_);
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
    request.pure_waits = true;
    request.loop_bound = options_.bound_loops;
    request.idle_limit = kIdleLimit;
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
    if (auto predicted = predict(*execution); !predicted) return predicted.error();
    explorer_->learn(execution);
    return {};
  }

  // What the operations of this execution could come to in another order.
  base::Result<void> predict(const causal::Execution& execution) {
    if (explorer_->foresees_all() || causal::is_too_large(execution)) return {};
    base::Result<void> done;
    predictions_.predict(
        execution, [this](const Finding& finding) { return known_.count(identity_of(finding)) > 0; },
        [&](Finding finding) {
          done = add(std::move(finding));
          return done && !stopped_;
        });
    return done;
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
      case HEDDLE_OUTCOME_LIVELOCK:
        if (execution.ending.detail) report_.reasons.insert({"bound", "threads loop without changing anything; that they never stop is not proved"});
        break;
      case HEDDLE_OUTCOME_DIVERGED: report_.reasons.insert({"diverged", execution.ending.message}); break;
      case HEDDLE_OUTCOME_UNSUPPORTED: report_.reasons.insert({"unsupported", execution.ending.message}); break;
      case HEDDLE_OUTCOME_KILLED: report_.reasons.insert({"killed", execution.ending.message}); break;
      case HEDDLE_OUTCOME_HANG: report_.reasons.insert({"hang", execution.ending.message}); break;
      default: break;
    }
    for (const std::string& what : causal::unmodelled(execution, subject_.unknown_functions))
      report_.reasons.insert({"not-modelled", "not modelled: " + what});
  }

  base::Result<void> add(Finding finding) {
    const bool is_new = known_.insert(identity_of(finding)).second;
    if (!is_new && !finding.enabled_at_once) return {};
    // Races have no end of their own that a shorter run could be seen to come to.
    const bool shorten = options_.shorten && finding.kind != "race";
    auto settled = shorten ? shortener_.shorten(finding, *executor_) : finding;
    if (!settled) return settled.error();
    auto confirmed = confirmer_.confirm(*settled);
    if (confirmed && !*confirmed && shorten) {
      *settled = finding;  // perhaps only the shorter one depends on the process
      confirmed = confirmer_.confirm(*settled);
    }
    if (!confirmed) return confirmed.error();
    settled->confirmed = *confirmed;
    if (settled->confirmed && !options_.keep_going) stopped_ = stopped_at_finding_ = true;
    if (is_new) {
      report_.findings.push_back(std::move(*settled));
    } else if (settled->confirmed) {  // a race that was known in its weaker form
      for (Finding& weaker : report_.findings)
        if (identity_of(weaker) == identity_of(*settled)) weaker = std::move(*settled);
    }
    return {};
  }

  void stop_if_due() {
    if (options_.search == Search::kExhaustive && options_.executions && report_.statistics.executions >= options_.executions) {
      stopped_ = true;
      report_.reasons.insert({"executions", "the limit of executions was reached"});
    }
    if (budget_.is_over()) {
      stopped_ = true;
      report_.reasons.insert({"time", "the time limit was reached"});
    }
    if (show_progress()) {
      stopped_ = true;
      report_.reasons.insert({"interrupted", "interrupted before everything was explored"});
    }
  }

  // True: the user wants to stop.
  bool show_progress() const {
    return progress_ &&
           progress_({report_.statistics.executions, states_.size(), report_.findings.size(), budget_.elapsed()});
  }

  void fill_statistics(double cpu_before) {
    CheckStatistics& statistics = report_.statistics;
    statistics.states = states_.size();
    if (const auto explored = explorer_->explored()) {
      statistics.states = explored->states.value_or(0);
      statistics.states_are_known = explored->states.has_value();
      statistics.product_states = explored->product_states;
      statistics.histories = explored->histories;
      report_.outcomes.insert(explored->outcomes.begin(), explored->outcomes.end());
    }
    const auto late = std::upper_bound(state_found_in_.begin(), state_found_in_.end(),
                                       statistics.executions - statistics.executions / 4);
    statistics.late_states = static_cast<uint64_t>(state_found_in_.end() - late);
    statistics.other_runs = confirmer_.runs() + shortener_.runs();
    statistics.seconds = budget_.elapsed();
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
  causal::ThreadTable threads_;
  causal::Histories histories_;
  QuerySolver solver_;
  Predictions predictions_;
  Confirmer confirmer_;
  FindingShortener shortener_;
  Budget budget_;
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
