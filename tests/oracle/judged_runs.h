// SPDX-License-Identifier: Apache-2.0
//
// Random programs with one run each, for tests of what a run implies.
// HEDDLE_ORACLE_SEED and HEDDLE_ORACLE_COUNT choose another set and its size.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>

#include "oracle/generate.h"
#include "oracle/trace_of_run.h"

namespace heddle::oracle {

struct JudgedRun {
  uint64_t seed;
  Program program;
  RandomRun run;
  trace::Trace trace;

  // For messages about it.
  std::string text() const;
};

struct JudgedSet {
  uint64_t first, count;
  uint64_t judged = 0;
  std::string text() const {
    return "seed " + std::to_string(first) + ": " + std::to_string(judged) + " of " + std::to_string(count) +
           " programs";
  }
};

// Calls judge for each program; it says whether all was as it should be, or nothing if brute force gave up.
// Fails the test if that happens too often to judge anything; after three differences it has seen enough.
// `make`, if given, makes the program of a seed; else the generator does.
JudgedSet judge_runs(uint64_t usual_count, const std::function<std::optional<bool>(const JudgedRun&)>& judge,
                     const std::function<Program(uint64_t seed)>& make = {});

std::string to_text(const std::set<Pair>& pairs);

}  // namespace heddle::oracle
