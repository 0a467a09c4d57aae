// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/stop.h"
#include "causal/first_uses.h"
#include "property/finding.h"
#include "schedule/memory_model.h"

namespace heddle::check {

class Bulletin;

enum class Reduction { kMcr, kLearn, kMcrS, kMcrSPlus, kSeMcr, kMcrPublished, kDpor, kIcb, kIcbDpor, kNone };
enum class Search { kExhaustive, kRandom, kPct };
enum class SolverKind { kNative, kZ3 };

struct Options {
  schedule::MemoryModel memory = schedule::MemoryModel::kSc;
  Reduction reduction = Reduction::kMcr;
  Search search = Search::kExhaustive;
  SolverKind solver = SolverKind::kNative;
  bool races = false;
  bool show_outcomes = false;
  bool keep_going = false;  // after the first finding
  bool merge = true;        // learn: histories that leave a thread in the same state are one
  bool symmetry = false;    // learn: states that differ only in which of several equal threads is where are one
  bool shorten = true;      // look for schedules with fewer context switches
  uint64_t seed = 0;
  uint64_t executions = 0;                                 // at most; 0: no limit
  double time_limit = 0;                                   // seconds; 0: none
  uint32_t bound_loops = 0;                                // 0: none
  std::optional<uint32_t> context_bound;                   // preemptions, at most; of icb and icb-dpor
  uint64_t event_limit = 100000;                           // visible operations of one execution
  std::shared_ptr<const causal::SiteInfluence> influence;  // null: reads may matter to everything after them
  std::shared_ptr<const std::vector<uint32_t>> lines;  // by site: a number for its line of the source; set by check()
  uint32_t jobs = 1;               // workers, each with a target process; never changes what is found
  std::string dump_smt;            // directory; empty: none; then one worker does all
  std::string checkpoint;          // file to write when the check ends early, and now and then; empty: none
  double checkpoint_seconds = 30;  // between two of them; more if writing one takes long
  std::string checkpoint_note;     // kept in it for who resumes
  std::string resume;              // checkpoint to go on from; empty: from the beginning
  bool reuses_addresses = false;   // of released memory
  bool any_exit_fails = true;      // any nonzero exit code is a finding
  std::vector<int> failing_exits;
  std::function<void(property::Finding&)> silence;  // marks findings that do not count; may be empty
  base::Stop* stop = nullptr;    // the wish that the check ends early; null: there is none but time_limit
  Bulletin* bulletin = nullptr;  // where the check publishes what it has; null: nowhere
};

}  // namespace heddle::check
