// SPDX-License-Identifier: Apache-2.0
//
// What a campaign says about a program, fault type by fault type.
//
// *Coverage* is the share of injected faults after which some thread did something
// else than without the fault: deviated / injected. It is an estimate from a
// sample, so it has a 95 % confidence interval (Wilson's, which stays sensible at
// 0 and 1 and for few runs).
//
// An injected fault without a deviation may be a miss or may have had no effect.
// So 1 - coverage is the *maximal possible rate of false negatives* (MPFNR). For
// outcomes that others can see (crash, sdc, ...) an error must have propagated,
// and their MPFNR, the share without deviation among them, should be 0.
//
// That is a measurement only if outcomes are no deviations: else it would be 0 by
// definition. So an experiment counts as deviated if a thread is known to have
// deviated (`first_deviation` names one). What shows in the outcome and in no thread
// is a miss of the comparison, and is also counted by itself (`only_outcome`). A crash
// is a deviation, so the MPFNR of crashes is 0 as far as the crashing thread is known; how
// many of them nothing else preceded is counted, too (`only_crash`).
//
// Runs that ended before the fault was injected say nothing: they count in `runs`
// and nowhere else, except that a deviation in one of them is a *false alarm*.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "propagate/experiment.h"

namespace heddle::propagate {

struct Interval {
  double low = 0;
  double high = 1;
};

// 95 % interval for a share of which `successes` of `trials` were observed; [0, 1] without trials.
Interval wilson_interval(uint64_t successes, uint64_t trials);

struct OutcomeCount {
  uint64_t injected = 0;  // experiments with this outcome
  uint64_t deviated = 0;  // among them
};

struct FaultStatistics {
  std::string fault;
  uint64_t runs = 0;
  uint64_t injected = 0;
  uint64_t deviated = 0;      // among the injected: some thread did something else
  uint64_t only_outcome = 0;  // among the injected: not benign, and no thread deviated
  uint64_t only_crash = 0;    // among the deviated: a crash, and no thread did anything else before it
  uint64_t false_alarms = 0;  // deviated, but not injected
  std::array<OutcomeCount, kOutcomes.size()> outcomes;
  double median_seconds = 0;                         // of all runs
  uint64_t median_instructions_until_deviation = 0;  // of those that deviated

  const OutcomeCount& outcome(Outcome which) const { return outcomes[static_cast<size_t>(which)]; }
  std::optional<double> coverage() const;  // nothing if nothing was injected
  Interval coverage_interval() const { return wilson_interval(deviated, injected); }
  std::optional<double> mpfnr(Outcome which) const;  // nothing if there was none
};

struct CampaignStatistics {
  std::vector<FaultStatistics> faults;  // by name
  FaultStatistics all;                  // its name is "all"
};

// Is a thread known to have deviated?
bool thread_deviated(const ExperimentResult& result);

CampaignStatistics campaign_statistics(std::span<const ExperimentResult> results);

}  // namespace heddle::propagate
