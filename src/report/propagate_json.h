// SPDX-License-Identifier: Apache-2.0
//
// The result of a campaign of faults as JSON (result.json, schema 1).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gaps/gap.h"
#include "propagate/campaign/statistics.h"
#include "report/program_facts.h"

namespace heddle::report {

struct CampaignReport {
  std::string verdict;  // done, partial, refused
  gaps::Gaps gaps;
  std::vector<std::string> notes;
  ProgramFacts facts;
  uint64_t threads = 0, instructions = 0;  // of the fault-free run
  uint64_t fault_free_runs = 0;            // that were compared before anything was injected
  double seconds = 0, cpu_seconds = 0, reversibility_seconds = 0;
  propagate::CampaignStatistics statistics;
};

std::string propagate_json(const CampaignReport& report);

// What one experiment came to, whole.
std::string experiment_json(const propagate::ExperimentResult& result, const std::string& name);
// The same for people.
std::string experiment_text(const propagate::ExperimentResult& result, const std::string& name);

}  // namespace heddle::report
