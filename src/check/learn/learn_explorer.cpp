// SPDX-License-Identifier: Apache-2.0
#include "check/learn/learn_explorer.h"

#include "check/learn/plan_of_path.h"

namespace heddle::check {

using learn::Search;

LearnExplorer::LearnExplorer(causal::MemoryModel memory, Budget& budget, MakeOther make_other)
    : model_(memory), machine_(model_), footprints_(model_, machine_), reader_(model_, machine_, footprints_),
      search_(model_, machine_, footprints_, budget), make_other_(std::move(make_other)) {}

std::optional<Job> LearnExplorer::next() {
  if (other_) return other_->next();
  if (!has_run_) return Job{};
  for (;;) {
    switch (search_.go_on()) {
      case Search::Pause::kDone:
      case Search::Pause::kSpent: return std::nullopt;
      case Search::Pause::kFull:
        gaps_.insert({"memory", "there are more states than fit into memory"});
        return std::nullopt;
      case Search::Pause::kStuck:
        plan_ = learn::plan_of_path(model_, machine_, search_.path(), false);
        return Job{.plan = plan_};
      case Search::Pause::kMissing: break;
    }
    const learn::PointId point = search_.missing();
    if (missing_ == search_.missing_edge() || hopeless_.count(point)) {
      hopeless_.insert(point);
      gaps_.insert({"not-covered", "what a thread does next could not be found out by running it"});
      search_.give_up();
      continue;
    }
    missing_ = search_.missing_edge();
    plan_ = learn::plan_of_path(model_, machine_, search_.path(), true);
    return Job{.plan = plan_};
  }
}

void LearnExplorer::learn(ExecutionRef execution) {
  if (other_) return other_->learn(std::move(execution));
  has_run_ = true;
  const HeddleOutcome outcome = execution->ending.outcome;
  if (outcome == HEDDLE_OUTCOME_DIVERGED || outcome == HEDDLE_OUTCOME_UNSUPPORTED) {
    fall_back("a schedule could not be followed");
    return;
  }
  if (const auto mismatch = reader_.read(*execution, plan_)) {
    if (mismatch->kind == learn::Mismatch::Kind::kDifference)
      gaps_.insert({"nondeterministic", "the program did not do what it did before under the same circumstances: " + mismatch->text});
    fall_back(mismatch->text);
    return;
  }
  if (outcome == HEDDLE_OUTCOME_DEADLOCK || outcome == HEDDLE_OUTCOME_LIVELOCK) search_.ends().add_stuck(reader_.end());
}

void LearnExplorer::fall_back(const std::string& why) {
  why_other_ = why;
  other_ = make_other_();
}

std::vector<std::string> LearnExplorer::notes() const {
  if (!other_) return {};
  return {"explored by mcr instead of learn: " + why_other_};
}

std::vector<Reason> LearnExplorer::gaps() const {
  std::vector<Reason> reasons(gaps_.begin(), gaps_.end());
  if (other_)
    for (const Reason& reason : other_->gaps()) reasons.push_back(reason);
  return reasons;
}

std::optional<Explored> LearnExplorer::explored() const {
  if (other_) return std::nullopt;
  return Explored{search_.ends().states(), search_.ends().outcomes(), search_.states(), model_.automata.histories(),
                  search_.bytes()};
}

}  // namespace heddle::check
