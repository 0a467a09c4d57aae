// SPDX-License-Identifier: Apache-2.0
//
// A verdict and its reasons, as result.json has them: of an analysis that has just
// ended, or of one whose run directory is read again.
#pragma once

#include <string>
#include <vector>

#include "report/gap_texts.h"

namespace heddle::report {

struct Answer {
  std::string verdict;
  std::vector<Reason> reasons;
};

}  // namespace heddle::report
