// SPDX-License-Identifier: Apache-2.0
//
// The reference solver: Z3 gets the problem as it stands, as difference
// constraints on the places of the events, and is set to its plain
// Bellman-Ford procedure, which beats its default on such problems.
#include <z3++.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>
#include <numeric>
#include <utility>
#include <vector>

#include "solve/order_problem.h"
#include "solve/translate.h"

namespace heddle::solve {
namespace {

// Making a context takes Z3 longer than most questions do, so those that a solver is
// done with are kept for the next one. Solvers of several threads may be made and end.
class Contexts {
 public:
  std::unique_ptr<z3::context> take() {
    const std::lock_guard lock(mutex_);
    if (unused_.empty()) return std::make_unique<z3::context>();
    auto context = std::move(unused_.back());
    unused_.pop_back();
    return context;
  }
  void give_back(std::unique_ptr<z3::context> context) {
    const std::lock_guard lock(mutex_);
    unused_.push_back(std::move(context));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<z3::context>> unused_;
};

Contexts& contexts() {
  static Contexts all;
  return all;
}

class Z3Terms {
 public:
  using Term = z3::expr;

  Z3Terms(z3::context& context, const OrderProblem& problem)
      : context_(context), solver_(context, z3::solver::simple()) {
    for (Event event = 0; event < problem.events; ++event) {
      places_.push_back(context.int_const(("e" + std::to_string(event)).c_str()));
    }
    for (uint32_t i = 0; i < problem.choices; ++i) {
      choices_.push_back(context.bool_const(("c" + std::to_string(i)).c_str()));
    }
  }

  Term before(Event first, Event second) { return places_[first] < places_[second]; }
  Term choice(uint32_t variable, bool value) { return value ? choices_[variable] : !choices_[variable]; }
  Term all(const std::vector<Term>& terms) { return z3::mk_and(vector_of(terms)); }
  Term any(const std::vector<Term>& terms) { return z3::mk_or(vector_of(terms)); }
  void heading(const std::string&) {}
  void require(const Term& term) { solver_.add(term); }

  z3::solver& solver() { return solver_; }
  int64_t place(const z3::model& model, Event event) const {
    return model.eval(places_[event], true).get_numeral_int64();
  }
  bool chosen(const z3::model& model, uint32_t variable) const {
    return model.eval(choices_[variable], true).is_true();
  }

 private:
  z3::expr_vector vector_of(const std::vector<Term>& terms) {
    z3::expr_vector result(context_);
    for (const Term& term : terms) result.push_back(term);
    return result;
  }

  z3::context& context_;
  z3::solver solver_;
  std::vector<z3::expr> places_, choices_;
};

class Z3Solver : public OrderSolver {
 public:
  explicit Z3Solver(Budget budget) : OrderSolver(budget), context_(contexts().take()) {}
  ~Z3Solver() override { contexts().give_back(std::move(context_)); }

 private:
  Answer decide(const OrderProblem& problem, const Budget& budget) override {
    Z3Terms terms(*context_, problem);
    z3::params parameters(*context_);
    constexpr unsigned kBellmanFord = 1;
    parameters.set("auto_config", false);
    parameters.set("arith.solver", kBellmanFord);
    const double milliseconds = std::ceil(budget.seconds * 1000);
    if (milliseconds < std::numeric_limits<unsigned>::max()) {
      parameters.set("timeout", std::max(1u, static_cast<unsigned>(milliseconds)));
    }
    terms.solver().set(parameters);
    Translation<Z3Terms>(terms).translate(problem);
    const z3::check_result result = terms.solver().check();
    if (result == z3::unsat) return {Answer::Kind::kNone, {}, {}, true};
    if (result == z3::unknown) return {Answer::Kind::kUnknown, {}, {}, true};
    return read_model(problem, terms);
  }

  static Answer read_model(const OrderProblem& problem, Z3Terms& terms) {
    const z3::model model = terms.solver().get_model();
    Answer answer{Answer::Kind::kOrder, {}, {}, true};
    std::vector<int64_t> places;
    for (Event event = 0; event < problem.events; ++event) places.push_back(terms.place(model, event));
    answer.order.resize(problem.events);
    std::iota(answer.order.begin(), answer.order.end(), 0);
    std::sort(answer.order.begin(), answer.order.end(), [&](Event first, Event second) {
      return std::pair(places[first], first) < std::pair(places[second], second);
    });
    for (uint32_t i = 0; i < problem.choices; ++i) answer.choices.push_back(terms.chosen(model, i));
    return answer;
  }

  std::unique_ptr<z3::context> context_;
};

}  // namespace

std::unique_ptr<OrderSolver> make_z3_solver(Budget budget) { return std::make_unique<Z3Solver>(budget); }

}  // namespace heddle::solve
