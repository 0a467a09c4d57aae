// SPDX-License-Identifier: Apache-2.0
//
// The statistics of a campaign of faults for people: a table, and bars as long as
// the coverage, in which each outcome has its own letter.
//
//   fault      runs  injected  coverage  95 %           benign   sdc  detected  crash  hang
//   bitflip     500       498    84.1 %  80.7 .. 87.1 %    310   100         8     70    10
//
//   bitflip  |bbbbbbbbbbbbbbbbbbbssssssssccccccch          |  84.1 %
//
// A bar counts deviated experiments only, so that its length is the coverage.
#pragma once

#include <string>

#include "propagate/campaign/statistics.h"

namespace heddle::report {

std::string campaign_table(const propagate::CampaignStatistics& statistics);
std::string campaign_bars(const propagate::CampaignStatistics& statistics, size_t width = 50);

}  // namespace heddle::report
