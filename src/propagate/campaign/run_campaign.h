// SPDX-License-Identifier: Apache-2.0
//
// A campaign: so many experiments with each kind of fault, by several workers, each
// with a process of its own. Results are on disk as they come. Which experiments there are
// and what each of them is follows from the seed, not from the workers.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "propagate/campaign/experiment_store.h"
#include "propagate/engine/experiment_runner.h"

namespace heddle::propagate {

struct CampaignPlan {
  std::vector<const FaultModel*> faults;
  uint32_t runs = 100;  // with each
  uint64_t seed = 0;
  uint32_t jobs = 1;
};

struct CampaignProgress {
  uint64_t done = 0;    // with those that were there already
  uint64_t before = 0;  // those
  uint64_t wanted = 0;
  double seconds = 0;
};

struct CampaignEnd {
  enum class Why : uint8_t { kComplete, kStopped };
  Why why = Why::kComplete;
  double target_seconds = 0;  // CPU time of the program's processes
};

// `progress` may say true to stop. All faults have points to be put in.
base::Result<CampaignEnd> run_campaign(ExperimentRunner& first, const ServerSettings& settings,
                                       const CampaignPlan& plan, ExperimentStore& store,
                                       const std::function<bool(const CampaignProgress&)>& progress);

}  // namespace heddle::propagate
