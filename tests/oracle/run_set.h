// SPDX-License-Identifier: Apache-2.0
//
// A whole set of random programs: each is checked, and the answers are held
// against the truth. Hundreds of programs share one target, so that compiling
// costs little.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "oracle/compare.h"
#include "oracle/generate.h"

namespace heddle::oracle {

struct SetOptions {
  uint64_t seed = 0;  // of the first program; the others follow
  int count = 100;
  int size = 12;          // operations of a program, at most
  bool pointers = false;  // Size::pointers
  bool twins = false;     // Size::twins
  // Each program is checked under each model, in one way drawn by its seed from these, or in all of them.
  std::vector<MemoryModel> models = {MemoryModel::kSc, MemoryModel::kTso, MemoryModel::kPso};
  std::vector<std::string> reductions = {"mcr"};
  std::vector<std::string> solvers = {"native"};
  std::vector<int> jobs = {1};
  std::vector<bool> races = {false, true};
  bool all_ways = false;
  // A check that takes more executions than that is done with mcr instead; 0: no limit. Reductions that tell
  // orders apart which nobody notices take thousands for some of these programs, and mcr some dozens.
  uint64_t most_executions = 0;
  Demand demand = Demand::kEqual;
  Limits limits;
  int programs_per_target = 125;
  size_t differences_shown = 5;
};

struct SetSummary {
  size_t checks = 0;
  size_t skipped = 0;      // because the truth was beyond the limits
  size_t replaced = 0;     // checks that mcr did because the reduction took too many executions
  size_t left_to_mcr = 0;  // by learn, because of what it does not have; no checks
  size_t kept_apart = 0;   // checks in which equal threads did not change places after all
  size_t different = 0;    // checks
  std::string text;        // the first differences: program, what differs, how to run it again
};

// Among the complete reductions and the solvers, those that are slow less often;
// `make test` and bench/oracle draw in this way.
void draw_as_usual(SetOptions& options);

// An Error means that a set could not be compiled.
base::Result<SetSummary> run_set(const SetOptions& options, const Checker& checker);

}  // namespace heddle::oracle
