// SPDX-License-Identifier: Apache-2.0
#include "reproduce/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>
#include <tuple>

#include "execute/steady_run.h"
#include "reproduce/ordered_schedule.h"
#include "reproduce/read_checks.h"
#include "reproduce/repeated_rounds.h"
#include "reproduce/timed_order.h"
#include "schedule/from_trace.h"

namespace heddle::reproduce {
namespace {

constexpr double kFirstPatience = 0.2, kPatienceForAnOperation = 2e-4;  // seconds
constexpr double kMorePatience = 4;                                     // each time that a question is put again
constexpr uint32_t kMostTimes = 3;      // that a thread is asked about before others learn something
constexpr uint32_t kContinuations = 2;  // at random, of a schedule that brought nothing
constexpr uint64_t kMostEvents = 20000, kMostEventsForABranch = 100;  // of a run
constexpr uint64_t kEventsOfLostInputs = 1000000;                     // nobody knows how much it was
constexpr uint32_t kRandomRuns = 10;                                  // when no question brings anything
constexpr uint64_t kRestartsWithoutInputs = 3;

// Operations and conditions.
std::pair<size_t, size_t> sizes(const FailingRun& run) {
  std::pair<size_t, size_t> result;
  for (const Thread& thread : run.threads) {
    result.first += thread.operations.size();
    result.second += thread.conditions.size();
  }
  return result;
}

}  // namespace

Search::Search(const record::Recording& recording, const FailurePlace& failure, const execute::Subject& subject,
               const build::NumberedProgram& program, const SwitchNumbers& switches,
               const std::set<uint32_t>& recorded_reads, const SearchOptions& options)
    : recording_(recording),
      failure_(failure),
      subject_(subject),
      program_(program),
      switches_(switches),
      recorded_reads_(recorded_reads),
      options_(options),
      asked_for_(recording),
      known_(asked_for_, switches) {
  for (const record::Thread& thread : recording.threads)
    if (!thread.is_handler) {
      result_.statistics.recorded_bits += thread.path.size();
      skipped_bits_ += thread.skipped;
      for (const record::Note& note : thread.notes) input_events_ += note.bytes.size();
      if (thread.lacks_first_notes) input_events_ += kEventsOfLostInputs;
    }
}

double Search::now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double Search::left() const { return end_ - now(); }

// Seed 0: the default schedule after `schedule`.
base::Result<Search::Attempt> Search::perform(const schedule::Schedule* schedule, uint64_t seed,
                                              const std::vector<schedule::Step>* holds) {
  const double begin = now();
  execute::RunRequest request;
  request.prefix = schedule || !beginning_ ? schedule : &beginning_->schedule;
  request.holds = holds;
  request.memory = options_.explanation.memory;
  request.replaced = true;
  request.is_patient = true;
  // A thread may wait in a loop for what another one that has gone astray never does.
  request.event_limit =
      kMostEvents + kMostEventsForABranch * (result_.statistics.recorded_bits + skipped_bits_) + input_events_;
  if (seed != 0) {
    request.strategy = seed % 2 && !holds ? HEDDLE_STRATEGY_RANDOM : HEDDLE_STRATEGY_PCT;
    request.seed = seed;
  }
  auto run = execute::run_steadily(*executor_, request);
  if (!run) return run.error();
  ++result_.statistics.runs;
  if (deadline_->reached() && run->ending.outcome == HEDDLE_OUTCOME_KILLED)
    return Attempt();  // cut off: there is no time to learn from it
  if (options_.progress)
    options_.progress({result_.statistics.runs, known_.bits(), result_.statistics.recorded_bits, now() - start_,
                       std::max(0.0, left())});
  Attempt attempt;
  attempt.trace = executor_->to_trace(*run, request);
  attempt.lesson = known_.learn(attempt.trace);
  attempt.reproduces = fails_like(attempt.trace, failure_);
  attempt.follows = !attempt.lesson.deviates && attempt.lesson.bits == result_.statistics.recorded_bits;
  result_.statistics.run_seconds += now() - begin;
  return attempt;
}

// Of runs that fail as recorded, the one that goes the recorded ways furthest counts.
void Search::take(const Attempt& attempt) {
  SearchStatistics& statistics = result_.statistics;
  if (!attempt.reproduces) {
    if (!result_.schedule) statistics.agreed_bits = std::max(statistics.agreed_bits, attempt.lesson.bits);
    return;
  }
  if (result_.schedule && attempt.lesson.bits <= statistics.agreed_bits) return;
  if (!result_.schedule) end_ = std::min(end_, now() + options_.seconds_for_paths);
  result_.schedule = schedule::from_trace(attempt.trace, attempt.trace.events.size());
  statistics.agreed_bits = attempt.lesson.bits;
  statistics.fixed_operations = beginning_ ? beginning_->operations() : 0;
  statistics.follows = is_final_ = attempt.follows;
}

base::Result<bool> Search::try_schedule(const schedule::Schedule* schedule, uint64_t seed) {
  auto attempt = perform(schedule, seed);
  if (!attempt) return attempt.error();
  take(*attempt);
  result_.statistics.known_bits = std::max(result_.statistics.known_bits, known_.bits());
  asked_.resize(known_.threads().size());
  if (!attempt->lesson.is_new) return is_over();
  std::fill(asked_.begin(), asked_.end(), Asked());
  whole_ = Asked();
  return true;
}

WalkedRun Search::walk_known(const WalkChoices& choices) {
  const double begin = now();
  WalkChoices stoppable = choices;
  stoppable.stop = &deadline_->reached();
  stoppable.beginning = beginning_ ? &*beginning_ : nullptr;
  stoppable.walked = walked_beginning_.get();
  WalkedRun walked = walk(known_, stoppable, program_, switches_);
  if (options_.explanation.constraints == Constraints::kH3) add_cores(walked, known_, asked_for_);
  add_times(walked, known_, asked_for_);
  add_checks(walked, known_, asked_for_, recorded_reads_);
  result_.statistics.walk_seconds += now() - begin;
  return walked;
}

std::optional<schedule::Schedule> Search::ask(const WalkedRun& walked, uint32_t times, bool only_retraces,
                                              bool& is_settled) {
  SearchStatistics& statistics = result_.statistics;
  ExplanationOptions options = options_.explanation;
  // A question that takes long may have no answer, and another one may be easier.
  const double patience =
      kFirstPatience * std::pow(kMorePatience, times) * static_cast<double>(1 + statistics.restarts) +
      kPatienceForAnOperation * static_cast<double>(sizes(walked.run).first);
  // Patience is time of the CPU, which on a busy machine takes longer than that.
  options.seconds = std::max(0.0, std::min(left() / 4, patience));
  options.seed += statistics.explanations;
  options.counts = false;
  options.only_retraces = only_retraces;
  options.stop = &deadline_->reached();
  const Explanation explanation = explain(walked.run, options);
  ++statistics.explanations;
  statistics.solver_rounds += explanation.statistics.rounds;
  statistics.solve_seconds += explanation.statistics.seconds;
  if (explanation.kind == Explanation::Kind::kFound ||
      (explanation.kind == Explanation::Kind::kGaveUp && !only_retraces))
    is_settled = false;
  if (explanation.kind == Explanation::Kind::kFound) {
    std::vector<OrderStep> order;
    for (const OrderStep& step : explanation.order)
      if (const auto id = walked.in_run(step.operation)) order.push_back({*id, step.is_flush});
    return schedule_in_order(known_, order, options_.explanation.memory, beginning_ ? &*beginning_ : nullptr);
  }
  last_obstacle_ = explanation.reason;
  return std::nullopt;
}

base::Result<bool> Search::put_once(const std::vector<WalkChoices>& questions, uint32_t times, bool only_retraces,
                                    bool& is_settled) {
  std::set<std::tuple<OperationId, size_t, size_t>> put_before;  // often there is no difference between them
  for (const WalkChoices& choices : questions) {
    if (is_over()) return true;
    if (is_try_over()) return false;
    const WalkedRun walked = walk_known(choices);
    if (is_over()) return true;
    const auto [operations, conditions] = sizes(walked.run);
    if (!put_before.insert({choices.bug_read, operations, conditions}).second) continue;
    const auto schedule = ask(walked, times, only_retraces, is_settled);
    if (!schedule) continue;
    schedule::Schedule with_rounds = *schedule;
    if (choices.failing_thread != kNobody && choices.turned[choices.failing_thread])
      append_repeated_rounds(with_rounds, known_, choices.failing_thread, switches_);
    for (uint32_t i = 0; i <= kContinuations; ++i) {
      auto tried = try_schedule(i == 0 ? &with_rounds : &*schedule, i == 0 ? 0 : result_.statistics.runs);
      if (!tried || *tried) return tried;
    }
    last_obstacle_ = "a run did not do what its constraints say";
  }
  return is_over();
}

// What was recorded of values answers most of them at once, or none: all are tried that way before any is tried in
// another.
base::Result<bool> Search::put(const std::vector<WalkChoices>& questions, Asked& asked) {
  bool is_settled = true;
  const uint32_t times = asked.times++;
  for (const bool only_retraces : {true, false}) {
    if (only_retraces && !recording_.has_values) continue;
    auto brought = put_once(questions, times, only_retraces, is_settled);
    if (!brought || *brought) return brought;
  }
  asked.is_settled = is_settled || asked.times >= kMostTimes;
  return is_over();
}

// Asks about one thread after the other, all of them once before any twice.
base::Result<bool> Search::advance() {
  for (uint32_t times = 0; times < kMostTimes; ++times) {
    if (known_.is_whole() && !whole_.is_settled) {
      auto brought = put(whole_questions(), whole_);
      if (!brought || *brought) return brought;
    }
    for (uint32_t t = 0; t < asked_.size(); ++t) {
      if (asked_[t].is_settled || asked_[t].times > times || is_try_over()) continue;
      auto brought = put(questions(t), asked_[t]);
      if (!brought || *brought) return brought;
    }
  }
  return is_over();
}

void Search::measure() {
  constexpr double kMostSeconds = 2;
  constexpr size_t kMostRecords = 200000;
  size_t records = 0;
  for (const KnownThread& thread : known_.threads()) records += thread.records.size();
  if (!result_.schedule || beginning_ || whole_questions().empty() || deadline_->reached() || records > kMostRecords)
    return;
  WalkChoices choices = whole_questions().front();
  choices.keeps_held = false;
  ExplanationOptions options = options_.explanation;
  options.seconds = kMostSeconds;
  options.explores = false;
  size_t operations = 0;
  const WalkedRun walked = walk_known(choices);
  if (deadline_->reached()) return;
  for (const Thread& thread : walked.run.threads) operations += thread.operations.size();
  if (operations <= kMostForSolver) options.trials = 0;  // it is the solver that is compared
  options.stop = &deadline_->reached();
  const Explanation explanation = explain(walked.run, options);
  if (deadline_->reached()) return;
  result_.statistics.whole_is_measured = true;
  result_.statistics.whole = explanation.statistics;
  result_.statistics.whole_reason = explanation.reason;
  result_.statistics.whole_is_solved = known_.is_whole() && explanation.kind == Explanation::Kind::kFound;
}

base::Result<SearchResult> Search::run(const execute::ExecutorOptions& how) {
  start_ = now();
  end_ = start_ + options_.explanation.seconds;
  deadline_.emplace(options_.explanation.seconds, options_.interrupted);
  execute::ExecutorOptions stoppable = how;
  stoppable.interrupted = &deadline_->reached();
  auto started = execute::Executor::start(subject_, stoppable);
  if (!started) return started.error();
  executor_ = std::move(*started);
  auto brought = try_schedule(nullptr, 0);
  uint64_t seed = options_.explanation.seed;
  begin_try();
  while (brought && !is_over()) {
    if (is_try_over()) try_otherwise();
    if (known_.threads().empty()) {
      brought = try_schedule(nullptr, tries_ / std::size(kTries));
      continue;
    }
    if (is_long())
      if (auto shortened = begin_later(); !shortened) return shortened.error();
    if (is_over() || known_.threads().empty()) continue;
    // What is too long is not explained: another run may be nearer to the recorded one.
    if (!is_long()) brought = advance();
    if (!brought || (*brought && !is_long())) continue;
    if (options_.lacks_inputs && result_.statistics.restarts >= kRestartsWithoutInputs) break;
    ++result_.statistics.restarts;
    for (uint32_t i = 0; brought && i < kRandomRuns && !is_over() && !is_try_over(); ++i)
      brought = try_schedule(nullptr, ++seed);
    for (Asked& asked : asked_) asked.times = 0;
    whole_.times = 0;
    if (brought && !*brought && (beginning_ || is_long())) try_otherwise();
  }
  if (!brought) return brought.error();
  measure();
  result_.interrupted = options_.interrupted && options_.interrupted->load();
  if (result_.schedule) return std::move(result_);
  const SearchStatistics& statistics = result_.statistics;
  result_.reason = fmt::format(
      "of {} recorded branches {} are known, {} of them in one run, after {} runs and {} systems of constraints{}{}",
      statistics.recorded_bits, statistics.known_bits, statistics.agreed_bits, statistics.runs, statistics.explanations,
      last_obstacle_.empty() ? "" : "; the last obstacle: ", last_obstacle_);
  return std::move(result_);
}

}  // namespace heddle::reproduce
