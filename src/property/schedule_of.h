// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "causal/thread_table.h"
#include "execute/executor.h"
#include "property/plan.h"
#include "schedule/schedule.h"

namespace heddle::property {

// The plan as a schedule of this subject.
schedule::Schedule schedule_of(std::span<const PlannedStep> plan, const execute::Subject& subject,
                               schedule::MemoryModel memory, const causal::ThreadTable& threads);

}  // namespace heddle::property
