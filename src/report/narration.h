// SPDX-License-Identifier: Apache-2.0
//
// A trace as a list of steps for people: who did what where, which stores were
// buffered, which step failed, and which steps are of no interest because they
// touch memory that no other thread touches in this run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "naming/names.h"

namespace heddle::report {

enum class Mark { kPlain, kBuffered, kReachesMemory, kFails, kWaits };

struct NarratedStep {
  size_t event = 0;   // in Trace::events
  size_t number = 0;  // among all steps, from 1; 0: none, it waits for ever
  uint32_t thread = 0;
  uint32_t site = 0;
  uint8_t kind = 0;
  Mark mark = Mark::kPlain;
  bool is_quiet = false;  // memory of one thread only, or the start of a thread
  std::string action;
};

std::vector<NarratedStep> narrate(const naming::Names& names);

// The function in which each thread that has steps begins. Of T0 it is main, although
// it makes the globals first.
std::map<uint32_t, std::string> first_functions(const trace::Trace& trace, const std::vector<NarratedStep>& steps);

}  // namespace heddle::report
