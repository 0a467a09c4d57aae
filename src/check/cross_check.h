// SPDX-License-Identifier: Apache-2.0
//
// Different reductions have little code in common, so what they say of the same
// program is compared: verdicts, outcomes, findings. A difference is an error of
// heddle itself.
#pragma once

#include <string>
#include <vector>

#include "check/report.h"

namespace heddle::check {

struct CrossChecked {
  std::string reduction;
  Report report;
};

// One line for each difference; none: they agree. What any side found, a side without gaps must have found, too. A side
// with gaps says nothing against the others.
std::vector<std::string> differences_of(const std::vector<CrossChecked>& sides);

}  // namespace heddle::check
