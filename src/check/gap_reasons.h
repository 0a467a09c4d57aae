// SPDX-License-Identifier: Apache-2.0
//
// Why explorations that enumerate schedules may not have seen everything.
#pragma once

#include "check/report.h"

namespace heddle::check {

inline Reason context_bound_reason(uint32_t bound) {
  return {"context-bound", "executions with more than " + std::to_string(bound) + " preemptions were not explored"};
}
inline Reason loop_reason() {
  return {"not-covered", "a loop that seemed to wait for a change was not let go round more often before the change"};
}
inline Reason too_many_values_reason() { return {"not-covered", "a choice among more than 1024 values"}; }

}  // namespace heddle::check
