// SPDX-License-Identifier: Apache-2.0
//
// Which findings count? Not those that a suppressions file is for, nor those that
// an earlier result has already. Both stay in the result, marked, and change
// neither the verdict nor the exit code.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "property/finding.h"
#include "report/circumstances.h"
#include "report/suppressions.h"

namespace heddle::report {

class Silencer {
 public:
  // Paths of a suppressions file and of an earlier result.json; empty: none.
  static base::Result<Silencer> read(const std::string& suppressions, const std::string& baseline);

  // Marks the finding if it does not count. `places`: what surrounds its places, if known.
  void look_at(property::Finding& finding, const std::vector<Circumstances>& places);

  // Lines of the suppressions file that were for nothing.
  std::vector<std::string> unused() const { return suppressions_.unused(); }

 private:
  Suppressions suppressions_;
  std::string baseline_;         // its path
  std::set<std::string> known_;  // ids of what it found
};

}  // namespace heddle::report
