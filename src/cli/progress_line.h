// SPDX-License-Identifier: Apache-2.0
//
// What a long job says on standard error while it works: one line that moves on a
// terminal, a line now and then elsewhere.
#pragma once

#include <string>

namespace heddle::cli {

class ProgressLine {
 public:
  ProgressLine();
  // `seconds` since the job began: nothing is shown again too soon.
  void show(double seconds, const std::string& text);
  // Before anything else is said.
  void clear();

 private:
  const bool on_terminal_;
  double last_shown_ = 0;
};

}  // namespace heddle::cli
