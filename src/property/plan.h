// SPDX-License-Identifier: Apache-2.0
//
// Steps of a schedule while threads are known by their ids; small, because an
// exploration keeps many of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "causal/execution.h"
#include "schedule/schedule.h"

namespace heddle::property {

struct PlannedStep {
  schedule::StepKind kind = schedule::StepKind::kOp;
  causal::EventId event;
  uint32_t site = 0;
  int64_t value = 0;  // of a choice
};

// The step that lets this operation happen as recorded; not for one that takes no turn
// (causal::happens_with_previous).
PlannedStep step_of(causal::EventId event, const HeddleRecord& operation);

std::vector<schedule::Step> to_steps(std::span<const PlannedStep> plan, const causal::ThreadTable& names);

}  // namespace heddle::property
