// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/latest.h"

namespace heddle::predict {

struct Report;

// What other orders of a trace's events count as possible.
enum class Model {
  kRecipe,  // those in which every branch before the end goes the same way and every access stays where it is
  kMcm,     // those in which every read before the end keeps its value: the maximal causal model
  kHb,      // only the one that was seen; races by happens-before
};

inline constexpr uint64_t kWholeTrace = ~uint64_t{0};

struct Options {
  Model model = Model::kMcm;
  uint64_t window = 1000;  // events that are looked at together
  bool find_races = true, find_deadlocks = false, find_uses_after_free = false, find_atomicity = false;
  std::vector<std::string> atomic_functions;         // patterns: calls of these are meant to be atomic, too
  bool find_assertions = false, find_nulls = false;  // by the model recipe only
  std::optional<uint64_t> seed;                      // of a random schedule; none: the default schedule
  uint64_t event_limit = 10'000'000;                 // visible operations of the run
  // Asked before each window, with how many of the trace's events are behind it; true: stop with what was found. May be
  // empty.
  std::function<bool(size_t events)> stops = {};
  base::Latest<Report>* bulletin = nullptr;  // where findings are published as they are made; null: nowhere
};

}  // namespace heddle::predict
