// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "check/options.h"
#include "solve/order_problem.h"

namespace heddle::check {

// The order solver that the options ask for. Writes each problem to the
// directory for dumps, if there is one.
class QuerySolver {
 public:
  explicit QuerySolver(const Options& options);
  solve::Answer ask(const solve::OrderProblem& problem);
  const solve::Statistics& statistics() const { return solver_->statistics(); }
  const std::string& dump_failure() const { return dump_failure_; }

 private:
  const std::string dump_directory_;
  std::string dump_failure_;
  std::unique_ptr<solve::OrderSolver> solver_;
};

}  // namespace heddle::check
