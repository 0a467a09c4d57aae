// SPDX-License-Identifier: Apache-2.0
//
// The order solver of Heddle's own: what follows for certain, then an order put
// together with foresight, and search only where both leave the answer open: a
// few trials, then a SAT solver. Long problems are made small first.
#include "solve/contraction.h"
#include "solve/guided_order.h"
#include "solve/order_problem.h"
#include "solve/order_search.h"
#include "solve/saturation.h"
#include "solve/trials.h"

namespace heddle::solve {
namespace {

class NativeSolver : public OrderSolver {
 public:
  using OrderSolver::OrderSolver;

 private:
  Answer decide(const OrderProblem& problem, const Budget& budget) override {
    if (!contraction_.run(problem)) return decide_whole(problem, budget);
    Answer answer = decide_whole(contraction_.problem(), budget);
    if (answer.kind == Answer::Kind::kOrder) answer.order = contraction_.expand(answer.order);
    return answer;
  }

  Answer decide_whole(const OrderProblem& problem, const Budget& budget) {
    if (!saturation_.run(problem, budget.patience))
      return {saturation_.has_given_up() ? Answer::Kind::kUnknown : Answer::Kind::kNone, {}, {}, false};
    if (guided_order_.run(problem, saturation_)) {
      return {Answer::Kind::kOrder, guided_order_.order(), guided_order_.choices(), false};
    }
    switch (trials_.run(problem, saturation_, guided_order_)) {
      case Trials::Outcome::kNone: return {Answer::Kind::kNone, {}, {}, true};
      case Trials::Outcome::kOrder: return {Answer::Kind::kOrder, guided_order_.order(), guided_order_.choices(), true};
      case Trials::Outcome::kGaveUp: break;
    }
    if (budget.patience && budget.patience->is_over()) return {Answer::Kind::kUnknown, {}, {}, true};
    const Answer::Kind kind = search_.run(problem, saturation_, guided_order_.order(), budget);
    if (kind != Answer::Kind::kOrder) return {kind, {}, {}, true};
    return {kind, search_.order(), search_.choices(), true};
  }

  Contraction contraction_;
  Saturation saturation_;
  GuidedOrder guided_order_;
  Trials trials_;
  OrderSearch search_;
};

}  // namespace

std::unique_ptr<OrderSolver> make_native_solver(Budget budget) { return std::make_unique<NativeSolver>(budget); }

}  // namespace heddle::solve
