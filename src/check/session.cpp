// SPDX-License-Identifier: Apache-2.0
#include "check/session.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <mutex>
#include <set>

#include "base/cpu_time.h"
#include "causal/unmodelled.h"
#include "check/ahead_runs.h"
#include "check/books.h"
#include "check/budget.h"
#include "check/bulletin.h"
#include "check/checkpoint.h"
#include "check/finding_desk.h"
#include "check/make_explorer.h"
#include "check/pipeline.h"
#include "check/predictions.h"
#include "check/reduction_names.h"
#include "check/runner.h"
#include "check/work.h"

namespace heddle::check {

namespace {

// Time for checkpoints, at most.
constexpr double kCheckpointShare = 0.02;

causal::SiteInfluence influence_of(const std::shared_ptr<const program::SiteDependence>& dependence) {
  return {[dependence](uint32_t later, uint32_t earlier) { return dependence->may_depend(later, earlier); },
          [dependence](uint32_t site) { return dependence->steers(site); }};
}

// One piece of work on its way.
struct SessionPiece : Pipeline::Piece {
  std::unique_ptr<Work> work;
  std::optional<RunReport> run;
  bool is_studied = false, is_counted = false, is_committed = false;
};

class Session {
 public:
  Session(const execute::Subject& subject, const execute::ExecutorOptions& execution, const Options& options,
          const std::function<bool(const Progress&)>& progress)
      : subject_(subject),
        execution_options_(execution),
        options_(options),
        progress_(progress),
        budget_(
            options.time_limit, [this] { return show_progress(); }, options.stop),
        commit_bench_(options),
        races_(subject, options, threads_, commit_bench_.solver),
        desk_(subject, execution, options),
        source_(make_source(options, histories_, commit_bench_.solver, budget_,
                            [this](causal::ThreadId thread, uint32_t site) { return names_of(thread, site); })) {
    execution_options_.interrupted = &budget_.spent();
  }

  base::Result<Report> run() {
    if (!options_.resume.empty())
      if (auto restored = restore(); !restored) return restored.error();
    // Questions that are written to files are numbered in the order in which they are asked.
    const size_t workers = options_.dump_smt.empty() ? std::max<size_t>(options_.jobs, 1) : 1;
    for (size_t i = 0; i < workers; ++i)
      runners_.push_back(std::make_unique<Runner>(subject_, execution_options_, options_, histories_));
    if (workers > 1 && source_->has_jobs_in_line()) {
      in_line_ = std::make_unique<Runner>(subject_, execution_options_, options_, histories_);
      if (auto started = in_line_->start(); !started) return started.error();  // by the thread that ends last
    }
    Pipeline pipeline({.take = [this] { return take(); },
                       .prepare =
                           [this](size_t worker, Pipeline::Piece& piece) {
                             return prepare(*runners_[worker], static_cast<SessionPiece&>(piece));
                           },
                       .commit =
                           [this](size_t worker, Pipeline::Piece& piece) {
                             return commit(*runners_[worker], static_cast<SessionPiece&>(piece));
                           },
                       .work_ahead = [this](size_t worker) { return run_ahead(*runners_[worker]); }},
                      workers);
    pipeline.run();
    auto* const oldest = static_cast<SessionPiece*>(pipeline.oldest());
    count_unfinished(oldest);
    if (error_) return *error_;
    stop_if_due();  // a worker may have stopped for the same reason
    for (const auto& runner : runners_)
      if (!runner->bench.solver.dump_failure().empty())
        return base::Error{runner->bench.solver.dump_failure(), "choose another directory for --dump-smt"};
    desk_.end();
    runners_.clear();  // their processes have ended, so their time is known
    in_line_.reset();
    books_.oldest_is_counted = oldest && oldest->is_counted && !oldest->is_committed;
    settle_checkpoint();
    note_solved();
    note_times();
    books_.report.gaps.merge(stop_gaps_);
    books_.report.gaps.merge(source_->gaps());
    if (!races_.found_all_races()) books_.report.gaps.raise(HEDDLE_GAP_RACE_ORDERS);
    books_.solved += source_->solved();
    source_->describe(books_.report.statistics);
    books_.report.notes = source_->notes();
    if (books_.report.statistics.executions > 0 && threads_.size() < 2)
      books_.report.notes.emplace_back("the program created no thread: it has one order only");
    books_.explored = source_->explored();
    books_.close(options_);
    books_.report.exploration = tree_.exploration(threads_);
    return std::move(books_.report);
  }

 private:
  std::unique_ptr<Pipeline::Piece> take() {
    std::unique_ptr<Work> work = source_->take();
    if (!work) return nullptr;
    auto piece = std::make_unique<SessionPiece>();
    piece->work = std::move(work);
    piece->is_counted = books_.oldest_is_counted;
    books_.oldest_is_counted = false;
    return piece;
  }

  // What can be done ahead of time; by several workers at once.
  bool prepare(Runner& runner, SessionPiece& piece) {
    if (auto started = runner.start(); !started) return fail(started.error());
    share(runner);
    std::optional<Job> job = piece.work->begin(runner.bench);
    if (!job) return piece.is_studied = piece.work->study(runner.bench, nullptr);
    std::optional<RunReport> ahead = job->number ? ahead_.take(*job) : std::nullopt;
    Runner& runs = job->is_in_line && in_line_ ? *in_line_ : runner;
    if (&runs != &runner) share(runs);
    auto run = ahead ? base::Result<RunReport>(std::move(*ahead)) : runs.run(std::move(*job));
    if (!run) return fail(run.error());
    if (budget_.spent()) return false;  // perhaps the run was cut short for that
    if (piece.work->has_other_run()) return piece.is_studied = piece.work->study(runner.bench, nullptr);
    piece.run = std::move(*run);
    if (!piece.run->execution) return true;
    // A finding may be the end of all.
    if (!options_.keep_going && (!piece.run->findings.empty() || !piece.run->predicted.findings.empty())) return true;
    return piece.is_studied = piece.work->study(runner.bench, piece.run->execution);
  }

  // What will be asked for later; whoever asks runs it himself if that does not succeed.
  bool run_ahead(Runner& runner) {
    if (budget_.spent() || ahead_.is_full()) return false;
    std::optional<Job> job = source_->ahead();
    if (!job || !runner.start()) return false;
    share(runner);
    auto run = runner.run(std::move(*job));
    if (!run || budget_.spent()) return false;
    ahead_.add(std::move(*run));
    return true;
  }

  // Makes the piece count; in order. False: that is the end.
  bool commit(Runner& runner, SessionPiece& piece) {
    share(runner);
    if (!piece.work->still_holds()) {
      piece.run.reset();
      piece.is_studied = false;
      if (!prepare(runner, piece)) return false;
    }
    if (piece.run) {
      if (!count_run(piece, runner) || stopped_) return false;
    }
    if (!piece.is_studied && !piece.work->study(runner.bench, piece.run ? piece.run->execution : nullptr)) return false;
    source_->commit(*piece.work, runner.bench);
    piece.is_committed = true;
    stop_if_due();
    if (!stopped_ && budget_.elapsed() >= next_checkpoint_) write_checkpoint();
    return !stopped_;
  }

  // False: something failed.
  bool count_run(SessionPiece& piece, Runner& runner) {
    RunReport& run = *piece.run;
    if (!run.execution) {
      name_threads(run, runner);
      runner.finish(run);
    } else if (run.known != desk_.known()) {
      runner.predict(run);
    }
    if (piece.is_counted) return true;  // before the check was resumed
    piece.is_counted = true;
    if (auto taken = take_run(run); !taken) return fail(taken.error());
    return true;
  }

  // The budget was spent before all about the oldest piece was thought through;
  // what its run showed counts nevertheless.
  void count_unfinished(SessionPiece* piece) {
    if (stopped_ || error_ || !piece || !piece->run || piece->is_counted || !piece->work->still_holds()) return;
    share(*runners_[0]);
    count_run(*piece, *runners_[0]);
  }

  // Lets a worker know what counts by now.
  void share(Runner& runner) {
    const std::lock_guard<std::mutex> guard(shared_lock_);
    if (runner.threads.size() != threads_.size()) runner.threads = threads_;
    runner.known = desk_.known();
  }

  void name_threads(const RunReport& run, Runner& runner) {
    const std::lock_guard<std::mutex> guard(shared_lock_);
    threads_.ids_of(run.run.threads);
    runner.threads = threads_;
  }

  std::pair<std::string, std::string> names_of(causal::ThreadId thread, uint32_t site) {
    const std::lock_guard<std::mutex> guard(shared_lock_);
    const std::vector<trace::Site>& sites = *subject_.sites;
    const std::string place = site < sites.size() ? sites[site].file + ":" + std::to_string(sites[site].line) : "";
    return {thread < threads_.size() ? threads_.name(thread).text() : "", place};
  }

  bool fail(const base::Error& error) {
    const std::lock_guard<std::mutex> guard(shared_lock_);
    if (!error_) error_ = error;
    budget_.spend();
    return false;
  }

  base::Result<void> take_run(RunReport& run) {
    if (run.job.is_repeat) {
      ++repeats_;
      return {};
    }
    books_.count(*run.execution);
    tree_.add(*run.execution, !run.findings.empty());
    note_progress();
    // Where a path of learned threads cannot be followed, another reduction explores everything anew.
    const bool is_followed = !run.job.is_foreseen || run.execution->ending.outcome != HEDDLE_OUTCOME_DIVERGED;
    if (is_followed) books_.report.gaps.merge(run.gaps);
    books_.report.gaps.merge(run.predicted.gaps);
    books_.solved += run.solved;
    // An execution goes on after a misuse: what comes of it is told as well.
    bool was_misuse = false;
    for (std::vector<Finding>* findings : {&run.findings, &run.predicted.findings}) {
      for (Finding& finding : *findings) {
        if (auto added = stopped_ && !was_misuse ? base::Result<void>() : add(finding); !added) return added.error();
        was_misuse = finding.kind == "misuse";
      }
    }
    if (stopped_ || !options_.races) return {};
    if (run.job.race) {
      if (const auto finding = races_.finding_of(*run.execution, *run.job.race)) return add(*finding);
      books_.report.gaps.raise(HEDDLE_GAP_RACE_NOT_REACHED);
    }
    if (run.job.is_foreseen) return {};
    if (causal::is_too_large(*run.execution)) {
      books_.report.gaps.raise(HEDDLE_GAP_EXECUTION_TOO_LARGE, ": data races in other orders");
      return {};
    }
    base::Result<void> done;
    races_.predict_races(run.execution, [&](const Finding& finding) {
      done = add(finding);
      return done && !stopped_;
    });
    return done;
  }

  void note_progress() {
    if (options_.bulletin) {
      note_times();
      options_.bulletin->publish_progress(books_.report);
    }
    const std::lock_guard<std::mutex> guard(shared_lock_);
    shown_ = {books_.report.statistics.executions, books_.states(), books_.report.findings.size(), 0};
  }

  base::Result<void> add(const Finding& finding) {
    if (options_.bulletin) options_.bulletin->publish_pending(finding);
    auto counts = desk_.add(finding, books_.report.findings);
    if (options_.bulletin) {
      options_.bulletin->publish_findings(books_.report.findings);
      options_.bulletin->publish_pending(std::nullopt);
    }
    if (!counts) return counts.error();
    if (*counts && !options_.keep_going) {
      stop();
      stopped_at_finding_ = true;
    }
    return {};
  }

  void stop_if_due() {
    if (options_.search == Search::kExhaustive && options_.executions &&
        books_.report.statistics.executions >= options_.executions) {
      stop();
      stop_gaps_.raise(HEDDLE_GAP_EXECUTION_LIMIT);
    }
    const base::Stop::Why why = options_.stop ? options_.stop->why() : base::Stop::Why::kNone;
    if (budget_.is_over() || why == base::Stop::Why::kTime) {
      stop();
      stop_gaps_.raise(HEDDLE_GAP_TIME_LIMIT);
    }
    if (why == base::Stop::Why::kMemory) {
      stop();
      stop_gaps_.raise(HEDDLE_GAP_MEMORY_LIMIT);
    }
    if (why == base::Stop::Why::kInterrupted) {
      stop();
      stop_gaps_.raise(HEDDLE_GAP_INTERRUPTED);
    }
    if (show_progress()) {
      stop();
      stop_gaps_.raise(HEDDLE_GAP_INTERRUPTED);
    }
  }

  void stop() {
    stopped_ = true;
    budget_.spend();  // for the workers
  }

  // True: the user wants to stop. Any worker may call it.
  bool show_progress() {
    if (!progress_) return false;
    const std::lock_guard<std::mutex> guard(shared_lock_);
    shown_.seconds = budget_.elapsed();
    return progress_(shown_);
  }

  CheckpointParts checkpoint_parts() { return {subject_, options_, threads_, histories_, books_, *source_, races_}; }

  base::Result<void> restore() {
    if (auto restored = restore_checkpoint(options_.resume, checkpoint_parts()); !restored) return restored;
    earlier_ = books_.report.statistics;
    return desk_.take_over(books_.report.findings);
  }

  void note_times() {
    CheckStatistics& statistics = books_.report.statistics;
    statistics.other_runs = earlier_.other_runs + desk_.runs() + repeats_;
    statistics.seconds = earlier_.seconds + budget_.elapsed();
    statistics.cpu_seconds = earlier_.cpu_seconds + base::cpu_seconds() - cpu_before_;
  }

  // What was asked where work is committed.
  void note_solved() {
    const solve::Statistics now = commit_bench_.solver.statistics();
    books_.solved += now - noted_;
    noted_ = now;
  }

  void write_checkpoint() {
    if (options_.checkpoint.empty()) return;
    const double start = budget_.elapsed();
    note_solved();
    note_times();
    auto saved = save_checkpoint(options_.checkpoint, checkpoint_parts());
    books_.report.checkpoint_problem = saved ? "" : saved.error().message;
    books_.report.has_checkpoint = saved && *saved;
    const double now = budget_.elapsed();
    next_checkpoint_ = now + std::max(options_.checkpoint_seconds, (now - start) / kCheckpointShare);
  }

  // One that is left over is of use only if there is something left to do.
  void settle_checkpoint() {
    if (stopped_ && !stopped_at_finding_) return write_checkpoint();
    if (books_.report.has_checkpoint) std::remove(options_.checkpoint.c_str());
    books_.report.has_checkpoint = false;
  }

  const execute::Subject& subject_;
  execute::ExecutorOptions execution_options_;
  const Options& options_;
  const std::function<bool(const Progress&)>& progress_;
  Budget budget_;
  causal::Histories histories_;
  std::vector<std::unique_ptr<Runner>> runners_;  // by worker
  std::unique_ptr<Runner> in_line_;               // for jobs that are; null: the only worker does them
  AheadRuns ahead_;

  std::mutex shared_lock_;  // of what all workers read
  causal::ThreadTable threads_;
  Progress shown_;
  std::optional<base::Error> error_;

  // Of what counts.
  Bench commit_bench_;
  Predictions races_;
  FindingDesk desk_;
  std::unique_ptr<WorkSource> source_;
  Books books_;
  ExplorationTree tree_;
  CheckStatistics earlier_;  // of what was done before the check was resumed
  gaps::Gaps stop_gaps_;
  solve::Statistics noted_;
  const double cpu_before_ = base::cpu_seconds();
  uint64_t repeats_ = 0;  // runs of what was seen before
  bool stopped_ = false, stopped_at_finding_ = false;
  double next_checkpoint_ = options_.checkpoint_seconds;
};

}  // namespace

base::Result<Report> check(const execute::Subject& subject, const execute::ExecutorOptions& execution,
                           const Options& options, const std::function<bool(const Progress&)>& progress) {
  Options settled = options;
  if (uses_dependence(options.reduction) && subject.dependence)
    settled.influence = std::make_shared<const causal::SiteInfluence>(influence_of(subject.dependence));
  if (options.races) settled.lines = std::make_shared<const std::vector<uint32_t>>(number_lines(subject));
  return Session(subject, execution, settled, progress).run();
}

}  // namespace heddle::check
