// SPDX-License-Identifier: Apache-2.0
#include "predict/predict.h"

#include <algorithm>
#include <chrono>

#include "base/cpu_time.h"
#include "base/files.h"
#include "causal/unmodelled.h"
#include "execute/steady_run.h"
#include "predict/findings.h"
#include "predict/observed_races.h"
#include "predict/recipe_failures.h"
#include "predict/recipe_search.h"
#include "property/confirm.h"
#include "property/stable_identity.h"
#include "schedule/from_trace.h"
#include "solve/order_problem.h"
#include "trace/validate.h"

namespace heddle::predict {

using property::Finding;

namespace {

std::vector<schedule::Step> planned_steps(const trace::Trace& trace, const Order& order) {
  causal::ThreadTable names;
  names.ids_of(trace.threads);
  return property::to_steps(order.plan, names);
}

schedule::Schedule schedule_of(const trace::Trace& trace, const Order& order) {
  schedule::Schedule schedule = schedule::from_trace(trace, order.history);
  schedule.check_rules = true;
  for (schedule::Step& step : planned_steps(trace, order)) schedule.steps.push_back(std::move(step));
  return schedule;
}

class Prediction {
 public:
  // `confirmer` may be null: there is no program.
  // `recipe` may be null: what the run computed is not known.
  Prediction(const trace::Trace& trace, const Options& options, property::Confirmer* confirmer,
             symbolic::WalkedTrace* recipe, bool knows_outside)
      : trace_(trace),
        options_(options),
        confirmer_(confirmer),
        recipe_(recipe),
        knows_outside_(knows_outside),
        solver_(solve::make_native_solver()) {
    report_.has_program = confirmer != nullptr;
  }

  base::Result<Report> run() {
    for (const trace::Event& event : trace_.events) report_.statistics.events += trace::is_visible(event.record);
    if (options_.find_races) find_all_races();
    if ((options_.find_deadlocks || options_.find_uses_after_free) && !is_stopped()) find_all_bugs();
    if (options_.find_atomicity) find_all_interferences();
    if (recipe_ && (options_.find_assertions || options_.find_nulls)) find_all_failures();
    if (error_) return *error_;
    const bool is_in_parts = options_.model != Model::kHb && report_.statistics.windows > 1;
    if (is_in_parts) report_.gaps.raise(HEDDLE_GAP_PARTS_ONLY, std::to_string(options_.window));
    if (is_stopped()) report_.gaps.raise(HEDDLE_GAP_PREDICTION_STOPPED);
    for (Finding& finding : report_.findings) {
      report_.found |= stands(finding, report_);
      finding.id = base::hash_text(property::stable_identity(finding, trace_.sites));
    }
    note_figures();
    return std::move(report_);
  }

 private:
  bool is_stopped() const { return options_.stops && options_.stops(0); }

  void find_all_races() {
    if (options_.model == Model::kHb) {
      bool left_out = false;
      for (const ObservedRace& observed : find_observed_races(trace_, &left_out)) take_observed(observed);
      if (left_out) report_.gaps.raise(HEDDLE_GAP_ACCESS_PAIRS);
      return;
    }
    RecipeOptions others{options_.window, knows_outside_, {}, options_.stops};
    const std::vector<uint32_t> places = number_places(trace_.sites);
    const auto take_race = [&](const PredictedRace& race) {
      const bool stands = take(finding_of(trace_, race), race.order, evidence_of(race));
      if (stands) others.known.insert(std::minmax(places[race.first_site], places[race.second_site]));
      return stands;
    };
    find_races(trace_, options_, *solver_, take_race, report_.statistics, report_.gaps);
    if (recipe_) find_recipe_races(trace_, *recipe_, others, take_race, report_.statistics, report_.gaps);
  }

  void find_all_bugs() {
    const auto take_bug = [this](const PredictedBug& bug) {
      return take(finding_of(trace_, bug), bug.order, evidence_of(bug));
    };
    find_in_whole_trace(trace_, options_, *solver_, take_bug, report_.gaps);
  }

  void find_all_interferences() {
    const AtomicBlocks blocks = find_atomic_blocks(trace_, options_.atomic_functions);
    const auto take_it = [this](const Interference& found) {
      return take(finding_of(trace_, found), found.order, evidence_of(found));
    };
    find_interferences(trace_, blocks, options_, *solver_, take_it, report_.statistics, report_.gaps);
  }

  void find_all_failures() {
    const auto take_failure = [this](const PredictedFailure& failure) {
      return take(finding_of(trace_, failure), failure.order, {});
    };
    find_recipe_failures(trace_, *recipe_, {options_.window, knows_outside_, {}, options_.stops},
                         options_.find_assertions, options_.find_nulls, take_failure, report_.statistics, report_.gaps);
  }

  // A finding whose order holds on the trace. False: it does not stand. One of the
  // same places that was listed as not confirmed, or in its weaker form, is replaced.
  bool take(Finding finding, const Order& order, const Evidence& evidence) {
    if (error_ || is_stopped()) return true;
    finding.validated = true;
    if (confirmer_) {
      finding.schedule = schedule_of(trace_, order);
      if (!confirm(finding) || is_stopped()) return true;  // a run that was ended says nothing
    }
    const bool stands = !confirmer_ || finding.confirmed;
    for (size_t i = 0; i < report_.findings.size(); ++i) {
      if (identity_of(report_.findings[i]) != identity_of(finding)) continue;
      if (!stands) return false;
      report_.findings[i] = std::move(finding);
      report_.orders[i] = order;
      report_.evidence[i] = evidence;
      publish();
      return true;
    }
    add(std::move(finding), order, evidence);
    return stands;
  }

  void add(Finding finding, const Order& order, const Evidence& evidence) {
    report_.findings.push_back(std::move(finding));
    report_.orders.push_back(order);
    report_.evidence.push_back(evidence);
    publish();
  }

  void publish() {
    if (!options_.bulletin) return;
    Report now = report_;
    for (const Finding& finding : now.findings) now.found |= stands(finding, now);
    options_.bulletin->publish(std::move(now));
  }

  // False: the run itself went wrong, as an error.
  bool confirm(Finding& finding) {
    auto confirmed = confirmer_->confirm(finding);
    if (!confirmed) {
      error_ = confirmed.error();
      return false;
    }
    finding.confirmed = *confirmed;
    if (!finding.confirmed)
      finding.doubt = finding.trace && finding.trace->ending.outcome == HEDDLE_OUTCOME_DIVERGED
                          ? "the program did otherwise: " + finding.trace->ending.message
                          : "the run of this order did not show it";
    return true;
  }

  void take_observed(const ObservedRace& observed) {
    Finding finding = finding_of(trace_, observed.race);
    const Evidence evidence = evidence_of(observed.race);
    if (!observed.follows) {
      take(std::move(finding), observed.race.order, evidence);
      return;
    }
    finding.doubt = "after the first race, unproved";
    add(std::move(finding), observed.race.order, evidence);
  }

  void note_figures() {
    Statistics& statistics = report_.statistics;
    const solve::Statistics& solved = solver_->statistics();
    statistics.solver_queries = solved.queries;
    statistics.decided_without_search = solved.decided_without_search;
    statistics.constraints = solved.constraints;
    statistics.reads_constrained = solved.reads;
    statistics.solver_seconds = solved.seconds;
    statistics.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    if (confirmer_) {
      statistics.other_runs = confirmer_->runs();
      confirmer_->end();
    }
    statistics.cpu_seconds = base::cpu_seconds();
  }

  const trace::Trace& trace_;
  const Options& options_;
  property::Confirmer* const confirmer_;
  symbolic::WalkedTrace* const recipe_;
  const bool knows_outside_;
  const std::unique_ptr<solve::OrderSolver> solver_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::optional<base::Error> error_;
  Report report_;
};

// Recording what the program computes takes about a kilobyte for each operation.
constexpr uint64_t kMostWalked = 300'000;

// The same run again, recorded, and followed through the bitcode. `seen` becomes that run, for its addresses are
// others. Nothing: it was not possible, for the reason that is added.
base::Result<std::optional<symbolic::WalkedTrace>> walk_again(const RecipeSubject& recipe,
                                                              const execute::ExecutorOptions& execution,
                                                              const execute::RunRequest& request, trace::Trace& seen,
                                                              gaps::Gaps& gaps) {
  const auto is_seen = [](const trace::Event& event) { return trace::is_visible(event.record); };
  if (static_cast<uint64_t>(std::count_if(seen.events.begin(), seen.events.end(), is_seen)) > kMostWalked) {
    gaps.raise(HEDDLE_GAP_RUN_TOO_LONG_FOR_VALUES);
    return std::optional<symbolic::WalkedTrace>();
  }
  auto executor = execute::Executor::start(recipe.recorded, execution);
  if (!executor) return executor.error();
  auto run = execute::run_steadily(**executor, request);
  if (!run) return run.error();
  trace::Trace trace = (*executor)->to_trace(*run, request);
  if (!symbolic::has_same_operations(seen, trace)) {
    gaps.raise(HEDDLE_GAP_RUN_DIFFERED);
    return std::optional<symbolic::WalkedTrace>();
  }
  std::optional<symbolic::WalkedTrace> walked = symbolic::walk_trace(trace, recipe.program, /*detours=*/true);
  symbolic::drop_local_records(trace);
  seen = std::move(trace);
  return walked;
}

void note_walk(const symbolic::WalkStatistics& walk, Report& report) {
  report.statistics.instructions = walk.instructions;
  report.statistics.held_values = walk.held;
  report.statistics.lost_threads = walk.lost;
  std::string ends;
  for (const std::string& end : walk.sides_end_at) ends += (ends.empty() ? "" : ", ") + end;
  if (!ends.empty()) report.gaps.raise(HEDDLE_GAP_SIDES_NOT_FOLLOWED, ends);
  for (const std::string& reason : walk.reasons) report.gaps.raise(HEDDLE_GAP_PATH_NOT_FOLLOWED, reason);
}

}  // namespace

std::string schedule_text(const trace::Trace& trace, const Order& order) {
  schedule::Schedule facts = schedule::visit_steps(trace, 0, [](const schedule::Step&) {});
  facts.check_rules = true;
  schedule::ScheduleText text(facts);
  schedule::visit_steps(trace, order.history, [&](schedule::Step step) {
    step.place.clear();  // of no interest: as it was
    text.add(step);
  });
  for (const schedule::Step& step : planned_steps(trace, order)) text.add(step);
  return text.finish();
}

base::Result<Report> predict_program(const execute::Subject& subject, const execute::ExecutorOptions& execution,
                                     const Options& options, const RecipeSubject* recipe) {
  auto executor = execute::Executor::start(subject, execution);
  if (!executor) return executor.error();
  execute::RunRequest request;
  request.strategy = options.seed ? HEDDLE_STRATEGY_RANDOM : HEDDLE_STRATEGY_DEFAULT;
  request.seed = options.seed.value_or(0);
  request.event_limit = options.event_limit;
  request.go_on = request.local_time = request.replaced = request.pure_waits = true;
  auto run = execute::run_steadily(**executor, request);
  if (!run) return run.error();
  const auto seen = std::make_shared<trace::Trace>((*executor)->to_trace(*run, request));
  executor->reset();
  *run = {};
  if (seen->ending.outcome == HEDDLE_OUTCOME_UNSUPPORTED)
    return base::Error{"the run ended early: " + seen->ending.message, "heddle cannot run this program"};
  gaps::Gaps gaps;
  std::optional<symbolic::WalkedTrace> walked;
  if (recipe) {
    auto again = walk_again(*recipe, execution, request, *seen, gaps);
    if (!again) return again.error();
    walked = std::move(*again);
  }
  const std::shared_ptr<const trace::Trace> trace = seen;
  property::Confirmer confirmer(subject, execution);
  auto report =
      Prediction(*trace, options, &confirmer, walked ? &*walked : nullptr, subject.unknown_functions.empty()).run();
  if (!report) return report;
  report->trace = trace;
  if (walked) note_walk(walked->symbolic.statistics, *report);
  report->gaps.merge(gaps);
  if (trace->ending.outcome != HEDDLE_OUTCOME_EXIT || trace->ending.detail != 0)
    report->gaps.raise(HEDDLE_GAP_RUN_FAILED);
  return report;
}

base::Result<Report> predict_trace(std::shared_ptr<const trace::Trace> shared, const Options& options) {
  const trace::Trace& trace = *shared;
  if (trace.header.mode != trace::Mode::kControlled)
    return base::Error{"a free trace has no order of all its events",
                       "predict from a trace of heddle trace run without --free"};
  if (trace.header.memory_model != "sc")
    return base::Error{"the trace is of a run under " + trace.header.memory_model, "predict from a run under sc"};
  const std::vector<trace::Problem> problems = trace::validate(trace, 3);
  if (!problems.empty())
    return base::Error{"the trace makes no sense:\n" + trace::problems_text(trace, problems),
                       "heddle trace validate says more"};
  causal::ThreadTable names;
  const std::vector<causal::ThreadId> ids = names.ids_of(trace.threads);
  for (uint32_t number = 0; number < ids.size(); ++number)
    if (ids[number] != number)
      return base::Error{"two threads of the trace have the same name", "heddle trace dump shows them"};
  auto report = Prediction(trace, options, nullptr, nullptr, true).run();
  if (!report) return report;
  report->trace = std::move(shared);
  if (!trace.damage.empty()) report->gaps.raise(HEDDLE_GAP_TRACE_DAMAGED, trace.damage);
  if (options.model == Model::kRecipe) report->gaps.raise(HEDDLE_GAP_TRACE_WITHOUT_PROGRAM);
  return report;
}

}  // namespace heddle::predict
