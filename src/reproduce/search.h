// SPDX-License-Identifier: Apache-2.0
//
// From a recording to a run that fails in the same way. The program itself is
// asked what it does, one controlled run after the other:
//
//   run        under a schedule, beside the recording (path_comparison.h)
//   walk       what the threads did as long as they went the recorded way, with the
//              branches where they left it turned (walked_run.h)
//   explain    an order of these operations in which the branches go the recorded
//              way (explanation.h); it becomes the next schedule
//
// until the run fails like the recorded one. Each round goes further along the
// recorded paths. When a round brings nothing new, the search begins again from a
// run under a random schedule.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "build/numbered_program.h"
#include "execute/executor.h"
#include "record/recording.h"
#include "reproduce/explanation.h"
#include "reproduce/failure_place.h"
#include "reproduce/walked_run.h"

namespace heddle::reproduce {

struct SearchOptions {
  ExplanationOptions explanation;  // its seconds are those of the whole search
  uint64_t most_runs = 2000;
  // A run counts only if no thread leaves its recorded way before it fails; otherwise the failure alone counts.
  bool follows_paths = false;
};

struct SearchStatistics {
  uint64_t runs = 0;      // controlled
  uint64_t restarts = 0;  // from random schedules
  uint64_t explanations = 0;
  uint64_t agreed_bits = 0, recorded_bits = 0;  // of the best run
  double run_seconds = 0, walk_seconds = 0;
  ExplanationStatistics whole;  // of the system of the run that fails as recorded, solved once more from the beginning
  bool whole_is_solved = false;
  std::string whole_reason;     // if not: why
  uint64_t solver_rounds = 0;
  double solve_seconds = 0;    // of all explanations
};

struct SearchResult {
  std::optional<schedule::Schedule> schedule;  // leads to the failure
  std::string reason;                          // if there is none: what was too much
  SearchStatistics statistics;
};

class Search {
 public:
  // The target records functions, branches and values; all must outlive this.
  Search(const record::Recording& recording, const FailurePlace& failure, const execute::Subject& subject,
         const build::NumberedProgram& program, const SwitchNumbers& switches, const SearchOptions& options);
  base::Result<SearchResult> run(const execute::ExecutorOptions& how);

 private:
  // A run beside the recording.
  struct Attempt {
    trace::Trace trace;
    std::vector<std::vector<HeddleRecord>> records;
    std::vector<Agreement> agreements;
    uint64_t bits = 0;
    bool reproduces = false;
  };
  base::Result<Attempt> perform(const schedule::Schedule* schedule, uint64_t seed);
  std::vector<WalkChoices> variants(const Attempt& attempt) const;
  std::optional<schedule::Schedule> improve(const Attempt& attempt, const WalkChoices& choices);
  // The system of all that the recorded paths say, for comparison with others.
  void measure(const Attempt& attempt);
  // The best that comes of the attempt; nothing: nothing better.
  base::Result<std::optional<Attempt>> go_on_from(const Attempt& attempt);
  double left() const;

  const record::Recording& recording_;
  const FailurePlace& failure_;
  const execute::Subject& subject_;
  const build::NumberedProgram& program_;
  const SwitchNumbers& switches_;
  const SearchOptions& options_;
  std::unique_ptr<execute::Executor> executor_;
  SearchResult result_;
  std::string last_obstacle_;
  double start_ = 0;
};

}  // namespace heddle::reproduce
