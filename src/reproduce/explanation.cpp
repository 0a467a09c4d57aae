// SPDX-License-Identifier: Apache-2.0
#include "reproduce/explanation.h"

#include <fmt/format.h>

#include "base/cpu_time.h"
#include "reproduce/exploration.h"
#include "reproduce/machine.h"
#include "reproduce/read_constraints.h"
#include "reproduce/refinement.h"
#include "reproduce/retracing.h"
#include "reproduce/system.h"
#include "reproduce/trials.h"

namespace heddle::reproduce {
namespace {

using solve::Event;

constexpr double kMostSecondsToCount = 5;  // constraints that nobody needs

double seconds_since(double start) { return base::thread_cpu_seconds() - start; }

// Performs the order; the steps that were performed, up to the failure. Nothing:
// the machine could not go on, though the order should allow it.
std::optional<std::vector<OrderStep>> perform(const System& system, const std::vector<Event>& order, Machine& machine) {
  std::vector<OrderStep> steps;
  for (const Event event : order) {
    if (machine.has_failed()) break;
    if (event == system.failure()) continue;
    const OperationId id = system.operation(event);
    if (system.is_flush(event)) {
      if (!machine.can_flush(id.thread, id.index)) return std::nullopt;
      machine.flush(id.thread, id.index);
    } else {
      if (!machine.can_step(id.thread)) return std::nullopt;
      machine.step(id.thread);
    }
    steps.push_back({id, system.is_flush(event)});
  }
  return steps;
}

class Stages {
 public:
  Stages(const FailingRun& run, const ExplanationOptions& options, base::Patience& patience)
      : run_(run),
        options_(options),
        patience_(patience),
        start_(base::thread_cpu_seconds()),
        system_(run, options.memory, options.constraints == Constraints::kH3, patience) {}

  Explanation run() {
    if (!system_.obstacle().empty()) {
      result_.reason = system_.obstacle();
      return finish(Explanation::Kind::kGaveUp);
    }
    if (options_.only_retraces)
      return finish(retrace() ? Explanation::Kind::kFound : give_up("values that reads do not find"));
    if (options_.counts) count();
    start_ = base::thread_cpu_seconds();  // counting is not solving
    if (const auto explored = explore()) return finish(*explored);
    const bool is_large = system_.steps() > kMostForSolver && options_.trials > 0;
    if (try_at_random(is_large ? 1 : 0.75)) return finish(Explanation::Kind::kFound);
    return finish(is_large ? give_up("operations, for the solver") : refine());
  }

 private:
  // Seconds of this share of the time that are not used up.
  double left(double share) const { return options_.seconds * share - seconds_since(start_); }

  void count() {
    ExplanationStatistics& statistics = result_.statistics;
    base::Patience patience(patience_, kMostSecondsToCount);
    const ReadConstraints reads(system_, patience);
    statistics.variables = system_.problem().events;
    statistics.read_write = reads.count_all();
    statistics.constraints = system_.problem().edges.size() + system_.problem().clauses.size();
    for (const Thread& thread : run_.threads) statistics.constraints += thread.conditions.size();
    for (const solve::Lock& lock : system_.problem().locks)
      statistics.constraints += lock.sections.size() * (lock.sections.size() - 1) / 2;
    if (statistics.read_write != ReadConstraints::kTooMany) statistics.constraints += statistics.read_write;
  }

  bool retrace() {
    if (!Retracing::can_retrace(system_)) return false;
    Retracing retracing(system_);
    base::Patience patience(patience_, options_.seconds);
    if (!retracing.run(patience)) return false;
    result_.order = retracing.order();
    return true;
  }

  std::optional<Explanation::Kind> explore() {
    if (!options_.explores || !Exploration::can_explore(system_)) return std::nullopt;
    Exploration exploration(system_);
    base::Patience patience(patience_, options_.seconds / 2);
    const Exploration::Outcome outcome = exploration.run(patience);
    result_.statistics.states = exploration.states();
    if (outcome == Exploration::Outcome::kGaveUp) return std::nullopt;
    if (outcome == Exploration::Outcome::kNone) return none();
    result_.order = exploration.order();
    return Explanation::Kind::kFound;
  }

  Explanation::Kind none() {
    result_.reason = "no order of the recorded operations leads to the failure";
    return Explanation::Kind::kImpossible;
  }

  bool try_at_random(double share) {
    Trials trials(system_, options_.seed);
    base::Patience patience(patience_, left(share));
    for (uint32_t i = 0; i < options_.trials && !patience.is_over(); ++i) {
      ++result_.statistics.trials;
      auto order = trials.run(patience);
      if (!order) continue;
      result_.order = std::move(*order);
      result_.by_trial = true;
      return true;
    }
    return false;
  }

  Explanation::Kind refine() {
    base::Patience patience(patience_, left(1));
    ReadConstraints reads(system_, patience);
    const Explanation::Kind kind = refine(reads, patience);
    result_.statistics.used_read_write = reads.clauses();
    return kind;
  }

  Explanation::Kind refine(ReadConstraints& reads, base::Patience& patience) {
    reads.add_decided();
    Refinement refinement(system_, reads);
    while (true) {
      if (patience.left() <= 0 || patience.is_over()) return give_up("time");
      const auto solver = solve::make_native_solver({patience.left(), &patience});
      const solve::Answer answer = solver->solve(system_.problem());
      result_.statistics.solver_seconds += solver->statistics().seconds;
      if (answer.kind == solve::Answer::Kind::kNone && !system_.is_exact())
        return give_up("stores under pso to places that depend on what was read");
      if (answer.kind == solve::Answer::Kind::kNone) return none();
      if (answer.kind == solve::Answer::Kind::kUnknown) return give_up("time");
      ++result_.statistics.rounds;
      Machine machine(run_, options_.memory);
      auto steps = perform(system_, answer.order, machine);
      if (!steps) return give_up("an order that the solver takes to be right cannot be performed");
      if (machine.broken().empty()) {
        result_.order = std::move(*steps);
        return Explanation::Kind::kFound;
      }
      if (!refinement.learn(machine, answer.order, answer.choices))
        return give_up(patience.is_over() ? "time" : "read-write clauses");
      system_.problem().hint = answer.order;
    }
  }

  Explanation::Kind give_up(const std::string& what) {
    const ExplanationStatistics& statistics = result_.statistics;
    result_.reason =
        fmt::format("too much: {} ({} operations, {} states explored, {} orders solved, {} tried at random)", what,
                    system_.steps(), statistics.states, statistics.rounds, statistics.trials);
    return Explanation::Kind::kGaveUp;
  }

  Explanation finish(Explanation::Kind kind) {
    result_.kind = kind;
    result_.statistics.seconds = seconds_since(start_);
    return std::move(result_);
  }

  const FailingRun& run_;
  const ExplanationOptions& options_;
  base::Patience& patience_;  // with all of it
  double start_;
  System system_;
  Explanation result_;
};

}  // namespace

Explanation explain(const FailingRun& run, const ExplanationOptions& options) {
  base::Patience patience(base::Patience::kForever, options.stop);
  return explain(run, options, patience);
}

Explanation explain(const FailingRun& run, const ExplanationOptions& options, base::Patience& patience) {
  return Stages(run, options, patience).run();
}

}  // namespace heddle::reproduce
