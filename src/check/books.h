// SPDX-License-Identifier: Apache-2.0
//
// What a check has counted and found so far. A checkpoint keeps it.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "base/bytes.h"
#include "causal/execution.h"
#include "check/options.h"
#include "check/report.h"
#include "solve/order_problem.h"

namespace heddle::check {

class Books {
 public:
  void count(const causal::Execution& execution);
  // Fills in what follows from the rest; at the end.
  void close(const Options& options);

  // Traces of findings are not kept.
  void save(base::ByteWriter& out) const;
  void restore(base::ByteReader& in);

  size_t states() const { return states_.size(); }

  std::optional<Explored> explored;  // besides what was run; before close
  Report report;                     // other_runs and times: of this part of the check, and those before it
  solve::Statistics solved;          // what the solver was asked, as far as it counts
  // The run of the oldest piece of work that does not count yet is counted.
  bool oldest_is_counted = false;

 private:
  std::set<std::vector<causal::HistoryId>> states_;  // by thread: its last history
  std::vector<uint64_t> state_found_in_;             // the number of the execution that showed it first, ascending
};

}  // namespace heddle::check
