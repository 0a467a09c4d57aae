// SPDX-License-Identifier: Apache-2.0
#include "reproduce/search.h"

#include <fmt/format.h>

#include <chrono>

#include "execute/steady_run.h"
#include "reproduce/ordered_schedule.h"
#include "schedule/from_trace.h"

namespace heddle::reproduce {
namespace {

constexpr double kFirstPatience = 0.5, kPatienceForAnOperation = 2e-4;  // seconds

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

Search::Search(const record::Recording& recording, const FailurePlace& failure, const execute::Subject& subject,
               const build::NumberedProgram& program, const SwitchNumbers& switches, const SearchOptions& options)
    : recording_(recording), failure_(failure), subject_(subject), program_(program), switches_(switches), options_(options) {
  for (const record::Thread& thread : recording.threads) result_.statistics.recorded_bits += thread.path.size();
}

double Search::left() const { return options_.explanation.seconds - (now() - start_); }

// Seed 0: the default schedule after `schedule`.
base::Result<Search::Attempt> Search::perform(const schedule::Schedule* schedule, uint64_t seed) {
  const double begin = now();
  execute::RunRequest request;
  request.prefix = schedule;
  request.memory = options_.explanation.memory;
  request.replaced = true;
  if (seed != 0) {
    request.strategy = seed % 2 ? HEDDLE_STRATEGY_RANDOM : HEDDLE_STRATEGY_PCT;
    request.seed = seed;
  }
  auto run = execute::run_steadily(*executor_, request);
  if (!run) return run.error();
  ++result_.statistics.runs;
  Attempt attempt;
  attempt.trace = executor_->to_trace(*run, request);
  attempt.records = records_by_thread(attempt.trace);
  for (uint32_t t = 0; t < attempt.records.size(); ++t) {
    attempt.agreements.push_back(compare(attempt.records[t], recording_.find_thread(attempt.trace.thread_name(t)), switches_));
    attempt.bits += attempt.agreements.back().bits;
  }
  attempt.reproduces = fails_like(attempt.trace, failure_);
  if (options_.follows_paths)
    for (const Agreement& agreement : attempt.agreements) attempt.reproduces &= agreement.kind != Agreement::Kind::kDeviates;
  result_.statistics.agreed_bits = std::max(result_.statistics.agreed_bits, attempt.bits);
  result_.statistics.run_seconds += now() - begin;
  return attempt;
}

// What to demand of the next run, the most first.
std::vector<WalkChoices> Search::variants(const Attempt& attempt) const {
  WalkChoices all;
  all.turned.assign(attempt.agreements.size(), false);
  uint32_t deviating = 0;
  for (uint32_t t = 0; t < attempt.agreements.size(); ++t) {
    all.turned[t] = attempt.agreements[t].kind == Agreement::Kind::kDeviates;
    deviating += all.turned[t];
    const bool arrives = all.turned[t] || attempt.agreements[t].kind == Agreement::Kind::kBeyond;
    if (!failure_.thread.empty() && attempt.trace.thread_name(t) == failure_.thread && arrives) all.failing_thread = t;
  }
  if (all.failing_thread != kNobody && failure_.is_null && !all.turned[all.failing_thread]) all.null_site = failure_.site;
  std::vector<WalkChoices> result;
  if (deviating == 0 && all.null_site == 0) return result;
  // Only where its way is known to its end does the rest not matter after the failing thread has come there.
  if (all.failing_thread != kNobody && all.turned[all.failing_thread]) all.failing_thread = kNobody;
  for (const auto& [held, tails] : {std::pair(true, false), {true, true}, {false, false}, {false, true}}) {
    all.keeps_held = held;
    all.keeps_tails = tails;
    result.push_back(all);
  }
  for (uint32_t t = 0; deviating > 1 && t < attempt.agreements.size(); ++t) {
    if (!all.turned[t]) continue;
    WalkChoices one = all;
    one.turned.assign(attempt.agreements.size(), false);
    one.turned[t] = true;
    one.null_site = 0;
    result.push_back(std::move(one));
  }
  return result;
}

std::optional<schedule::Schedule> Search::improve(const Attempt& attempt, const WalkChoices& choices) {
  SearchStatistics& statistics = result_.statistics;
  const double begin = now();
  WalkedRun walked = walk(attempt.trace, attempt.records, attempt.agreements, choices, program_, switches_);
  if (options_.explanation.constraints == Constraints::kH3) add_cores(walked, attempt.trace, recording_);
  statistics.walk_seconds += now() - begin;
  ExplanationOptions options = options_.explanation;
  // A system that takes long is often one without a solution: another run may lead to an easier one.
  const double patience = kFirstPatience * static_cast<double>(1 + statistics.restarts) +
                          kPatienceForAnOperation * static_cast<double>(attempt.trace.events.size());
  options.seconds = std::max(0.0, std::min(left(), patience));
  options.seed += statistics.explanations;
  const Explanation explanation = explain(walked.run, options);
  ++statistics.explanations;
  statistics.solver_rounds += explanation.statistics.rounds;
  statistics.solve_seconds += explanation.statistics.seconds;
  if (explanation.kind != Explanation::Kind::kFound) {
    last_obstacle_ = explanation.reason;
    return std::nullopt;
  }
  return schedule_in_order(attempt.trace, explanation.order, options_.explanation.memory);
}

void Search::measure(const Attempt& attempt) {
  constexpr double kMostSeconds = 20;
  WalkChoices choices;
  choices.turned.assign(attempt.agreements.size(), false);
  choices.keeps_held = false;
  choices.keeps_tails = true;
  for (uint32_t t = 0; t < attempt.agreements.size(); ++t)
    if (attempt.trace.thread_name(t) == failure_.thread) choices.failing_thread = t;
  WalkedRun walked = walk(attempt.trace, attempt.records, attempt.agreements, choices, program_, switches_);
  if (options_.explanation.constraints == Constraints::kH3) add_cores(walked, attempt.trace, recording_);
  ExplanationOptions options = options_.explanation;
  options.seconds = std::min(kMostSeconds, std::max(1.0, left()));
  const Explanation explanation = explain(walked.run, options);
  result_.statistics.whole = explanation.statistics;
  result_.statistics.whole_reason = explanation.reason;
  result_.statistics.whole_is_solved = explanation.kind == Explanation::Kind::kFound;
}

base::Result<std::optional<Search::Attempt>> Search::go_on_from(const Attempt& attempt) {
  for (const WalkChoices& choices : variants(attempt)) {
    if (left() <= 0) break;
    const auto schedule = improve(attempt, choices);
    if (!schedule) continue;
    auto next = perform(&*schedule, 0);
    if (!next) return next.error();
    if (next->reproduces || next->bits > attempt.bits) return std::optional(std::move(*next));
    last_obstacle_ = "a run did not do what its constraints say";
  }
  return std::optional<Attempt>();
}

base::Result<SearchResult> Search::run(const execute::ExecutorOptions& how) {
  start_ = now();
  auto started = execute::Executor::start(subject_, how);
  if (!started) return started.error();
  executor_ = std::move(*started);
  for (uint64_t seed = options_.explanation.seed; left() > 0 && result_.statistics.runs < options_.most_runs; ++seed) {
    auto attempt = perform(nullptr, seed);
    if (!attempt) return attempt.error();
    while (!attempt->reproduces && left() > 0) {
      auto next = go_on_from(*attempt);
      if (!next) return next.error();
      if (!*next) break;
      *attempt = std::move(**next);
    }
    if (attempt->reproduces) {
      measure(*attempt);
      result_.schedule = schedule::from_trace(attempt->trace, attempt->trace.events.size());
      return std::move(result_);
    }
    ++result_.statistics.restarts;
  }
  const SearchStatistics& statistics = result_.statistics;
  result_.reason = fmt::format("{} of {} recorded branches were explained after {} runs and {} systems of constraints{}{}",
                               statistics.agreed_bits, statistics.recorded_bits, statistics.runs, statistics.explanations,
                               last_obstacle_.empty() ? "" : "; the last obstacle: ", last_obstacle_);
  return std::move(result_);
}

}  // namespace heddle::reproduce
