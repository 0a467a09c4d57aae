// SPDX-License-Identifier: Apache-2.0
#include "predict/predict.h"


#include <algorithm>
#include <chrono>

#include "base/cpu_time.h"
#include "causal/unmodelled.h"
#include "execute/steady_run.h"
#include "predict/observed_races.h"
#include "predict/race_search.h"
#include "predict/recipe_failures.h"
#include "predict/recipe_search.h"
#include "predict/whole_trace.h"
#include "property/confirm.h"
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
  Prediction(const trace::Trace& trace, const Options& options, property::Confirmer* confirmer, symbolic::WalkedTrace* recipe, bool knows_outside)
      : trace_(trace), options_(options), confirmer_(confirmer), recipe_(recipe), knows_outside_(knows_outside),
        solver_(solve::make_native_solver()) {
    report_.has_program = confirmer != nullptr;
  }

  base::Result<Report> run() {
    for (const trace::Event& event : trace_.events) report_.statistics.events += trace::is_visible(event.record);
    if (options_.find_races) find_all_races();
    if (options_.find_deadlocks || options_.find_uses_after_free)
      find_in_whole_trace(trace_, options_, *solver_, [this](const PredictedBug& bug) { take(finding_of(bug), bug.order); },
                          report_.reasons);
    if (recipe_ && (options_.find_assertions || options_.find_nulls))
      find_recipe_failures(trace_, *recipe_, {options_.window, knows_outside_}, options_.find_assertions, options_.find_nulls,
                           [this](const PredictedFailure& failure) { return take(finding_of(failure), failure.order); },
                           report_.statistics, report_.reasons);
    if (error_) return *error_;
    for (const Finding& finding : report_.findings)
      report_.found |= finding.confirmed || (!report_.has_program && finding.validated);
    note_figures();
    return std::move(report_);
  }

 private:
  void find_all_races() {
    if (options_.model == Model::kHb) {
      for (const ObservedRace& observed : find_observed_races(trace_)) take_observed(observed);
      return;
    }
    RecipeOptions others{options_.window, knows_outside_};
    const std::vector<uint32_t> places = number_places(trace_.sites);
    const auto take_race = [&](const PredictedRace& race) {
      const bool stands = take(finding_of(race), race.order);
      if (stands) others.known.insert(std::minmax(places[race.first_site], places[race.second_site]));
      return stands;
    };
    find_races(trace_, options_, *solver_, take_race, report_.statistics, report_.reasons);
    if (recipe_) find_recipe_races(trace_, *recipe_, others, take_race, report_.statistics, report_.reasons);
  }

  property::Place place_of(uint32_t thread, uint32_t site) const {
    const trace::Site& where = trace_.sites[site < trace_.sites.size() ? site : 0];
    return {where.file, where.line, where.function, trace_.thread_name(thread)};
  }

  Finding finding_of(const PredictedRace& race) const {
    Finding finding;
    finding.kind = "race";
    finding.places = {place_of(race.first.thread, race.first_site), place_of(race.second.thread, race.second_site)};
    finding.enabled_at_once = race.enabled_at_once;
    const std::string variable = race.first_site < trace_.sites.size() ? trace_.sites[race.first_site].variable : "";
    finding.message = finding.places[0].thread + " and " + finding.places[1].thread + " access " +
                      (variable.empty() ? "the same memory" : variable) +
                      (race.enabled_at_once ? " at the same time" : " without an order between them");
    if (race.is_hidden) finding.message += "; happens-before of the run that was seen orders them";
    if (race.is_on_detour) finding.message += "; one is on the side of a branch that the run that was seen did not take";
    if (race.has_other_values) finding.message += "; what was read before it is not what the run that was seen read";
    return finding;
  }

  Finding finding_of(const PredictedBug& bug) const {
    Finding finding;
    std::string threads;
    for (const PredictedBug::Where& where : bug.places) {
      finding.places.push_back(place_of(where.thread, where.site));
      threads += (threads.empty() ? "" : ", ") + finding.places.back().thread;
    }
    const bool is_deadlock = bug.kind == PredictedBug::Kind::kDeadlock;
    finding.kind = is_deadlock ? "deadlock" : property::finding_kind(HEDDLE_FAILURE_USE_AFTER_FREE);
    finding.message = is_deadlock ? "every thread is blocked: " + threads
                                  : finding.places[0].thread + " uses memory that " + finding.places[1].thread + " has freed";
    return finding;
  }

  Finding finding_of(const PredictedFailure& failure) const {
    Finding finding;
    const bool is_null = failure.kind == PredictedFailure::Kind::kNull;
    finding.kind = property::finding_kind(is_null ? HEDDLE_FAILURE_NULL : HEDDLE_FAILURE_ASSERTION);
    finding.places = {place_of(failure.thread, failure.site)};
    finding.message = finding.places[0].thread + (is_null ? " accesses memory through a null pointer" : ": an assertion fails") +
                      " when what was read before it is not what the run that was seen read";
    return finding;
  }

  // A finding whose order holds on the trace. False: it does not stand. One of the
  // same places that was listed as not confirmed, or in its weaker form, is replaced.
  bool take(Finding finding, const Order& order) {
    if (error_) return true;
    finding.validated = true;
    if (confirmer_) {
      finding.schedule = schedule_of(trace_, order);
      if (!confirm(finding)) return true;
    }
    const bool stands = !confirmer_ || finding.confirmed;
    for (size_t i = 0; i < report_.findings.size(); ++i) {
      if (identity_of(report_.findings[i]) != identity_of(finding)) continue;
      if (!stands) return false;
      report_.findings[i] = std::move(finding);
      report_.orders[i] = order;
      return true;
    }
    report_.findings.push_back(std::move(finding));
    report_.orders.push_back(order);
    return stands;
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
    Finding finding = finding_of(observed.race);
    if (!observed.follows) {
      take(std::move(finding), observed.race.order);
      return;
    }
    finding.doubt = "after the first race, unproved";
    report_.findings.push_back(std::move(finding));
    report_.orders.push_back(observed.race.order);
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
base::Result<std::optional<symbolic::WalkedTrace>> walk_again(const RecipeSubject& recipe, const execute::ExecutorOptions& execution,
                                                    const execute::RunRequest& request, trace::Trace& seen,
                                                    std::set<property::Reason>& reasons) {
  const auto is_seen = [](const trace::Event& event) { return trace::is_visible(event.record); };
  if (static_cast<uint64_t>(std::count_if(seen.events.begin(), seen.events.end(), is_seen)) > kMostWalked) {
    reasons.insert({"recipe", "the run is too long to follow what it computes: predicted as by --model=mcm"});
    return std::optional<symbolic::WalkedTrace>();
  }
  auto executor = execute::Executor::start(recipe.recorded, execution);
  if (!executor) return executor.error();
  auto run = execute::run_steadily(**executor, request);
  if (!run) return run.error();
  trace::Trace trace = (*executor)->to_trace(*run, request);
  if (!symbolic::has_same_operations(seen, trace)) {
    reasons.insert({"recipe", "the run was not the same when it was recorded: predicted as by --model=mcm"});
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
  for (const std::string& reason : walk.reasons) report.reasons.insert({"walk", "not followed to its end: " + reason});
}

}  // namespace

std::string schedule_text(const trace::Trace& trace, const Order& order) {
  schedule::Schedule facts = schedule::visit_steps(trace, 0, [](schedule::Step) {});
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
  trace::Trace trace = (*executor)->to_trace(*run, request);
  executor->reset();
  *run = {};
  if (trace.ending.outcome == HEDDLE_OUTCOME_UNSUPPORTED)
    return base::Error{"the run ended early: " + trace.ending.message, "heddle cannot run this program"};
  std::set<property::Reason> reasons;
  std::optional<symbolic::WalkedTrace> walked;
  if (recipe) {
    auto again = walk_again(*recipe, execution, request, trace, reasons);
    if (!again) return again.error();
    walked = std::move(*again);
  }
  property::Confirmer confirmer(subject, execution);
  auto report = Prediction(trace, options, &confirmer, walked ? &*walked : nullptr, subject.unknown_functions.empty()).run();
  if (!report) return report;
  if (walked) note_walk(walked->symbolic.statistics, *report);
  report->reasons.merge(reasons);
  if (trace.ending.outcome != HEDDLE_OUTCOME_EXIT || trace.ending.detail != 0)
    report->reasons.insert({"failed-run", "the run itself failed: heddle check says how"});
  return report;
}

base::Result<Report> predict_trace(const trace::Trace& trace, const Options& options) {
  if (trace.header.mode != trace::Mode::kControlled)
    return base::Error{"a free trace has no order of all its events", "predict from a trace of heddle trace run without --free"};
  if (trace.header.memory_model != "sc")
    return base::Error{"the trace is of a run under " + trace.header.memory_model, "predict from a run under sc"};
  const std::vector<trace::Problem> problems = trace::validate(trace, 3);
  if (!problems.empty())
    return base::Error{"the trace makes no sense:\n" + trace::problems_text(trace, problems), "heddle trace validate says more"};
  causal::ThreadTable names;
  const std::vector<causal::ThreadId> ids = names.ids_of(trace.threads);
  for (uint32_t number = 0; number < ids.size(); ++number)
    if (ids[number] != number) return base::Error{"two threads of the trace have the same name", "heddle trace dump shows them"};
  auto report = Prediction(trace, options, nullptr, nullptr, true).run();
  if (report && options.model == Model::kRecipe)
    report->reasons.insert({"recipe", "a trace does not tell what the program computes: predicted as by --model=mcm"});
  if (report && !trace.damage.empty()) report->reasons.insert({"damage", trace.damage});
  return report;
}

}  // namespace heddle::predict
