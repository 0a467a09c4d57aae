// SPDX-License-Identifier: Apache-2.0
#include "property/plan.h"

namespace heddle::property {

namespace {

schedule::StepKind kind_of(const HeddleRecord& operation) {
  if (operation.kind == HEDDLE_NONDET) return schedule::StepKind::kNondet;
  if (operation.kind == HEDDLE_COND_RESUME) return schedule::StepKind::kOp;
  if (operation.flags & HEDDLE_FLAG_TIMEOUT) return schedule::StepKind::kTimeout;
  if (operation.flags & HEDDLE_FLAG_SPURIOUS) return schedule::StepKind::kSpurious;
  return schedule::StepKind::kOp;
}

}  // namespace

PlannedStep step_of(causal::EventId event, const HeddleRecord& operation) {
  return {kind_of(operation), event, operation.kind == HEDDLE_FAIL ? 0 : operation.site,
          operation.kind == HEDDLE_NONDET ? static_cast<int64_t>(operation.value) : 0};
}

std::vector<schedule::Step> to_steps(std::span<const PlannedStep> plan, const causal::ThreadTable& names) {
  std::vector<schedule::Step> steps(plan.size());
  for (size_t i = 0; i < plan.size(); ++i) {
    steps[i].kind = plan[i].kind;
    steps[i].thread = names.name(plan[i].event.thread);
    steps[i].index = plan[i].event.index;
    steps[i].site = plan[i].site;
    steps[i].value = plan[i].value;
  }
  return steps;
}

}  // namespace heddle::property
