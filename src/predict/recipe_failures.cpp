// SPDX-License-Identifier: Apache-2.0
#include "predict/recipe_failures.h"

#include <map>
#include <optional>

#include "predict/recipe_question.h"
#include "predict/recipe_window.h"
#include "predict/recipe_witness.h"
#include "predict/witness.h"

namespace heddle::predict {
namespace {

using Kind = PredictedFailure::Kind;
using solve::Term;

constexpr uint64_t kFirstPage = 4096;
constexpr int kMostOfASite = 150;  // questions

class FailureSearch {
 public:
  FailureSearch(const trace::Trace& trace, symbolic::WalkedTrace& recipe, const RecipeOptions& options, bool assertions,
                bool nulls, const std::function<bool(const PredictedFailure&)>& take, Statistics& statistics,
                gaps::Gaps& gaps)
      : trace_(trace),
        recipe_(recipe),
        options_(options),
        assertions_(assertions),
        nulls_(nulls),
        take_(take),
        statistics_(statistics),
        gaps_(gaps),
        solver_(recipe.terms),
        witness_(trace) {}

  void run() {
    for_each_window(trace_, options_.window, options_.stops,
                    [&](size_t begin, size_t end, const CarriedState& state, const std::vector<uint32_t>& first) {
                      const RecipeWindow window(trace_, recipe_, begin, end, state, first, options_.knows_outside);
                      if (window.rules().simplifies()) gaps_.raise(HEDDLE_GAP_VALUE_QUESTIONS);
                      look_at(window);
                    });
    statistics_.value_questions += questions_;
    statistics_.value_seconds += solver_.seconds();
  }

 private:
  void look_at(const RecipeWindow& window) {
    RecipeQuestion question(window, recipe_.terms, solver_);
    for (uint32_t t = 0; t < window.threads(); ++t) {
      const auto& conditions = window.conditions(t);
      for (size_t i = window.first_condition(t);
           i < conditions.size() && conditions[i].before_operation <= window.limit(t); ++i) {
        if (window.first(t) == window.limit(t)) break;
        const std::optional<std::pair<Kind, Term>> wanted = failure_of(conditions[i]);
        if (!wanted || found_.count(conditions[i].site)) continue;
        if (++asked_[conditions[i].site] > kMostOfASite) {
          gaps_.raise(HEDDLE_GAP_FAILURE_TIMES);
          continue;
        }
        ++questions_;
        const EventId next{t, conditions[i].before_operation};
        const auto plan = question.answer({{next}, std::nullopt, i, wanted->second});
        if (plan) settle(window, next, i, *wanted, *plan);
      }
    }
    if (!question.is_complete()) gaps_.raise(HEDDLE_GAP_VALUE_QUESTIONS);
  }

  // What would have to hold instead of the condition.
  std::optional<std::pair<Kind, Term>> failure_of(const symbolic::Condition& condition) {
    solve::Terms& terms = recipe_.terms;
    if (assertions_ && condition.kind == symbolic::Condition::Kind::kAssertion)
      return {{Kind::kAssertion, terms.complement(condition.holds)}};
    const solve::Terms::Node& node = terms.node(condition.holds);
    if (!nulls_ || condition.kind != symbolic::Condition::Kind::kAddress || node.op != solve::Op::kEq)
      return std::nullopt;
    const Term address = terms.is_constant(node.operand[0]) ? node.operand[1] : node.operand[0];
    if (terms.width(address) != 64) return std::nullopt;
    return {{Kind::kNull, terms.apply(solve::Op::kUlt, address, terms.constant(64, kFirstPage))}};
  }

  void settle(const RecipeWindow& window, EventId next, size_t condition, const std::pair<Kind, Term>& wanted,
              std::vector<property::PlannedStep> plan) {
    std::vector<EventId> all;
    for (const property::PlannedStep& step : plan) all.push_back(step.event);
    std::string refused = witness_.check(window.begin(), plan, all);
    if (refused.empty())
      refused = check_values(trace_, recipe_, window.begin(), plan, next.thread, condition, wanted.second);
    if (!refused.empty()) {
      gaps_.raise(HEDDLE_GAP_WITNESS_REFUSED, refused);
      return;
    }
    plan.push_back({schedule::StepKind::kOp, next, 0, 0});
    const uint32_t site = window.conditions(next.thread)[condition].site;
    if (take_({wanted.first, next.thread, site, {window.begin(), std::move(plan)}})) found_.insert(site);
  }

  const trace::Trace& trace_;
  symbolic::WalkedTrace& recipe_;
  const RecipeOptions& options_;
  const bool assertions_, nulls_;
  const std::function<bool(const PredictedFailure&)>& take_;
  Statistics& statistics_;
  gaps::Gaps& gaps_;
  solve::TermSolver solver_;
  Witness witness_;
  uint64_t questions_ = 0;
  std::set<uint32_t> found_;
  std::map<uint32_t, int> asked_;
};

}  // namespace

void find_recipe_failures(const trace::Trace& trace, symbolic::WalkedTrace& recipe, const RecipeOptions& options,
                          bool assertions, bool nulls, const std::function<bool(const PredictedFailure&)>& take,
                          Statistics& statistics, gaps::Gaps& gaps) {
  FailureSearch(trace, recipe, options, assertions, nulls, take, statistics, gaps).run();
}

}  // namespace heddle::predict
