// SPDX-License-Identifier: Apache-2.0
#include "property/plan.h"

namespace heddle::property {

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
