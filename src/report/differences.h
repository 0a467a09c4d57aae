// SPDX-License-Identifier: Apache-2.0
//
// A failing run against one that passes, step by step: what did the passing one do
// at the same point of the same thread? Often the first difference of each thread
// is all there is to understand.
//
//   T0.1  reads counter: 0        passing: reads counter: 1
#pragma once

#include <span>
#include <string>
#include <vector>

#include "naming/names.h"
#include "report/narration.h"

namespace heddle::report {

// For each step what the other run did instead; empty where it did the same. Steps are matched by thread and number,
// which name an operation across runs. Where a thread goes another way, its first step there says so, and later ones
// are empty: they have no counterpart. `steps` are those of narrate(run).
std::vector<std::string> differences_from(const naming::Names& run, std::span<const NarratedStep> steps,
                                          const naming::Names& other);

}  // namespace heddle::report
