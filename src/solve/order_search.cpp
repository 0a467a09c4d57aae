// SPDX-License-Identifier: Apache-2.0
#include "solve/order_search.h"

#include <cadical.hpp>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace heddle::solve {
namespace {

constexpr int kTrue = std::numeric_limits<int>::max();
constexpr int kFalse = -kTrue;
constexpr int kSatisfiable = 10, kUnsatisfiable = 20;  // what CaDiCaL's solve() returns

class Deadline : public CaDiCaL::Terminator {
 public:
  explicit Deadline(const Budget& budget) : budget_(budget) {}
  bool terminate() override {
    return (budget_.patience && budget_.patience->is_over()) ||
           std::chrono::duration<double>(Clock::now() - start_).count() > budget_.seconds;
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
  const Budget& budget_;
};

}  // namespace

Answer::Kind OrderSearch::run(const OrderProblem& problem, const Saturation& saturation,
                              const std::vector<Event>& guess, const Budget& budget) {
  CaDiCaL::Solver solver;
  solver.set("quiet", 1);
  Deadline deadline(budget);
  if (std::isfinite(budget.seconds) || budget.patience) solver.connect_terminator(&deadline);
  solver_ = &solver;
  saturation_ = &saturation;
  by_rank_ = guess;
  rank_.resize(guess.size());
  for (uint32_t rank = 0; rank < guess.size(); ++rank) rank_[guess[rank]] = rank;
  encode(problem);
  while (true) {
    const int status = solver.solve();
    if (status == kUnsatisfiable) return Answer::Kind::kNone;
    if (status != kSatisfiable || deadline.terminate()) return Answer::Kind::kUnknown;
    collect_graph();
    if (sort_graph()) break;
    exclude_cycles();
  }
  choices_.resize(problem.choices);
  for (uint32_t i = 0; i < problem.choices; ++i) {
    const Saturation::Value value = saturation.choices()[i];
    choices_[i] =
        value == Saturation::Value::kOpen ? solver.val(choice_variables_[i]) > 0 : value == Saturation::Value::kTrue;
  }
  return Answer::Kind::kOrder;
}

OrderSearch::SatLiteral OrderSearch::new_variable(bool preferred) {
  variables_.emplace_back();
  const auto variable = static_cast<SatLiteral>(variables_.size()) - 1;
  solver_->reserve(variable);
  solver_->phase(preferred ? variable : -variable);
  return variable;
}

OrderSearch::SatLiteral OrderSearch::before(Event first, Event second) {
  if (first == second) return kFalse;
  if (saturation_->closure().before(first, second)) return kTrue;
  if (saturation_->closure().before(second, first)) return kFalse;
  const bool swapped = first > second;
  const uint64_t pair = swapped ? uint64_t{second} << 32 | first : uint64_t{first} << 32 | second;
  auto [found, is_new] = variable_of_pair_.try_emplace(pair, 0);
  if (is_new) found->second = new_variable(swapped != (rank_[first] < rank_[second]));
  Variable& variable = variables_[static_cast<size_t>(found->second)];
  (swapped ? variable.when_false : variable.when_true) = {first, second};
  return swapped ? -found->second : found->second;
}

void OrderSearch::put(SatLiteral literal) {
  if (literal == kTrue) clause_holds_ = true;
  if (literal != kTrue && literal != kFalse) clause_.push_back(literal);
}

void OrderSearch::end_clause() {
  if (!clause_holds_) {
    for (const SatLiteral literal : clause_) solver_->add(literal);
    solver_->add(0);
  }
  clause_holds_ = false;
  clause_.clear();
}

void OrderSearch::encode(const OrderProblem& problem) {
  variables_.assign(1, {});  // CaDiCaL counts from 1
  variable_of_pair_.clear();
  choice_variables_.clear();
  for (uint32_t i = 0; i < problem.choices; ++i) choice_variables_.push_back(new_variable(false));
  for (const OpenRead& read : saturation_->open_reads()) encode_read(read);
  for (const auto& [one, two] : saturation_->open_sections()) {
    const SatLiteral one_first = new_variable(rank_[one.acquire] < rank_[two.acquire]);
    variables_[static_cast<size_t>(one_first)] = {{one.release, two.acquire}, {two.release, one.acquire}};
  }
  for (const Clause* clause : saturation_->open_clauses()) {
    for (const Literal& literal : *clause) {
      const Saturation::Value value = saturation_->value(literal);
      if (value == Saturation::Value::kFalse) continue;
      if (literal.kind == Literal::Kind::kBefore) {
        put(before(literal.first, literal.second));
      } else {
        put(literal.value ? choice_variables_[literal.first] : -choice_variables_[literal.first]);
      }
    }
    end_clause();
  }
}

// A variable for each way to meet the read; one of them holds.
void OrderSearch::encode_read(const OpenRead& read) {
  const uint32_t words = saturation_->closure().words();
  const Word* const others = saturation_->others(read);
  std::vector<SatLiteral> ways;
  if (read.own_store != kNoEvent) ways.push_back(before(read.read, read.own_store));
  if (read.initial) {
    ways.push_back(new_variable(false));
    for_each_bit(others, words, [&](Event other) {
      put(-ways.back());
      put(before(read.read, other));
      end_clause();
    });
  }
  for_each_bit(saturation_->sources(read), words, [&](Event source) {
    ways.push_back(new_variable(false));
    put(-ways.back());
    put(before(source, read.read));
    end_clause();
    for_each_bit(others, words, [&](Event other) {
      put(-ways.back());
      put(before(other, source));
      put(before(read.read, other));
      end_clause();
    });
  });
  for (const SatLiteral way : ways) put(way);
  end_clause();
}

}  // namespace heddle::solve
