// SPDX-License-Identifier: Apache-2.0
#include "property/schedule_of.h"

#include "abi/version.h"

namespace heddle::property {

schedule::Schedule schedule_of(std::span<const PlannedStep> plan, const execute::Subject& subject,
                               schedule::MemoryModel memory, const causal::ThreadTable& threads) {
  schedule::Schedule schedule;
  schedule.module_hash = subject.module_hash;
  schedule.instrumentation_version = HEDDLE_INSTRUMENTATION_VERSION;
  schedule.memory_model = memory;
  schedule.check_rules = true;
  schedule.steps = to_steps(plan, threads);
  return schedule;
}

}  // namespace heddle::property
