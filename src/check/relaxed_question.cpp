// SPDX-License-Identifier: Apache-2.0
#include "check/relaxed_question.h"

#include <algorithm>

namespace heddle::check {

solve::Answer ask_for_what_matters(property::CutProblem& problem, const causal::FirstUses& uses, const causal::Cut& cut,
                                   causal::EventId changed, bool keep_own, QuerySolver& solver) {
  solve::OrderProblem& question = problem.order_problem();
  const auto matters = [&](const solve::Read& read) {
    const causal::EventId event = problem.operation_of(read.read);
    return event == changed || (keep_own && event.thread == changed.thread) || !uses.is_free(event, cut[event.thread]);
  };
  std::vector<solve::Read> smaller, whole = std::move(question.reads);
  std::copy_if(whole.begin(), whole.end(), std::back_inserter(smaller), matters);
  const bool is_smaller = smaller.size() < whole.size();
  question.reads = std::move(smaller);
  solve::Answer answer = solver.ask(question);
  if (!is_smaller) return answer;
  question.reads = std::move(whole);
  using Kind = solve::Answer::Kind;
  if (answer.kind == Kind::kNone) return answer;
  if (answer.kind == Kind::kOrder && solve::is_valid_order(question, answer.order, answer.choices)) return answer;
  return solver.ask(question);
}

}  // namespace heddle::check
