// SPDX-License-Identifier: Apache-2.0
#include "check/query_solver.h"

#include <algorithm>

#include "base/files.h"

namespace heddle::check {

QuerySolver::QuerySolver(const Options& options)
    : dump_directory_(options.dump_smt),
      solver_(options.solver == SolverKind::kZ3 ? solve::make_z3_solver() : solve::make_native_solver()) {}

solve::Answer QuerySolver::ask(const solve::OrderProblem& problem) {
  if (!dump_directory_.empty() && dump_failure_.empty()) {
    const std::string number = std::to_string(statistics().queries);
    const std::string path =
        dump_directory_ + "/query-" + std::string(6 - std::min<size_t>(6, number.size()), '0') + number + ".smt2";
    const auto written = base::write_file(path, solve::to_smtlib(problem));
    if (!written) dump_failure_ = written.error().message;
  }
  return solver_->solve(problem);
}

}  // namespace heddle::check
