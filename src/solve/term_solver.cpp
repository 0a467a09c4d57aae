// SPDX-License-Identifier: Apache-2.0
#include "solve/term_solver.h"

#include <z3++.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "base/check.h"

namespace heddle::solve {
namespace {

// Of Z3's procedures for places of events, simplex: the one of difference constraints gives up when there are values
// too.
constexpr unsigned kArithmetic = 2;

class Translator {
 public:
  Translator(z3::context& context, const Terms& terms) : context_(context), terms_(terms) {}

  // Operands come first: they have lower numbers, and their depth is no matter.
  const z3::expr& translate(Term term) {
    std::vector<Term> todo{term};
    while (!todo.empty()) {
      const Term next = todo.back();
      if (known_.size() <= next.id) known_.resize(terms_.size());
      if (known_[next.id]) {
        todo.pop_back();
        continue;
      }
      bool ready = true;
      for (const Term operand : terms_.operands(next)) {
        if (known_[operand.id]) continue;
        todo.push_back(operand);
        ready = false;
      }
      if (ready) known_[next.id] = make(next);
    }
    return *known_[term.id];
  }

 private:
  z3::expr bit(const z3::expr& truth) { return z3::ite(truth, context_.bv_val(1, 1), context_.bv_val(0, 1)); }

  z3::expr make(Term term) {
    const Terms::Node& node = terms_.node(term);
    const auto operand = [&](int i) -> const z3::expr& { return *known_[node.operand[i].id]; };
    const unsigned own = node.operands ? terms_.width(node.operand[0]) : 0;
    switch (node.op) {
      case Op::kConstant: return context_.bv_val(static_cast<uint64_t>(node.value), node.width);
      case Op::kSymbol: return context_.bv_const(("s" + std::to_string(term.id)).c_str(), node.width);
      case Op::kAdd: return operand(0) + operand(1);
      case Op::kSub: return operand(0) - operand(1);
      case Op::kMul: return operand(0) * operand(1);
      case Op::kUdiv: return z3::udiv(operand(0), operand(1));
      case Op::kSdiv: return operand(0) / operand(1);
      case Op::kUrem: return z3::urem(operand(0), operand(1));
      case Op::kSrem: return z3::srem(operand(0), operand(1));
      case Op::kAnd: return operand(0) & operand(1);
      case Op::kOr: return operand(0) | operand(1);
      case Op::kXor: return operand(0) ^ operand(1);
      case Op::kNot: return ~operand(0);
      case Op::kShl: return z3::shl(operand(0), operand(1));
      case Op::kLshr: return z3::lshr(operand(0), operand(1));
      case Op::kAshr: return z3::ashr(operand(0), operand(1));
      case Op::kEq: return bit(operand(0) == operand(1));
      case Op::kUlt: return bit(z3::ult(operand(0), operand(1)));
      case Op::kUle: return bit(z3::ule(operand(0), operand(1)));
      case Op::kSlt: return bit(operand(0) < operand(1));
      case Op::kSle: return bit(operand(0) <= operand(1));
      case Op::kIte: return z3::ite(operand(0) == context_.bv_val(1, 1), operand(1), operand(2));
      case Op::kConcat: return z3::concat(operand(0), operand(1));
      case Op::kExtract: return operand(0).extract(node.low + node.width - 1u, node.low);
      case Op::kZext: return z3::zext(operand(0), node.width - own);
      case Op::kSext: return z3::sext(operand(0), node.width - own);
    }
    HEDDLE_CHECK(false, "every operation is translated");
    return context_.bv_val(0, 1);
  }

  z3::context& context_;
  const Terms& terms_;
  std::vector<std::optional<z3::expr>> known_;  // by term
};

}  // namespace

struct TermSolver::Inside {
  explicit Inside(const Terms& terms) : translator(context, terms), solver(new_solver()) {}

  z3::context context;
  Translator translator;
  z3::solver solver;
  std::vector<z3::expr> places, formulas;
  std::optional<z3::model> model;

  // Set up before anything is asserted: it is too late afterwards.
  z3::solver new_solver() {
    z3::solver fresh(context, z3::solver::simple());
    z3::params parameters(context);
    parameters.set("auto_config", false);
    parameters.set("arith.solver", kArithmetic);
    fresh.set(parameters);
    return fresh;
  }

  Formula add(const z3::expr& formula) {
    formulas.push_back(formula);
    return {static_cast<uint32_t>(formulas.size() - 1)};
  }
  z3::expr_vector parts_of(const std::vector<Formula>& parts) {
    z3::expr_vector result(context);
    for (const Formula part : parts) result.push_back(formulas[part.id]);
    return result;
  }
};

TermSolver::TermSolver(const Terms& terms) : inside_(std::make_unique<Inside>(terms)) {}
TermSolver::~TermSolver() = default;

void TermSolver::clear() {
  inside_->model.reset();
  inside_->formulas.clear();
  inside_->places.clear();
  inside_->solver = inside_->new_solver();
}

Event TermSolver::new_event() {
  const auto event = static_cast<Event>(inside_->places.size());
  inside_->places.push_back(inside_->context.int_const(("e" + std::to_string(event)).c_str()));
  return event;
}

Formula TermSolver::truth(bool value) { return inside_->add(inside_->context.bool_val(value)); }
Formula TermSolver::before(Event first, Event second) {
  return inside_->add(inside_->places[first] < inside_->places[second]);
}
Formula TermSolver::holds(Term term) {
  return inside_->add(inside_->translator.translate(term) == inside_->context.bv_val(1, 1));
}
Formula TermSolver::all(const std::vector<Formula>& parts) {
  return inside_->add(z3::mk_and(inside_->parts_of(parts)));
}
Formula TermSolver::any(const std::vector<Formula>& parts) { return inside_->add(z3::mk_or(inside_->parts_of(parts))); }
Formula TermSolver::negation(Formula of) { return inside_->add(!inside_->formulas[of.id]); }

Formula TermSolver::choice() {
  return inside_->add(inside_->context.bool_const(("c" + std::to_string(inside_->formulas.size())).c_str()));
}

void TermSolver::require(Formula formula) {
  inside_->solver.add(inside_->formulas[formula.id]);
  ++constraints_;
}

TermSolver::Result TermSolver::check(double seconds, std::uint32_t most_steps) {
  const auto start = std::chrono::steady_clock::now();
  z3::params parameters(inside_->context);
  parameters.set("timeout", std::max(1u, static_cast<unsigned>(std::ceil(std::min(seconds, 1e6) * 1000))));
  if (most_steps != ~0u) parameters.set("rlimit", most_steps);
  inside_->solver.set(parameters);
  const z3::check_result result = inside_->solver.check();
  if (result == z3::sat) inside_->model = inside_->solver.get_model();
  ++questions_;
  seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result == z3::sat ? Result::kYes : result == z3::unsat ? Result::kNo : Result::kUnknown;
}

std::uint64_t TermSolver::steps() const {
  const z3::stats statistics = inside_->solver.statistics();
  for (unsigned i = 0; i < statistics.size(); ++i)
    if (statistics.key(i) == "rlimit count") return statistics.uint_value(i);
  return 0;
}

std::vector<Event> TermSolver::order() const {
  HEDDLE_CHECK(inside_->model, "the answer was yes");
  std::vector<int64_t> places;
  for (const z3::expr& place : inside_->places) places.push_back(inside_->model->eval(place, true).get_numeral_int64());
  std::vector<Event> order(places.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](Event first, Event second) {
    return std::pair(places[first], first) < std::pair(places[second], second);
  });
  return order;
}

uint64_t TermSolver::value(Term symbol) const {
  HEDDLE_CHECK(inside_->model, "the answer was yes");
  return inside_->model->eval(inside_->translator.translate(symbol), true).get_numeral_uint64();
}

bool TermSolver::is_true(Formula choice) const {
  HEDDLE_CHECK(inside_->model, "the answer was yes");
  return inside_->model->eval(inside_->formulas[choice.id], true).is_true();
}

}  // namespace heddle::solve
