// SPDX-License-Identifier: Apache-2.0
//
// Coverage of campaigns as a picture: for each program a group of bars, one per
// fault type; the length of a bar is the coverage, its colours are the outcomes of
// the experiments that deviated, a line marks the 95 % confidence interval. One
// SVG without references to anything else, to be opened or put into a page.
#pragma once

#include <span>
#include <string>

#include "propagate/campaign/statistics.h"

namespace heddle::report {

struct ProgramCampaign {
  std::string program;
  propagate::CampaignStatistics statistics;
};

std::string campaign_plot(std::span<const ProgramCampaign> campaigns);

}  // namespace heddle::report
