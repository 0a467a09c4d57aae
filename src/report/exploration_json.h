// SPDX-License-Identifier: Apache-2.0
//
// The tree of executions of a check, kept beside its result for the page that shows
// it. Not part of the result: what it holds may change with any version.
//
//   {"schema": 1, "left_out": 0,
//    "branches": [[parent, step, steps, thread, what happens, place, executions, blocked, failed]]}
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "check/exploration_tree.h"

namespace heddle::report {

inline constexpr const char* kExplorationFile = "exploration.json";

std::string exploration_json(const check::Exploration& exploration, std::span<const trace::Site> sites);

// The tree that lies in `directory`; null if there is none, or none that makes sense.
nlohmann::ordered_json read_exploration(const std::string& directory);

}  // namespace heddle::report
