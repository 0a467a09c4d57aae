// SPDX-License-Identifier: Apache-2.0
//
// What an analysis found, as data: what goes wrong, where, and the schedule that
// leads to it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "schedule/schedule.h"
#include "trace/trace.h"

namespace heddle::property {

struct Place {
  std::string file;
  uint32_t line = 0;
  std::string function;
  std::string thread;
  auto operator<=>(const Place&) const = default;
};

struct Finding {
  std::string kind;     // "assertion", "deadlock", ...
  std::string message;  // one line
  std::vector<Place> places;
  schedule::Schedule schedule;
  bool confirmed = false;
  size_t original_switches = 0;               // between threads, before the schedule was shortened
  std::shared_ptr<const trace::Trace> trace;  // of the run that confirmed it; else of the one that showed it
  bool enabled_at_once = false;               // of a race
  bool validated = false;                     // the schedule was checked against a trace, without the program
  std::string doubt;                          // why it is not confirmed; may be empty
  std::string id;                             // stays the same when lines move (stable_identity.h)
  std::string silenced;                       // why it does not count; empty: it counts
};

// "assertion", "crash", "null-dereference", ...
const char* finding_kind(HeddleFailure failure);

// Findings of the same kind at the same places are one.
std::string identity_of(const Finding& finding);

}  // namespace heddle::property
